#pragma once
// Sums of one pass through a trace: its part of the normal equations.

#include <Eigen/Core>

#include "fitting/friction/lugre_fit.hpp"

namespace tactelier {

/// Rows of the Jacobian within a trace: six parameters (the first, second and last as logarithms),
/// the shared offset, the trace's own unknown, the residual (model - force) / sigma.
enum TraceColumn { kTraceOffset = kLugreSize, kTraceUnknown, kTraceResidual, kTraceColumns };
/// Residuals of a block are added up before they are squared: what noise of the load does to them
/// is no longer than the 20 ms over which it is smoothed.
constexpr std::size_t kTraceBlock = 60;
using TraceMatrix = Eigen::Matrix<double, kTraceColumns, kTraceColumns>;

struct TraceSums {
  TraceMatrix products = TraceMatrix::Zero();  // of all columns with each other
  double lagged = 0;                           // sum of r_i r_(i-1)
  double blocked = 0;                          // sum over whole blocks of (sum of r)^2
  double in_blocks = 0;                        // sum of r^2 within those
  double count = 0;

  double chi2() const { return products(kTraceResidual, kTraceResidual); }
  double lag1() const { return chi2() > 0 ? lagged / chi2() : 0; }
};

struct TraceState {
  LugreValues values{};  // of the contact at the reference load
  double shared_offset_N = 0;
  double unknown = 0;
};

/// sigma0, sigma1 and c_t as they are at the trace's load.
LugreValues at_load(const LugreValues& values, const FrictionTrace& trace, bool proportional);

TraceSums sum_trace(const FrictionTrace& trace, const TraceState& at, bool proportional);

}  // namespace tactelier
