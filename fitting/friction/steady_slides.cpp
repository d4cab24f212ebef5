#include "fitting/friction/steady_slides.hpp"

#include <algorithm>
#include <cmath>

#include "fitting/statistics/line_fit.hpp"
#include "fitting/statistics/serial.hpp"
#include "libcalib/units.hpp"

namespace tactelier {
namespace {

constexpr double kSettledFrom = 0.5;  // of the run
constexpr double kGuard_s = 0.03;     // before slowing down
constexpr double kMaxTrend = 0.02;    // of friction over the window
constexpr double kSureOfTrend = 4;
constexpr double kSameSpeed = 0.02;
constexpr double kNextSpeed = 0.1;      // strokes that are meant to be alike differ by less
constexpr double kAboveStribeck = 2;    // FR-02: v_max over v_s
constexpr double kBelowStribeck = 0.5;  // FR-02: v_min over v_s

}  // namespace

std::vector<double> distinct_speeds(std::span<const SlidePoint> points) {
  std::vector<double> speeds;
  for (const auto& point : points) speeds.push_back(std::abs(point.velocity_m_per_s));
  std::sort(speeds.begin(), speeds.end());
  std::vector<double> distinct;
  for (const double v : speeds)
    if (distinct.empty() || v > distinct.back() * (1 + kNextSpeed)) distinct.push_back(v);
  return distinct;
}

bool is_speed(const SlidePoint& point, double distinct_m_per_s) {
  const double v = std::abs(point.velocity_m_per_s);
  return v >= distinct_m_per_s && v <= distinct_m_per_s * (1 + kNextSpeed);
}

SteadyWindow steady_window(const SlideRun& run) {
  const double length_s = run.event.end_s - run.event.begin_s;
  const auto row = [&](double since_s) {
    const double at_s = run.event.begin_s + since_s;
    return static_cast<std::size_t>(std::lower_bound(run.time_s.begin(), run.time_s.end(), at_s) -
                                    run.time_s.begin());
  };
  return {row(kSettledFrom * length_s), row(length_s - run.ramp_s - kGuard_s)};
}

SteadyRun steady_run(const SlideRun& run) {
  SteadyRun result;
  const auto window = steady_window(run);
  if (window.end < window.begin + 20) {
    result.too_short = true;
    result.refusal = fmt::format("{}: too short for a steady part.", run.where);
    return result;
  }
  std::vector<double> time_s, friction_N;
  auto& point = result.point;
  for (std::size_t i = window.begin; i < window.end; ++i) {
    time_s.push_back(run.time_s[i] - run.time_s[window.begin]);
    friction_N.push_back(run.friction_N[i]);
    point.velocity_m_per_s += run.velocity_m_per_s[i];
    point.normal_N += run.normal_N[i];
    point.friction_N += run.friction_N[i];
  }
  const auto n = static_cast<double>(time_s.size());
  point.velocity_m_per_s /= n;
  point.normal_N /= n;
  point.friction_N /= n;
  const auto line = fit_line(time_s, friction_N);
  if (!line) return result;
  std::vector<double> residuals;
  for (std::size_t i = 0; i < time_s.size(); ++i)
    residuals.push_back(line->residual(time_s[i], friction_N[i]));
  const double inflation = serial_inflation(std::min(0.9999, lag1(residuals)));
  point.u_N = line->residual_sd / std::sqrt(n) * inflation;
  const double change_N = std::abs(line->slope) * time_s.back();
  const double u_change_N = line->u_slope * time_s.back() * inflation;
  if (change_N > kMaxTrend * std::abs(point.friction_N) && change_N > kSureOfTrend * u_change_N)
    result.refusal = fmt::format(
        "{}: friction still changes by {:.2g} % over the last part of the run: slide further.",
        run.where, 100 * change_N / std::abs(point.friction_N));
  return result;
}

std::string too_few_speeds(std::span<const SlidePoint> points) {
  std::vector<SlidePoint> forward, backward;
  for (const auto& point : points)
    (point.velocity_m_per_s > 0 ? forward : backward).push_back(point);
  const auto there = distinct_speeds(forward).size(), back = distinct_speeds(backward).size();
  const auto all = distinct_speeds(points).size(), fewer = std::min(there, back);
  if (all >= kMinSpeeds && (fewer == 0 || fewer >= kMinWayBack)) return {};
  return fmt::format(
      "FR-01 Need ≥ {} different speeds for a Stribeck curve, ≥ {} of them either way where slides "
      "go both ways; there are {} forward and {} backward, {} different ones.",
      kMinSpeeds, kMinWayBack, there, back, all);
}

double spread_of_runs(std::span<const SlidePoint> points, const StribeckFit& fit) {
  double squares = 0, own = 0;
  for (const auto& p : points) {
    const double v = p.velocity_m_per_s;
    const double slow = fit.v_s_m_per_s > 0 ? -std::expm1(-std::pow(v / fit.v_s_m_per_s, 2)) : 0;
    const double side_N = p.offset >= 0 ? fit.offsets_N[static_cast<std::size_t>(p.offset)] : 0;
    const double level_N =
        std::copysign(p.normal_N * (fit.mu_s - fit.drop * slow), v) + fit.c_t * p.load_ratio * v;
    squares += std::pow((p.friction_N - side_N - level_N) / level_N, 2);
    own += std::pow(p.u_N / level_N, 2);
  }
  if (!(fit.dof > 0) || !std::isfinite(squares)) return 0;
  return std::sqrt(std::max(0.0, squares / fit.dof - own / static_cast<double>(points.size())));
}

std::string not_bracketed(std::span<const SlidePoint> points, const StribeckFit& fit) {
  const auto speeds = distinct_speeds(points);
  if (speeds.empty()) return {};
  const double least = speeds.front(), most = speeds.back();
  if (!fit.at_bound && most >= kAboveStribeck * fit.v_s_m_per_s &&
      least <= kBelowStribeck * fit.v_s_m_per_s)
    return {};
  return fmt::format(
      "FR-02 Speeds {:.3g}–{:.3g} mm/s do not bracket the Stribeck speed; µ_d and v_s not "
      "reported.",
      m_to_mm(least), m_to_mm(most));
}

double asymmetry(std::span<const SlidePoint> points) {
  double difference = 0, sum = 0;
  for (const auto& a : points)
    for (const auto& b : points) {
      if (!(a.velocity_m_per_s > 0) || a.offset != b.offset) continue;
      if (std::abs(a.velocity_m_per_s + b.velocity_m_per_s) > kSameSpeed * a.velocity_m_per_s)
        continue;
      difference += a.friction_N / a.normal_N + b.friction_N / b.normal_N;
      sum += std::abs(a.friction_N / a.normal_N) + std::abs(b.friction_N / b.normal_N);
    }
  return sum > 0 ? std::abs(difference) / (sum / 2) : 0;
}

}  // namespace tactelier
