#pragma once
// How the pressure on the pad is shared out to tactels: a Gaussian (or Student) spread of every
// pressure point, integrated over each tactel's cell. The shares of a press well inside sum to one.

#include <span>
#include <vector>

#include "libcalib/pad/footprint.hpp"
#include "libcalib/pad/pad_truth.hpp"

namespace tactelier::pad {

/// Standard normal distribution function, from a table: within 1e-11.
double normal_cdf(double x);

class Spread {
 public:
  /// Fails with kInvalidInput for curved arrays, whose normals differ.
  static Result<Spread> create(const SensorDescription& sensor, const SpreadTruth& truth);

  /// shares[i] = part of the force that tactel i gets from a contact whose tip is at (x, y).
  void shares(std::span<const PressurePoint> points, double x_m, double y_m,
              std::span<double> shares) const;

  /// What a cubature must resolve: the spread's smallest width, or a part of the pitch without one.
  double resolution_m() const { return resolution_m_; }
  std::size_t tactels() const { return tactels_; }
  /// Rectangles that the arrays cover, in the sensor frame.
  std::vector<Polygon> outlines() const;

 private:
  struct Grid {
    int rows, columns;
    double pitch_x_m, pitch_y_m;
    Point centre;  // in the sensor frame
    double yaw_rad;
    double cos_yaw, sin_yaw;
    std::size_t first;         // index of its first tactel
    std::vector<Point> cells;  // centres for irregular arrays, else empty
  };
  struct Component {  // the spread is a sum of these
    double weight, sigma_x_m, sigma_y_m;
  };

  void add_point(const Grid& grid, Point at, double weight, std::span<double> shares) const;
  void add_rows_and_columns(const Grid& grid, Point at, double weight, const Component& component,
                            std::span<double> shares) const;
  void add_cells(const Grid& grid, Point at, double weight, const Component& component,
                 std::span<double> shares) const;

  std::vector<Grid> grids_;
  std::vector<Component> components_;
  double theta_rad_ = 0;
  bool renormalised_ = false;
  double resolution_m_ = 0;
  std::size_t tactels_ = 0;
};

}  // namespace tactelier::pad
