#pragma once
// What the force on a rigid plate sees of a staircase of steps: each step takes its time, or rings
// (MagneticAxis' law for lags that are small beside the field's period), then a first order
// follows (docs/theory/clocks.md 8).

#include <Eigen/Core>
#include <array>
#include <vector>

#include "fitting/recording/step_edges.hpp"

namespace tactelier {

/// Staircase and its sine and cosine on a fine raster, behind an edge's shape.
class EdgeStairs {
 public:
  EdgeStairs(const CommandedPath& path, double begin_s, double end_s, double step_m,
             double period_m);

  void shape(const EdgeShape& shape);
  /// Place, sine and cosine.
  std::array<double, 3> at(double t_s) const;

 private:
  using Row = std::array<double, 3>;

  Row mean_about(std::size_t i, std::size_t half) const;
  std::vector<Row> spanned(double span_s) const;
  std::vector<Row> rung(double frequency_hz, double damping) const;

  double begin_s_;
  std::vector<Row> columns_, shaped_;
};

/// Everything linear at one delay; residuals are places, m.
struct EdgesAtDelay {
  double rss_m2 = 0;
  std::array<double, 2> sine_m{};
  Eigen::VectorXd residual_m;
};
EdgesAtDelay fit_edges_at(const EdgeStairs& stairs, const PlateLoading& press, double delay_s);

}  // namespace tactelier
