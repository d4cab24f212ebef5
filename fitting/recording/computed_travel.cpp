#include "fitting/recording/computed_travel.hpp"

#include <algorithm>
#include <cmath>

#include "fitting/recording/planned_moves.hpp"
#include "fitting/recording/press_data.hpp"
#include "fitting/recording/step_edges.hpp"
#include "fitting/statistics/robust.hpp"

namespace tactelier {
namespace {

// A rest is seen to begin when the stage answers that it stands: asked ten times a second, twice
// so late where an answer was lost.
constexpr double kSeenLate_s = 0.25;
constexpr double kSeenEarly_s = 0.05;
constexpr double kSettle_s = 0.05;  // positions read later in the rest are those of the rest
// A position under way was latched somewhere between question and answer, and is a whole number of
// steps. A stamp is the middle of both: as far as answers take unlike times, stamps come unevenly.
constexpr double kLatched_s = 0.012;  // at least
constexpr double kSlowest = 1.5;      // half of the longest answer, over the range of its stamps
constexpr double kAround_s = 60;      // of positions that show it
constexpr std::size_t kFewStamps = 20;
constexpr double kRead_m = 5e-6;
// A controller begins a line late by serial line, parser and planner; more is not this line.
constexpr double kLateStep_s = 1e-3;
constexpr int kLatest = 40;                // steps
constexpr double kLineScatter_s = 2.5e-3;  // of single lines, which few plate presses don't show

double along_z_m(const CommandedPath::Line& line, double t_s) { return -line.place_m(t_s)[2]; }

/// How far from its stamp a position may have been latched. Stamps of answers that take between a
/// and b, all alike likely, lie within (b - a)/2, and their intervals scatter by that over root 6.
Result<double> latched_s(const FitContext& context, std::size_t session, TimeRange range) {
  const auto clocks = clocks_of(context, session);
  const auto reader =
      reader_of(context, session, clocks, {range.begin_s - kAround_s, range.end_s + kAround_s});
  const auto stage = reader.stage();
  if (!stage) return fail(stage.error());
  const auto& time_s = stage->samples.time_s;
  const double period_s = median_interval(time_s);
  double squares = 0, count = 0;
  for (std::size_t i = 1; i < time_s.size(); ++i) {
    const double off_s = time_s[i] - time_s[i - 1] - period_s;
    if (std::abs(off_s) > period_s / 2) continue;  // one was lost
    squares += off_s * off_s;
    ++count;
  }
  if (count < kFewStamps) return kLatched_s;
  return std::max(kLatched_s, kSlowest * std::sqrt(6 * squares / count));
}

/// Positions of the rest: their median.
double rest_travel_m(const Source& stage, Interval rest) {
  std::vector<double> travel_m;
  const auto& time_s = stage.samples.time_s;
  for (std::size_t i = 0; i < time_s.size(); ++i)
    if (time_s[i] > rest.begin_s + kSettle_s && time_s[i] < rest.end_s)
      travel_m.push_back(stage.samples.columns[0][i]);
  return median(travel_m);
}

/// Whether the positions read between begin and end of the line are those computed, so late;
/// without any nobody has seen the line happen.
bool agrees(const Source& stage, const CommandedPath::Line& line, double shift_m, double late_s,
            double within_s) {
  bool seen = false;
  const auto& time_s = stage.samples.time_s;
  for (std::size_t i = 0; i < time_s.size(); ++i) {
    if (time_s[i] <= line.begin_s || time_s[i] >= line.end_s) continue;
    const double read_m = stage.samples.columns[0][i] - shift_m;
    const double low_m = along_z_m(line, time_s[i] - late_s - within_s) - kRead_m;
    const double high_m = along_z_m(line, time_s[i] - late_s + within_s) + kRead_m;
    if (std::isnan(read_m) || read_m < low_m || read_m > high_m) return false;
    seen = true;
  }
  return seen;
}

/// What positions say of one line, and what is known of all, of the edges that positions are
/// nearest to: each weighted by its variance.
Lateness together(const Lateness& a, const Lateness& b) {
  const double known_s = b.near_s(a.value_s);
  const double by_a = 1 / (a.u_s * a.u_s), by_b = 1 / (b.u_s * b.u_s);
  return {(by_a * a.value_s + by_b * known_s) / (by_a + by_b), 1 / std::sqrt(by_a + by_b),
          b.u_shared_s};
}

/// Empty where the positions allow no lateness.
std::optional<Lateness> lateness(const Source& stage, const CommandedPath::Line& line,
                                 double shift_m, double within_s) {
  std::optional<double> first_s;
  double last_s = 0;
  for (int i = 0; i <= kLatest; ++i) {
    const double late_s = i * kLateStep_s;
    if (!agrees(stage, line, shift_m, late_s, within_s)) continue;
    if (!first_s) first_s = late_s;
    last_s = late_s;
  }
  if (!first_s) return std::nullopt;
  // Positions allow much the same of all lines: where in it the truth lies is common to them.
  const double u_s = (last_s - *first_s + kLateStep_s) / std::sqrt(12.0);
  return Lateness{(*first_s + last_s) / 2, u_s, u_s};
}

}  // namespace

double Lateness::near_s(double other_s) const {
  return or_later_s > 0 ? other_s + std::remainder(value_s - other_s, or_later_s) : value_s;
}

CommandedPath commanded_path(const Session& session) {
  const auto recorded = moves(session.events());
  return CommandedPath(recorded && !recorded->empty() ? *recorded : planned_moves(session));
}

Result<std::optional<ComputedLoading>> compute_loading(const FitContext& context,
                                                       std::size_t session, std::size_t press,
                                                       const CommandedPath& path, Interval rest,
                                                       PressData& data,
                                                       const std::optional<Lateness>& known) {
  const auto* line = path.line_into(rest.begin_s, kSeenLate_s, kSeenEarly_s);
  const Press& of = context.sessions[session].presses[press];
  if (!line || line->begin_s < of.begin_s ||
      along_z_m(*line, line->end_s) <= along_z_m(*line, line->begin_s))
    return std::nullopt;
  const auto clocks = clocks_of(context, session);
  const TimeRange range{of.begin_s, of.end_s};
  const auto reader = reader_of(context, session, clocks, range);
  const auto stage = reader.stage();
  if (!stage) return fail(stage.error());
  if (!stage->there()) return std::nullopt;
  const double shift_m = rest_travel_m(*stage, rest) - along_z_m(*line, line->end_s);
  if (!std::isfinite(shift_m)) return std::nullopt;
  const auto within_s = latched_s(context, session, range);
  if (!within_s) return fail(within_s.error());
  auto late = lateness(*stage, *line, shift_m, *within_s);
  if (!late) return std::nullopt;
  if (known)
    late = together(*late, *known);
  else if (agrees(*stage, *line, shift_m, 0, *within_s))
    late->value_s = 0;  // nothing says that this controller begins late
  for (std::size_t i = 0; i < data.rows() && data.time_s[i] < rest.end_s; ++i)
    data.travel_m[i] = along_z_m(*line, data.time_s[i] - late->value_s) + shift_m;
  return ComputedLoading{*late, std::min(line->end_s, rest.begin_s)};
}

Result<std::optional<Lateness>> lateness_on_plate(const FitContext& context, std::size_t session,
                                                  const CommandedPath& path) {
  const auto edges = find_step_edges(context, session, path);
  if (!edges) return fail(edges.error());
  if (!edges->refusal.empty()) return std::nullopt;
  return Lateness{edges->delay_s.value,
                  std::hypot(edges->delay_s.std, std::max(edges->scatter_s, kLineScatter_s)),
                  edges->delay_s.std, edges->step_s};
}

Result<std::optional<double>> shift_of_line(const FitContext& context, std::size_t session,
                                            TimeRange range, const CommandedPath::Line& line) {
  const auto clocks = clocks_of(context, session);
  const auto reader = reader_of(context, session, clocks, range);
  const auto stage = reader.stage();
  if (!stage) return fail(stage.error());
  if (!stage->there()) return std::nullopt;
  const double shift_m =
      rest_travel_m(*stage, {range.begin_s, line.begin_s}) - along_z_m(line, line.begin_s);
  const auto within_s = latched_s(context, session, range);
  if (!within_s) return fail(within_s.error());
  if (!std::isfinite(shift_m) || !lateness(*stage, line, shift_m, *within_s)) return std::nullopt;
  return shift_m;
}

Result<bool> compute_travel(const FitContext& context, std::size_t session, std::size_t press,
                            const CommandedPath& path, double late_s, PressData& data) {
  const Press& of = context.sessions[session].presses[press];
  const auto first =
      std::find_if(path.lines().begin(), path.lines().end(),
                   [&](const CommandedPath::Line& line) { return line.begin_s >= of.begin_s; });
  if (first == path.lines().end() || first->begin_s >= of.end_s ||
      !path.joined(2, first->begin_s, of.end_s))
    return false;
  const auto shift_m = shift_of_line(context, session, {of.begin_s, of.end_s}, *first);
  if (!shift_m) return fail(shift_m.error());
  if (!*shift_m) return false;
  for (std::size_t i = 0; i < data.rows(); ++i) {
    const double at_s = data.time_s[i] - late_s;
    const auto& line = at_s < first->begin_s ? *first : path.line_at(at_s);
    data.travel_m[i] = along_z_m(line, at_s) + **shift_m;
  }
  return true;
}

}  // namespace tactelier
