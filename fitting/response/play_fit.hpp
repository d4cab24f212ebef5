#pragma once
// Hysteresis by play operators (Prandtl and Ishlinskii; docs/theory/response.md 8): keeps inner
// loops.
//   x_k <- max(F, min(F + 2 r_k, x_k)),  the response answers sum w_k x_k in place of F
// Counted from their loading branch, on which a response is calibrated: a first loading answers
// sum w_k F. Linear in the weights, w_k >= 0. All states are 0 after a long rest.

#include <Eigen/Core>
#include <optional>
#include <span>
#include <vector>

#include "libcalib/result.hpp"

namespace tactelier {

/// Play states along a course of force, one row per force, one column per threshold; all start at
/// 0.
Eigen::MatrixXd play_states(std::span<const double> force_N, std::span<const double> thresholds_N);

/// 0, then geometric to half of the largest force.
std::vector<double> play_grid(double largest_force_N);

/// What one press adds: the apparent force (reading through the loading line) against the states.
struct PlaySums {
  Eigen::MatrixXd matrix;  // K x K, sum of x x^T
  Eigen::VectorXd right;   // sum of x y
  double squares = 0;      // sum of y^2
  double rows = 0;

  void add(const PlaySums& other, double sign = 1);
};
PlaySums play_sums(const Eigen::MatrixXd& states, std::span<const double> apparent_N);

struct PlayFit {
  std::vector<double> thresholds_N, weights;
  std::vector<double> u_weights;  // standard, from press to press (jackknife); empty: one press
  double rms_N = 0;               // of the apparent force about the model
  double rms_without_N = 0;       // the same with one operator of threshold 0 only
};

/// One set of weights for all presses, of as few and narrow operators as serve. `thresholds_N` rise
/// from 0. Fails with kUnidentifiable when nothing but the operator of
/// threshold 0 is called for, or the bounded least squares does not settle.
Result<PlayFit> fit_play(std::span<const double> thresholds_N, std::span<const PlaySums> presses);

}  // namespace tactelier
