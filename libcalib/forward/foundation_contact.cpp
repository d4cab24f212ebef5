#include "libcalib/forward/foundation_contact.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tactelier {
namespace {

constexpr int kMost = 400;        // samples along a cell's side
constexpr double kAcross = 20;    // samples across the smallest extent of an indenter
constexpr int kHalvings = 10;     // of a sample's side, to where an edge crosses it
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

/// Where the samples of one cell lie in S.
class FoundationContact::Raster {
 public:
  Raster(const Vector3& centre_m, const SensorArray& array, int per_cell)
      : centre_m_(centre_m),
        cos_(std::cos(array.pose.rpy_rad[2])),
        sin_(std::sin(array.pose.rpy_rad[2])),
        step_x_m_(array.pitch_x_m / per_cell),
        step_y_m_(array.pitch_y_m / per_cell),
        half_((per_cell - 1) / 2.0) {}

  struct Point {
    double x_m, y_m;
  };
  Point at(double column, double row) const {
    const double u_m = (column - half_) * step_x_m_, v_m = (row - half_) * step_y_m_;
    return {centre_m_[0] + cos_ * u_m - sin_ * v_m, centre_m_[1] + sin_ * u_m + cos_ * v_m};
  }
  double sample_m2() const { return step_x_m_ * step_y_m_; }

 private:
  Vector3 centre_m_;
  double cos_, sin_, step_x_m_, step_y_m_;
  double half_;  // samples from the first to the middle
};

/// Samples of one cell, S while they are placed, then the indenter's axes.
struct FoundationContact::Places {
  std::vector<double> x_m, y_m, heights_m;

  void clear() {
    x_m.clear();
    y_m.clear();
  }
  void add(const Raster::Point& at) {
    x_m.push_back(at.x_m);
    y_m.push_back(at.y_m);
  }
};

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
                                     int samples_per_cell, EdgeSamples edges, double below_m,
                                     double rim_m)
    : sensor_(sensor),
      surface_(surface),
      pose_(pose),
      cos_rz_(std::cos(pose.rz_rad)),
      sin_rz_(std::sin(pose.rz_rad)),
      slope_x_(-std::tan(pose.tilt_y_rad)),
      slope_y_(std::tan(pose.tilt_x_rad)),
      per_cell_(samples_per_cell),
      below_m_(below_m) {
  std::vector<int> cells;
  for (int i = 0; i < sensor.tactels(); ++i) {
    const auto centre_m = sensor.position_m(i);
    const auto& array = sensor.array_of(i);
    const double apart_m = std::hypot(centre_m[0] - pose_.x_m, centre_m[1] - pose_.y_m);
    const double half_m = std::hypot(array.pitch_x_m, array.pitch_y_m) / 2;
    if (apart_m > surface_.reach_m() + half_m) continue;
    if (least_height_m(centre_m[0], centre_m[1], half_m) >= below_m_) continue;
    cells.push_back(i);
  }
  samples_.reserve(cells.size() * static_cast<std::size_t>(per_cell_ * per_cell_));
  Places places;
  for (const int i : cells)
    add_cell({sensor.position_m(i), sensor.array_of(i), per_cell_}, static_cast<std::size_t>(i),
             edges, places);
  if (rim_m > 0) add_rim(rim_m);
}

void FoundationContact::add_rim(double rim_m) {
  for (const auto& point : surface_.rim()) {
    const double dx_m = cos_rz_ * point.x_m - sin_rz_ * point.y_m;
    const double dy_m = sin_rz_ * point.x_m + cos_rz_ * point.y_m;
    if (over_a_cell(sensor_, pose_.x_m + dx_m, pose_.y_m + dy_m))
      rim_.push_back({point.height_m + slope_x_ * dx_m + slope_y_ * dy_m, rim_m * point.length_m});
  }
}

FoundationContact FoundationContact::with_volume(const SensorDescription& sensor,
                                                 const IndenterSurface& surface,
                                                 const PressPose& pose, int samples_per_cell,
                                                 EdgeSamples edges, double volume_m3,
                                                 double rim_m) {
  constexpr double kAll_m = std::numeric_limits<double>::infinity();
  constexpr int kCoarser = 5;
  constexpr double kSurely = 1.2;
  if (surface.flat() && pose.level())
    return FoundationContact(sensor, surface, pose, samples_per_cell, edges, kAll_m, rim_m);
  const FoundationContact coarse(sensor, surface, pose, samples_per_cell / kCoarser,
                                 EdgeSamples::kMidpoint, kAll_m, rim_m);
  const double below_m = coarse.empty() ? kAll_m : kSurely * coarse.depth_at_m(volume_m3);
  FoundationContact contact(sensor, surface, pose, samples_per_cell, edges, below_m, rim_m);
  // With samples left out the depth comes out too large, never too small.
  const double depth_m = contact.depth_at_m(volume_m3);
  if (depth_m <= below_m) {
    contact.solved_ = {volume_m3, depth_m};
    return contact;
  }
  return FoundationContact(sensor, surface, pose, samples_per_cell, edges, depth_m, rim_m);
}

double FoundationContact::least_height_m(double x_m, double y_m, double radius_m) const {
  const double dx_m = x_m - pose_.x_m, dy_m = y_m - pose_.y_m;
  return surface_.least_height_m(cos_rz_ * dx_m + sin_rz_ * dy_m, cos_rz_ * dy_m - sin_rz_ * dx_m,
                                 radius_m) +
         slope_x_ * dx_m + slope_y_ * dy_m - std::hypot(slope_x_, slope_y_) * radius_m;
}

double FoundationContact::height_m(double x_m, double y_m) const {
  const double dx_m = x_m - pose_.x_m, dy_m = y_m - pose_.y_m;
  return surface_.height_m(cos_rz_ * dx_m + sin_rz_ * dy_m, cos_rz_ * dy_m - sin_rz_ * dx_m) +
         slope_x_ * dx_m + slope_y_ * dy_m;
}

void FoundationContact::find_heights(Places& places) const {
  const std::size_t count = places.x_m.size();
  places.heights_m.resize(count);
  std::vector<double>& x_m = places.x_m;
  std::vector<double>& y_m = places.y_m;
  for (std::size_t i = 0; i < count; ++i) {
    const double dx_m = x_m[i] - pose_.x_m, dy_m = y_m[i] - pose_.y_m;
    x_m[i] = cos_rz_ * dx_m + sin_rz_ * dy_m;
    y_m[i] = cos_rz_ * dy_m - sin_rz_ * dx_m;
  }
  surface_.heights_m(x_m, y_m, places.heights_m);
  if (pose_.level()) return;
  for (std::size_t i = 0; i < count; ++i)  // back to S, which the tilt is about
    places.heights_m[i] += slope_x_ * (cos_rz_ * x_m[i] - sin_rz_ * y_m[i]) +
                           slope_y_ * (sin_rz_ * x_m[i] + cos_rz_ * y_m[i]);
}

void FoundationContact::add_cell(const Raster& raster, std::size_t tactel, EdgeSamples edges,
                                 Places& places) {
  const int halo = edges == EdgeSamples::kByArea ? 1 : 0;  // an edge may lie in the next cell
  const int side = per_cell_ + 2 * halo;
  places.clear();
  for (int row = -halo; row < per_cell_ + halo; ++row)
    for (int column = -halo; column < per_cell_ + halo; ++column)
      places.add(raster.at(column, row));
  find_heights(places);
  const auto& heights_m = places.heights_m;
  const auto over = [](double height) { return std::isfinite(height); };
  if (std::none_of(heights_m.begin(), heights_m.end(), over)) return;
  const bool edge =
      halo > 0 && !std::all_of(heights_m.begin(), heights_m.end(), over);  // within the cell
  const auto found_at = [&](int column, int row) {
    return heights_m[static_cast<std::size_t>((row + halo) * side + column + halo)];
  };
  const auto cut_along_columns = [&](int column, int row) {
    const bool inside = over(found_at(column, row));
    return over(found_at(column - 1, row)) != inside || over(found_at(column + 1, row)) != inside;
  };
  const auto cut_along_rows = [&](int column, int row) {
    const bool inside = over(found_at(column, row));
    return over(found_at(column, row - 1)) != inside || over(found_at(column, row + 1)) != inside;
  };
  for (int row = 0; row < per_cell_; ++row)
    for (int column = 0; column < per_cell_; ++column) {
      const double height = found_at(column, row);
      if (const bool columns = edge && cut_along_columns(column, row);
          columns || (edge && cut_along_rows(column, row)))
        add_cut(raster, column, row, columns, tactel);
      else if (height < below_m_)
        samples_.push_back({height, raster.sample_m2(), static_cast<std::uint32_t>(tactel),
                            static_cast<std::uint16_t>(column), static_cast<std::uint16_t>(row)});
    }
}

// Lines across the sample, each cut where the edge crosses it: for a straight edge its part under
// the indenter is linear from line to line, so that two lines have its area.
void FoundationContact::add_cut(const Raster& raster, int column, int row, bool along_columns,
                                std::size_t tactel) {
  const auto height_at = [&](double along, double across) {
    const auto at = along_columns ? raster.at(column + along, row + across)
                                  : raster.at(column + across, row + along);
    return height_m(at.x_m, at.y_m);
  };
  double part = 0, moment_m = 0, along = 0, across = 0;
  for (const double line : {-0.25, 0.25}) {
    double left = -0.5, right = 0.5;
    const bool first = std::isfinite(height_at(left, line));
    if (first != std::isfinite(height_at(right, line))) {
      double inside = first ? left : right, outside = first ? right : left;
      for (int k = 0; k < kHalvings; ++k) {
        const double middle = (inside + outside) / 2;
        (std::isfinite(height_at(middle, line)) ? inside : outside) = middle;
      }
      (first ? right : left) = (inside + outside) / 2;
    } else if (!first) {
      continue;
    }
    const double length = (right - left) / 2, middle = (left + right) / 2;
    const double height = height_at(middle, line);
    if (!std::isfinite(height)) continue;
    part += length;
    moment_m += length * height;
    along += length * middle;
    across += length * line;
  }
  if (!(part > 0) || moment_m / part >= below_m_) return;
  Sample cut{moment_m / part, raster.sample_m2() * part, static_cast<std::uint32_t>(tactel),
             static_cast<std::uint16_t>(column), static_cast<std::uint16_t>(row)};
  cut.beside_columns = (along_columns ? along : across) / part;
  cut.beside_rows = (along_columns ? across : along) / part;
  samples_.push_back(cut);
}

// What is carried is convex and piecewise linear in depth: from the depth at which all samples
// would have to touch, Newton's steps fall to the answer and end there exactly. A sample that a
// step leaves out is out for good.
double FoundationContact::depth_at_m(double carried_m3) const {
  if (solved_ && (*solved_)[0] == carried_m3) return (*solved_)[1];
  constexpr double kInfinite = std::numeric_limits<double>::infinity();
  if (samples_.empty()) return kInfinite;
  double area_m2 = 0, moment_m3 = 0, highest_m = -kInfinite;
  const auto count = [&](const auto& column) {
    area_m2 += column.area_m2;
    moment_m3 += column.area_m2 * column.height_m;
    highest_m = std::max(highest_m, column.height_m);
  };
  for (const auto& sample : samples_) count(sample);
  for (const auto& column : rim_) count(column);
  double depth_m = (carried_m3 + moment_m3) / area_m2;
  if (depth_m > highest_m) return depth_m;
  std::vector<Column> columns;
  columns.reserve(samples_.size() + rim_.size());
  for (const auto& sample : samples_)
    if (sample.height_m < depth_m) columns.push_back({sample.height_m, sample.area_m2});
  for (const auto& column : rim_)
    if (column.height_m < depth_m) columns.push_back(column);
  for (std::size_t touching = samples_.size() + rim_.size();
       columns.size() < touching && !columns.empty();) {
    touching = columns.size();
    area_m2 = moment_m3 = 0;
    for (const auto& column : columns) {
      area_m2 += column.area_m2;
      moment_m3 += column.area_m2 * column.height_m;
    }
    depth_m = (carried_m3 + moment_m3) / area_m2;
    std::erase_if(columns, [&](const Column& column) { return column.height_m >= depth_m; });
  }
  return depth_m;
}

double FoundationContact::volume_m3(double depth_m) const {
  return std::accumulate(samples_.begin(), samples_.end(), 0.0, [&](double sum, const Sample& s) {
    return sum + s.area_m2 * std::max(0.0, depth_m - s.height_m);
  });
}

double FoundationContact::carried_m3(double depth_m) const {
  return std::accumulate(rim_.begin(), rim_.end(), volume_m3(depth_m),
                         [&](double sum, const Column& column) {
                           return sum + column.area_m2 * std::max(0.0, depth_m - column.height_m);
                         });
}

double FoundationContact::beside(double depth_m) const {
  if (!std::isfinite(surface_.reach_m())) return 0;
  const double reach_m = pose_.level() ? surface_.reach_below_m(depth_m) : surface_.reach_m();
  if (well_inside(sensor_, pose_.x_m, pose_.y_m, reach_m)) return 0;
  int all = 0, off = 0;
  const double step_m = 2 * reach_m / kLookAround;
  for (int row = 0; row < kLookAround; ++row)
    for (int column = 0; column < kLookAround; ++column) {
      const double x_m = pose_.x_m - reach_m + (column + 0.5) * step_m;
      const double y_m = pose_.y_m - reach_m + (row + 0.5) * step_m;
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
  std::optional<Raster> raster;
  for (std::size_t i = 0; i < samples_.size(); ++i) {
    const auto& sample = samples_[i];
    if (i == 0 || samples_[i - 1].tactel != sample.tactel) {
      close_cell();
      const auto tactel = static_cast<int>(sample.tactel);
      raster.emplace(sensor_.position_m(tactel), sensor_.array_of(tactel), per_cell_);
    }
    if (sample.height_m >= depth_m) continue;
    const double share = sample.area_m2 * (depth_m - sample.height_m) / volume;
    const auto at =
        raster->at(sample.column + sample.beside_columns, sample.row + sample.beside_rows);
    bins[sample.row / per_bin * side + sample.column / per_bin].add(share, at.x_m - pose_.x_m,
                                                                    at.y_m - pose_.y_m);
    own_m2 += share * sample.area_m2 / 12;
  }
  close_cell();
  print.moment_xx_m2 += own_m2;
  print.moment_yy_m2 += own_m2;
  return print;
}

}  // namespace tactelier
