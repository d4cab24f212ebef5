#include "app/workflow/verify_export.hpp"

#include <fmt/chrono.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "app/workflow/compare_images.hpp"
#include "app/workflow/export_model.hpp"
#include "app/workflow/recorded_metrics.hpp"
#include "app/workflow/slide_on_bristles.hpp"
#include "app/workflow/temporary_folder.hpp"
#include "libcalib/model_file/model_file.hpp"
#include "libcalib/text_file.hpp"
#include "reports/verify/libmujoco_engine.hpp"
#include "reports/verify/mujoco_scene.hpp"
#include "reports/verify/mujoco_target.hpp"
#include "reports/verify/node_engine.hpp"
#include "reports/verify/pad_method.hpp"

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

/// The exported file and the numbers in it.
struct ExportedPad {
  std::string mjcf;
  MujocoPad pad;
  std::optional<MujocoPad> on_bristles{};  // where the model has what it takes
  std::vector<Sidecar> files{};            // beside the main one
};

Result<ExportedPad> export_pad(const SensorModel& model, const MujocoVersion& version) {
  auto exported = (*exporter(version.format))->write(model);
  if (!exported) return fail(exported.error());
  const auto contents = fill_slots(model, mujoco_slots(version.form), "MuJoCo");
  if (!contents) return fail(contents.error());
  auto pad = mujoco_pad(model, *contents, version.form);
  if (!pad) return fail(pad.error());
  auto on_bristles =
      version.form == MujocoForm::kModern ? bristled(*pad, model, *contents) : std::nullopt;
  return ExportedPad{std::move(exported->text), std::move(*pad), std::move(on_bristles),
                     std::move(exported->sidecars)};
}

/// What the bristles' own file does goes into the same record.
Result<void> add_slides(const ExportedPad& exported, const PressList& list,
                        const std::filesystem::path& folder, const Job& job, Verification& found) {
  if (job.stopped()) return Job::cancelled();
  job.progress("slides on bristles", 0, 1);
  const auto npm = mujoco_of_npm();
  if (!npm) return fail(npm.error());
  auto slid = slide_on_bristles(*exported.on_bristles, list, exported.files, *npm, folder);
  if (!slid) return fail(slid.error());
  std::move(slid->quantities.begin(), slid->quantities.end(), std::back_inserter(found.quantities));
  std::move(slid->left_out.begin(), slid->left_out.end(), std::back_inserter(found.left_out));
  return {};
}

/// What stands in the exported file, pressed in MuJoCo; what our model says is worked out apart.
Result<Verification> verify_in_mujoco(const SensorModel& model, const ExportedPad& exported,
                                      const MujocoVersion& version,
                                      const std::filesystem::path& folder, const Job& job) {
  const auto& pad = exported.pad;
  const auto list = PressList::create(model, pad);
  if (!list) return fail(list.error());
  const auto shapes = pad_shapes(pad, *list);
  const auto scene = mujoco_scene(exported.mjcf, pad, shapes);
  if (!scene) return fail(scene.error());
  const auto file = folder / "scene.xml";
  if (auto written = write_text_file(file, *scene); !written) return fail(written.error());
  auto engine = version.start(file);
  if (!engine) return fail(engine.error());
  const auto target = mujoco_target(std::move(*engine), pad, shapes);
  auto found = verify_pad(model, pad, *target, job);
  if (found && exported.on_bristles)
    if (auto slid = add_slides(exported, *list, folder, job, *found); !slid)
      return fail(slid.error());
  return found;
}

Result<RecordedAgreement> agree_with_recordings(const SensorModel& model,
                                                const ExportedPad& exported,
                                                const MujocoVersion& version,
                                                const std::filesystem::path& folder,
                                                const VerifyRequest& request, const Job& job) {
  constexpr const char* kOurs = "soft-contact";
  if (!is_level(exported.pad.places))
    return fail(ErrorCode::kUnidentifiable,
                "recorded images are pressed again on level pads alone, and this one is not level: "
                "leave --session out");
  CompareRequest compare;
  compare.model = request.model;
  compare.sessions = request.sessions;
  compare.methods = {kOurs};
  const std::string target(version.format);
  compare.others.emplace_back(
      target, std::make_shared<PadMethod>(exported.mjcf, exported.pad, version.start, folder));
  const auto report = compare_with_sessions(model, compare, job);
  if (!report) return fail(report.error());
  auto agreement = agreement_of(*report, kOurs, target);
  if (agreement.images.empty())
    return fail(ErrorCode::kUnidentifiable,
                "of no recorded image a relative L1 by both {} and {} can be told{}", kOurs, target,
                agreement.left_out.empty()
                    ? ": the model knows no full scale (saturation, or the converter's range)"
                    : fmt::format(": {}", fmt::join(agreement.left_out, "; ")));
  for (const auto& session : request.sessions)
    agreement.sessions.push_back(session.filename().string());
  return agreement;
}

Result<const MujocoVersion*> version_of(const std::string& format) {
  if (const auto known = exporter(format); !known) return fail(known.error());
  const auto* version = std::find_if(kVersions.begin(), kVersions.end(),
                                     [&](const auto& known) { return known.format == format; });
  if (version != kVersions.end()) return version;
  return fail(ErrorCode::kUsage,
              "nothing here can press a pad of format '{}'; {} can be verified, and --script FILE "
              "writes what presses it elsewhere for {}",
              format, fmt::join(verifiable_formats(), ", "), fmt::join(scripted_formats(), ", "));
}

std::string page_of(const std::filesystem::path& record) {
  return std::filesystem::path(record).replace_extension(".txt").filename().string();
}

}  // namespace

std::vector<std::string> verifiable_formats() {
  std::vector<std::string> formats;
  for (const auto& version : kVersions) formats.emplace_back(version.format);
  return formats;
}

Result<VerificationRecord> verify_export(const VerifyRequest& request, const Job& job) {
  if (const auto version = version_of(request.format); !version) return fail(version.error());
  auto model = assumed_model(request);
  if (!model) return fail(model.error());
  return verify_export(std::move(*model), request, job);
}

Result<VerificationRecord> verify_export(SensorModel model, const VerifyRequest& request,
                                         const Job& job) {
  const auto version = version_of(request.format);
  if (!version) return fail(version.error());
  const auto name = request.model.filename().string();
  const auto exported = export_pad(model, **version);
  if (!exported) return fail(exported.error(), name);
  if (const auto list = PressList::create(model, exported->pad); !list)
    return fail(list.error(), name);
  const auto folder = TemporaryFolder::create();
  if (!folder) return fail(folder.error());
  // Sessions first: what is wrong with one is said at once, not after a minute of presses.
  std::optional<RecordedAgreement> recorded;
  if (!request.sessions.empty()) {
    auto agreement =
        agree_with_recordings(model, *exported, **version, (*folder)->path(), request, job);
    if (!agreement) return fail(agreement.error());
    recorded = std::move(*agreement);
  }
  auto found = verify_in_mujoco(model, *exported, **version, (*folder)->path(), job);
  if (!found) return fail(found.error(), name);
  return VerificationRecord{request.format,   verified_at_utc(), "tactelier " TACTELIER_VERSION,
                            std::move(model), std::move(*found), std::move(recorded)};
}

Result<std::string> verify_script_of(const VerifyRequest& request) {
  if (const auto format = exporter(request.format); !format) return fail(format.error());
  const auto model = assumed_model(request);
  if (!model) return fail(model.error());
  return verify_script(*model, request.format, "tactelier " TACTELIER_VERSION);
}

Result<void> may_write_verification(const std::filesystem::path& file, bool replace) {
  return may_write_sidecars({{}, {}, {}, {{page_of(file), {}}}}, file, replace);
}

Result<void> write_verification(const VerificationRecord& record, const std::filesystem::path& file,
                                bool replace) {
  const Exported files{
      to_json(record), {}, {}, {{page_of(file), to_text(verification_sections(record))}}};
  if (auto written = write_export(files, file, replace); !written) return fail(written.error());
  return {};
}

}  // namespace tactelier
