#include "fitting/friction/lugre_sums.hpp"

namespace tactelier {
namespace {

/// dF/d(log p) of the stored parameter: value at this load for sigma0 and sigma1, ratio for c_t.
std::array<double, kLugreSize> scales(const LugreValues& here, double ratio) {
  return {here[kLugreSigma0], here[kLugreSigma1], ratio, 1, 1, here[kLugreStribeck]};
}

}  // namespace

LugreValues at_load(const LugreValues& values, const FrictionTrace& trace, bool proportional) {
  LugreValues here = values;
  if (!proportional) return here;
  for (const auto i : {kLugreSigma0, kLugreSigma1, kLugreViscous}) here[i] *= trace.load_ratio;
  return here;
}

TraceSums sum_trace(const FrictionTrace& trace, const TraceState& at, bool proportional,
                    bool with_slopes) {
  TraceSums sums;
  const auto here = at_load(at.values, trace, proportional);
  const auto scale = scales(here, proportional ? trace.load_ratio : 1);
  const bool starts = trace.unknown == TraceUnknown::kStart;
  const double offset_N = (trace.offset >= 0 ? at.shared_offset_N : 0) +
                          (trace.unknown == TraceUnknown::kOffset ? at.unknown : 0);
  const double weight = 1 / trace.sigma_N;
  LugreBristle bristle(starts ? at.unknown : 0);
  std::array<double, kLugreSize + 1> slope{};
  double before = 0, block = 0, block_squares = 0;
  std::size_t in_block = 0;
  const std::size_t rows = trace.force_N.size();
  Eigen::Matrix<double, kTraceColumns, 1> row = Eigen::Matrix<double, kTraceColumns, 1>::Zero();
  row[kTraceOffset] = trace.offset >= 0 ? weight : 0;
  if (trace.unknown == TraceUnknown::kOffset) row[kTraceUnknown] = weight;
  for (std::size_t i = 0; i < rows; ++i) {
    const double force_N =
        with_slopes
            ? bristle.step_N(here, trace.period_s, trace.velocity_m_per_s[i], trace.normal_N[i],
                             slope)
            : bristle.step_N(here, trace.period_s, trace.velocity_m_per_s[i], trace.normal_N[i]);
    if (i < trace.compared) continue;
    const double residual = (force_N + offset_N - trace.force_N[i]) * weight;
    sums.lagged += residual * before;
    before = residual;
    block += residual;
    block_squares += residual * residual;
    if (++in_block == kTraceBlock) {
      sums.blocked += block * block;
      sums.in_blocks += block_squares;
      block = block_squares = 0;
      in_block = 0;
    }
    if (!with_slopes) {
      sums.products(kTraceResidual, kTraceResidual) += residual * residual;
      continue;
    }
    for (std::size_t j = 0; j < kLugreSize; ++j)
      row[static_cast<Eigen::Index>(j)] = slope[j] * scale[j] * weight;
    if (starts) row[kTraceUnknown] = slope[kLugreSize] * weight;
    row[kTraceResidual] = residual;
    for (Eigen::Index c = 0; c < kTraceColumns; ++c) sums.products.col(c).noalias() += row * row[c];
  }
  sums.count = static_cast<double>(rows - std::min(rows, trace.compared));
  return sums;
}

}  // namespace tactelier
