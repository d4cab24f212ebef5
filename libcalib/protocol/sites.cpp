#include "libcalib/protocol/sites.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>

#include "libcalib/units.hpp"

namespace tactelier {
namespace {

constexpr double kSamePoint_m = 1e-6;
constexpr std::size_t kMaxPoints = 200'000;

Place on_tactel(int tactel, const SensorDescription& sensor) {
  const auto at_m = sensor.position_m(tactel);
  return {tactel, at_m[0], at_m[1], at_m[2]};
}

/// Tactels of the nine standard sites of one array whose first tactel is `first`.
std::array<int, 9> standard_sites(const SensorArray& array, int first) {
  const int bottom = 0;
  const int top = array.rows - 1;
  const int left = 0;
  const int right = array.columns - 1;
  const int row = array.rows / 2;
  const int column = array.columns / 2;
  const auto at = [&](int i, int j) { return first + i * array.columns + j; };
  return {at(row, column),    at(row, left),     at(bottom, left), at(row, right), at(top, right),
          at(bottom, column), at(bottom, right), at(top, column),  at(top, left)};
}

std::vector<int> named_sites(SiteName name, const SensorDescription& sensor) {
  std::vector<int> tactels;
  int first = 0;
  for (const auto& array : sensor.arrays) {
    const auto s = standard_sites(array, first);
    if (name == SiteName::kCentre) tactels.push_back(s[0]);
    if (name == SiteName::kEdges) tactels.insert(tactels.end(), {s[1], s[3], s[5], s[7]});
    if (name == SiteName::kCorners) tactels.insert(tactels.end(), {s[2], s[4], s[6], s[8]});
    first += array.tactels();
  }
  return tactels;
}

std::vector<int> counted_sites(int count, const SensorDescription& sensor) {
  std::vector<int> tactels;
  int first = 0;
  for (const auto& array : sensor.arrays) {
    const auto s = standard_sites(array, first);
    tactels.insert(tactels.end(), s.begin(), s.begin() + count);
    first += array.tactels();
  }
  return tactels;
}

/// Offset of a point from a tactel's centre along the array's own columns and rows.
std::array<double, 2> offset_m(double x_m, double y_m, int tactel,
                               const SensorDescription& sensor) {
  const auto at_m = sensor.position_m(tactel);
  const double yaw = sensor.array_of(tactel).pose.rpy_rad[2];
  const double dx = x_m - at_m[0];
  const double dy = y_m - at_m[1];
  return {std::cos(yaw) * dx + std::sin(yaw) * dy, -std::sin(yaw) * dx + std::cos(yaw) * dy};
}

struct Extent {
  double x0 = std::numeric_limits<double>::infinity();
  double x1 = -x0;
  double y0 = x0;
  double y1 = -x0;
};

Extent extent_of(const SensorDescription& sensor) {
  Extent extent;
  for (int tactel = 0; tactel < sensor.tactels(); ++tactel) {
    const auto at_m = sensor.position_m(tactel);
    const auto& array = sensor.array_of(tactel);
    extent.x0 = std::min(extent.x0, at_m[0] - array.pitch_x_m / 2);
    extent.x1 = std::max(extent.x1, at_m[0] + array.pitch_x_m / 2);
    extent.y0 = std::min(extent.y0, at_m[1] - array.pitch_y_m / 2);
    extent.y1 = std::max(extent.y1, at_m[1] + array.pitch_y_m / 2);
  }
  return extent;
}

/// Collects places, each once.
class Collector {
 public:
  explicit Collector(const SensorDescription& sensor) : sensor_(sensor) {}

  void tactel(int tactel) {
    if (seen_.insert(tactel).second) places_.push_back(on_tactel(tactel, sensor_));
  }
  void tactels(const std::vector<int>& list) {
    for (const int entry : list) tactel(entry);
  }
  void point(const Place& place) {
    if (place.tactel) return tactel(*place.tactel);
    for (const auto& other : places_)
      if (std::hypot(other.x_m - place.x_m, other.y_m - place.y_m) < kSamePoint_m) return;
    places_.push_back(place);
  }
  std::vector<Place> take() { return std::move(places_); }

 private:
  const SensorDescription& sensor_;
  std::vector<Place> places_;
  std::set<int> seen_;
};

}  // namespace

Result<Place> place_at(double x_m, double y_m, const SensorDescription& sensor) {
  constexpr double kSlack_m = 1e-9;  // points on the border itself belong to the array
  int nearest = -1;
  double least_m = std::numeric_limits<double>::infinity();
  for (int tactel = 0; tactel < sensor.tactels(); ++tactel) {
    const auto away = offset_m(x_m, y_m, tactel, sensor);
    const auto& array = sensor.array_of(tactel);
    if (std::abs(away[0]) > array.pitch_x_m / 2 + kSlack_m ||
        std::abs(away[1]) > array.pitch_y_m / 2 + kSlack_m)
      continue;
    const double distance_m = std::hypot(away[0], away[1]);
    if (distance_m < least_m) {
      least_m = distance_m;
      nearest = tactel;
    }
  }
  if (nearest >= 0) {
    const double z_m = sensor.position_m(nearest)[2];
    if (least_m <= kSamePoint_m) return on_tactel(nearest, sensor);
    return Place{std::nullopt, x_m, y_m, z_m};
  }
  const auto e = extent_of(sensor);
  return fail(ErrorCode::kInvalidInput,
              "point ({:.6g}, {:.6g}) mm lies off the array, which spans x {:.6g} .. {:.6g}, "
              "y {:.6g} .. {:.6g} mm",
              m_to_mm(x_m), m_to_mm(y_m), m_to_mm(e.x0), m_to_mm(e.x1), m_to_mm(e.y0),
              m_to_mm(e.y1));
}

Result<std::vector<Place>> places(const Sites& sites, const SensorDescription& sensor) {
  Collector collect(sensor);
  if (sites.all)
    for (int tactel = 0; tactel < sensor.tactels(); ++tactel) collect.tactel(tactel);
  if (sites.count > 0) collect.tactels(counted_sites(sites.count, sensor));
  for (const auto& item : sites.items) {
    if (const auto* tactel = std::get_if<int>(&item)) {
      if (*tactel < 0 || *tactel >= sensor.tactels())
        return fail(ErrorCode::kInvalidInput, "tactel {} is not on the array, which has 0 .. {}",
                    *tactel, sensor.tactels() - 1);
      collect.tactel(*tactel);
    } else if (const auto* name = std::get_if<SiteName>(&item)) {
      collect.tactels(named_sites(*name, sensor));
    } else {
      const auto& point = std::get<SitePoint>(item);
      const auto place = place_at(point.x_m, point.y_m, sensor);
      if (!place) return fail(place.error());
      collect.point(*place);
    }
  }
  return collect.take();
}

Result<std::vector<Place>> raster_places(const steps::Raster& raster,
                                         const SensorDescription& sensor) {
  const auto count = [&](double from_m, double to_m) {
    return std::floor((to_m - from_m) / raster.step_m + 1e-6) + 1;
  };
  const double columns = count(raster.area_m[0], raster.area_m[2]);
  const double rows = count(raster.area_m[1], raster.area_m[3]);
  if (columns * rows > static_cast<double>(kMaxPoints))
    return fail(ErrorCode::kInvalidInput, "area_mm and step_mm make {:.0f} points; at most {} do",
                columns * rows, kMaxPoints);
  std::vector<Place> points;
  const auto nx = static_cast<std::size_t>(columns);
  const auto ny = static_cast<std::size_t>(rows);
  points.reserve(nx * ny);
  for (std::size_t row = 0; row < ny; ++row)
    for (std::size_t i = 0; i < nx; ++i) {
      const auto column = row % 2 == 0 ? i : nx - 1 - i;
      const double x_m = raster.area_m[0] + static_cast<double>(column) * raster.step_m;
      const double y_m = raster.area_m[1] + static_cast<double>(row) * raster.step_m;
      const auto place = place_at(x_m, y_m, sensor);
      if (!place) return fail(place.error(), "area_mm");
      points.push_back(*place);
    }
  return points;
}

Shuffler::Shuffler(std::uint64_t seed) : random_(seed) {}

std::uint64_t Shuffler::below(std::uint64_t bound) {
  constexpr auto kMost = std::numeric_limits<std::uint64_t>::max();
  const std::uint64_t usable = kMost - kMost % bound;  // a whole number of bounds: no bias
  for (;;) {
    const std::uint64_t drawn = random_();
    if (drawn < usable) return drawn % bound;
  }
}

std::vector<std::size_t> Shuffler::order(std::size_t count) {
  std::vector<std::size_t> order(count);
  for (std::size_t i = 0; i < count; ++i) order[i] = i;
  for (std::size_t i = count; i > 1; --i) std::swap(order[i - 1], order[below(i)]);
  return order;
}

}  // namespace tactelier
