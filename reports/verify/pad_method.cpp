#include "reports/verify/pad_method.hpp"

#include <exception>

#include "libcalib/text_file.hpp"
#include "reports/verify/mujoco_rest.hpp"
#include "reports/verify/recorded_press_scene.hpp"

namespace tactelier {

PadMethod::PadMethod(std::string mjcf, MujocoPad pad, Start start, std::filesystem::path folder)
    : mjcf_(std::move(mjcf)), pad_(std::move(pad)), start_(start), folder_(std::move(folder)) {}

Result<PressImage> PadMethod::press(const StaticPress& press) const {
  if (press.load.by != PressLoad::By::kForce || press.load.approach_m_per_s != 0)
    return fail(ErrorCode::kUnidentifiable, "the target is pressed by forces, at rest");
  const auto scene = recorded_press_scene(mjcf_, pad_, press.indenter, press.pose);
  if (!scene) return fail(scene.error());
  const std::pair key{*scene, press.load.force_N};
  if (const auto known = pressed_.find(key); known != pressed_.end()) return known->second;
  const auto file = folder_ / "press.xml";
  if (auto written = write_text_file(file, *scene); !written) return fail(written.error());
  const auto engine = start_(file);
  if (!engine) return fail(engine.error());
  try {
    (*engine)->reset();
    auto seen = pressed_under(**engine, (*engine)->dof(kRecordedPress), press.load.force_N, pad_);
    PressImage image;
    image.force_N = std::move(seen.force_N);
    image.load_N = press.load.force_N;
    image.depth_m = seen.depth_m;
    return pressed_.emplace(key, std::move(image)).first->second;
  } catch (const std::exception& error) {
    return fail(ErrorCode::kInvalidInput, "MuJoCo: {}", error.what());
  }
}

}  // namespace tactelier
