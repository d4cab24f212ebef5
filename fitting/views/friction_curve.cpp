#include "fitting/views/friction_curve.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "fitting/friction/presliding.hpp"
#include "fitting/friction/steady_slides.hpp"
#include "fitting/views/preparation.hpp"
#include "libcalib/models/lugre.hpp"

namespace tactelier {
namespace {

constexpr int kCurvePoints = 160;
constexpr double kBeyond = 1.3;  // the curve goes on past the slowest and fastest slide
constexpr std::size_t kLoopPoints = 120;

/// What the curve needs; the bristles only for loops.
std::optional<LugreValues> curve_values(const SensorModel& model) {
  const auto& found = model.friction.contact;
  if (!found.mu_s.value || !found.mu_d.value || !found.v_s.value) return std::nullopt;
  return LugreValues{found.sigma0.value.value_or(0),
                     found.sigma1.value.value_or(0),
                     found.c_t.value.value_or(0),
                     *found.mu_s.value,
                     *found.mu_d.value,
                     *found.v_s.value};
}

bool has_bristles(const SensorModel& model) {
  return model.friction.contact.sigma0.value && model.friction.contact.sigma1.value;
}

std::string refusal_of(const SlideRun& run) {
  if (!run.usable()) return run.refusal;
  if (run.normal_variation > kMaxLoadVariation)
    return fmt::format("FR-05 {}: normal force varied {:.0f} %", run.where,
                       100 * run.normal_variation);
  return {};
}

/// A side force goes with the contact and the axis: half of the sum of forward and backward.
class SideForces {
 public:
  void add(const SlideRun& run, const SlidePoint& point) {
    auto& sums =
        sums_[{run.session, run.contact}][std::llround(1e7 * std::abs(point.velocity_m_per_s))];
    auto& sum = point.velocity_m_per_s > 0 ? sums.forward : sums.backward;
    sum = point.friction_N;
  }
  double of(const SlideRun& run) const {
    const auto found = sums_.find({run.session, run.contact});
    if (found == sums_.end()) return 0;
    double total = 0, pairs = 0;
    for (const auto& [speed, sum] : found->second) {
      if (!sum.forward || !sum.backward) continue;
      total += (*sum.forward + *sum.backward) / 2;
      ++pairs;
    }
    return pairs > 0 ? total / pairs : 0;
  }

 private:
  struct Pair {
    std::optional<double> forward, backward;
  };
  std::map<std::pair<std::size_t, int>, std::map<long long, Pair>> sums_;
};

/// Averages force and path over the periods of the run, from the second to the last but one.
PreslidingLoop loop_of(const SlideRun& run, const SensorModel& model) {
  PreslidingLoop loop;
  loop.session = run.session;
  loop.slide = run.event.number;
  loop.load_N = run.mean_normal_N;
  loop.frequency_hz = run.event.frequency_hz;
  loop.why = refusal_of(run);
  if (loop.why.empty()) loop.why = cannot_preslide(run, presliding(run));
  loop.used = loop.why.empty();
  if (run.time_s.empty() || !(loop.frequency_hz > 0)) return loop;
  const auto values = curve_values(model);
  const bool modelled = loop.used && values && has_bristles(model);
  LugreBristle bristle;
  const double period_s = 1 / loop.frequency_hz;
  const auto bins = std::min<std::size_t>(
      kLoopPoints, static_cast<std::size_t>(std::max(8.0, period_s / run.period_s / 2)));
  std::vector<double> count(bins), path(bins), force(bins), fitted(bins);
  double at_m = 0;
  for (std::size_t i = 0; i < run.time_s.size(); ++i) {
    at_m += run.velocity_m_per_s[i] * run.period_s;
    const double model_N =
        modelled ? bristle.step_N(*values, run.period_s, run.velocity_m_per_s[i], run.normal_N[i])
                 : 0;
    const double since_s = run.time_s[i] - run.event.begin_s;
    if (since_s < period_s || run.time_s[i] > run.event.end_s - 4 * period_s) continue;
    const double phase = std::fmod(since_s, period_s) / period_s;
    const auto bin =
        std::min(bins - 1, static_cast<std::size_t>(phase * static_cast<double>(bins)));
    ++count[bin];
    path[bin] += at_m;
    force[bin] += run.friction_N[i];
    fitted[bin] += model_N;
  }
  double mean_N = 0, mean_m = 0, model_mean_N = 0, filled = 0;
  for (std::size_t b = 0; b < bins; ++b) {
    if (count[b] == 0) continue;
    ++filled;
    mean_m += path[b] / count[b];
    mean_N += force[b] / count[b];
    model_mean_N += fitted[b] / count[b];
  }
  for (std::size_t b = 0; b < bins; ++b) {
    if (count[b] == 0) continue;
    loop.path_m.push_back(path[b] / count[b] - mean_m / filled);
    loop.force_N.push_back(force[b] / count[b] - mean_N / filled);
    if (modelled) loop.model_N.push_back(fitted[b] / count[b] - model_mean_N / filled);
  }
  return loop;
}

/// Over the settled part. A stage that moves in steps is not at the speed that it is at on average.
double modelled_friction(const SlideRun& run, const SensorModel& model) {
  const auto values = curve_values(model);
  if (!values || !has_bristles(model) || !run.motion_measured) return std::nan("");
  LugreBristle bristle;
  const auto window = steady_window(run);
  double force_N = 0, load_N = 0;
  for (std::size_t i = 0; i < window.end; ++i) {
    const double f =
        bristle.step_N(*values, run.period_s, run.velocity_m_per_s[i], run.normal_N[i]);
    if (i < window.begin) continue;
    force_N += std::abs(f);
    load_N += run.normal_N[i];
  }
  return load_N > 0 ? force_N / load_N : std::nan("");
}

void add_model(const SensorModel& model, FrictionCurve& curve) {
  const auto values = curve_values(model);
  curve.reference_N = model.friction.contact.normal_force.value.value_or(0);
  if (!values || !(curve.reference_N > 0) || curve.points.empty()) return;
  const auto [least, most] = std::minmax_element(
      curve.points.begin(), curve.points.end(),
      [](const auto& a, const auto& b) { return a.speed_m_per_s < b.speed_m_per_s; });
  const double from = std::log(least->speed_m_per_s / kBeyond);
  const double to = std::log(most->speed_m_per_s * kBeyond);
  for (int i = 0; i <= kCurvePoints; ++i) {
    const double speed = std::exp(from + (to - from) * i / kCurvePoints);
    curve.speed_m_per_s.push_back(speed);
    curve.friction.push_back(lugre_steady_N(*values, speed, curve.reference_N) / curve.reference_N);
  }
}

}  // namespace

Result<FrictionCurve> friction_curve(std::vector<FitSession> sessions,
                                     std::vector<SessionClocks> clocks, const SensorModel& model,
                                     const Job& job) {
  const auto context = plain_context(std::move(sessions), std::move(clocks), model, job);
  std::vector<SlideRun> runs;
  for (std::size_t s = 0; s < context.sessions.size(); ++s) {
    auto loaded = load_slides(context, s);
    if (!loaded) return fail(loaded.error());
    for (auto& run : *loaded) runs.push_back(std::move(run));
  }
  if (runs.empty())
    return fail(ErrorCode::kUnidentifiable,
                "No slides were recorded: friction needs protocol P9, presliding P10.");
  FrictionCurve curve;
  SideForces side;
  std::vector<std::pair<const SlideRun*, SteadyRun>> slides;
  for (const auto& run : runs) {
    if (run.event.oscillation) {
      curve.loops.push_back(loop_of(run, model));
      continue;
    }
    if (!run.usable()) continue;
    slides.emplace_back(&run, steady_run(run));
    side.add(run, slides.back().second.point);
  }
  double sum = 0;
  for (const auto& [run, steady] : slides) {
    const auto& point = steady.point;
    if (!(point.normal_N > 0)) continue;
    StribeckPoint shown;
    shown.session = run->session;
    shown.slide = run->event.number;
    shown.speed_m_per_s = std::abs(point.velocity_m_per_s);
    shown.forward = point.velocity_m_per_s > 0;
    shown.load_N = point.normal_N;
    shown.friction = std::copysign(1.0, point.velocity_m_per_s) *
                     (point.friction_N - side.of(*run)) / point.normal_N;
    shown.u_friction = point.u_N / point.normal_N;
    shown.model = modelled_friction(*run, model);
    shown.why = refusal_of(*run);
    if (shown.why.empty() && !steady.refusal.empty()) shown.why = "NOT-SETTLED " + steady.refusal;
    shown.used = shown.why.empty();
    sum += shown.friction;
    curve.points.push_back(std::move(shown));
  }
  if (sum < 0)  // a sensor whose side force has the other sign
    for (auto& point : curve.points) point.friction = -point.friction;
  add_model(model, curve);
  return curve;
}

}  // namespace tactelier
