#include "fitting/relaxation/zeroed_prony.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "fitting/statistics/serial.hpp"
#include "libcalib/models/prony.hpp"

namespace tactelier {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr int kIterations = 60;
constexpr double kEnough = 1e-9;      // relative fall of chi^2
constexpr double kLargestStep = 0.5;  // of log tau

/// Where each parameter stands in the vector: k, k_i, log tau_i, log s_h, z_h, l_h and r_h over
/// their uncertainty.
struct Layout {
  Index branches = 0, holds = 0;

  Index k(Index b) const { return 1 + b; }
  Index log_tau(Index b) const { return 1 + branches + b; }
  Index log_scale(Index h) const { return 1 + 2 * branches + h; }
  Index zero(Index h) const { return 1 + 2 * branches + holds + h; }
  Index late(Index h) const { return 1 + 2 * branches + 2 * holds + h; }
  Index drift(Index h) const { return 1 + 2 * branches + 3 * holds + h; }
  Index size() const { return 1 + 2 * branches + 4 * holds; }
};

struct Linearised {
  VectorXd residual;  // weighted; then the priors of zeros, latenesses, drifts and mean scale
  MatrixXd jacobian;
  double chi2() const { return residual.squaredNorm(); }
};

class ZeroedHolds {
 public:
  ZeroedHolds(std::span<const HoldTrace> traces, std::size_t branches) : traces_(traces) {
    layout_.branches = static_cast<Index>(branches);
    layout_.holds = static_cast<Index>(traces.size());
    for (const auto& trace : traces)
      rows_ += std::count_if(trace.sigma_N.begin(), trace.sigma_N.end(),
                             [](double sigma_N) { return sigma_N > 0; });
  }

  const Layout& layout() const { return layout_; }
  Index rows() const { return rows_; }

  Linearised at(const VectorXd& p) const {
    const Index priors = 3 * layout_.holds + 1;
    Linearised result{VectorXd::Zero(rows_ + priors),
                      MatrixXd::Zero(rows_ + priors, layout_.size())};
    Index row = 0;
    for (Index h = 0; h < layout_.holds; ++h) add_hold(p, h, row, result);
    for (Index j = layout_.zero(0); j < layout_.size(); ++j, ++row) {
      result.residual[row] = p[j];
      result.jacobian(row, j) = 1;
    }
    // Scales are over their mean, which the stiffnesses carry.
    for (Index h = 0; h < layout_.holds; ++h) {
      result.residual[row] += kTied * p[layout_.log_scale(h)];
      result.jacobian(row, layout_.log_scale(h)) = kTied;
    }
    return result;
  }

 private:
  static constexpr double kTied = 1e4;

  void add_hold(const VectorXd& p, Index h, Index& row, Linearised& result) const {
    const auto& trace = traces_[static_cast<std::size_t>(h)];
    std::vector<PronyBranchState> branches;
    for (Index b = 0; b < layout_.branches; ++b)
      branches.emplace_back(std::exp(p[layout_.log_tau(b)]));
    const double scale = std::exp(p[layout_.log_scale(h)]);
    const double zero_m = trace.u_zero_m * p[layout_.zero(h)];
    double time_s = trace.begin_s, depth_m = 0;
    for (std::size_t i = 0; i < trace.time_s.size(); ++i) {
      const double dt_s = trace.time_s[i] - time_s;
      const double now_m = trace.scale * trace.depth_m[i] + (i > trace.own_row ? zero_m : 0);
      for (auto& branch : branches) {
        branch.step(dt_s, now_m - depth_m);
        if (i == trace.own_row) branch.step(0, zero_m);
      }
      time_s = trace.time_s[i];
      depth_m = i == trace.own_row ? now_m + zero_m : now_m;
      if (trace.sigma_N[i] > 0) add_row(p, h, i, depth_m, branches, scale, row++, result);
    }
  }

  void add_row(const VectorXd& p, Index h, std::size_t i, double depth_m,
               const std::vector<PronyBranchState>& branches, double scale, Index row,
               Linearised& result) const {
    const auto& trace = traces_[static_cast<std::size_t>(h)];
    const double weight = 1 / trace.sigma_N[i];
    const double since_s = trace.time_s[i] - trace.time_s[trace.own_row];
    auto slope = result.jacobian.row(row);
    const double late_s = trace.u_late_s * p[layout_.late(h)];
    const double drifted_m = trace.u_drift_m_per_s * since_s * p[layout_.drift(h)];
    double force_N = p[0] * (depth_m + drifted_m), by_zero = p[0], by_late = 0;
    slope[0] = weight * scale * (depth_m + drifted_m);
    for (Index b = 0; b < layout_.branches; ++b) {
      const auto& branch = branches[static_cast<std::size_t>(b)];
      const double k = p[layout_.k(b)], per_tau = std::exp(-p[layout_.log_tau(b)]);
      const double later = std::exp(late_s * per_tau), value_m = later * branch.value_m();
      force_N += k * value_m;
      by_zero += k * std::exp((late_s - since_s) * per_tau);
      by_late += k * value_m * per_tau;
      slope[layout_.k(b)] = weight * scale * value_m;
      slope[layout_.log_tau(b)] =
          weight * scale * k * (later * branch.slope_m() - value_m * late_s * per_tau);
    }
    slope[layout_.log_scale(h)] = weight * scale * force_N;
    slope[layout_.zero(h)] = weight * scale * by_zero * trace.u_zero_m;
    slope[layout_.late(h)] = weight * scale * by_late * trace.u_late_s;
    slope[layout_.drift(h)] = weight * scale * p[0] * trace.u_drift_m_per_s * since_s;
    result.residual[row] = weight * (scale * force_N - trace.force_N[i]);
  }

  std::span<const HoldTrace> traces_;
  Layout layout_;
  Index rows_ = 0;
};

VectorXd begin_at(const Layout& layout, const PronyFit& start) {
  VectorXd p = VectorXd::Zero(layout.size());
  p[0] = start.k_inf;
  for (Index b = 0; b < layout.branches; ++b) {
    p[layout.k(b)] = start.k[static_cast<std::size_t>(b)];
    p[layout.log_tau(b)] = std::log(start.tau_s[static_cast<std::size_t>(b)]);
  }
  return p;
}

/// Marquardt's damping, on columns of equal length.
VectorXd damped_step(const Linearised& at, double damping) {
  MatrixXd normal = at.jacobian.transpose() * at.jacobian;
  normal.diagonal() *= 1 + damping;
  const VectorXd size = normal.diagonal().cwiseSqrt().cwiseMax(1e-300);
  const MatrixXd scaled =
      size.cwiseInverse().asDiagonal() * normal * size.cwiseInverse().asDiagonal();
  const VectorXd right = -(at.jacobian.transpose() * at.residual).cwiseQuotient(size);
  return scaled.ldlt().solve(right).cwiseQuotient(size);
}

VectorXd minimum(const ZeroedHolds& holds, VectorXd p, TauWindow window) {
  const auto& layout = holds.layout();
  auto at = holds.at(p);
  double damping = 1e-4;
  for (int i = 0; i < kIterations && damping < 1e8; ++i) {
    VectorXd next = p + damped_step(at, damping);
    for (Index b = 0; b < layout.branches; ++b) {
      const Index j = layout.log_tau(b);
      next[j] = std::clamp(std::clamp(next[j], p[j] - kLargestStep, p[j] + kLargestStep),
                           std::log(window.low_s), std::log(window.high_s));
    }
    auto tried = holds.at(next);
    if (!(tried.chi2() < at.chi2())) {
      damping *= 10;
      continue;
    }
    const bool enough = at.chi2() - tried.chi2() < kEnough * at.chi2();
    p = std::move(next);
    at = std::move(tried);
    damping = std::max(damping / 10, 1e-12);
    if (enough) break;
  }
  return p;
}

}  // namespace

Result<PronyFit> fit_zeroed_prony(std::span<const HoldTrace> traces, PronyFit fit,
                                  TauWindow window) {
  const ZeroedHolds holds(traces, fit.k.size());
  const auto& layout = holds.layout();
  const VectorXd p = minimum(holds, begin_at(layout, fit), window);
  const auto at = holds.at(p);
  if (!std::isfinite(at.chi2()))
    return fail(ErrorCode::kUnidentifiable, "no finite fit of {} holds", traces.size());
  const auto covariance = covariance_from(at.jacobian);
  const Index own = 1 + 2 * layout.branches;
  fit.k_inf = p[0];
  fit.at_bound = false;
  for (Index b = 0; b < layout.branches; ++b) {
    const auto i = static_cast<std::size_t>(b);
    fit.k[i] = p[layout.k(b)];
    fit.tau_s[i] = std::exp(p[layout.log_tau(b)]);
    fit.at_bound = fit.at_bound || window.ends_at(fit.tau_s[i]);
  }
  fit.chi2 = at.chi2();
  fit.rows = static_cast<std::size_t>(holds.rows());
  fit.lag1 = lag1({at.residual.data(), fit.rows});
  fit.condition = condition(at.jacobian.leftCols(own));
  fit.covariance =
      covariance.size() == 0 ? covariance : MatrixXd(covariance.topLeftCorner(own, own));
  return fit;
}

}  // namespace tactelier
