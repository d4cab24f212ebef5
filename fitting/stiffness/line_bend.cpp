#include "fitting/stiffness/line_bend.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <vector>

#include "fitting/statistics/quantiles.hpp"

namespace tactelier {

double beyond_line(std::span<const double> x, std::span<const double> residuals,
                   double parameters) {
  constexpr auto kParts = static_cast<std::size_t>(kBendParts);
  constexpr double kImprobable = 0.001;
  const auto n = x.size();
  const double squares =
      std::inner_product(residuals.begin(), residuals.end(), residuals.begin(), 0.0);
  if (n < kParts * kParts || !(squares > 0)) return 1;
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](auto a, auto b) { return x[a] < x[b]; });
  std::array<double, kParts> sums{}, rows{};
  for (std::size_t i = 0; i < n; ++i) {
    sums[i * kParts / n] += residuals[order[i]];
    rows[i * kParts / n] += 1;
  }
  const double variance = squares / (static_cast<double>(n) - parameters);
  double chi2 = 0;
  for (std::size_t k = 0; k < kParts; ++k) chi2 += sums[k] * sums[k] / rows[k] / variance;
  const double dof = kBendParts - parameters;
  return chi2_survival(chi2, dof) < kImprobable ? std::sqrt(chi2 / dof) : 1;
}

}  // namespace tactelier
