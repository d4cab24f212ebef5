#include "app/workflow/batch/fit_sensor.hpp"

#include <chrono>

#include "app/workflow/batch/result_folder.hpp"
#include "app/workflow/batch/sensor_key.hpp"
#include "app/workflow/fit_sessions.hpp"
#include "devices/acquisition/session_document.hpp"
#include "fitting/engine/purpose.hpp"
#include "libcalib/model_file/model_file.hpp"
#include "libcalib/text_file.hpp"
#include "reports/export/exporter.hpp"
#include "reports/model_table.hpp"

namespace tactelier {
namespace {

namespace fs = std::filesystem;

FitRequest request_for(const BatchOptions& options, const PlannedSensor& sensor, int threads) {
  FitRequest request;
  request.sessions = sensor.sessions;
  request.stages = options.stages;
  request.required = options.required;
  request.sensor = options.sensor;
  request.options.seed = options.seed;
  request.options.holdout = options.holdout;
  request.options.threads = threads;
  return request;
}

/// Why a model is less than was asked for; "" when it isn't.
std::string shortfall(const FitReport& report) {
  if (!report.unmet.empty())
    return fmt::format("BA-06 required, but missing: {}", fmt::join(report.unmet, "; "));
  if (!report.anything_identified)
    return fmt::format("BA-06 nothing could be identified of {}",
                       fmt::join(asked_stages(report.model), ", "));
  return {};
}

class ResultWriter {
 public:
  ResultWriter(const fs::path& folder, SensorResult& result) : folder_(folder), result_(result) {}

  Result<void> write(const SensorModel& model, const std::vector<std::string>& formats) {
    if (auto done = write_model(model, folder_ / kModelFile); !done) return done;
    result_.files.emplace_back(kModelFile);
    if (auto done = add("model.txt", to_text(model_sections(model, {.tactels = true}))); !done)
      return done;
    for (const auto& format : formats)
      if (auto done = add_export(model, format); !done) return done;
    return {};
  }

 private:
  Result<void> add(const std::string& name, const std::string& text) {
    if (auto written = write_text_file(folder_ / name, text); !written) return written;
    result_.files.push_back(name);
    return {};
  }

  /// A format that can't hold the model is told, and no reason to lose the model.
  Result<void> add_export(const SensorModel& model, const std::string& format) {
    const auto writer = exporter(format);
    if (!writer) return fail(writer.error());
    const auto exported = (*writer)->write(model);
    if (exported) return add(fmt::format("{}{}", format, (*writer)->extension()), exported->text);
    result_.refused.push_back({format, exported.error().message});
    return {};
  }

  const fs::path& folder_;
  SensorResult& result_;
};

/// Model and exports into `folder`, the rest into `result`.
Result<void> fit_into(const fs::path& folder, const BatchPlan& plan, const PlannedSensor& sensor,
                      int threads, const Job& job, SensorResult& result) {
  const auto report = fit_sessions(request_for(plan.options, sensor, threads), job);
  if (!report && report.error().code == ErrorCode::kCancelled) return fail(report.error());
  if (!report) {
    result.reason = failure_reason(report.error());
    return {};
  }
  result.reason = shortfall(*report);
  result.state = result.reason.empty() ? SensorState::kIdentified : SensorState::kIncomplete;
  result.found = found_words(report->model);
  return ResultWriter(folder, result).write(report->model, plan.options.exports);
}

}  // namespace

Result<SensorResult> fit_sensor(const BatchPlan& plan, const PlannedSensor& sensor, int threads,
                                bool anew, const Job& job) {
  auto folder = ResultFolder::begin(plan, sensor);
  if (!folder) return fail(folder.error());
  const auto begun = std::chrono::steady_clock::now();
  const auto inputs = sensor_inputs(plan, sensor, job);
  SensorResult result;
  result.id = sensor.id;
  result.key = inputs.key;
  result.recorded = inputs.recorded;
  if (!anew)
    if (const auto known = read_result(plan.results_of(sensor));
        known && *known && (*known)->key == result.key)
      return **known;
  if (auto done = fit_into(folder->path(), plan, sensor, threads, job, result); !done)
    return fail(done.error());
  result.finished = rig::utc_now();
  result.duration_s =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
  if (auto published = folder->publish(result); !published) return fail(published.error());
  return result;
}

Result<SensorResult> note_failure(const BatchPlan& plan, const PlannedSensor& sensor,
                                  const SensorInputs& inputs, const std::string& reason) {
  auto folder = ResultFolder::begin(plan, sensor);
  if (!folder) return fail(folder.error());
  SensorResult result;
  result.id = sensor.id;
  result.key = inputs.key;
  result.recorded = inputs.recorded;
  result.reason = reason;
  result.finished = rig::utc_now();
  if (auto published = folder->publish(result); !published) return fail(published.error());
  return result;
}

}  // namespace tactelier
