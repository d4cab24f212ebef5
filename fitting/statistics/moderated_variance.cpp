#include "fitting/statistics/moderated_variance.hpp"

#include <boost/math/special_functions/digamma.hpp>
#include <boost/math/special_functions/trigamma.hpp>
#include <cmath>
#include <limits>

namespace tactelier {
namespace {

constexpr std::size_t kLeast = 3;

/// x with trigamma(x) = y > 0; trigamma falls, as 1/x + 1/(2 x^2) where x is large.
double trigamma_inverse(double y) {
  double low = 1e-8, high = 1e8;
  for (int i = 0; i < 100; ++i) {
    const double middle = std::sqrt(low * high);
    (boost::math::trigamma(middle) > y ? low : high) = middle;
  }
  return std::sqrt(low * high);
}

}  // namespace

ModeratedVariances moderated(std::span<const double> variances, std::span<const double> dof) {
  ModeratedVariances result{{variances.begin(), variances.end()}, 0, 0};
  const std::size_t n = variances.size();
  if (n < kLeast) return result;
  // log s^2 of d degrees of freedom: mean log sigma^2 + digamma(d/2) - log(d/2), variance
  // trigamma(d/2).
  std::vector<double> logs(n);
  double mean = 0, by_sampling = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const double half = dof[i] / 2;
    logs[i] = std::log(variances[i]) - boost::math::digamma(half) + std::log(half);
    mean += logs[i] / static_cast<double>(n);
    by_sampling += boost::math::trigamma(half) / static_cast<double>(n);
  }
  double scatter = 0;
  for (const double log : logs) scatter += (log - mean) * (log - mean) / static_cast<double>(n - 1);
  const double beyond = scatter - by_sampling;
  if (beyond > 0) {
    const double half = trigamma_inverse(beyond);
    result.common_dof = 2 * half;
    result.common = std::exp(mean + boost::math::digamma(half) - std::log(half));
  } else {
    result.common_dof = std::numeric_limits<double>::infinity();
    result.common = std::exp(mean);
  }
  for (std::size_t i = 0; i < n; ++i) {
    const double share =
        std::isinf(result.common_dof) ? 1 : result.common_dof / (result.common_dof + dof[i]);
    result.variances[i] = share * result.common + (1 - share) * variances[i];
  }
  return result;
}

}  // namespace tactelier
