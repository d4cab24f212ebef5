#include "fitting/views/response_curve.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <span>

#include "fitting/recording/sample_cache.hpp"
#include "fitting/response/response_press.hpp"
#include "fitting/response/response_selection.hpp"
#include "fitting/statistics/robust.hpp"
#include "fitting/views/preparation.hpp"
#include "libcalib/model_file/model_file.hpp"
#include "libcalib/model_file/tactel_curve.hpp"
#include "libcalib/model_file/turned_counts.hpp"

namespace tactelier {
namespace {

/// A window may hold the model of one sensor and recordings of another.
Result<void> check_sensor_of(const std::vector<FitSession>& sessions, const SensorModel& model) {
  for (const auto& session : sessions)
    if (session.session->metadata().sensor.tactels() != model.sensor.tactels())
      return fail(ErrorCode::kInvalidInput,
                  "{} is of another sensor than the model: {} tactels, the model has {}. Fit it.",
                  session.session->file().filename().string(),
                  session.session->metadata().sensor.tactels(), model.sensor.tactels());
  return {};
}

/// Only this tactel's presses, or those of all tactels; those left out by an edit among them.
void keep_presses_on(std::optional<int> tactel, std::vector<FitSession>& sessions) {
  for (auto& session : sessions) {
    std::erase_if(session.presses, [&](const Press& press) {
      return !press.tactel || (tactel && press.tactel != tactel) || press.outcome != "ok" ||
             press.kind == PressKind::kArea;
    });
    for (auto& press : session.presses) press.excluded = false;
  }
}

bool left_out_by_edit(const std::vector<FitSession>& sessions, std::size_t session, int press) {
  const auto& all = sessions[session].presses;
  return std::any_of(all.begin(), all.end(),
                     [&](const Press& p) { return p.number == press && p.excluded; });
}

Result<std::optional<ResponseTrace>> trace_of(const FitContext& context, std::size_t row,
                                              int tactel) {
  const auto& contact = context.contacts[row];
  const auto data = load_press(context, contact.session, contact.press, std::array{tactel});
  if (!data && data.error().code != ErrorCode::kUnidentifiable) return fail(data.error());
  if (!data || data->counts.empty() || !data->has_force()) return std::nullopt;
  auto split = split_press(*data, 0, contact);
  ResponseTrace trace;
  trace.session = contact.session;
  trace.press = context.sessions[contact.session].presses[contact.press].number;
  trace.loading_N = std::move(split.loading.force_N);
  trace.loading_counts = std::move(split.loading.counts);
  trace.unloading_N = std::move(split.unloading_force_N);
  trace.unloading_counts = std::move(split.unloading_counts);
  trace.loading_s = std::move(split.loading_s);
  trace.unloading_s = std::move(split.unloading_s);
  return trace;
}

/// Where only the slope is known, the line passes through the middle of the readings.
void set_line(const SensorModel& model, ResponseCurve& curve) {
  const auto index = static_cast<std::size_t>(curve.tactel);
  if (index >= model.response.tactels.size()) return;
  auto tactel = model.response.tactels[index];
  turn_counts(model, tactel);
  curve.noise_counts = tactel.noise.value.value_or(0);
  curve.bent = calibration_curve(model, tactel);
  if (!tactel.press_gain.value) return;
  AffineResponse line;
  line.gain_N_per_count = *tactel.press_gain.value;
  line.offset_counts = tactel.offset.value.value_or(0);
  line.threshold_N = tactel.press_threshold.value.value_or(0);
  if (tactel.saturation.value) line.saturation_counts = *tactel.saturation.value;
  if (!tactel.offset.value || !tactel.press_threshold.value) {
    std::vector<double> heights;
    for (const auto& trace : curve.traces)
      for (std::size_t i = 0; trace.used && i < trace.loading_N.size(); ++i)
        heights.push_back(trace.loading_counts[i] - trace.loading_N[i] / line.gain_N_per_count);
    if (heights.empty()) return;
    line.offset_counts = median(heights);
    line.threshold_N = 0;
    curve.height_from_data = true;
  }
  curve.line = line;
}

/// So far in counts that rise.
void turn_back(const SensorDescription& sensor, ResponseCurve& curve) {
  if (!sensor.falling) return;
  curve.mirror_counts = turned_reading(sensor, 0);
  for (auto& trace : curve.traces) {
    turn_falling(trace.loading_counts, sensor);
    turn_falling(trace.unloading_counts, sensor);
  }
}

/// Contacts found, of the presses on `tactel` or on all.
Result<FitContext> pressed_context(const std::vector<FitSession>& sessions,
                                   std::vector<SessionClocks> clocks, const SensorModel& model,
                                   std::optional<int> tactel, const Job& job) {
  if (const auto same = check_sensor_of(sessions, model); !same) return fail(same.error());
  FitContext context;
  context.clocks = std::move(clocks);
  context.sessions = sessions;
  keep_presses_on(tactel, context.sessions);
  context.model = empty_model(model.sensor);
  context.model.response.calibration_indenter = model.response.calibration_indenter;
  context.job = job;
  context.samples = std::make_shared<SampleCache>();
  if (const auto done = find_contacts(context); !done) return fail(done.error());
  return context;
}

int tactel_of(const FitContext& context, std::size_t row) {
  const auto& contact = context.contacts[row];
  return context.sessions[contact.session].presses[contact.press].tactel.value_or(-1);
}

/// The trace of one row joins the curve of its tactel.
Result<void> add_trace(const FitContext& context, const std::vector<FitSession>& sessions,
                       std::size_t row, std::span<const SelectedPress> selected,
                       ResponseCurve& curve) {
  auto trace = trace_of(context, row, curve.tactel);
  if (!trace) return fail(trace.error());
  if (!*trace) return {};
  const bool chosen = std::any_of(selected.begin(), selected.end(),
                                  [row](const SelectedPress& press) { return press.row == row; });
  const bool by_edit = left_out_by_edit(sessions, (*trace)->session, (*trace)->press);
  (*trace)->used = chosen && !by_edit;
  if (by_edit)
    (*trace)->why = "left out by an edit";
  else if (!chosen)
    (*trace)->why = context.model.presses[row].why;
  for (const double force_N : (*trace)->loading_N)
    curve.largest_force_N = std::max(curve.largest_force_N, force_N);
  curve.traces.push_back(std::move(**trace));
  return {};
}

void add_model(const SensorModel& model, ResponseCurve& curve) {
  set_line(model, curve);
  turn_back(model.sensor, curve);
}

}  // namespace

std::optional<double> residual_rms_counts(const ResponseCurve& curve) {
  if (!curve.fitted()) return std::nullopt;
  double squares = 0;
  std::size_t readings = 0;
  for (const auto& trace : curve.traces) {
    if (!trace.used) continue;
    for (std::size_t i = 0; i < trace.loading_N.size(); ++i) {
      const double off = trace.loading_counts[i] - curve.counts(trace.loading_N[i]);
      squares += off * off;
      ++readings;
    }
  }
  if (readings == 0) return std::nullopt;
  return std::sqrt(squares / static_cast<double>(readings));
}

Result<ResponseCurve> response_curve(std::vector<FitSession> sessions,
                                     std::vector<SessionClocks> clocks, const SensorModel& model,
                                     int tactel, const Job& job) {
  if (tactel < 0 || tactel >= model.sensor.tactels())
    return fail(ErrorCode::kUsage, "there is no tactel {}", tactel);
  auto context = pressed_context(sessions, std::move(clocks), model, tactel, job);
  if (!context) return fail(context.error());
  Warnings warnings;
  const auto selection = select_presses(*context, warnings);
  ResponseCurve curve;
  curve.tactel = tactel;
  for (std::size_t row = 0; row < context->contacts.size(); ++row)
    if (auto added =
            add_trace(*context, sessions, row, selection[static_cast<std::size_t>(tactel)], curve);
        !added)
      return fail(added.error());
  if (curve.traces.empty())
    return fail(ErrorCode::kUnidentifiable, "NOT-PRESSED no usable press on tactel {}", tactel);
  add_model(model, curve);
  return curve;
}

Result<std::vector<ResponseCurve>> response_curves(std::vector<FitSession> sessions,
                                                   std::vector<SessionClocks> clocks,
                                                   const SensorModel& model, const Job& job) {
  auto context = pressed_context(sessions, std::move(clocks), model, {}, job);
  if (!context) return fail(context.error());
  Warnings warnings;
  const auto selection = select_presses(*context, warnings);
  std::map<int, ResponseCurve> by_tactel;
  for (std::size_t row = 0; row < context->contacts.size(); ++row) {
    job.progress("responses", static_cast<double>(row),
                 static_cast<double>(context->contacts.size()));
    if (job.stopped()) return Job::cancelled();
    const int tactel = tactel_of(*context, row);
    if (tactel < 0 || tactel >= model.sensor.tactels()) continue;
    auto& curve = by_tactel[tactel];
    curve.tactel = tactel;
    const auto& selected = selection[static_cast<std::size_t>(tactel)];
    if (auto added = add_trace(*context, sessions, row, selected, curve); !added)
      return fail(added.error());
  }
  std::vector<ResponseCurve> curves;
  for (auto& [tactel, curve] : by_tactel) {
    if (curve.traces.empty()) continue;
    add_model(model, curve);
    curves.push_back(std::move(curve));
  }
  return curves;
}

}  // namespace tactelier
