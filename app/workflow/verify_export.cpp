#include "app/workflow/verify_export.hpp"

#include <fmt/chrono.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "app/workflow/export_model.hpp"
#include "app/workflow/temporary_folder.hpp"
#include "libcalib/model_file/model_file.hpp"
#include "libcalib/text_file.hpp"
#include "reports/verify/libmujoco_engine.hpp"
#include "reports/verify/mujoco_scene.hpp"
#include "reports/verify/mujoco_target.hpp"
#include "reports/verify/node_engine.hpp"

namespace tactelier {
namespace {

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

/// MuJoCo of Debian reads the portable form alone, npm's what is for 3.7 and later.
struct MujocoVersion {
  std::string_view format;
  MujocoForm form;
  Result<std::unique_ptr<MujocoEngine>> (*start)(const std::filesystem::path& scene);
};

Result<std::unique_ptr<MujocoEngine>> newest_mujoco(const std::filesystem::path& scene) {
  const auto package = mujoco_of_npm();
  if (!package) return fail(package.error());
  return node_engine(scene, *package);
}

constexpr std::array kVersions{
    MujocoVersion{"mujoco", MujocoForm::kPortable, libmujoco_engine},
    MujocoVersion{"mujoco-3.7", MujocoForm::kModern, newest_mujoco},
};

/// What stands in the exported file, pressed in MuJoCo; what our model says is worked out apart.
Result<Verification> verify_in_mujoco(const SensorModel& model, const MujocoVersion& version,
                                      const Job& job) {
  const auto exported = (*exporter(version.format))->write(model);
  if (!exported) return fail(exported.error());
  const auto contents = fill_slots(model, mujoco_slots(version.form), "MuJoCo");
  if (!contents) return fail(contents.error());
  const auto pad = mujoco_pad(model, *contents, version.form);
  if (!pad) return fail(pad.error());
  const auto folder = TemporaryFolder::create();
  if (!folder) return fail(folder.error());
  const auto list = PressList::create(model, *pad);
  if (!list) return fail(list.error());
  const auto shapes = pad_shapes(*pad, *list);
  const auto scene = mujoco_scene(exported->text, *pad, shapes);
  if (!scene) return fail(scene.error());
  const auto file = (*folder)->path() / "scene.xml";
  if (auto written = write_text_file(file, *scene); !written) return fail(written.error());
  auto engine = version.start(file);
  if (!engine) return fail(engine.error());
  const auto target = mujoco_target(std::move(*engine), *pad, shapes);
  auto found = verify_pad(model, *pad, *target, job);
  if (found && version.form == MujocoForm::kModern && bristled(*pad, model, *contents))
    found->left_out.emplace_back(
        "the pad on bristles: its loop is for Python, and tests slide on it (docs/exports.md)");
  return found;
}

}  // namespace

std::vector<std::string> verifiable_formats() {
  std::vector<std::string> formats;
  for (const auto& version : kVersions) formats.emplace_back(version.format);
  return formats;
}

Result<VerificationRecord> verify_export(const VerifyRequest& request, const Job& job) {
  if (const auto format = exporter(request.format); !format) return fail(format.error());
  const auto* version = std::find_if(kVersions.begin(), kVersions.end(), [&](const auto& known) {
    return known.format == request.format;
  });
  if (version == kVersions.end())
    return fail(
        ErrorCode::kUsage,
        "nothing here can press a pad of format '{}'; {} can be verified, and --script FILE "
        "writes what presses it elsewhere for {}",
        request.format, fmt::join(verifiable_formats(), ", "), fmt::join(scripted_formats(), ", "));
  auto model = assumed_model(request);
  if (!model) return fail(model.error());
  auto found = verify_in_mujoco(*model, *version, job);
  if (!found) return fail(found.error(), request.model.filename().string());
  return VerificationRecord{request.format, verified_at_utc(), "tactelier " TACTELIER_VERSION,
                            std::move(*model), std::move(*found)};
}

Result<std::string> verify_script_of(const VerifyRequest& request) {
  if (const auto format = exporter(request.format); !format) return fail(format.error());
  const auto model = assumed_model(request);
  if (!model) return fail(model.error());
  return verify_script(*model, request.format, "tactelier " TACTELIER_VERSION);
}

Result<void> write_verification(const VerificationRecord& record, const std::filesystem::path& file,
                                bool replace) {
  const auto page = std::filesystem::path(file).replace_extension(".txt").filename().string();
  const Exported files{to_json(record), {}, {}, {{page, to_text(verification_sections(record))}}};
  if (auto written = write_export(files, file, replace); !written) return fail(written.error());
  return {};
}

}  // namespace tactelier
