#pragma once
// A device's clock as seen through arrival times (docs/theory/clocks.md 1): every message comes
// late by an amount that is never negative, so the clock lies below all points, not through their
// middle.

#include <cmath>
#include <cstddef>
#include <optional>
#include <vector>

namespace tactelier {

/// y = height + slope (x - mean_x): below all points, as high as possible at their mean x.
struct HullLine {
  double mean_x = 0;
  double height = 0;
  double slope = 0;
  std::size_t first = 0, last = 0;  // numbers of the two points it rests on
  std::size_t points = 0;
  double span_x = 0;
  double mean_delay = 0;  // of the points above the line

  double at(double x) const { return height + slope * (x - mean_x); }
  double intercept() const { return height - slope * mean_x; }
  /// Standard errors of a boundary estimate with exponential delays, from simulation: 95 % of the
  /// heights are high by less than 5.6 mean_delay / points, of the slopes off by less than
  /// 15 mean_delay / (points span_x). Stamps are taken to end at a microsecond.
  double u_height() const {
    return std::hypot(2.8 * mean_delay / static_cast<double>(points), kStampStep / std::sqrt(12.0));
  }
  double u_slope() const {
    return std::hypot(7.5 * mean_delay / static_cast<double>(points), kStampStep) / span_x;
  }

  static constexpr double kStampStep = 1e-6;
};

/// Points one by one, so that a recording of any length streams through. Differences to the first
/// point are used: epoch seconds times a slope would lose microseconds.
class LowerHull {
 public:
  /// x must not fall; of points with equal x the lowest counts.
  void add(double x, double y);
  std::size_t points() const { return points_; }
  /// Empty with fewer than two different x.
  std::optional<HullLine> line() const;

 private:
  struct Vertex {
    double x, y;
    std::size_t number;
  };
  std::vector<Vertex> hull_;
  std::size_t points_ = 0;
  double x0_ = 0, y0_ = 0, last_x_ = 0;
  double mean_x_ = 0, mean_y_ = 0;  // less x0, y0
};

}  // namespace tactelier
