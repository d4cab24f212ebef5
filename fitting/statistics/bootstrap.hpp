#pragma once
// Standard errors by drawing again what was drawn: whole presses (never single samples;
// docs/theory/statistics.md 2).

#include <Eigen/Core>
#include <cstddef>
#include <functional>
#include <optional>
#include <span>

#include "fitting/statistics/random.hpp"
#include "libcalib/job.hpp"
#include "libcalib/result.hpp"

namespace tactelier {

/// With fewer presses the bootstrap has too few distinct samples: take press_spread() instead.
constexpr std::size_t kMinBootstrapPresses = 5;

struct Bootstrap {
  Eigen::MatrixXd covariance;  // p x p
  Eigen::VectorXd std;         // square roots of its diagonal
  double dof = 0;              // presses - 1, for the t quantile of the interval
  int used = 0;                // resamples that gave an estimate
};

/// Re-estimates from `presses` presses drawn with replacement; `estimate` gets their indices (some
/// twice) and returns p parameters, or nothing when that drawing can't be fitted. The covariance is
/// scaled by m/(m-1): the drawings scatter about the sample, not about the truth.
/// Fails with kUnidentifiable below kMinBootstrapPresses presses or when fewer than half of the
/// drawings gave an estimate, with kCancelled when stopped.
Result<Bootstrap> bootstrap_presses(
    std::size_t presses, int resamples, RandomSource& random,
    const std::function<std::optional<Eigen::VectorXd>(std::span<const std::size_t>)>& estimate,
    const Job& job = {});

}  // namespace tactelier
