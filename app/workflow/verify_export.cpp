#include "app/workflow/verify_export.hpp"

#include <fmt/chrono.h>
#include <fmt/ranges.h>

#include "app/workflow/export_model.hpp"
#include "app/workflow/temporary_folder.hpp"
#include "libcalib/model_file/model_file.hpp"
#include "libcalib/text_file.hpp"
#include "reports/verify/mujoco_scene.hpp"
#include "reports/verify/mujoco_target.hpp"

namespace tactelier {
namespace {

constexpr std::string_view kMujocoFormat = "mujoco";

std::string verified_at_utc() {
  const auto now = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(now));
}

Result<SensorModel> assumed_model(const VerifyRequest& request) {
  auto model = read_model(request.model);
  if (!model) return model;
  for (const auto& assumption : request.assumptions)
    if (auto done = assume(*model, assumption, "user"); !done) return fail(done.error());
  return model;
}

/// What stands in the exported file, pressed in MuJoCo; what our model says is worked out apart.
Result<Verification> verify_in_mujoco(const SensorModel& model, const Job& job) {
  const auto exported = (*exporter(kMujocoFormat))->write(model);
  if (!exported) return fail(exported.error());
  const auto contents = fill_slots(model, mujoco_slots(), "MuJoCo");
  if (!contents) return fail(contents.error());
  const auto pad = mujoco_pad(model, *contents);
  if (!pad) return fail(pad.error());
  const auto folder = TemporaryFolder::create();
  if (!folder) return fail(folder.error());
  const auto scene = mujoco_scene(exported->text, *pad);
  if (!scene) return fail(scene.error());
  const auto file = (*folder)->path() / "scene.xml";
  if (auto written = write_text_file(file, *scene); !written) return fail(written.error());
  const auto target = mujoco_target(file, *pad);
  if (!target) return fail(target.error());
  return verify_pad(model, *pad, **target, job);
}

}  // namespace

std::vector<std::string> verifiable_formats() { return {std::string(kMujocoFormat)}; }

Result<VerificationRecord> verify_export(const VerifyRequest& request, const Job& job) {
  if (const auto format = exporter(request.format); !format) return fail(format.error());
  if (request.format != kMujocoFormat)
    return fail(ErrorCode::kUsage,
                "nothing here can press a pad of format '{}'; {} can be verified", request.format,
                fmt::join(verifiable_formats(), ", "));
  auto model = assumed_model(request);
  if (!model) return fail(model.error());
  auto found = verify_in_mujoco(*model, job);
  if (!found) return fail(found.error(), request.model.filename().string());
  return VerificationRecord{request.format, verified_at_utc(), "tactelier " TACTELIER_VERSION,
                            std::move(*model), std::move(*found)};
}

Result<void> write_verification(const VerificationRecord& record, const std::filesystem::path& file,
                                bool replace) {
  const auto page = std::filesystem::path(file).replace_extension(".txt").filename().string();
  const Exported files{to_json(record), {}, {}, {{page, to_text(verification_sections(record))}}};
  if (auto written = write_export(files, file, replace); !written) return fail(written.error());
  return {};
}

}  // namespace tactelier
