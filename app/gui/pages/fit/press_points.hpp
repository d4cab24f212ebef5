#pragma once
// Depth and force of a press as points of a plot, in millimetres and newtons.

#include <cmath>
#include <vector>

#include "app/gui/widgets/residual_plot.hpp"
#include "fitting/views/fitted_press_curves.hpp"

namespace tactelier::gui {

/// `residuals` are those of some of the points, by their depth.
inline std::vector<ResidualPoint> pressPoints(const std::vector<DepthForce>& points,
                                              const std::vector<DepthForce>& residuals, int press) {
  std::vector<ResidualPoint> out;
  std::size_t next = 0;
  for (const auto& [depth_m, force_N] : points) {
    double residual = std::nan("");
    if (next < residuals.size() && residuals[next][0] == depth_m) residual = residuals[next++][1];
    out.push_back({1e3 * depth_m, force_N, residual, press});
  }
  return out;
}

inline std::vector<Point> pathPoints(const std::vector<DepthForce>& points) {
  std::vector<Point> out;
  for (const auto& [depth_m, force_N] : points) out.push_back({1e3 * depth_m, force_N});
  return out;
}

}  // namespace tactelier::gui
