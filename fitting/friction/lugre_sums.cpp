#include "fitting/friction/lugre_sums.hpp"

#include <algorithm>

#include "fitting/friction/lugre_block.hpp"

namespace tactelier {
namespace {

/// dF/d(log p) of the stored parameter: value at this load for sigma0 and sigma1, ratio for c_t.
std::array<double, kLugreSize> scales(const LugreValues& here, double ratio) {
  return {here[kLugreSigma0], here[kLugreSigma1], ratio, 1, 1, here[kLugreStribeck]};
}

using Eigen::Index;
using JacobianRows = Eigen::Matrix<double, Eigen::Dynamic, kTraceColumns, Eigen::ColMajor,
                                   kLugreBlockRows, kTraceColumns>;

/// What the residuals say of each other, in their order.
struct ResidualSums {
  double lagged = 0, blocked = 0, in_blocks = 0;

  void add(double residual) {
    lagged += residual * before_;
    before_ = residual;
    block_ += residual;
    squares_ += residual * residual;
    if (++in_block_ < kTraceBlock) return;
    blocked += block_ * block_;
    in_blocks += squares_;
    block_ = squares_ = 0;
    in_block_ = 0;
  }

 private:
  double before_ = 0, block_ = 0, squares_ = 0;
  std::size_t in_block_ = 0;
};

}  // namespace

LugreValues at_load(const LugreValues& values, const FrictionTrace& trace, bool proportional) {
  LugreValues here = values;
  if (!proportional) return here;
  for (const auto i : {kLugreSigma0, kLugreSigma1, kLugreViscous}) here[i] *= trace.load_ratio;
  return here;
}

TraceSums sum_trace(const FrictionTrace& trace, const TraceState& at, bool proportional) {
  const auto here = at_load(at.values, trace, proportional);
  const auto scale = scales(here, proportional ? trace.load_ratio : 1);
  const bool starts = trace.unknown == TraceUnknown::kStart;
  const bool own_offset = trace.unknown == TraceUnknown::kOffset;
  const double offset_N =
      (trace.offset >= 0 ? at.shared_offset_N : 0) + (own_offset ? at.unknown : 0);
  const double weight = 1 / trace.sigma_N;
  const auto rows = static_cast<Index>(trace.force_N.size());
  const auto compared = std::min(rows, static_cast<Index>(trace.compared));
  LugreBlock block(here, trace.period_s, starts ? at.unknown : 0);
  ResidualSums residuals;
  TraceSums sums;
  JacobianRows jacobian;
  for (Index first = 0; first < rows; first += kLugreBlockRows) {
    const Index count = std::min(kLugreBlockRows, rows - first);
    block.steps(&trace.velocity_m_per_s[static_cast<std::size_t>(first)],
                &trace.normal_N[static_cast<std::size_t>(first)], count);
    const Index skipped = std::clamp(compared - first, Index{0}, count);
    const Index used = count - skipped;
    if (used == 0) continue;
    const Eigen::Map<const Eigen::VectorXd> measured_N(
        &trace.force_N[static_cast<std::size_t>(first)], count);
    jacobian.resize(used, Eigen::NoChange);
    auto residual = jacobian.col(kTraceResidual);
    residual = ((block.force_N().matrix() - measured_N).tail(used).array() + offset_N) * weight;
    for (Index i = 0; i < used; ++i) residuals.add(residual[i]);
    const auto gradients = block.gradients().bottomRows(used);
    for (std::size_t j = 0; j < kLugreSize; ++j)
      jacobian.col(static_cast<Index>(j)) =
          gradients.col(static_cast<Index>(j)) * (scale[j] * weight);
    jacobian.col(kTraceOffset).setConstant(trace.offset >= 0 ? weight : 0);
    if (starts)
      jacobian.col(kTraceUnknown) = gradients.col(kLugreSize) * weight;
    else
      jacobian.col(kTraceUnknown).setConstant(own_offset ? weight : 0);
    sums.products.noalias() += jacobian.transpose() * jacobian;
  }
  sums.lagged = residuals.lagged;
  sums.blocked = residuals.blocked;
  sums.in_blocks = residuals.in_blocks;
  sums.count = static_cast<double>(rows - compared);
  return sums;
}

}  // namespace tactelier
