#include "fitting/statistics/added_variances.hpp"

#include <algorithm>
#include <cmath>

#include "fitting/statistics/quantiles.hpp"

namespace tactelier {

double dof_of_added(double a, double dof_a, double b, double dof_b) {
  constexpr double kAsGoodAsMany = 1e6;
  if (!(b > 0)) return dof_a;
  if (!(a > 0)) return dof_b;
  const double t_a = coverage_95(dof_a), t_b = coverage_95(dof_b);
  const double wanted = std::sqrt((t_a * t_a * a + t_b * t_b * b) / (a + b));
  double low = std::min(dof_a, dof_b), high = std::max(dof_a, dof_b);
  if (!(high < kAsGoodAsMany)) {
    if (!(wanted > coverage_95(kAsGoodAsMany))) return high;
    high = kAsGoodAsMany;
  }
  for (int step = 0; step < 60 && high > low; ++step) {
    const double middle = std::sqrt(low * high);
    (coverage_95(middle) > wanted ? low : high) = middle;
  }
  return low;
}

}  // namespace tactelier
