#include "fitting/friction/lugre_normal.hpp"

namespace tactelier {

using Eigen::Index;

LugreNormal LugreGather::empty() const {
  return {Eigen::MatrixXd::Zero(size_, size_), Eigen::VectorXd::Zero(size_), 0};
}

void LugreGather::add(std::size_t trace, const TraceSums& sums, LugreNormal& normal,
                      double factor) const {
  const auto& p = sums.products;
  const bool own = has_unknown(trace, sums);
  const double left = own ? 1 / p(kTraceUnknown, kTraceUnknown) : 0;
  for (Index i = 0; i < columns(trace); ++i) {
    const double taken = own ? p(i, kTraceUnknown) * left : 0;
    normal.gradient[column(trace, i)] +=
        factor * (p(i, kTraceResidual) - taken * p(kTraceUnknown, kTraceResidual));
    for (Index j = 0; j < columns(trace); ++j)
      normal.matrix(column(trace, i), column(trace, j)) +=
          factor * (p(i, j) - taken * p(kTraceUnknown, j));
  }
  normal.chi2 += sums.chi2();
}

void LugreGather::hold(LugreNormal& normal) const {
  if (!problem_.hold_bristles) return;
  for (const Index i : {Index{kLugreSigma0}, Index{kLugreSigma1}}) {
    normal.matrix.row(i).setZero();
    normal.matrix.col(i).setZero();
    normal.matrix(i, i) = 1;
    normal.gradient[i] = 0;
  }
}

LugreNormal LugreGather::all(const std::vector<TraceSums>& sums) const {
  auto normal = empty();
  for (std::size_t k = 0; k < sums.size(); ++k) add(k, sums[k], normal);
  hold(normal);
  return normal;
}

}  // namespace tactelier
