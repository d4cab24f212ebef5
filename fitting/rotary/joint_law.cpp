#include "fitting/rotary/joint_law.hpp"

#include <fmt/format.h>

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "fitting/statistics/condition.hpp"
#include "fitting/statistics/quantiles.hpp"
#include "fitting/statistics/scalar_minimum.hpp"

namespace tactelier {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kByChance = 0.01;  // of a fall with speed
constexpr double kAlike = 0.02;     // speeds that differ by less are one
constexpr int kGrid = 80;
constexpr double kSlowEnough = 0.7, kFastEnough = 2;  // of ws: runs on either side of the drop

class JointSolver {
 public:
  explicit JointSolver(std::span<const TurningRun> runs)
      : runs_(runs), torque_Nm_(static_cast<Index>(runs.size())) {
    for (std::size_t i = 0; i < runs.size(); ++i) {
      const double speed = std::abs(runs[i].speed_rad_per_s);
      torque_Nm_[static_cast<Index>(i)] = runs[i].torque_Nm;
      slowest_ = std::min(slowest_, speed);
      fastest_ = std::max(fastest_, speed);
      forward_ += runs[i].speed_rad_per_s > 0 ? 1 : 0;
    }
    fit_.one_way = forward_ == 0 || forward_ == runs.size();
  }

  JointLawFit solve() {
    const auto speeds = different_speeds();
    const std::size_t line = fit_.one_way ? 2 : 3;  // parameters
    if (runs_.size() <= line || speeds < 2) {
      fit_.refusal = fmt::format(
          "RO-01 {} runs at constant speed, {} different speeds; a line needs {} runs at two.",
          runs_.size(), speeds, line + 1);
      return fit_;
    }
    const double of_line = rss(design(std::nullopt));
    const bool enough = runs_.size() > line + 2 && speeds >= 4;
    if (enough) try_drop(of_line, line + 2);
    finish(fit_.drops ? line + 2 : line);
    if (!enough)
      fit_.not_bracketed = fmt::format(
          "RO-02 {} runs at {} different speeds can't show a drop with speed; four speeds and {} "
          "runs can.",
          runs_.size(), speeds, line + 3);
    return fit_;
  }

 private:
  std::size_t different_speeds() const {
    std::set<int> bins;
    for (const auto& run : runs_)
      bins.insert(static_cast<int>(
          std::lround(std::log(std::abs(run.speed_rad_per_s)) / std::log1p(kAlike))));
    return bins.size();
  }

  /// Columns of what is linear once ws is known: Tc, Ts - Tc with a drop, B, T0 when both ways.
  MatrixXd design(std::optional<double> log_ws) const {
    MatrixXd a(torque_Nm_.size(), (log_ws ? 3 : 2) + (fit_.one_way ? 0 : 1));
    JointFrictionLaw law;
    law.stribeck_speed_rad_per_s = std::exp(log_ws.value_or(0));
    for (Index i = 0; i < a.rows(); ++i) {
      const double speed = runs_[static_cast<std::size_t>(i)].speed_rad_per_s;
      Index column = 0;
      a(i, column++) = std::copysign(1.0, speed);
      if (log_ws) a(i, column++) = std::copysign(law.slow_share(speed), speed);
      a(i, column++) = speed;
      if (!fit_.one_way) a(i, column) = 1;
    }
    return a;
  }

  VectorXd solved(const MatrixXd& a) const { return a.colPivHouseholderQr().solve(torque_Nm_); }
  double rss(const MatrixXd& a) const { return (a * solved(a) - torque_Nm_).squaredNorm(); }

  void try_drop(double of_line, std::size_t parameters) {
    const auto best =
        minimize_on_grid([&](double log_ws) { return rss(design(log_ws)); },
                         std::log(0.5 * slowest_), std::log(2 * fastest_), kGrid, 1e-9);
    const double left = static_cast<double>(runs_.size() - parameters);
    const double f = best.value > 0 ? (of_line - best.value) / 2 / (best.value / left)
                                    : std::numeric_limits<double>::infinity();
    fit_.drop_p = f_survival(f, 2, left);
    if (!(fit_.drop_p < kByChance) || !(solved(design(best.x))[1] > 0)) return;
    fit_.drops = true;
    fit_.law.stribeck_speed_rad_per_s = std::exp(best.x);
    if (slowest_ > kSlowEnough * fit_.law.stribeck_speed_rad_per_s ||
        fastest_ < kFastEnough * fit_.law.stribeck_speed_rad_per_s)
      fit_.not_bracketed = fmt::format(
          "RO-02 The drop lies about {:.3g} rad/s, and runs reach from {:.3g} to {:.3g} rad/s: "
          "they "
          "do not hold it between them.",
          fit_.law.stribeck_speed_rad_per_s, slowest_, fastest_);
  }

  void finish(std::size_t parameters) {
    auto& law = fit_.law;
    const VectorXd p = solved(
        design(fit_.drops ? std::optional(std::log(law.stribeck_speed_rad_per_s)) : std::nullopt));
    Index column = 0;
    law.coulomb_Nm = p[column++];
    law.breakaway_Nm = law.coulomb_Nm + (fit_.drops ? p[column++] : 0);
    law.viscous_Nm_s_per_rad = p[column++];
    law.offset_Nm = fit_.one_way ? 0 : p[column];
    fill_jacobian();
    VectorXd residuals(torque_Nm_.size());
    for (Index i = 0; i < residuals.size(); ++i)
      residuals[i] =
          law.torque_Nm(runs_[static_cast<std::size_t>(i)].speed_rad_per_s) - torque_Nm_[i];
    fit_.dof = static_cast<double>(runs_.size() - parameters);
    const double variance = residuals.squaredNorm() / fit_.dof;
    fit_.residual_rms_Nm = std::sqrt(residuals.squaredNorm() / static_cast<double>(runs_.size()));
    fit_.r2 = 1 - residuals.squaredNorm() / (torque_Nm_.array() - torque_Nm_.mean()).square().sum();
    add_errors(variance);
  }

  void fill_jacobian() {
    const auto& law = fit_.law;
    auto& j = fit_.jacobian;
    j = MatrixXd::Zero(torque_Nm_.size(), static_cast<Index>(kJointSize));
    for (Index i = 0; i < j.rows(); ++i) {
      const double speed = runs_[static_cast<std::size_t>(i)].speed_rad_per_s;
      const double sign = std::copysign(1.0, speed);
      const double slow = fit_.drops ? law.slow_share(speed) : 0;
      const double ratio = speed / law.stribeck_speed_rad_per_s;
      j(i, kJointCoulomb) = sign * (1 - slow);
      j(i, kJointBreakaway) = sign * slow;
      if (fit_.drops)
        j(i, kJointStribeck) =
            sign * (law.breakaway_Nm - law.coulomb_Nm) * slow * 2 * ratio * ratio;
      j(i, kJointViscous) = speed;
      if (!fit_.one_way) j(i, kJointOffset) = 1;
    }
  }

  void add_errors(double variance) {
    std::vector<Index> fitted;
    fit_.u.fill(std::numeric_limits<double>::quiet_NaN());
    for (Index k = 0; k < fit_.jacobian.cols(); ++k)
      if (fit_.jacobian.col(k).squaredNorm() > 0) fitted.push_back(k);
    MatrixXd used(fit_.jacobian.rows(), static_cast<Index>(fitted.size()));
    for (std::size_t k = 0; k < fitted.size(); ++k)
      used.col(static_cast<Index>(k)) = fit_.jacobian.col(fitted[k]);
    const MatrixXd covariance = covariance_from(used);
    if (covariance.size() == 0) return;
    for (std::size_t k = 0; k < fitted.size(); ++k)
      fit_.u[static_cast<std::size_t>(fitted[k])] =
          std::sqrt(variance * covariance(static_cast<Index>(k), static_cast<Index>(k)));
  }

  std::span<const TurningRun> runs_;
  VectorXd torque_Nm_;
  double slowest_ = std::numeric_limits<double>::infinity(), fastest_ = 0;
  std::size_t forward_ = 0;
  JointLawFit fit_;
};

}  // namespace

JointLawFit fit_joint(std::span<const TurningRun> runs) { return JointSolver(runs).solve(); }

}  // namespace tactelier
