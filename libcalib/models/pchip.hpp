#pragma once
// Monotone cubic through given points: piecewise cubic Hermite with the slopes of Fritsch and
// Butland (docs/theory/response.md 4). Where the points rise, the curve rises; no overshoot.

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace tactelier {

class Pchip {
 public:
  /// At least two points; x strictly ascending.
  Pchip(std::vector<double> x, std::vector<double> y);

  /// Value and slope. Outside the points the end cubic goes on: callers must not rely on it.
  double operator()(double x) const;
  double slope(double x) const;
  std::span<const double> slopes() const { return slopes_; }  // at the points
  std::span<const double> x() const { return x_; }
  std::span<const double> y() const { return y_; }

  /// Where the curve (points ascending in y) takes the value y: {lower, upper}, equal unless the
  /// curve is flat there; clamped to the first and last point.
  std::pair<double, double> inverse(double y) const;

 private:
  std::size_t segment(double x) const;

  std::vector<double> x_;
  std::vector<double> y_;
  std::vector<double> slopes_;
};

}  // namespace tactelier
