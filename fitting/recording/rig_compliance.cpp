#include "fitting/recording/rig_compliance.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "fitting/statistics/condition.hpp"
#include "fitting/statistics/scalar_minimum.hpp"

namespace tactelier {
namespace {

constexpr std::size_t kMinSamples = 8;
constexpr double kSeatingForces = 3;  // times F0: where seating bends the line
constexpr double kTurned = 0.95;      // of the largest force: above, the tip may stand still

/// Travel and force of all presses, each press's own means taken out: z0 is eliminated exactly.
struct Centred {
  Eigen::VectorXd travel, force;  // stacked
  std::vector<Eigen::Index> begin;

  Eigen::VectorXd centre(Eigen::VectorXd v) const {
    for (std::size_t p = 0; p + 1 < begin.size(); ++p) {
      auto part = v.segment(begin[p], begin[p + 1] - begin[p]);
      if (part.size() > 0) part.array() -= part.mean();
    }
    return v;
  }
  Eigen::Index presses() const { return static_cast<Eigen::Index>(begin.size()) - 1; }
};

Result<Centred> stack(std::span<const PlatePress> presses, double min_force_N) {
  Centred all;
  std::vector<double> travel, force;
  all.begin.push_back(0);
  for (const auto& press : presses) {
    for (std::size_t i = 0; i < press.force_N.size(); ++i) {
      if (press.force_N[i] < min_force_N) continue;
      travel.push_back(press.travel_m[i]);
      force.push_back(press.force_N[i]);
    }
    all.begin.push_back(static_cast<Eigen::Index>(travel.size()));
  }
  if (travel.size() < kMinSamples)
    return fail(ErrorCode::kUnidentifiable,
                "{} samples on the plate, at least {} needed: press the plate harder or slower",
                travel.size(), kMinSamples);
  const auto n = static_cast<Eigen::Index>(travel.size());
  all.travel = Eigen::Map<Eigen::VectorXd>(travel.data(), n);
  all.force = Eigen::Map<Eigen::VectorXd>(force.data(), n);
  if (all.force.maxCoeff() - all.force.minCoeff() <= 0)
    return fail(ErrorCode::kUnidentifiable, "the plate presses hold one force only");
  return all;
}

Eigen::MatrixXd linear_columns(const Centred& all, double f0_N, bool seating) {
  Eigen::MatrixXd columns(all.force.size(), seating ? 2 : 1);
  columns.col(0) = all.centre(all.force);
  if (seating) columns.col(1) = all.centre((1 - (-all.force.array() / f0_N).exp()).matrix());
  return columns;
}

Eigen::VectorXd solve_linear(const Eigen::MatrixXd& columns, const Eigen::VectorXd& y) {
  const Eigen::VectorXd scale = columns.colwise().norm().cwiseMax(1e-300).transpose();
  const Eigen::MatrixXd scaled = columns * scale.cwiseInverse().asDiagonal();
  return scaled.colPivHouseholderQr().solve(y).cwiseQuotient(scale);
}

PlateFit summarize(const Centred& all, const RigCompliance& compliance, bool seating) {
  PlateFit fit;
  fit.compliance = compliance;
  fit.seating = seating;
  fit.samples = static_cast<int>(all.force.size());
  const Eigen::ArrayXd decay = (-all.force.array() / compliance.f0_N).exp();
  const Eigen::VectorXd bent =
      compliance.c1_m_per_N * all.force + compliance.c2_m * (1 - decay).matrix();
  Eigen::VectorXd residual = all.travel - bent;
  const Eigen::Index extra = seating ? 3 : 1;
  Eigen::MatrixXd jacobian = Eigen::MatrixXd::Zero(all.force.size(), all.presses() + extra);
  for (Eigen::Index p = 0; p < all.presses(); ++p) {
    const auto from = all.begin[static_cast<std::size_t>(p)];
    const auto count = all.begin[static_cast<std::size_t>(p) + 1] - from;
    fit.z0_m.push_back(count > 0 ? residual.segment(from, count).mean() : 0);
    residual.segment(from, count).array() -= fit.z0_m.back();
    jacobian.col(p).segment(from, count).setOnes();
  }
  jacobian.col(all.presses()) = all.force;
  if (seating) {
    jacobian.col(all.presses() + 1) = (1 - decay).matrix();
    jacobian.col(all.presses() + 2) =
        (-compliance.c2_m / (compliance.f0_N * compliance.f0_N) * all.force.array() * decay)
            .matrix();
  }
  const auto n = static_cast<double>(all.force.size());
  fit.rms_m = std::sqrt(residual.squaredNorm() / n);
  const double dof = n - static_cast<double>(jacobian.cols());
  const Eigen::MatrixXd covariance = covariance_from(jacobian);
  if (covariance.size() == 0 || dof <= 0) return fit;
  const double variance = residual.squaredNorm() / dof;
  const auto u = [&](Eigen::Index i) { return std::sqrt(variance * covariance(i, i)); };
  fit.u_z0_m = u(0);
  fit.compliance.u_c1_m_per_N = u(all.presses());
  if (seating) {
    fit.u_c2_m = u(all.presses() + 1);
    fit.u_f0_N = u(all.presses() + 2);
  }
  return fit;
}

PlateFit straight_line(const Centred& all) {
  const Eigen::VectorXd c = solve_linear(linear_columns(all, 1, false), all.centre(all.travel));
  return summarize(all, {c(0), 0, 1, 0}, false);
}

}  // namespace

double RigCompliance::deflection_m(double force_N) const {
  if (!(force_N > 0)) return 0;
  return c1_m_per_N * force_N - c2_m * std::expm1(-force_N / f0_N);
}

std::vector<double> tip_travel_m(const RigCompliance& rig, std::span<const double> travel_m,
                                 std::span<const double> force_N) {
  std::vector<double> tip(travel_m.size());
  double driven_m = travel_m.empty() ? 0 : travel_m.front();
  for (std::size_t i = 0; i < tip.size(); ++i) {
    driven_m = std::clamp(driven_m, travel_m[i], travel_m[i] + rig.backlash_m);
    tip[i] = driven_m - rig.deflection_m(force_N[i]);
  }
  return tip;
}

std::vector<PlatePress> plate_ways(std::span<const PlatePress> presses) {
  std::vector<PlatePress> ways;
  for (const auto& press : presses) {
    if (press.force_N.empty()) return {};
    const auto& force = press.force_N;
    const auto turns = [top_N = *std::max_element(force.begin(), force.end())](double force_N) {
      return force_N > kTurned * top_N;
    };
    const auto arrived = std::find_if(force.begin(), force.end(), turns) - force.begin();
    const auto left = force.rend() - std::find_if(force.rbegin(), force.rend(), turns);
    const auto part = [](const std::vector<double>& all, auto from, auto to) {
      return std::vector<double>(all.begin() + from, all.begin() + to);
    };
    const auto end = static_cast<std::ptrdiff_t>(force.size());
    PlatePress in{part(press.travel_m, 0, arrived), part(force, 0, arrived)};
    PlatePress out{part(press.travel_m, left, end), part(force, left, end)};
    if (std::min(in.force_N.size(), out.force_N.size()) < kMinSamples) return {};
    ways.push_back(std::move(in));
    ways.push_back(std::move(out));
  }
  return ways;
}

Result<PlateFit> fit_plate_line(std::span<const PlatePress> presses, double min_force_N) {
  return stack(presses, min_force_N).map(straight_line);
}

Result<PlateFit> fit_plate(std::span<const PlatePress> presses) {
  const auto all = stack(presses, -1e300);
  if (!all) return fail(all.error());
  const Eigen::VectorXd travel = all->centre(all->travel);
  const auto misfit = [&](double log_f0) {
    const auto columns = linear_columns(*all, std::exp(log_f0), true);
    return (travel - columns * solve_linear(columns, travel)).squaredNorm();
  };
  const double largest = all->force.maxCoeff();
  const auto best =
      minimize_on_grid(misfit, std::log(0.004 * largest), std::log(largest), 41, 1e-10);
  const double f0 = std::exp(best.x);
  const Eigen::VectorXd c = solve_linear(linear_columns(*all, f0, true), travel);
  const auto low = (all->force.array() < kSeatingForces * f0).count();
  if (c(0) < 0 || c(1) <= 0 || static_cast<std::size_t>(low) < kMinSamples)
    return straight_line(*all);
  return summarize(*all, {c(0), c(1), f0, 0}, true);
}

}  // namespace tactelier
