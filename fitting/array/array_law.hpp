#pragma once
// Weights by least squares over all rows, on plain arrays; how far off they are is told by leaving
// out one press after the other. Readings of neighbours go together, so that single weights are
// often badly determined where their sum is not: a ridge (Hoerl and Kennard, Technometrics 12,
// 1970) is put on the weights where presses left out are the better predicted for it.

#include <Eigen/Core>
#include <span>
#include <vector>

namespace tactelier {

/// Readings (rows x tactels) and force at the same times.
struct ArrayPress {
  Eigen::MatrixXd readings;
  Eigen::VectorXd force_N;
};

struct ArrayLaw {
  Eigen::VectorXd weight_N_per_count;
  double intercept_N = 0;
  double ridge = 0;  // share of the mean information of a tactel; 0: plain least squares
};

struct ArrayFit {
  ArrayLaw law;
  double error_N = 0;      // standard, of a press left out, where nothing presses
  double error_share = 0;  // what the error has besides, as a share of the force
  double left_out_rms_N = 0;
  double force_spread_N = 0;  // standard deviation of all forces
  double residual_rms_N = 0;  // of the rows that were fitted
  std::size_t rows = 0;
};

/// Presses that follow each other as one, so that there are `most` at the most: leaving out one of
/// many thousand tells nothing that leaving out a few does not.
std::vector<ArrayPress> grouped(std::vector<ArrayPress> presses, std::size_t most);

/// At least three presses, together of more rows than tactels, all with the same tactels. Tactels
/// whose reading never changes get no weight.
ArrayFit fit_array(std::span<const ArrayPress> presses);

}  // namespace tactelier
