#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include "fitting/engine/same_sensor.hpp"
#include "fitting/engine/stage.hpp"
#include "fitting/recording/conditioning.hpp"
#include "fitting/recording/recording_order.hpp"
#include "fitting/recording/sample_cache.hpp"
#include "libcalib/json_check.hpp"
#include "libcalib/model_file/model_file.hpp"
#include "libcalib/model_file/turned_counts.hpp"

namespace tactelier {
namespace {

std::vector<std::string> stage_names() {
  std::vector<std::string> names;
  for (const auto& stage : stages()) names.emplace_back(stage.id);
  return names;
}

const Stage* find_stage(std::string_view id) {
  for (const auto& stage : stages())
    if (stage.id == id) return &stage;
  return nullptr;
}

void add_with_needs(const Stage& stage, std::set<std::string_view>& wanted) {
  if (!wanted.insert(stage.id).second) return;
  for (const auto need : stage.needs)
    if (const auto* before = find_stage(need)) add_with_needs(*before, wanted);
}

bool same_layout(const SensorArray& a, const SensorArray& b) { return a == b; }

std::string name_of(const FitSession& session) {
  return session.name.empty() ? session.session->file().filename().string() : session.name;
}

bool same_recording(const FitSession& a, const FitSession& b) {
  if (a.session->metadata().created != b.session->metadata().created) return false;
  const auto one = a.session->content_hash(), other = b.session->content_hash();
  return one && other && *one == *other;
}

Result<void> check_pair(const FitSession& a, const FitSession& b) {
  if (same_recording(a, b))
    return fail(ErrorCode::kInvalidInput,
                "{} and {} are the same recording, which would count twice and narrow every "
                "interval; give it once",
                name_of(a), name_of(b));
  const auto why = sensor_difference(a.session->metadata(), b.session->metadata());
  if (why.empty()) return {};
  return fail(ErrorCode::kInvalidInput,
              "{} and {} are of different sensors ({}); fit them one by one", name_of(a),
              name_of(b), why);
}

Result<void> check_sessions(std::span<const FitSession> sessions, const FitOptions& options) {
  if (sessions.empty()) return fail(ErrorCode::kUsage, "no session to fit");
  if (!(options.holdout >= 0 && options.holdout <= 0.5))
    return fail(ErrorCode::kUsage, "holdout is a fraction from 0 to 0.5, not {}", options.holdout);
  for (std::size_t i = 0; i < sessions.size(); ++i)
    for (std::size_t j = i + 1; j < sessions.size(); ++j)  // one without a serial hides nothing
      if (auto ok = check_pair(sessions[i], sessions[j]); !ok) return ok;
  return {};
}

void sort_sessions(std::vector<FitSession>& sessions) {
  std::vector<FitSession> sorted;
  for (const auto i : recording_order(sessions)) {
    sorted.push_back(std::move(sessions[i]));
    sorted.back().argument = i;
  }
  sessions = std::move(sorted);
}

/// The first session's description, and what others state that it leaves open. Where two state
/// different numbers the first one's are taken, and that is told.
SensorDescription joined_sensor(std::span<const FitSession> sessions, Warnings& warnings) {
  auto sensor = sessions.front().session->metadata().sensor;
  const auto join = [&](std::optional<double>& known, const std::optional<double>& other,
                        const char* name, const FitSession& from) {
    if (!known) known = other;
    if (!other || *known == *other) return;
    warnings.push_back({"SENSOR-DIFFERS",
                        fmt::format("The sessions state different {} of the sensor: {:.6g} is "
                                    "taken, {:.6g} is not. Correct the wrong description.",
                                    name, *known, *other),
                        name_of(from)});
  };
  for (const auto& session : sessions.subspan(1)) {
    const auto& other = session.session->metadata().sensor;
    join(sensor.thickness_m, other.thickness_m, "thickness_m", session);
    join(sensor.poisson_ratio, other.poisson_ratio, "poisson_ratio", session);
    join(sensor.max_force_N, other.max_force_N, "max_force_N", session);
    join(sensor.max_pressure_Pa, other.max_pressure_Pa, "max_pressure_Pa", session);
    join(sensor.rate_hz, other.rate_hz, "rate_hz", session);
  }
  return sensor;
}

std::string utc_now() {
  const auto now = std::chrono::system_clock::now();
  const auto day = std::chrono::floor<std::chrono::days>(now);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss time(std::chrono::floor<std::chrono::seconds>(now - day));
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                     time.hours().count(), time.minutes().count(), time.seconds().count());
}

void add_unique(std::vector<std::string>& list, const std::string& text) {
  if (!text.empty() && std::find(list.begin(), list.end(), text) == list.end())
    list.push_back(text);
}

std::string describe(const ForceSensor& sensor) {
  std::vector<std::string> parts;
  add_unique(parts, sensor.model);
  if (!sensor.calibration.empty()) add_unique(parts, "calibration " + sensor.calibration);
  if (!sensor.serial.empty()) add_unique(parts, "serial " + sensor.serial);
  if (!sensor.certificate_date.empty())
    add_unique(parts, "certificate of " + sensor.certificate_date);
  return fmt::format("{}", fmt::join(parts, ", "));
}

Result<void> fill_provenance(FitContext& context) {
  auto& provenance = context.model.provenance;
  provenance.program_version = TACTELIER_VERSION;
  const auto& options = context.options;
  // Not the number of threads: results don't depend on it.
  provenance.options = {{"seed", fmt::format("{}", options.seed)},
                        {"holdout", fmt::format("{}", options.holdout)},
                        {"bootstrap_resamples", fmt::format("{}", options.bootstrap_resamples)}};
  if (options.sensor) provenance.options[kSensorOption] = "given";
  if (context.model.sensor.falling) provenance.options[kCountsOption] = kAsRecorded;
  for (const auto& session : context.sessions) {
    const auto hash = session.session->content_hash();
    if (!hash && hash.error().code == ErrorCode::kCancelled) return fail(hash.error());
    SessionProvenance entry;
    entry.file = name_of(session);
    if (hash)
      entry.content_hash = *hash;
    else
      context.model.quality["contact"].warnings.push_back(
          {"DAMAGED", hash.error().message, entry.file});
    for (const auto& edit : session.session->edits()) entry.edits.push_back(edit.describe());
    for (const auto& exclusion : session.exclusions) add_unique(entry.edits, exclusion);
    provenance.sessions.push_back(std::move(entry));
    const auto& metadata = session.session->metadata();
    if (metadata.indenter) add_unique(provenance.indenters, metadata.indenter->describe());
    for (const auto& press : session.presses)
      if (press.indenter) add_unique(provenance.indenters, press.indenter->describe());
  }
  std::vector<std::string> descriptions, force_sensors;
  for (const auto& session : context.sessions) {
    const auto& metadata = session.session->metadata();
    add_unique(descriptions, metadata.sensor_name.empty() ? "inline" : metadata.sensor_name);
    if (metadata.force_sensor) add_unique(force_sensors, describe(*metadata.force_sensor));
  }
  provenance.sensor_description = fmt::format("{}", fmt::join(descriptions, "; "));
  provenance.force_sensor = fmt::format("{}", fmt::join(force_sensors, "; "));
  context.model.validity.indenters = provenance.indenters;
  return {};
}

void fill_conditions(FitContext& context) {
  auto& model = context.model;
  auto& conditions = model.conditions;
  model.created = utc_now();
  model.tool = "tactelier " TACTELIER_VERSION;
  const auto take = [](std::string& known, const std::string& other) {
    if (known.empty()) known = other;
  };
  for (const auto& session : context.sessions) {
    const auto& metadata = session.session->metadata();
    take(model.serial, metadata.sensor_serial);
    take(conditions.mount, metadata.mount);
    take(conditions.operator_name, metadata.operator_name);
    if (!conditions.temperature_degC) conditions.temperature_degC = metadata.temperature_degC;
  }
  state_conditioning(context);
}

/// Parameters that nothing has filled: their stage does not exist, was not asked for, or (its own
/// oversight) said nothing.
void explain_rest(SensorModel& model, const std::set<std::string_view>& ran, bool stopped) {
  for_each_parameter(model, [&](const std::string&, Parameter& parameter, std::string_view stage) {
    if (!untouched(parameter, stage)) return;
    if (!find_stage(stage)) {
      parameter.reason =
          fmt::format("NOT-FITTED the stage '{}' is not part of this version", stage);
    } else if (!ran.contains(stage)) {
      parameter.reason = stopped
                             ? fmt::format("NOT-FITTED stopped before the stage '{}'", stage)
                             : fmt::format("NOT-FITTED the stage '{}' was not asked for", stage);
    } else {
      parameter.reason =
          fmt::format("NOT-FITTED the sessions hold nothing for it (stage '{}')", stage);
    }
  });
}

/// Runs the chain and returns the stages that have ended. After a stop that is to keep them, the
/// model is as the last of them left it.
Result<std::set<std::string_view>> run_chain(FitContext& context,
                                             std::span<const Stage* const> chain) {
  std::set<std::string_view> ran;
  for (const auto* stage : chain) {
    const bool keep = context.options.keep_when_stopped && !ran.empty();
    const auto before = keep ? context.model : SensorModel{};
    auto done = context.job.stopped() ? Result<void>(Job::cancelled()) : stage->run(context);
    if (!done && done.error().code == ErrorCode::kCancelled && keep) {
      context.model = before;
      return ran;
    }
    if (!done) return fail(done.error());
    ran.insert(stage->id);
    if (context.options.on_stage) context.options.on_stage(stage->id, context);
  }
  return ran;
}

/// A figure that has no number, as the condition of what is singular, is no figure: no file holds
/// it.
void leave_out_undefined(SensorModel& model) {
  for (auto& [stage, quality] : model.quality)
    std::erase_if(quality.figures,
                  [](const auto& figure) { return !std::isfinite(figure.second); });
}

}  // namespace

std::string sensor_difference(const SessionMetadata& a, const SessionMetadata& b) {
  if (!a.sensor_serial.empty() && !b.sensor_serial.empty() && a.sensor_serial != b.sensor_serial)
    return fmt::format("serial number {} against {}", a.sensor_serial, b.sensor_serial);
  const auto named = [](const SessionMetadata& m) {
    return fmt::format("{} {}", m.sensor.vendor, m.sensor.model);
  };
  if (named(a) != named(b)) return fmt::format("{} against {}", named(a), named(b));
  if (a.sensor.channels != b.sensor.channels || a.sensor.falling != b.sensor.falling ||
      !(a.sensor.adc == b.sensor.adc) ||
      !std::equal(a.sensor.arrays.begin(), a.sensor.arrays.end(), b.sensor.arrays.begin(),
                  b.sensor.arrays.end(), same_layout))
    return "their sensor descriptions differ";
  return {};
}

Result<std::vector<const Stage*>> stage_chain(std::span<const std::string> ids) {
  std::set<std::string_view> wanted;
  for (const auto& id : ids) {
    const auto* stage = find_stage(id);
    if (!stage)
      return fail(ErrorCode::kUsage, "there is no stage '{}'{}; stages are {}", id,
                  did_you_mean(id, stage_names()), fmt::join(stage_names(), ", "));
    add_with_needs(*stage, wanted);
    if (const auto* settling = find_stage(stage->settled_by)) add_with_needs(*settling, wanted);
  }
  std::vector<const Stage*> chain;
  for (const auto& stage : stages())
    if (ids.empty() || wanted.contains(stage.id)) chain.push_back(&stage);
  return chain;
}

std::vector<std::size_t> recording_order(std::span<const FitSession> sessions) {
  std::map<std::string, int> at;
  for (const auto& session : sessions) ++at[session.session->metadata().created];
  std::vector<std::tuple<std::string, std::string, std::size_t>> keys;
  for (std::size_t i = 0; i < sessions.size(); ++i) {
    const auto& created = sessions[i].session->metadata().created;
    const bool alone = at[created] == 1;
    keys.emplace_back(created, alone ? "" : sessions[i].session->content_hash().value_or(""), i);
  }
  std::sort(keys.begin(), keys.end());
  std::vector<std::size_t> order;
  for (const auto& key : keys) order.push_back(std::get<2>(key));
  return order;
}

Result<SensorModel> fit(std::vector<FitSession> sessions, std::span<const std::string> stage_ids,
                        const FitOptions& options, const Job& job) {
  const auto chain = stage_chain(stage_ids);
  if (!chain) return fail(chain.error());
  sort_sessions(sessions);
  if (const auto checked = check_sessions(sessions, options); !checked)
    return fail(checked.error());
  FitContext context;
  context.sessions = std::move(sessions);
  context.options = options;
  context.job = job;
  context.samples = std::make_shared<SampleCache>();
  Warnings warnings;
  context.model = empty_model(context.options.sensor ? *context.options.sensor
                                                     : joined_sensor(context.sessions, warnings));
  fill_conditions(context);
  const auto ran = run_chain(context, *chain);
  if (!ran) return fail(ran.error());
  if (const auto filled = fill_provenance(context); !filled) return fail(filled.error());
  if (!stage_ids.empty())
    context.model.provenance.options["stages"] = fmt::format("{}", fmt::join(stage_ids, ","));
  for (auto& warning : warnings)
    context.model.quality[std::string(chain->front()->id)].warnings.push_back(std::move(warning));
  explain_rest(context.model, *ran, ran->size() < chain->size());
  leave_out_undefined(context.model);
  turn_counts(context.model);
  return std::move(context.model);
}

}  // namespace tactelier
