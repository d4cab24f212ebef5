#include "libcalib/models/response/polynomial.hpp"

namespace tactelier {

void PowerBasis::at(double force_N, std::span<double> row) const {
  const double x = (2 * force_N - range_.low_N - range_.high_N) / (range_.high_N - range_.low_N);
  row[0] = 1;
  for (std::size_t i = 1; i < row.size(); ++i) row[i] = row[i - 1] * x;
}

ResponseSlots PowerBasis::terms(std::span<const double> weights, std::optional<double>) const {
  const double width_N = range_.high_N - range_.low_N;
  const double slope = 2 / width_N, shift = -(range_.low_N + range_.high_N) / width_N;
  std::vector<double> powers{weights.back()};
  for (std::size_t i = weights.size() - 1; i-- > 0;) {  // Horner: powers (slope F + shift)
    std::vector<double> next(powers.size() + 1, 0.0);
    for (std::size_t k = 0; k < powers.size(); ++k) {
      next[k] += shift * powers[k];
      next[k + 1] += slope * powers[k];
    }
    next[0] += weights[i];
    powers = std::move(next);
  }
  return {std::move(powers), {}};
}

double PolynomialLaw::counts(const ResponseSlots& terms, double force_N) const {
  double sum = 0;
  for (auto c = terms.coefficients.rbegin(); c != terms.coefficients.rend(); ++c)
    sum = sum * force_N + *c;
  return sum;
}

}  // namespace tactelier
