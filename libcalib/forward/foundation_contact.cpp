#include "libcalib/forward/foundation_contact.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tactelier {
namespace {

constexpr int kMost = 400;        // samples along a cell's side
constexpr double kAcross = 20;    // samples across the smallest extent of an indenter
constexpr int kLookAround = 120;  // samples along a side, for what lies beside the array

/// Weighted place of the samples of one bin.
struct Bin {
  double weight = 0, x_m = 0, y_m = 0, xx_m2 = 0, yy_m2 = 0;

  void add(double w, double x, double y) {
    weight += w;
    x_m += w * x;
    y_m += w * y;
    xx_m2 += w * x * x;
    yy_m2 += w * y * y;
  }
  double spread_x_m2() const { return std::max(0.0, xx_m2 - x_m * x_m / weight); }
  double spread_y_m2() const { return std::max(0.0, yy_m2 - y_m * y_m / weight); }
};

/// A place of S in an array's own axes.
struct Place {
  double u_m, v_m;
};
Place in_array(const SensorArray& array, double x_m, double y_m) {
  const double c = std::cos(array.pose.rpy_rad[2]), s = std::sin(array.pose.rpy_rad[2]);
  const double dx_m = x_m - array.pose.position_m[0], dy_m = y_m - array.pose.position_m[1];
  return {c * dx_m + s * dy_m, c * dy_m - s * dx_m};
}

bool over_a_cell(const SensorArray& array, double x_m, double y_m) {
  const auto at = in_array(array, x_m, y_m);
  const double half_x_m = array.pitch_x_m / 2, half_y_m = array.pitch_y_m / 2;
  if (array.positions_m.empty())
    return std::abs(at.u_m) <= array.columns * half_x_m &&
           std::abs(at.v_m) <= array.rows * half_y_m;
  return std::any_of(array.positions_m.begin(), array.positions_m.end(), [&](const auto& cell_m) {
    return std::abs(at.u_m - cell_m[0]) <= half_x_m && std::abs(at.v_m - cell_m[1]) <= half_y_m;
  });
}

bool over_a_cell(const SensorDescription& sensor, double x_m, double y_m) {
  return std::any_of(sensor.arrays.begin(), sensor.arrays.end(),
                     [&](const auto& array) { return over_a_cell(array, x_m, y_m); });
}

/// A circle that one regular array holds whole.
bool well_inside(const SensorDescription& sensor, double x_m, double y_m, double reach_m) {
  return std::any_of(sensor.arrays.begin(), sensor.arrays.end(), [&](const auto& array) {
    const auto at = in_array(array, x_m, y_m);
    return array.positions_m.empty() &&
           std::abs(at.u_m) + reach_m <= array.columns * array.pitch_x_m / 2 &&
           std::abs(at.v_m) + reach_m <= array.rows * array.pitch_y_m / 2;
  });
}

}  // namespace

bool PressPose::finite() const {
  const double all = x_m + y_m + rz_rad + std::tan(tilt_x_rad) + std::tan(tilt_y_rad);
  return std::isfinite(all);
}

int samples_per_cell(const SensorDescription& sensor, const IndenterSurface& surface) {
  double pitch_m = 0;
  for (const auto& array : sensor.arrays)
    pitch_m = std::max({pitch_m, array.pitch_x_m, array.pitch_y_m});
  const double wanted = std::min<double>(kMost, kAcross * pitch_m / surface.finest_m());
  return kLeastSamplesPerCell *
         std::max(1, static_cast<int>(std::ceil(wanted / kLeastSamplesPerCell)));
}

FoundationContact::FoundationContact(const SensorDescription& sensor,
                                     const IndenterSurface& surface, const PressPose& pose,
                                     int samples_per_cell)
    : sensor_(sensor),
      surface_(surface),
      pose_(pose),
      cos_rz_(std::cos(pose.rz_rad)),
      sin_rz_(std::sin(pose.rz_rad)),
      slope_x_(-std::tan(pose.tilt_y_rad)),
      slope_y_(std::tan(pose.tilt_x_rad)),
      per_cell_(samples_per_cell) {
  for (int i = 0; i < sensor.tactels(); ++i)
    add_cell(sensor.position_m(i), sensor.array_of(i), static_cast<std::size_t>(i));
}

double FoundationContact::height_m(double x_m, double y_m) const {
  const double dx_m = x_m - pose_.x_m, dy_m = y_m - pose_.y_m;
  return surface_.height_m(cos_rz_ * dx_m + sin_rz_ * dy_m, cos_rz_ * dy_m - sin_rz_ * dx_m) +
         slope_x_ * dx_m + slope_y_ * dy_m;
}

void FoundationContact::add_cell(const Vector3& centre_m, const SensorArray& array,
                                 std::size_t tactel) {
  const double apart_m = std::hypot(centre_m[0] - pose_.x_m, centre_m[1] - pose_.y_m);
  if (apart_m > surface_.reach_m() + std::hypot(array.pitch_x_m, array.pitch_y_m) / 2) return;
  const double c = std::cos(array.pose.rpy_rad[2]), s = std::sin(array.pose.rpy_rad[2]);
  const double step_x_m = array.pitch_x_m / per_cell_, step_y_m = array.pitch_y_m / per_cell_;
  for (int row = 0; row < per_cell_; ++row)
    for (int column = 0; column < per_cell_; ++column) {
      const double u_m = (column + 0.5) * step_x_m - array.pitch_x_m / 2;
      const double v_m = (row + 0.5) * step_y_m - array.pitch_y_m / 2;
      const double x_m = centre_m[0] + c * u_m - s * v_m, y_m = centre_m[1] + s * u_m + c * v_m;
      const double height = height_m(x_m, y_m);
      if (std::isfinite(height))
        samples_.push_back({x_m, y_m, height, step_x_m * step_y_m, tactel,
                            static_cast<std::size_t>(column), static_cast<std::size_t>(row)});
    }
}

// The volume is convex and piecewise linear in depth: from the depth at which all samples would
// have to touch, Newton's steps fall to the answer and end there exactly.
double FoundationContact::depth_at_m(double volume_m3) const {
  double depth_m = std::numeric_limits<double>::infinity();
  for (std::size_t touching = samples_.size() + 1;;) {
    double area_m2 = 0, moment_m3 = 0;
    std::size_t count = 0;
    for (const auto& sample : samples_) {
      if (sample.height_m >= depth_m) continue;
      area_m2 += sample.area_m2;
      moment_m3 += sample.area_m2 * sample.height_m;
      ++count;
    }
    if (count == touching || count == 0) return depth_m;
    touching = count;
    depth_m = (volume_m3 + moment_m3) / area_m2;
  }
}

double FoundationContact::volume_m3(double depth_m) const {
  return std::accumulate(samples_.begin(), samples_.end(), 0.0, [&](double sum, const Sample& s) {
    return sum + s.area_m2 * std::max(0.0, depth_m - s.height_m);
  });
}

double FoundationContact::beside(double depth_m) const {
  if (!std::isfinite(surface_.reach_m())) return 0;
  if (well_inside(sensor_, pose_.x_m, pose_.y_m, surface_.reach_m())) return 0;
  int all = 0, off = 0;
  const double step_m = 2 * surface_.reach_m() / kLookAround;
  for (int row = 0; row < kLookAround; ++row)
    for (int column = 0; column < kLookAround; ++column) {
      const double x_m = pose_.x_m - surface_.reach_m() + (column + 0.5) * step_m;
      const double y_m = pose_.y_m - surface_.reach_m() + (row + 0.5) * step_m;
      if (height_m(x_m, y_m) >= depth_m) continue;
      ++all;
      if (!over_a_cell(sensor_, x_m, y_m)) ++off;
    }
  return all > 0 ? static_cast<double>(off) / all : 0;
}

std::vector<double> FoundationContact::cell_volumes_m3(double depth_m) const {
  std::vector<double> volumes_m3(static_cast<std::size_t>(sensor_.tactels()), 0.0);
  for (const auto& sample : samples_)
    volumes_m3[sample.tactel] += sample.area_m2 * std::max(0.0, depth_m - sample.height_m);
  return volumes_m3;
}

PressFootprint FoundationContact::footprint(double depth_m, int points_per_cell) const {
  const auto side = static_cast<std::size_t>(points_per_cell);
  const auto per_bin = static_cast<std::size_t>(per_cell_) / side;
  const double volume = volume_m3(depth_m);
  PressFootprint print{{}, 0, 0};
  double own_m2 = 0;  // second moment of each sample's own square
  std::vector<Bin> bins(side * side);
  const auto close_cell = [&] {
    for (auto& bin : bins) {
      if (bin.weight <= 0) continue;
      print.points.push_back({bin.x_m / bin.weight, bin.y_m / bin.weight, bin.weight});
      print.moment_xx_m2 += bin.spread_x_m2();
      print.moment_yy_m2 += bin.spread_y_m2();
      bin = {};
    }
  };
  for (std::size_t i = 0; i < samples_.size(); ++i) {
    const auto& sample = samples_[i];
    if (i > 0 && samples_[i - 1].tactel != sample.tactel) close_cell();
    if (sample.height_m >= depth_m) continue;
    const double share = sample.area_m2 * (depth_m - sample.height_m) / volume;
    bins[sample.row / per_bin * side + sample.column / per_bin].add(share, sample.x_m - pose_.x_m,
                                                                    sample.y_m - pose_.y_m);
    own_m2 += share * sample.area_m2 / 12;
  }
  close_cell();
  print.moment_xx_m2 += own_m2;
  print.moment_yy_m2 += own_m2;
  return print;
}

}  // namespace tactelier
