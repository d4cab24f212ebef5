#include "fitting/recording/step_edges.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "fitting/recording/contact_point.hpp"
#include "fitting/recording/edge_stairs.hpp"
#include "fitting/recording/reading_step.hpp"
#include "fitting/recording/rung_edges.hpp"
#include "fitting/recording/stream_reader.hpp"
#include "fitting/statistics/robust.hpp"
#include "fitting/statistics/serial.hpp"
#include "libcalib/json_check.hpp"

namespace tactelier {
namespace {

constexpr double kSeatedForce = 0.1;  // of the peak force: below, the frame is seating
constexpr double kMinStep_s = 6e-3;   // between steps: faster ones run into one another
constexpr double kMaxStep_s = 0.25;
constexpr std::size_t kMinSteps = 20;
constexpr double kSeen = 50;      // rise of chi^2 from in step to between steps
constexpr double kRings = 50;     // fall of chi^2 by which ringing shows
constexpr double kEarly = 0.2;    // of a step's time: force is hardly ahead of its command
constexpr double kLead_s = 0.05;  // of the computed way before the first row
constexpr double kLocked = 1;     // samples that an edge moves by within them, over a press
constexpr std::size_t kMinLoadings = 2;
constexpr int kDelayGrid = 50;
constexpr std::array kRises_s{0.3e-3, 0.5e-3, 0.7e-3, 0.9e-3, 1.2e-3, 1.6e-3, 2.2e-3};
constexpr std::array kSpans_s{0.0, 1e-3, 2e-3};  // of a step, from rest to rest
constexpr double kUsualRise_s = 0.9e-3, kUsualSpan_s = 1e-3;
constexpr double kMinPeriods = 2;  // of microstep error on the way: else it is a bent frame
constexpr std::array kPeriods{4, 8, 16, 32, 64, 128, 256};  // steps

struct Parabola {
  double at = 0, height = 0, curvature = 0;
};

Parabola through(double x, double h, double left, double middle, double right) {
  const double curvature = (left - 2 * middle + right) / (h * h);
  const double slope = (right - left) / (2 * h);
  if (!(curvature > 0)) return {x, middle, 0};
  return {x - slope / curvature, middle - slope * slope / (2 * curvature), curvature};
}

/// Least squares over the delay for one rise time, from a grid over one step's time.
Parabola best_delay(const EdgeStairs& stairs, const PlateLoading& press, double step_s,
                    double rise_s) {
  const double first_s = -kEarly * step_s - rise_s;
  std::vector<double> rss;
  for (int i = 0; i <= kDelayGrid; ++i)
    rss.push_back(fit_edges_at(stairs, press, first_s + step_s * i / kDelayGrid).rss_m2);
  const auto best = std::min_element(rss.begin(), rss.end()) - rss.begin();
  double at_s = first_s + step_s * static_cast<double>(best) / kDelayGrid;
  Parabola found;
  for (double h = step_s / kDelayGrid; h > 0.05e-3; h /= 4) {
    found = through(at_s, h, fit_edges_at(stairs, press, at_s - h).rss_m2,
                    fit_edges_at(stairs, press, at_s).rss_m2,
                    fit_edges_at(stairs, press, at_s + h).rss_m2);
    at_s = std::clamp(found.at, at_s - h, at_s + h);
  }
  found.at = at_s;
  return found;
}

struct Jump {
  EdgeShape shape;
  Parabola delay;
};

/// The best of all shapes of an edge that does not ring.
Jump best_jump(EdgeStairs& stairs, const PlateLoading& press, double step_s) {
  std::vector<Jump> jumps;
  for (const double span_s : kSpans_s)
    for (const double rise_s : kRises_s) {
      const EdgeShape shape{span_s, rise_s};
      stairs.shape(shape);
      jumps.push_back({shape, best_delay(stairs, press, step_s, rise_s)});
    }
  return *std::min_element(jumps.begin(), jumps.end(), [](const auto& a, const auto& b) {
    return a.delay.height < b.delay.height;
  });
}

double speed_of(const CommandedPath& path, const PlateLoading& press) {
  const double from_s = press.time_s.front(), to_s = press.time_s.back();
  const auto& line = path.line_at(from_s);
  return std::abs(line.place_m(to_s)[2] - line.place_m(from_s)[2]) / (to_s - from_s);
}

/// Steps that keep in time with the samples show every edge at one place between two of them, and
/// where that is rests on the edge's shape.
double locked_u_s(const PlateLoading& press, double step_s) {
  const double sample_s = median_interval(press.time_s);
  const double samples = step_s / sample_s;
  const double steps = (press.time_s.back() - press.time_s.front()) / step_s;
  return std::abs(samples - std::round(samples)) * steps < kLocked ? u_rectangular(sample_s / 2)
                                                                   : 0;
}

double way_m(const CommandedPath& path, const PlateLoading& press) {
  if (press.time_s.empty()) return 0;
  return speed_of(path, press) * (press.time_s.back() - press.time_s.front());
}

double shortest_way_m(const CommandedPath& path, std::span<const PlateLoading> presses) {
  double least_m = HUGE_VAL;
  for (const auto& press : presses)
    if (!press.time_s.empty()) least_m = std::min(least_m, way_m(path, press));
  return least_m;
}

/// Those on whose way enough steps were made; all where they are too few. The first way into a
/// plate is by steps as small as the stage makes.
std::vector<PlateLoading> with_steps_enough(const CommandedPath& path,
                                            std::span<const PlateLoading> presses, double step_m) {
  std::vector<PlateLoading> chosen;
  for (const auto& press : presses)
    if (way_m(path, press) >= kMinSteps * step_m) chosen.push_back(press);
  if (chosen.size() < kMinLoadings) return {presses.begin(), presses.end()};
  return chosen;
}

std::string why_not_seen(double step_s, std::size_t steps) {
  if (steps < kMinSteps || step_s > kMaxStep_s)
    return fmt::format("{} steps on the plate, {} needed", steps, kMinSteps);
  if (step_s < kMinStep_s)
    return fmt::format(
        "a step every {:.1f} ms on the plate, which run into one another: press it "
        "slower",
        1e3 * step_s);
  return {};
}

/// For an edge of usual shape: the best of powers of two of a step.
double best_period_m(const CommandedPath& path, std::span<const PlateLoading> presses,
                     double step_m) {
  double best_m = kPeriods.front() * step_m, least_m2 = HUGE_VAL;
  const double shortest_m = shortest_way_m(path, presses);
  for (const int steps : kPeriods) {
    const double period_m = steps * step_m;
    if (kMinPeriods * period_m > shortest_m) continue;
    double squares_m2 = 0;
    for (const auto& press : presses) {
      if (press.time_s.empty()) continue;
      const double step_s = step_m / speed_of(path, press);
      EdgeStairs stairs(path, press.time_s.front() - kLead_s - step_s,
                        press.time_s.back() + kLead_s, step_m, period_m);
      stairs.shape({kUsualSpan_s, kUsualRise_s});
      squares_m2 += best_delay(stairs, press, step_s, kUsualRise_s).height;
    }
    if (squares_m2 >= least_m2) continue;
    least_m2 = squares_m2;
    best_m = period_m;
  }
  return best_m;
}

/// Rows of one line into the plate, from seated to where it ends or is cut short.
PlateLoading rows_of_line(const CommandedPath::Line& line, const PressData& data, double bias_N) {
  PlateLoading press;
  const double seated_N = kSeatedForce * (data.force_N[data.peak] - bias_N);
  const double end_s = line.brake_s.value_or(line.end_s);
  for (std::size_t i = 0; i < data.rows() && data.time_s[i] < end_s; ++i) {
    const double force_N = data.force_N[i] - bias_N;
    if (data.time_s[i] <= line.begin_s || (press.time_s.empty() && force_N < seated_N)) continue;
    press.time_s.push_back(data.time_s[i]);
    press.force_N.push_back(force_N);
  }
  return press;
}

/// Of the presses that ring; none where most don't.
std::optional<AxisRing> middle_ring(const std::vector<StepDelay>& presses) {
  std::vector<double> hz, damping;
  for (const auto& press : presses) {
    if (press.shape.ring_hz == 0) continue;
    hz.push_back(press.shape.ring_hz);
    damping.push_back(press.shape.ring_damping);
  }
  if (2 * hz.size() <= presses.size()) return {};
  return AxisRing{median(hz), median(damping)};
}

StepEdges refused_edges(std::string words) {
  StepEdges edges;
  edges.refusal = "DP-05 " + std::move(words);
  return edges;
}

}  // namespace

std::optional<double> stated_step_m(const Session& session, std::size_t axis) {
  const auto document = parse_json(session.metadata().document, "session");
  if (!document) return std::nullopt;
  const auto name = fmt::format("/rig/stage/step_um/{}", "xyz"[axis]);
  const auto step_um = document->value(nlohmann::json::json_pointer(name), 0.0);
  return step_um > 0 ? std::optional(1e-6 * step_um) : std::nullopt;
}

Result<double> stage_step_m(const FitContext& context, std::size_t session, std::size_t axis) {
  const Session& file = *context.sessions[session].session;
  if (const auto stated = stated_step_m(file, axis)) return *stated;
  const auto clocks = clocks_of(context, session);
  const StreamReader reader{file, clocks, {}, false, context.job};
  const std::vector<std::string> column{std::string(1, "xyz"[axis])};
  const auto stage = axis == 2 ? reader.stage() : reader.read(StreamKind::kStage, column);
  if (!stage && stage.error().code != ErrorCode::kUnidentifiable) return fail(stage.error());
  if (!stage || !stage->there()) return 0;
  ReadingStep step;
  step.add(stage->samples.columns[0]);
  return step.counts();
}

Result<StepDelay> fit_step_delay(const CommandedPath& path, const PlateLoading& press,
                                 double step_m, double period_m, const EdgeShape* like) {
  constexpr std::size_t kMinRows = 100;
  if (press.time_s.size() < kMinRows)
    return fail(
        ErrorCode::kUnidentifiable,
        "the longest line into the plate has {} readings of its force, {} needed: ground this "
        "stiff is pressed step by step, which shows no edges in a row; lay a spring of 5 to "
        "20 N/mm on it",
        press.time_s.size(), kMinRows);
  const double speed = speed_of(path, press);
  const double step_s = step_m / speed;
  const double lasts_s = press.time_s.back() - press.time_s.front();
  if (auto why = why_not_seen(step_s, static_cast<std::size_t>(lasts_s / step_s)); !why.empty())
    return fail(ErrorCode::kUnidentifiable, "{}", why);
  EdgeStairs stairs(path, press.time_s.front() - kLead_s - step_s, press.time_s.back() + kLead_s,
                    step_m, period_m);
  const auto jump = best_jump(stairs, press, step_s);
  stairs.shape(jump.shape);
  auto at = fit_edges_at(stairs, press, jump.delay.at);
  const auto between = fit_edges_at(stairs, press, jump.delay.at + step_s / 2);
  const auto rows = static_cast<double>(press.time_s.size());
  double variance = at.rss_m2 / (rows - 8);
  if (!(jump.delay.curvature > 0) || between.rss_m2 - at.rss_m2 < kSeen * variance)
    return fail(ErrorCode::kUnidentifiable, "no steps show in the force on the plate");
  StepDelay found;
  found.shape = jump.shape;
  found.delay_s = jump.delay.at + jump.shape.mean_s();
  found.u_s = std::sqrt(2 * variance / jump.delay.curvature);
  std::optional<RungEdges> rung;
  if (!like || like->ring_hz > 0)
    rung = find_rung_edges(stairs, press, jump.shape, jump.delay.at, like);
  if (rung && at.rss_m2 - rung->fit.rss_m2 > kRings * rung->fit.rss_m2 / (rows - 10)) {
    found.shape = rung->shape;
    found.delay_s = rung->delay_s + rung->shape.mean_s();
    found.u_s = rung->u_mean_s;
    at = std::move(rung->fit);
    variance = at.rss_m2 / (rows - 10);
  }
  const std::vector<double> left(at.residual_m.data(), at.residual_m.data() + at.residual_m.size());
  found.u_s *= serial_inflation(std::clamp(lag1(left), 0.0, 0.99));
  found.u_locked_s = locked_u_s(press, step_s);
  found.sine_m = at.sine_m;
  found.rms_m = std::sqrt(at.rss_m2 / rows);
  return found;
}

PlateLoading longest_loading(const CommandedPath& path, const PressData& data, double bias_N) {
  PlateLoading longest;
  for (const auto& line : path.lines()) {
    if (line.begin_s >= data.time_s[data.peak] || line.begin_s < data.time_s.front() ||
        line.motion.end_m()[2] >= line.motion.from_m()[2])
      continue;
    auto press = rows_of_line(line, data, bias_N);
    if (way_m(path, press) > way_m(path, longest)) longest = std::move(press);
  }
  return longest;
}

StepEdges step_edges_of(const CommandedPath& path, std::span<const PlateLoading> all,
                        double step_m) {
  const auto presses = with_steps_enough(path, all, step_m);
  if (presses.size() < kMinLoadings)
    return refused_edges(
        fmt::format("Damping and delay can't be separated: {} presses of the rigid "
                    "plate, {} needed",
                    presses.size(), kMinLoadings));
  const double period_m = best_period_m(path, presses, step_m);
  std::vector<StepDelay> best;
  for (const auto& press : presses) {
    const auto fit =
        fit_step_delay(path, press, step_m, period_m, best.empty() ? nullptr : &best.front().shape);
    if (!fit) return refused_edges("Damping and delay can't be separated: " + fit.error().message);
    best.push_back(*fit);
  }
  StepEdges edges;
  edges.step_m = step_m;
  std::vector<double> delays_s;
  std::array<double, 2> sine_m{};
  double squares = 0;
  const auto n = static_cast<double>(best.size());
  edges.step_s = step_m / path.line_at(presses.front().time_s.front()).motion.top_speed_m_per_s();
  for (const auto& fit : best) {
    const double off_s = fit.delay_s - best.front().delay_s;
    delays_s.push_back(best.front().delay_s + std::remainder(off_s, edges.step_s));
    squares += fit.u_s * fit.u_s;
    for (std::size_t c = 0; c < 2; ++c) sine_m[c] += fit.sine_m[c] / n;
  }
  edges.delay_s = press_spread(delays_s);
  const double between_s2 = edges.delay_s.std * edges.delay_s.std * n;
  edges.scatter_s = std::sqrt(std::max(0.0, between_s2 - squares / n));
  edges.delay_s.std =
      std::hypot(std::max(edges.delay_s.std, std::sqrt(squares) / n), best.front().u_locked_s);
  edges.ring = middle_ring(best);
  edges.microstep = {std::hypot(sine_m[0], sine_m[1]), period_m, std::atan2(sine_m[1], sine_m[0])};
  return edges;
}

Result<StepEdges> find_step_edges(const FitContext& context, std::size_t session,
                                  const CommandedPath& path) {
  const Session& file = *context.sessions[session].session;
  const auto step_m = stage_step_m(context, session);
  if (!step_m) return fail(step_m.error());
  if (path.lines().empty())
    return refused_edges(
        "Damping and delay can't be separated: the moves of the stage are not recorded");
  if (!(*step_m > 0))
    return refused_edges(
        "Damping and delay can't be separated: state the stage's step (step_um) in the "
        "rig file");
  const auto plates = intervals(file.events(), "plate");
  if (!plates) return fail(plates.error(), file.file().filename().string());
  std::vector<PlateLoading> presses;
  for (const auto& plate : *plates) {
    const auto data = load_interval(context, session, {plate.begin_s, plate.end_s});
    if (!data && data.error().code != ErrorCode::kUnidentifiable) return fail(data.error());
    if (!data || !data->has_force() || data->rows() == 0) continue;
    const auto coarse = detect_contact(data->force_N);
    if (coarse) presses.push_back(longest_loading(path, *data, coarse->mean_N));
  }
  return step_edges_of(path, presses, *step_m);
}

}  // namespace tactelier
