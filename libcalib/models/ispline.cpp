#include "libcalib/models/ispline.hpp"

#include <algorithm>
#include <cassert>

namespace tactelier {

ISpline::ISpline(int order, std::vector<double> inner_knots, double low, double high)
    : order_(order), size_(static_cast<std::size_t>(order) + inner_knots.size()) {
  assert(order >= 1 && low < high && std::is_sorted(inner_knots.begin(), inner_knots.end()));
  knots_.assign(static_cast<std::size_t>(order) + 1, low);
  knots_.insert(knots_.end(), inner_knots.begin(), inner_knots.end());
  knots_.insert(knots_.end(), static_cast<std::size_t>(order) + 1, high);
}

std::vector<double> ISpline::operator()(double x) const {
  if (x <= knots_.front()) return std::vector<double>(size_, 0.0);
  if (x >= knots_.back()) return std::vector<double>(size_, 1.0);
  // B-splines of degree `order_` (Cox, de Boor), from degree 0 up.
  std::vector<double> b(knots_.size() - 1, 0.0);
  const auto after = std::upper_bound(knots_.begin(), knots_.end(), x);
  b[static_cast<std::size_t>(after - knots_.begin()) - 1] = 1;
  for (std::size_t degree = 1; degree <= static_cast<std::size_t>(order_); ++degree)
    for (std::size_t i = 0; i + degree + 1 < knots_.size(); ++i) {
      const double left = knots_[i + degree] - knots_[i];
      const double right = knots_[i + degree + 1] - knots_[i + 1];
      b[i] = (left > 0 ? (x - knots_[i]) / left * b[i] : 0) +
             (right > 0 ? (knots_[i + degree + 1] - x) / right * b[i + 1] : 0);
    }
  std::vector<double> integrals(size_);
  double sum = 0;
  for (std::size_t i = size_; i-- > 0;) {
    sum += b[i + 1];
    integrals[i] = sum;
  }
  return integrals;
}

}  // namespace tactelier
