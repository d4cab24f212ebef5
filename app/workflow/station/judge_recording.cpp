#include "app/workflow/station/judge_recording.hpp"

#include "app/workflow/batch/feed_catalogue.hpp"
#include "app/workflow/batch/fit_sensor.hpp"
#include "devices/acquisition/session_document.hpp"
#include "libcalib/model_file/model_file.hpp"
#include "libcalib/model_file/model_hash.hpp"
#include "libcalib/text_file.hpp"

namespace tactelier {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxModelBytes = 256U << 20U;

/// Verdict and numbers, by the catalogue as it is.
Result<void> judge_model(const SensorModel& model, const StationLimits& limits,
                         StationLabel& label) {
  if (limits.parameters.empty()) return {};
  const auto catalogue = Catalogue::read(limits.catalogue);
  if (!catalogue) return fail(catalogue.error());
  auto accepted = accept_sensor(*catalogue, model, limits.parameters);
  if (!accepted) return fail(accepted.error());
  label.acceptance = accepted->acceptance;
  label.values = std::move(accepted->values);
  label.why = rejection_text(label.values);
  return {};
}

Result<void> describe_model(const fs::path& file, const StationLimits& limits,
                            StationLabel& label) {
  const auto text = read_text_file(file, kMaxModelBytes);
  if (!text) return fail(text.error());
  const auto model = read_model(file);
  if (!model) return fail(model.error());
  label.model_sha256 = text_hash(*text);
  label.operator_name = model->conditions.operator_name;
  return judge_model(*model, limits, label);
}

Result<StationLabel> new_label(const BatchPlan& plan, const PlannedSensor& sensor,
                               const SensorResult& result, const StationLimits& limits) {
  StationLabel label;
  label.id = sensor.id;
  label.serial = sensor.serial;
  label.sensor = sensor.sensor;
  label.recorded = result.recorded;
  label.judged = rig::utc_now();
  label.key = result.key;
  label.program = "tactelier " TACTELIER_VERSION;
  const auto folder = fs::absolute(plan.file).parent_path();
  label.recording = sensor.sessions.at(0).lexically_relative(folder).string();
  if (result.state == SensorState::kFailed) {
    label.why = "not fitted: " + result.reason;
    if (!limits.parameters.empty()) label.acceptance = Acceptance::kUnclear;
    return label;
  }
  const auto model = plan.results_of(sensor) / kModelFile;
  label.model = model.lexically_relative(folder).string();
  if (auto done = describe_model(model, limits, label); !done) return fail(done.error());
  return label;
}

Result<void> put_into_catalogue(const BatchPlan& plan, const SensorResult& result,
                                const StationLabel& label, Catalogue& catalogue) {
  auto fit = catalogued_result(plan, result);
  if (!fit) return fail(fit.error());
  if (label.acceptance) fit->verdict = to_string(*label.acceptance);
  fit->why = label.why;
  return catalogue.add(*fit);  // nothing where it is already
}

/// The fit as it was judged, not made again by other options or another version of the program;
/// only where it is gone it is.
Result<SensorResult> judged_result(const BatchPlan& plan, const PlannedSensor& sensor,
                                   const Job& job) {
  auto known = read_result(plan.results_of(sensor));
  if (!known) return fail(known.error());
  if (*known) return std::move(**known);
  return fit_sensor(plan, sensor, 0, false, job);
}

/// What was labelled before stays so; the catalogue may lack it.
Result<StationLabel> finish_labelled(StationFolder& folder, const std::string& id,
                                     const StationLimits& limits, const Job& job) {
  auto label = read_label(folder.label(id));
  if (!label) return label;
  auto catalogue = Catalogue::open(limits.catalogue);
  if (!catalogue) return fail(catalogue.error());
  const auto known = catalogue->fit(label->key);
  if (!known) return fail(known.error());
  if (*known) return label;
  const auto sensor = folder.planned(id);
  if (!sensor) return fail(sensor.error());
  const auto result = judged_result(folder.plan(), **sensor, job);
  if (!result) return fail(result.error());
  if (auto kept = put_into_catalogue(folder.plan(), *result, *label, *catalogue); !kept)
    return fail(kept.error());
  return label;
}

}  // namespace

Result<StationLabel> judge_recording(StationFolder& folder, const std::string& id,
                                     const StationLimits& limits, const Job& job) {
  std::error_code unknown;
  if (fs::exists(folder.label(id), unknown)) return finish_labelled(folder, id, limits, job);
  const auto sensor = folder.planned(id);
  if (!sensor) return fail(sensor.error());
  const auto result = fit_sensor(folder.plan(), **sensor, 0, false, job);
  if (!result) return fail(result.error());
  auto label = new_label(folder.plan(), **sensor, *result, limits);
  if (!label) return fail(label.error());
  if (auto written = write_label(*label, folder.labels()); !written) return fail(written.error());
  auto catalogue = Catalogue::open(limits.catalogue);
  if (!catalogue) return fail(catalogue.error());
  if (auto kept = put_into_catalogue(folder.plan(), *result, *label, *catalogue); !kept)
    return fail(kept.error());
  return label;
}

}  // namespace tactelier
