#pragma once
// Basis of monotone curves: integrals of M-splines (docs/theory/response.md 4). A sum with
// weights >= 0 never falls, and is linear in its weights.

#include <span>
#include <vector>

namespace tactelier {

class ISpline {
 public:
  /// Splines I_i = integral of M_i of the given order (3: quadratic M) on [low, high] with inner
  /// knots ascending in between.
  ISpline(int order, std::vector<double> inner_knots, double low, double high);

  /// order + number of inner knots.
  std::size_t size() const { return size_; }
  /// All basis functions at x: 0 below `low`, 1 from `high` on, rising in between.
  std::vector<double> operator()(double x) const;

 private:
  int order_;
  std::size_t size_;
  std::vector<double> knots_;  // ends repeated order + 1 times
};

}  // namespace tactelier
