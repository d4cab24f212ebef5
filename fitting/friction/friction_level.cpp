#include "fitting/friction/friction_level.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "fitting/friction/steady_slides.hpp"
#include "fitting/statistics/identified.hpp"
#include "libcalib/units.hpp"

namespace tactelier {
namespace {

constexpr double kBristles_N_per_m = 1;   // stands in for what is refused
constexpr double kNoDrop_m_per_s = 1e-3;  // likewise
constexpr std::size_t kDropSpeeds = 3;    // fewer lie on any curve

/// Half of what friction differs by from speed to speed, as a coefficient.
double half_range(std::span<const SlidePoint> points, const StribeckFit& fit) {
  double least = HUGE_VAL, most = -HUGE_VAL;
  for (const double v : distinct_speeds(points)) {
    double sum = 0, count = 0;
    for (const auto& p : points) {
      if (!is_speed(p, v)) continue;
      const double side_N = p.offset >= 0 ? fit.offsets_N[static_cast<std::size_t>(p.offset)] : 0;
      sum += std::copysign(1.0, p.velocity_m_per_s) * (p.friction_N - side_N) / p.normal_N;
      ++count;
    }
    least = std::min(least, sum / count);
    most = std::max(most, sum / count);
  }
  return (most - least) / 2;
}

Warning said_of(std::span<const SlidePoint> points) {
  const auto speeds = distinct_speeds(points);
  const auto at = speeds.size() > 1 ? fmt::format("between {:.3g} and {:.3g} mm/s",
                                                  m_to_mm(speeds.front()), m_to_mm(speeds.back()))
                                    : fmt::format("at {:.3g} mm/s", m_to_mm(speeds.front()));
  return {"FR-LEVEL",
          fmt::format("µ_d is the level of friction {}, of {} slides: at other speeds it may be "
                      "another. A Stribeck curve takes {} different speeds.",
                      at, points.size(), kMinSpeeds),
          "friction"};
}

}  // namespace

LugreFit steady_lugre(const StribeckFit& fit, std::size_t points) {
  const bool drops = fit.model == SlidingModel::kStribeck;
  LugreFit found;
  found.values = {kBristles_N_per_m, kBristles_N_per_m, fit.c_t,
                  fit.mu_s,          fit.mu_d(),        drops ? fit.v_s_m_per_s : kNoDrop_m_per_s};
  found.chi2 = fit.chi2;
  found.samples = static_cast<double>(points);
  found.dof = fit.dof;
  found.converged = true;
  if (fit.covariance.size() == 0) return found;
  Eigen::MatrixXd turn = Eigen::MatrixXd::Zero(kLugreSize, fit.covariance.cols());
  turn(kLugreDynamic, 0) = 1;
  if (drops) {
    turn(kLugreStatic, 0) = 1;
    turn(kLugreDynamic, 1) = -1;
    turn(kLugreStribeck, 2) = 1;
  }
  if (fit.model != SlidingModel::kCoulomb) turn(kLugreViscous, turn.cols() - 1) = 1;
  found.covariance = fit.chi2 / fit.dof * turn * fit.covariance * turn.transpose();
  return found;
}

std::optional<FrictionLevel> friction_level(std::span<const SlidePoint> measured) {
  const bool tells_drop = distinct_speeds(measured).size() >= kDropSpeeds;
  if (tells_drop && choose_sliding(measured) == SlidingModel::kStribeck) return std::nullopt;
  auto fit = fit_sliding(measured, SlidingModel::kCoulomb);
  if (!fit) return std::nullopt;
  std::vector<SlidePoint> points(measured.begin(), measured.end());
  const double spread = spread_of_runs(points, *fit);
  for (auto& point : points) point.u_N = std::hypot(point.u_N, spread * fit->mu_s * point.normal_N);
  fit = fit_sliding(points, SlidingModel::kCoulomb);
  if (!fit) return std::nullopt;
  FrictionLevel level{*fit, steady_lugre(*fit, points.size()), said_of(points)};
  if (level.law.covariance.size() > 0)
    level.law.covariance(kLugreDynamic, kLugreDynamic) +=
        std::pow(u_rectangular(half_range(points, *fit)), 2);
  return level;
}

}  // namespace tactelier
