#include "fitting/damping/motion_fit.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <utility>

#include "fitting/statistics/robust.hpp"
#include "fitting/statistics/serial.hpp"

namespace tactelier {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr int kLinearizations = 3;
constexpr int kMotionRounds = 12;  // of the fit and of how far presses are off
constexpr double kOffAtFirst_m = 1e-6;
constexpr double kMinOff_m = 0.1e-6;  // what a computed path is good for
constexpr double kMinLate_s = 10e-6;
constexpr double kPlateLines = 3;          // degrees of freedom of the scatter that the plate tells
constexpr double kDrift_m_per_s = 1.5e-8;  // of the surface, standard: 50 um an hour
constexpr double kJump_m = 10e-6;          // of the surface between presses: lost steps
constexpr double kJumpPrior_m = 100e-6;
constexpr int kMaxJumps = 3;
constexpr double kKnocked = 4;  // chi^2 per reading of a press, over that of most: left out
constexpr double kSurfaceStep_m = 1e-6, kTauStep = 0.01;
// Either way: the path goes in steps, and less would meet none of a sample's or a whole one.
constexpr double kDelayStep_s = 1e-3;

/// Columns of `Field` that the force is made of; branches follow.
enum Field { kDepth, kSquare, kVelocity, kDepthRate, kSquareRate, kFields };

VectorXd fields_of(const MotionRow& row) {
  const auto branches = static_cast<Index>(row.branches_m.size());
  VectorXd fields(kFields + 2 * branches);
  fields.head<kFields>() << row.depth_m, row.square_m2, row.velocity_m_per_s,
      row.depth_rate_m2_per_s, row.square_rate_m3_per_s;
  for (Index b = 0; b < branches; ++b) {
    fields[kFields + 2 * b] = row.branches_m[static_cast<std::size_t>(b)];
    fields[kFields + 2 * b + 1] = row.branches_m2[static_cast<std::size_t>(b)];
  }
  return fields;
}

MatrixXd fields_of(const std::vector<MotionRow>& rows) {
  MatrixXd all(static_cast<Index>(rows.size()), rows.empty() ? 0 : fields_of(rows.front()).size());
  for (std::size_t i = 0; i < rows.size(); ++i)
    all.row(static_cast<Index>(i)) = fields_of(rows[i]).transpose();
  return all;
}

/// Where the parameters stand. Surface and log tau are changes from the linearization.
struct MotionLayout {
  Index branches, presses, jumps;

  static constexpr Index k = 0, hardening = 1, rate = 2, surface = 3, drift = 4;
  Index tau(Index b) const { return 5 + b; }
  Index ratio(Index b) const { return 5 + branches + b; }
  Index off(std::size_t press) const { return 5 + 2 * branches + static_cast<Index>(press); }
  Index late(std::size_t press) const { return off(press) + presses; }
  Index jump(Index j) const { return 5 + 2 * branches + 2 * presses + j; }
  Index size() const { return jump(jumps); }
};

class MotionFitter {
 public:
  MotionFitter(const ComputedRates& rates, RateModel model, const MotionPrior& prior)
      : rates_(rates), model_(model), prior_(prior) {
    state_.surface_m = rates.surface_m();
    state_.delay_s = prior.delay_s.value;
    state_.shift_m.assign(rates.presses().size(), 0);
    state_.late_s = state_.shift_m;
    late_s_ = std::max(kMinLate_s, prior.command_scatter_s);
    for (const auto& log_tau : prior.log_tau) state_.tau_s.push_back(std::exp(log_tau.value));
    for (const auto& press : rates.presses()) middle_s_ += press.time_s;
    middle_s_ /= static_cast<double>(rates.presses().size());
  }

  Result<MotionFit> run() {
    const auto first = rates_.rows(state_);
    if (first.size() < 50)
      return fail(ErrorCode::kUnidentifiable, "{} readings, 50 needed", first.size());
    start(first);
    for (int round = 0; round < kLinearizations; ++round) {
      linearize();
      settle();
      if (round == 0)
        while (static_cast<int>(jumps_.size()) < kMaxJumps && find_jump()) settle();
      if (round == 0 && leave_out_knocked()) {
        linearize();
        settle();
      }
      if (!x_.allFinite() || !(x_[MotionLayout::k] > 0))
        return fail(ErrorCode::kUnidentifiable,
                    "the presses do not separate stiffness from damping");
      if (round + 1 < kLinearizations) carry_over();
    }
    return report();
  }

 private:
  MotionLayout at() const {
    return {static_cast<Index>(state_.tau_s.size()), static_cast<Index>(rates_.presses().size()),
            static_cast<Index>(jumps_.size())};
  }

  void start(const std::vector<MotionRow>& rows) {
    x_ = VectorXd::Zero(at().size());
    double depth2 = 0, product = 0;
    for (const auto& row : rows) {
      double felt_m = row.depth_m;
      for (std::size_t b = 0; b < state_.tau_s.size(); ++b)
        felt_m += std::exp(prior_.log_ratio[b].value) * row.branches_m[b];
      depth2 += felt_m * felt_m;
      product += felt_m * row.force_N;
    }
    x_[MotionLayout::k] = product / depth2;
    for (Index b = 0; b < at().branches; ++b)
      x_[at().ratio(b)] = prior_.log_ratio[static_cast<std::size_t>(b)].value;
  }

  bool left_out(std::size_t press) const {
    return std::find(knocked_.begin(), knocked_.end(), press) != knocked_.end();
  }

  std::vector<MotionRow> rows_at(const MotionState& state) const {
    auto rows = rates_.rows(state);
    std::erase_if(rows, [&](const MotionRow& row) { return left_out(row.press); });
    return rows;
  }

  /// Somebody bumped the table, or a step was lost on the way.
  bool leave_out_knocked() {
    VectorXd residual;
    MatrixXd jacobian;
    evaluate(residual, jacobian);
    std::vector<double> chi2(rates_.presses().size()), count(chi2.size());
    for (Index i = 0; i < residual.size(); ++i) {
      chi2[rows_[static_cast<std::size_t>(i)].press] += residual[i] * residual[i];
      ++count[rows_[static_cast<std::size_t>(i)].press];
    }
    for (std::size_t p = 0; p < chi2.size(); ++p) chi2[p] /= std::max(1.0, count[p]);
    const double usual = std::max(1.0, median(chi2));
    for (std::size_t p = 0; p < chi2.size(); ++p)
      if (chi2[p] > kKnocked * usual) knocked_.push_back(p);
    return !knocked_.empty();
  }

  void linearize() {
    rows_ = rows_at(state_);
    base_ = fields_of(rows_);
    slopes_.clear();
    const auto slope = [&](const MotionState& moved, double step) {
      slopes_.push_back((fields_of(rows_at(moved)) - base_) / step);
    };
    auto moved = state_;
    moved.surface_m += kSurfaceStep_m;
    slope(moved, kSurfaceStep_m);
    auto earlier = state_;
    earlier.delay_s -= kDelayStep_s;
    moved = state_;
    moved.delay_s += kDelayStep_s;
    slopes_.push_back((fields_of(rows_at(moved)) - fields_of(rows_at(earlier))) /
                      (2 * kDelayStep_s));
    for (std::size_t b = 0; b < state_.tau_s.size(); ++b) {
      moved = state_;
      moved.tau_s[b] *= std::exp(kTauStep);
      slope(moved, kTauStep);
    }
  }

  /// Puts what was found into the state that the next linearization is made at.
  void carry_over() {
    const auto layout = at();
    for (std::size_t p = 0; p < state_.shift_m.size(); ++p) {
      state_.shift_m[p] += shift_m(p);
      kept_off_m_.resize(state_.shift_m.size());
      kept_off_m_[p] += x_[layout.off(p)];
      x_[layout.off(p)] = 0;
      state_.late_s[p] += std::exchange(x_[layout.late(p)], 0);
    }
    kept_drift_ += x_[MotionLayout::drift];
    x_[MotionLayout::drift] = 0;
    kept_jumps_m_.resize(jumps_.size());
    for (Index j = 0; j < layout.jumps; ++j) {
      kept_jumps_m_[static_cast<std::size_t>(j)] += x_[layout.jump(j)];
      x_[layout.jump(j)] = 0;
    }
    state_.surface_m += std::exchange(x_[MotionLayout::surface], 0);
    for (Index b = 0; b < layout.branches; ++b) {
      state_.tau_s[static_cast<std::size_t>(b)] *= std::exp(x_[layout.tau(b)]);
      x_[layout.tau(b)] = 0;
    }
  }

  double since_s(std::size_t press) const { return rates_.presses()[press].time_s - middle_s_; }

  double shift_m(std::size_t press) const {
    const auto layout = at();
    double shift = x_[layout.off(press)] + x_[MotionLayout::drift] * since_s(press);
    for (Index j = 0; j < layout.jumps; ++j)
      if (press >= jumps_[static_cast<std::size_t>(j)]) shift += x_[layout.jump(j)];
    return shift;
  }

  VectorXd fields_at(Index row) const {
    const auto layout = at();
    VectorXd fields = base_.row(row).transpose();
    const double up_m =
        x_[MotionLayout::surface] - shift_m(rows_[static_cast<std::size_t>(row)].press);
    fields += up_m * slopes_[0].row(row).transpose();
    fields += x_[layout.late(rows_[static_cast<std::size_t>(row)].press)] *
              slopes_[1].row(row).transpose();
    for (Index b = 0; b < layout.branches; ++b)
      fields += x_[layout.tau(b)] * slopes_[static_cast<std::size_t>(2 + b)].row(row).transpose();
    return fields;
  }

  /// Force over k by the fields, and what one of each adds to it.
  VectorXd weights() const {
    const auto layout = at();
    const double b = x_[MotionLayout::hardening], rate = x_[MotionLayout::rate];
    VectorXd weights = VectorXd::Zero(kFields + 2 * layout.branches);
    weights[kDepth] = 1;
    weights[kSquare] = b;
    if (model_ == RateModel::kKelvinVoigt) {
      weights[kVelocity] = rate;
      weights[kDepthRate] = 2 * b * rate;
    } else {
      weights[kDepthRate] = rate;
      weights[kSquareRate] = b * rate;
    }
    for (Index j = 0; j < layout.branches; ++j) {
      weights[kFields + 2 * j] = std::exp(x_[layout.ratio(j)]);
      weights[kFields + 2 * j + 1] = b * std::exp(x_[layout.ratio(j)]);
    }
    return weights;
  }

  /// Residuals less priors, and their Jacobian; whitened.
  void evaluate(VectorXd& residual, MatrixXd& jacobian) const {
    const auto layout = at();
    const auto rows = static_cast<Index>(rows_.size());
    jacobian = MatrixXd::Zero(rows, layout.size());
    residual.resize(rows);
    const VectorXd by = weights();
    const double k = x_[MotionLayout::k], b = x_[MotionLayout::hardening],
                 rate = x_[MotionLayout::rate];
    for (Index i = 0; i < rows; ++i) {
      const auto& row = rows_[static_cast<std::size_t>(i)];
      const VectorXd f = fields_at(i);
      const double over_k = by.dot(f);
      residual[i] = (k * over_k - row.force_N) / row.sigma_N;
      const double w = k / row.sigma_N;
      auto j = jacobian.row(i);
      j[MotionLayout::k] = over_k / row.sigma_N;
      const bool kelvin_voigt = model_ == RateModel::kKelvinVoigt;
      j[MotionLayout::rate] = w * (kelvin_voigt ? f[kVelocity] + 2 * b * f[kDepthRate]
                                                : f[kDepthRate] + b * f[kSquareRate]);
      double hard = f[kSquare] + rate * (kelvin_voigt ? 2 * f[kDepthRate] : f[kSquareRate]);
      for (Index n = 0; n < layout.branches; ++n) {
        const double ratio = std::exp(x_[layout.ratio(n)]);
        const double own = f[kFields + 2 * n] + b * f[kFields + 2 * n + 1];
        hard += ratio * f[kFields + 2 * n + 1];
        j[layout.ratio(n)] = w * ratio * own;
        j[layout.tau(n)] = w * by.dot(slopes_[static_cast<std::size_t>(2 + n)].row(i));
      }
      j[MotionLayout::hardening] = w * hard;
      const double up = w * by.dot(slopes_[0].row(i));
      j[MotionLayout::surface] = up;
      j[MotionLayout::drift] = -up * since_s(row.press);
      j[layout.off(row.press)] = -up;
      j[layout.late(row.press)] = w * by.dot(slopes_[1].row(i));
      for (Index n = 0; n < layout.jumps; ++n)
        if (row.press >= jumps_[static_cast<std::size_t>(n)]) j[layout.jump(n)] = -up;
    }
  }

  struct PriorRow {
    Index at;
    double off, u;
  };

  std::vector<PriorRow> priors() const {
    const auto layout = at();
    std::vector<PriorRow> rows;
    rows.push_back({MotionLayout::drift, kept_drift_ + x_[MotionLayout::drift], kDrift_m_per_s});
    for (Index b = 0; b < layout.branches; ++b) {
      const auto n = static_cast<std::size_t>(b);
      rows.push_back({layout.ratio(b), x_[layout.ratio(b)] - prior_.log_ratio[n].value,
                      prior_.log_ratio[n].std});
      rows.push_back({layout.tau(b),
                      std::log(state_.tau_s[n]) + x_[layout.tau(b)] - prior_.log_tau[n].value,
                      prior_.log_tau[n].std});
    }
    for (std::size_t p = 0; p < rates_.presses().size(); ++p) {
      rows.push_back({layout.off(p), off_of(p), off_m_});
      rows.push_back({layout.late(p), late_of(p), late_s_});
    }
    for (Index j = 0; j < layout.jumps; ++j) {
      const auto n = static_cast<std::size_t>(j);
      const double kept_m = n < kept_jumps_m_.size() ? kept_jumps_m_[n] : 0;
      rows.push_back({layout.jump(j), kept_m + x_[layout.jump(j)], kJumpPrior_m});
    }
    return rows;
  }

  double off_of(std::size_t press) const {
    return (kept_off_m_.empty() ? 0 : kept_off_m_[press]) + x_[at().off(press)];
  }

  double late_of(std::size_t press) const { return state_.late_s[press] + x_[at().late(press)]; }

  struct Normal {
    MatrixXd matrix;
    VectorXd target;
  };

  Normal normal_of(const VectorXd& residual, const MatrixXd& jacobian, double scale) const {
    Normal normal{jacobian.transpose() * jacobian / (scale * scale),
                  -jacobian.transpose() * residual / (scale * scale)};
    for (const auto& prior : priors()) {
      normal.matrix(prior.at, prior.at) += 1 / (prior.u * prior.u);
      normal.target[prior.at] -= prior.off / (prior.u * prior.u);
    }
    return normal;
  }

  /// What a later force would add to the residuals, per second; whitened.
  VectorXd by_delay() const {
    const VectorXd by = weights();
    VectorXd column(static_cast<Index>(rows_.size()));
    for (Index i = 0; i < column.size(); ++i)
      column[i] = x_[MotionLayout::k] / rows_[static_cast<std::size_t>(i)].sigma_N *
                  by.dot(slopes_[1].row(i));
    return column;
  }

  /// Columns scaled to one.
  static MatrixXd inverse(const MatrixXd& matrix) {
    const VectorXd scale = matrix.diagonal().cwiseSqrt().cwiseInverse();
    const MatrixXd scaled = scale.asDiagonal() * matrix * scale.asDiagonal();
    const MatrixXd whole = scaled.ldlt().solve(MatrixXd::Identity(matrix.rows(), matrix.cols()));
    return scale.asDiagonal() * whole * scale.asDiagonal();
  }

  void settle() {
    VectorXd residual;
    MatrixXd jacobian;
    for (int round = 0; round < kMotionRounds; ++round) {
      evaluate(residual, jacobian);
      const auto normal = normal_of(residual, jacobian, 1);
      const MatrixXd covariance = inverse(normal.matrix);
      x_ += covariance * normal.target;
      scatter_anew(covariance);
    }
  }

  /// How far presses are off and how late, standard, by what is found of them and what stays open.
  void scatter_anew(const MatrixXd& covariance) {
    double squares_m2 = 0, squares_s2 = 0, presses = 0;
    for (std::size_t p = 0; p < rates_.presses().size(); ++p) {
      if (left_out(p)) continue;
      const auto off = at().off(p), late = at().late(p);
      squares_m2 += std::pow(off_of(p), 2) + covariance(off, off);
      squares_s2 += std::pow(late_of(p), 2) + covariance(late, late);
      ++presses;
    }
    off_m_ = std::max(kMinOff_m, std::sqrt(squares_m2 / presses));
    const double plate_s2 = kPlateLines * std::pow(prior_.command_scatter_s, 2);
    late_s_ = std::max(kMinLate_s, std::sqrt((squares_s2 + plate_s2) / (presses + kPlateLines)));
  }

  /// A surface that jumps between two presses, by how presses of one speed are off before and
  /// after. What goes with speed tells nothing.
  bool find_jump() {
    const auto& presses = rates_.presses();
    std::vector<double> off_m;
    for (std::size_t p = 0; p < presses.size(); ++p) {
      std::vector<double> alike_m;
      for (std::size_t q = 0; q < presses.size(); ++q)
        if (std::abs(std::log(presses[q].speed_m_per_s / presses[p].speed_m_per_s)) < 0.05)
          alike_m.push_back(off_of(q));
      off_m.push_back(off_of(p) - median(alike_m));
    }
    std::size_t best = 0;
    double most_m = kJump_m;
    for (std::size_t p = 1; p < presses.size(); ++p) {
      const double jump_m =
          std::abs(median(std::span(off_m).subspan(p)) - median(std::span(off_m).first(p)));
      if (jump_m <= most_m || std::count(jumps_.begin(), jumps_.end(), p) > 0) continue;
      most_m = jump_m;
      best = p;
    }
    if (best == 0) return false;
    jumps_.push_back(best);
    x_.conservativeResize(at().size());
    x_[x_.size() - 1] = 0;
    off_m_ = kOffAtFirst_m;
    return true;
  }

  MatrixXd covariance_of(const VectorXd& residual, const MatrixXd& jacobian, double scale) const {
    return inverse(normal_of(residual, jacobian, scale).matrix);
  }

  static double u_rate(const MatrixXd& covariance) {
    return std::sqrt(covariance(MotionLayout::rate, MotionLayout::rate));
  }

  /// One press after the other left out, at the linearization.
  double jackknife(const VectorXd& residual, const MatrixXd& jacobian, double scale) const {
    const auto whole = normal_of(residual, jacobian, scale);
    std::vector<double> changes;
    for (std::size_t p = 0; p < rates_.presses().size(); ++p) {
      if (left_out(p)) continue;
      auto less = whole;
      for (Index i = 0; i < jacobian.rows(); ++i) {
        if (rows_[static_cast<std::size_t>(i)].press != p) continue;
        less.matrix -= jacobian.row(i).transpose() * jacobian.row(i) / (scale * scale);
        less.target += jacobian.row(i).transpose() * residual[i] / (scale * scale);
      }
      changes.push_back((inverse(less.matrix) * less.target)[MotionLayout::rate]);
    }
    const auto n = static_cast<double>(changes.size());
    double mean = 0, squares = 0;
    for (const double change : changes) mean += change / n;
    for (const double change : changes) squares += (change - mean) * (change - mean);
    return std::sqrt(squares * (n - 1) / n);
  }

  Result<MotionFit> report() const {
    VectorXd residual;
    MatrixXd jacobian;
    evaluate(residual, jacobian);
    MotionFit fit;
    fit.model = model_;
    fit.k = x_[MotionLayout::k];
    fit.hardening = x_[MotionLayout::hardening];
    fit.rate = x_[MotionLayout::rate];
    fit.off_m = off_m_;
    fit.jumps = static_cast<int>(jumps_.size());
    fit.left_out = static_cast<int>(knocked_.size());
    fit.depth_m = base_.col(kDepth).mean();
    fit.chi2 = residual.squaredNorm();
    fit.cost = fit.chi2;
    for (const auto& prior : priors())
      fit.cost += std::pow(prior.off / prior.u, 2) + 2 * std::log(prior.u);
    fit.dof = static_cast<double>(residual.size() - jacobian.cols());
    fit.residuals.assign(residual.data(), residual.data() + residual.size());
    fit.condition = condition(jacobian.leftCols(3));
    const double scale = std::max(1.0, std::sqrt(fit.chi2 / fit.dof)) *
                         serial_inflation(std::clamp(lag1(fit.residuals), 0.0, 0.99));
    const auto planned = covariance_of(residual, jacobian, 1);
    fit.delay_u = prior_.delay_s.std *
                  std::abs(planned.row(MotionLayout::rate).dot(jacobian.transpose() * by_delay()));
    fit.planned_u = std::hypot(u_rate(planned), fit.delay_u);
    fit.within_u = u_rate(covariance_of(residual, jacobian, scale));
    fit.between_u = jackknife(residual, jacobian, scale);
    return fit;
  }

  const ComputedRates& rates_;
  RateModel model_;
  const MotionPrior& prior_;
  MotionState state_;
  std::vector<MotionRow> rows_;
  MatrixXd base_;
  std::vector<MatrixXd> slopes_;  // of the fields: surface, delay, log tau of each branch
  VectorXd x_;
  std::vector<std::size_t> jumps_;  // first press after each
  std::vector<std::size_t> knocked_;
  // What earlier linearizations hold.
  std::vector<double> kept_off_m_, kept_jumps_m_;
  double kept_drift_ = 0;
  double off_m_ = kOffAtFirst_m;
  double late_s_ = kMinLate_s;
  double middle_s_ = 0;
};

}  // namespace

Result<MotionFit> fit_motion(const ComputedRates& rates, RateModel model,
                             const MotionPrior& prior) {
  return MotionFitter(rates, model, prior).run();
}

}  // namespace tactelier
