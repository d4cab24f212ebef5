#pragma once
// Cross-talk (docs/theory/point-spread.md 10): press each tactel q alone, read every p,
//   c_p = sum_q A_pq F_q ,   A = diag(gain) X ,   X_qq = 1 (the gauge).
// X holds whatever makes a tactel answer to a press on another: the rubber's spread, and wires. A
// point spread explains it by one to three numbers; X takes one per pair.

#include <Eigen/Core>
#include <optional>
#include <vector>

#include "fitting/psf/psf_data.hpp"

namespace tactelier {

constexpr double kInvertible = 50;  // cond(A) below which forces are solved for

struct Crosstalk {
  std::vector<int> tactels;                // of rows and columns, indices in the layout
  Eigen::VectorXd gain;                    // counts/N of each tactel under a press on itself
  Eigen::MatrixXd matrix;                  // X
  double condition = 0;                    // of A
  int zeroed = 0;                          // elements below 2 sigma of their noise, set to 0
  std::optional<Eigen::MatrixXd> inverse;  // A^-1, N/count; empty when badly conditioned
};

/// `slopes` (counts/N) and their standard errors, square; 0 errors: exact. Fails with
/// kUnidentifiable when a tactel does not answer to a press on itself.
Result<Crosstalk> split_crosstalk(const Eigen::MatrixXd& slopes, const Eigen::MatrixXd& errors,
                                  std::vector<int> tactels);

/// Slopes of every pair from presses on tactels' centres, the mean where there are several.
struct CrosstalkSlopes {
  std::vector<int> tactels;
  Eigen::MatrixXd slopes, errors;
};
CrosstalkSlopes crosstalk_slopes(const FitContext& context, const PsfData& data,
                                 double scatter_relative);

/// BIC of one number per pair less that of the point spread, over the pairs of tactels beside each
/// other: positive where the spread says it all.
double crosstalk_delta_bic(const CrosstalkSlopes& measured, const Eigen::MatrixXd& predicted,
                           int spread_parameters);

}  // namespace tactelier
