#include "libcalib/forward/curved_surface.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace tactelier {
namespace {

/// Weights of up to three neighbouring tactels along a row or column, and of the derivative by the
/// place along it, counted in tactels.
struct Along {
  int first = 0, count = 1;
  std::array<double, 3> weight{1, 0, 0}, slope{0, 0, 0};
};

Along along(double at, int tactels) {
  Along result;
  if (tactels == 1) return result;
  if (tactels == 2) {
    result.count = 2;
    result.weight = {1 - at, at, 0};
    result.slope = {-1, 1, 0};
    return result;
  }
  result.count = 3;
  result.first = std::clamp(static_cast<int>(std::lround(at)), 1, tactels - 2) - 1;
  const double t = at - result.first - 1;
  result.weight = {t * (t - 1) / 2, 1 - t * t, t * (t + 1) / 2};
  result.slope = {t - 0.5, -2 * t, t + 0.5};
  return result;
}

/// Of one array, whose first ray is `first`.
class Patch {
 public:
  Patch(const SensorArray& array, const std::vector<TactelRay>& rays, std::size_t first)
      : array_(array), rays_(rays), first_(first) {}

  SurfaceSample at(std::size_t tactel, double row, double column, double cells) const {
    const auto rows = along(row, array_.rows), columns = along(column, array_.columns);
    SurfaceSample sample;
    sample.ray.centre_m = sum(rows.weight, columns.weight, rows, columns);
    auto by_row = sum(rows.slope, columns.weight, rows, columns);
    auto by_column = sum(rows.weight, columns.slope, rows, columns);
    const auto& own = rays_[tactel].normal;
    if (array_.rows == 1 && array_.columns == 1) by_column = scaled(across(own), array_.pitch_x_m);
    if (array_.columns == 1 && array_.rows > 1)
      by_column = scaled(unit(cross(by_row, own)), array_.pitch_x_m);
    if (array_.rows == 1) by_row = scaled(unit(cross(own, by_column)), array_.pitch_y_m);
    if (array_.columns == 1 || array_.rows == 1) {
      const double beside_columns = array_.columns == 1 ? column : 0,
                   beside_rows = array_.rows == 1 ? row : 0;
      sample.ray.centre_m = plus(sample.ray.centre_m, plus(scaled(by_column, beside_columns),
                                                           scaled(by_row, beside_rows)));
    }
    auto normal = cross(by_column, by_row);
    sample.area_m2 = std::sqrt(dot(normal, normal)) / cells;
    if (dot(normal, own) < 0) normal = scaled(normal, -1);
    sample.ray.normal = unit(normal);
    return sample;
  }

 private:
  static Vector3 across(const Vector3& normal) {
    const Vector3 x{1, 0, 0}, y{0, 1, 0};
    return unit(cross(std::abs(normal[0]) < 0.9 ? cross(normal, x) : cross(normal, y), normal));
  }

  Vector3 sum(const std::array<double, 3>& by_row, const std::array<double, 3>& by_column,
              const Along& rows, const Along& columns) const {
    Vector3 total{0, 0, 0};
    for (int i = 0; i < rows.count; ++i)
      for (int j = 0; j < columns.count; ++j) {
        const auto at =
            static_cast<std::size_t>((rows.first + i) * array_.columns + columns.first + j);
        total = plus(
            total, scaled(rays_[first_ + at].centre_m, by_row[static_cast<std::size_t>(i)] *
                                                           by_column[static_cast<std::size_t>(j)]));
      }
    return total;
  }

  const SensorArray& array_;
  const std::vector<TactelRay>& rays_;
  std::size_t first_;
};

}  // namespace

std::vector<SurfaceSample> surface_samples(const SensorDescription& sensor, int per_cell) {
  const auto rays = tactel_rays(sensor);
  std::vector<SurfaceSample> samples;
  std::size_t first = 0;
  for (const auto& array : sensor.arrays) {
    const Patch patch(array, rays, first);
    for (int row = 0; row < array.rows; ++row)
      for (int column = 0; column < array.columns; ++column)
        for (int i = 0; i < per_cell; ++i)
          for (int j = 0; j < per_cell; ++j)
            samples.push_back(
                patch.at(first + static_cast<std::size_t>(row * array.columns + column),
                         row + (i + 0.5) / per_cell - 0.5, column + (j + 0.5) / per_cell - 0.5,
                         per_cell * per_cell));
    first += static_cast<std::size_t>(array.tactels());
  }
  return samples;
}

}  // namespace tactelier
