#include "fitting/statistics/criteria.hpp"

#include "fitting/statistics/quantiles.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tactelier {
namespace {

Criteria penalised(double misfit, double k, double n) {
  Criteria c;
  c.aic = misfit + 2 * k;
  c.aicc =
      n > k + 1 ? c.aic + 2 * k * (k + 1) / (n - k - 1) : std::numeric_limits<double>::infinity();
  c.bic = misfit + k * std::log(n);
  return c;
}

}  // namespace

Criteria criteria(double rss, std::size_t parameters, double n) {
  return penalised(n * std::log(rss / n), static_cast<double>(parameters) + 1, n);
}

Criteria criteria_known_noise(double chi2, std::size_t parameters, double n) {
  return penalised(chi2, static_cast<double>(parameters), n);
}

bool chi2_plausible(double chi2_per_dof, double dof, double sigma_dof, int tests) {
  if (!(dof > 0 && sigma_dof > 0)) return false;
  const double z = tests > 1 ? -normal_quantile(normal_cdf(-2) / tests) : 2;
  return std::abs(chi2_per_dof - 1) <= z * std::sqrt(2 / dof + 2 / sigma_dof);
}

}  // namespace tactelier
