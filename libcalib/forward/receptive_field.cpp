#include "libcalib/forward/receptive_field.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tactelier {
namespace {

constexpr double kOnTheRim = 1e-12;    // relative: samples there count, with weight 0
constexpr double kSpacingPart = 0.25;  // of the receptive radius
constexpr double kWhole = 1e-9;        // spacings that fit a cell, but for rounding

double diagonal_m(const SensorArray& array) { return std::hypot(array.pitch_x_m, array.pitch_y_m); }

}  // namespace

int field_samples(const Hydroelastic& field, const SensorDescription& sensor, int most) {
  double pitch_m = 0;
  for (const auto& array : sensor.arrays)
    pitch_m = std::max({pitch_m, array.pitch_x_m, array.pitch_y_m});
  const double spacing_m =
      field.spacing.value.value_or(kSpacingPart * *field.receptive_radius.value);
  return std::clamp(static_cast<int>(std::ceil(pitch_m / spacing_m - kWhole)), 1, most);
}

std::size_t ReceptiveField::sample(std::size_t tactel, std::size_t column, std::size_t row) const {
  const auto side = static_cast<std::size_t>(per_cell_);
  return (tactel * side + row) * side + column;
}

std::vector<ReceptiveField::Part> ReceptiveField::parts_of(const SensorDescription& sensor,
                                                           std::size_t tactel,
                                                           double radius_m) const {
  const auto centre_m = sensor.position_m(static_cast<int>(tactel));
  const auto side = static_cast<std::size_t>(per_cell_);
  std::vector<Part> parts;
  for (int other = 0; other < sensor.tactels(); ++other) {
    const auto& array = sensor.array_of(other);
    const auto cell_m = sensor.position_m(other);
    const double dx_m = cell_m[0] - centre_m[0], dy_m = cell_m[1] - centre_m[1];
    if (std::hypot(dx_m, dy_m) > radius_m + diagonal_m(array)) continue;
    const double c = std::cos(array.pose.rpy_rad[2]), s = std::sin(array.pose.rpy_rad[2]);
    for (std::size_t row = 0; row < side; ++row)
      for (std::size_t column = 0; column < side; ++column) {
        const double u_m =
            ((static_cast<double>(column) + 0.5) / per_cell_ - 0.5) * array.pitch_x_m;
        const double v_m = ((static_cast<double>(row) + 0.5) / per_cell_ - 0.5) * array.pitch_y_m;
        const double x_m = dx_m + c * u_m - s * v_m, y_m = dy_m + s * u_m + c * v_m;
        const double part = (x_m * x_m + y_m * y_m) / (radius_m * radius_m);
        if (part <= 1 + kOnTheRim)
          parts.push_back({sample(static_cast<std::size_t>(other), column, row), tactel, 1 - part});
      }
  }
  return parts;
}

ReceptiveField::ReceptiveField(const SensorDescription& sensor, double radius_m,
                               int samples_per_cell)
    : per_cell_(samples_per_cell) {
  const auto tactels = static_cast<std::size_t>(sensor.tactels());
  for (std::size_t tactel = 0; tactel < tactels; ++tactel) {
    const auto& array = sensor.array_of(static_cast<int>(tactel));
    sample_m2_.push_back(array.pitch_x_m * array.pitch_y_m / (per_cell_ * per_cell_));
    auto parts = parts_of(sensor, tactel, radius_m);
    const double all = std::accumulate(parts.begin(), parts.end(), 0.0,
                                       [](double sum, const Part& p) { return sum + p.weight; });
    for (auto& part : parts) part.weight /= all;
    parts_.insert(parts_.end(), parts.begin(), parts.end());
  }
  std::stable_sort(parts_.begin(), parts_.end(),
                   [](const Part& a, const Part& b) { return a.sample < b.sample; });
  begin_.assign(sample(tactels, 0, 0) + 1, 0);
  for (const auto& part : parts_) ++begin_[part.sample + 1];
  std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
}

std::vector<double> ReceptiveField::means_Pa(const FoundationContact& contact, double depth_m,
                                             double modulus_Pa_per_m) const {
  std::vector<double> means_Pa(sample_m2_.size(), 0.0);
  contact.for_each_loaded(depth_m, [&](const FoundationContact::Loaded& loaded) {
    const double pressure_Pa = modulus_Pa_per_m * loaded.volume_m3 / sample_m2_[loaded.tactel];
    const auto at = sample(loaded.tactel, loaded.column, loaded.row);
    for (auto i = begin_[at]; i < begin_[at + 1]; ++i)
      means_Pa[parts_[i].tactel] += parts_[i].weight * pressure_Pa;
  });
  return means_Pa;
}

}  // namespace tactelier
