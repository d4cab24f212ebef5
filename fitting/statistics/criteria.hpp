#pragma once
// Choosing among models and judging one (docs/theory/statistics.md 4, 6).

#include <cstddef>
#include <limits>

namespace tactelier {

struct Criteria {
  double aic = 0;
  double aicc = 0;  // infinite when n <= K + 1
  double bic = 0;
};

/// n ln(RSS/n) + penalty with K = parameters + 1 (the noise counts). `n` may be an effective count.
Criteria criteria(double rss, std::size_t parameters, double n);
/// With known noise: chi^2 + penalty, K = parameters.
Criteria criteria_known_noise(double chi2, std::size_t parameters, double n);
/// chi^2/dof lies in 1 +- z sqrt(2/dof + 2/sigma_dof), as it does when the sigmas are right and the
/// model holds. `sigma_dof`: degrees of freedom behind the sigmas where they were measured. z is 2
/// for one test, and for many tests as much more as keeps the chance of any false alarm.
bool chi2_plausible(double chi2_per_dof, double dof,
                    double sigma_dof = std::numeric_limits<double>::infinity(), int tests = 1);

}  // namespace tactelier
