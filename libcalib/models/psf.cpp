#include "libcalib/models/psf.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "libcalib/models/psf_cell.hpp"
#include "libcalib/models/psf_correlated.hpp"

namespace tactelier {
namespace {

/// Shares of one axis: value, derivative by place, derivative by variance.
struct Slice {
  double value = 0, place = 0, variance = 0;
};

/// Slices of `count` cells of width `pitch_m`, the first beginning at `begin_m` from the press.
void integrate_slices(double begin_m, double pitch_m, double variance_m2,
                      std::vector<Slice>& slices) {
  const double sigma_m = std::sqrt(variance_m2);
  double x_m = begin_m;
  double below = psf_cell::normal_cdf(x_m / sigma_m);
  double density = psf_cell::normal_density(x_m / sigma_m) / sigma_m;
  for (auto& slice : slices) {
    const double next_m = x_m + pitch_m;
    const double next_below = psf_cell::normal_cdf(next_m / sigma_m);
    const double next_density = psf_cell::normal_density(next_m / sigma_m) / sigma_m;
    slice.value = next_below - below;
    slice.place = density - next_density;
    slice.variance = (x_m * density - next_m * next_density) / (2 * variance_m2);
    x_m = next_m;
    below = next_below;
    density = next_density;
  }
}

/// The density at the centres of the cells, times their pitch: from the nearest one outwards, since
/// the ratios of neighbours fall by the same factor from step to step.
void point_slices(double begin_m, double pitch_m, double variance_m2, std::vector<Slice>& slices) {
  const auto last = std::ssize(slices) - 1;
  const double nearest_cell = std::round(-begin_m / pitch_m - 0.5);
  const auto nearest =
      static_cast<std::ptrdiff_t>(std::clamp(nearest_cell, 0.0, static_cast<double>(last)));
  const auto centre_m = [&](std::ptrdiff_t i) {
    return begin_m + (static_cast<double>(i) + 0.5) * pitch_m;
  };
  const double sigma_m = std::sqrt(variance_m2);
  const double highest = pitch_m / sigma_m * psf_cell::normal_density(centre_m(nearest) / sigma_m);
  const double falls_by = std::exp(-pitch_m * pitch_m / variance_m2);
  for (const std::ptrdiff_t way : {1, -1}) {
    const double along_m = static_cast<double>(way) * centre_m(nearest);
    double value = highest;
    double ratio = std::exp(-pitch_m * (pitch_m + 2 * along_m) / (2 * variance_m2));
    for (auto i = nearest; i >= 0 && i <= last; i += way) {
      const double x_m = centre_m(i);
      slices[static_cast<std::size_t>(i)] = {
          value, value * x_m / variance_m2,
          value * (x_m * x_m / variance_m2 - 1) / (2 * variance_m2)};
      value *= ratio;
      ratio *= falls_by;
    }
  }
}

/// The same for cells that are narrower than their pitch, each standing for the whole of it.
void average_slices(double begin_m, double pitch_m, double filled, double variance_m2,
                    std::vector<Slice>& slices) {
  if (filled == 1) return integrate_slices(begin_m, pitch_m, variance_m2, slices);
  if (filled == 0) return point_slices(begin_m, pitch_m, variance_m2, slices);
  thread_local std::vector<Slice> one(1);
  for (std::size_t i = 0; i < slices.size(); ++i) {
    const double left_m = begin_m + (static_cast<double>(i) + (1 - filled) / 2) * pitch_m;
    integrate_slices(left_m, filled * pitch_m, variance_m2, one);
    slices[i] = {one[0].value / filled, one[0].place / filled, one[0].variance / filled};
  }
}

/// Parts of a uniform strip of half-width `half_m` at the origin on each cell, spread by the
/// discrete kernel of standard deviation sqrt(variance_m2)/pitch_m tactels.
void sample_slices(double begin_m, double pitch_m, double half_m, double variance_m2,
                   std::vector<Slice>& slices) {
  std::vector<double> on(slices.size());
  const double width_m = 2 * half_m;
  for (std::size_t i = 0; i < on.size(); ++i) {
    const double left_m = begin_m + static_cast<double>(i) * pitch_m, right_m = left_m + pitch_m;
    if (width_m > 0)
      on[i] = std::max(0.0, std::min(right_m, half_m) - std::max(left_m, -half_m)) / width_m;
    else
      on[i] = left_m <= 0 && right_m > 0 ? 1 : 0;
  }
  // The kernel and its sum, and how both change with s^2 (in tactels^2).
  const double s2 = variance_m2 / (pitch_m * pitch_m);
  const std::size_t reach = std::max(on.size(), static_cast<std::size_t>(8 * std::sqrt(s2)) + 1);
  thread_local std::vector<double> kernel, growth;
  kernel.clear();
  growth.clear();
  double sum = 0, sum_slope = 0;
  for (std::size_t i = 0; i <= reach; ++i) {
    const double a = static_cast<double>(i), both_sides = i == 0 ? 1 : 2;
    growth.push_back(a * a / (2 * s2 * s2));
    kernel.push_back(std::exp(-a * a / (2 * s2)));
    sum += both_sides * kernel.back();
    sum_slope += both_sides * kernel.back() * growth.back();
  }
  for (std::size_t i = 0; i < on.size(); ++i) {
    slices[i] = {};
    for (std::size_t k = 0; k < on.size(); ++k) {
      if (on[k] == 0) continue;
      const std::size_t a = i > k ? i - k : k - i;
      const double g = kernel[a] / sum;
      slices[i].value += on[k] * g;
      slices[i].variance += on[k] * g * (growth[a] - sum_slope / sum) / (pitch_m * pitch_m);
    }
  }
}

void add_product(const Slice& column, const Slice& row, double weight, Share& share) {
  share.value += weight * column.value * row.value;
  share.x += weight * column.place * row.value;
  share.y += weight * column.value * row.place;
  share.xx += weight * column.variance * row.value;
  share.xy += weight * column.place * row.place;
  share.yy += weight * column.value * row.variance;
}

SpreadCovariance turned(const SpreadCovariance& s, double c, double sn) {
  return {c * c * s.xx + 2 * c * sn * s.xy + sn * sn * s.yy,
          -c * sn * s.xx + (c * c - sn * sn) * s.xy + c * sn * s.yy,
          sn * sn * s.xx - 2 * c * sn * s.xy + c * c * s.yy};
}

/// Derivatives in the array's frame back to S.
void turn_back(double c, double sn, Share& s) {
  const Share in = s;
  s.x = c * in.x - sn * in.y;
  s.y = sn * in.x + c * in.y;
  s.xx = c * c * in.xx - c * sn * in.xy + sn * sn * in.yy;
  s.xy = 2 * c * sn * (in.xx - in.yy) + (c * c - sn * sn) * in.xy;
  s.yy = sn * sn * in.xx + c * sn * in.xy + c * c * in.yy;
}

void renormalise(std::span<Share> shares) {
  Share sum;
  for (const auto& s : shares) {
    sum.value += s.value;
    sum.x += s.x;
    sum.y += s.y;
    sum.xx += s.xx;
    sum.xy += s.xy;
    sum.yy += s.yy;
  }
  if (sum.value < 1e-12) return;
  for (auto& s : shares) {
    s.value /= sum.value;
    s.x = (s.x - s.value * sum.x) / sum.value;
    s.y = (s.y - s.value * sum.y) / sum.value;
    s.xx = (s.xx - s.value * sum.xx) / sum.value;
    s.xy = (s.xy - s.value * sum.xy) / sum.value;
    s.yy = (s.yy - s.value * sum.yy) / sum.value;
  }
}

/// In pitches: small beside any spread, wide enough for differences of its ends.
constexpr double kNarrowestCell = 0.01;

/// Width of a cell in pitches; cells are as the pitches are long and broad.
double filled_part(const SensorArray& array) {
  const double all_m2 = array.tactels() * array.pitch_x_m * array.pitch_y_m;
  if (!array.area_m2 || !(*array.area_m2 < all_m2)) return 1;
  return std::max(kNarrowestCell, std::sqrt(*array.area_m2 / all_m2));
}

}  // namespace

std::string_view to_string(PsfForm form) {
  switch (form) {
    case PsfForm::kIntegrated:
      return "integrated";
    case PsfForm::kSampled:
      return "sampled";
    case PsfForm::kPoint:
      return "point";
  }
  return "";
}

PsfForm psf_form(std::string_view name) {
  for (const auto form : {PsfForm::kSampled, PsfForm::kPoint})
    if (name == to_string(form)) return form;
  return PsfForm::kIntegrated;
}

std::string_view to_string(PsfEdge edge) {
  return edge == PsfEdge::kZero ? "zero" : "renormalised";
}

Result<PsfLayout> PsfLayout::create(const SensorDescription& sensor) {
  PsfLayout layout;
  for (const auto& array : sensor.arrays) {
    if (!(array.pitch_x_m > 0 && array.pitch_y_m > 0))
      return fail(ErrorCode::kUnidentifiable,
                  "NOT-FITTED the array has no pitch, so its cells have no size: state pitch_x_m "
                  "and pitch_y_m in the sensor description");
    const bool bent = array.pose.rpy_rad[0] != 0 || array.pose.rpy_rad[1] != 0 ||
                      std::any_of(array.normals.begin(), array.normals.end(), [](const auto& n) {
                        return std::abs(n[0]) > 1e-6 || std::abs(n[1]) > 1e-6;
                      });
    if (bent)
      return fail(ErrorCode::kUnidentifiable,
                  "NOT-FITTED the array is curved or tilted; the point spread is fitted to flat "
                  "arrays only");
    Grid grid{array.rows,
              array.columns,
              array.pitch_x_m,
              array.pitch_y_m,
              filled_part(array),
              array.pose.position_m[0],
              array.pose.position_m[1],
              std::cos(array.pose.rpy_rad[2]),
              std::sin(array.pose.rpy_rad[2]),
              layout.tactels_,
              {}};
    for (const auto& position : array.positions_m) grid.cells.push_back({position[0], position[1]});
    layout.tactels_ += static_cast<std::size_t>(array.tactels());
    layout.grids_.push_back(std::move(grid));
  }
  if (layout.grids_.empty()) return fail(ErrorCode::kUnidentifiable, "NOT-FITTED no array");
  layout.pitch_m_ = std::sqrt(layout.grids_[0].pitch_x_m * layout.grids_[0].pitch_y_m);
  return layout;
}

void PsfLayout::add_rows_and_columns(const Grid& grid, double filled, double x_m, double y_m,
                                     double weight, const SpreadCovariance& spread,
                                     std::span<Share> shares) const {
  thread_local std::vector<Slice> columns, rows;
  columns.resize(static_cast<std::size_t>(grid.columns));
  rows.resize(static_cast<std::size_t>(grid.rows));
  average_slices(-0.5 * grid.columns * grid.pitch_x_m - x_m, grid.pitch_x_m, filled, spread.xx,
                 columns);
  average_slices(-0.5 * grid.rows * grid.pitch_y_m - y_m, grid.pitch_y_m, filled, spread.yy, rows);
  std::size_t i = 0;
  for (const auto& row : rows)
    for (const auto& column : columns) add_product(column, row, weight, shares[i++]);
}

void PsfLayout::add_turned(const Grid& grid, double filled, double x_m, double y_m, double weight,
                           const SpreadCovariance& spread, std::span<Share> shares) const {
  const std::size_t stride = filled == 1 ? 1 : 2;  // cells that touch share their lines
  thread_local std::vector<double> columns, rows;
  const auto lines = [&](int cells, double pitch_m, double at_m, std::vector<double>& all) {
    all.clear();
    const double left_m = (-0.5 * (cells - 1) - filled / 2) * pitch_m - at_m;
    for (int i = 0; i < cells; ++i) {
      all.push_back(left_m + i * pitch_m);
      if (stride == 2 || i == cells - 1) all.push_back(left_m + (i + filled) * pitch_m);
    }
  };
  lines(grid.columns, grid.pitch_x_m, x_m, columns);
  lines(grid.rows, grid.pitch_y_m, y_m, rows);
  add_correlated_cells({columns, stride}, {rows, stride}, spread, weight, shares);
}

void PsfLayout::add_point(const Grid& grid, double filled, double x_m, double y_m, double weight,
                          const SpreadCovariance& spread, std::span<Share> shares) const {
  if (grid.cells.empty() && spread.xy == 0)
    return add_rows_and_columns(grid, filled, x_m, y_m, weight, spread, shares);
  const double half_x_m = filled * grid.pitch_x_m / 2, half_y_m = filled * grid.pitch_y_m / 2;
  weight = filled == 0 ? weight * grid.pitch_x_m * grid.pitch_y_m : weight / (filled * filled);
  if (filled > 0 && grid.cells.empty() && has_correlated_cells(spread))
    return add_turned(grid, filled, x_m, y_m, weight, spread, shares);
  for (std::size_t i = 0; i < shares.size(); ++i) {
    const auto row = static_cast<double>(i / static_cast<std::size_t>(grid.columns));
    const auto column = static_cast<double>(i % static_cast<std::size_t>(grid.columns));
    const double dx_m = (grid.cells.empty() ? (column - 0.5 * (grid.columns - 1)) * grid.pitch_x_m
                                            : grid.cells[i][0]) -
                        x_m;
    const double dy_m =
        (grid.cells.empty() ? (row - 0.5 * (grid.rows - 1)) * grid.pitch_y_m : grid.cells[i][1]) -
        y_m;
    const Share cell = filled == 0 ? density_at(dx_m, dy_m, spread)
                                   : share_of_cell(dx_m - half_x_m, dx_m + half_x_m,
                                                   dy_m - half_y_m, dy_m + half_y_m, spread);
    shares[i].value += weight * cell.value;
    shares[i].x += weight * cell.x;
    shares[i].y += weight * cell.y;
    shares[i].xx += weight * cell.xx;
    shares[i].xy += weight * cell.xy;
    shares[i].yy += weight * cell.yy;
  }
}

void PsfLayout::add_sampled(const Grid& grid, double x_m, double y_m, double weight,
                            const SpreadCovariance& moment, const SpreadCovariance& spread,
                            std::span<Share> shares) const {
  std::vector<Slice> columns(static_cast<std::size_t>(grid.columns));
  std::vector<Slice> rows(static_cast<std::size_t>(grid.rows));
  sample_slices(-0.5 * grid.columns * grid.pitch_x_m - x_m, grid.pitch_x_m,
                std::sqrt(3 * moment.xx), spread.xx, columns);
  sample_slices(-0.5 * grid.rows * grid.pitch_y_m - y_m, grid.pitch_y_m, std::sqrt(3 * moment.yy),
                spread.yy, rows);
  std::size_t i = 0;
  for (const auto& row : rows)
    for (const auto& column : columns) add_product(column, row, weight, shares[i++]);
}

void PsfLayout::shares(double x_m, double y_m, const PressFootprint& footprint,
                       const SpreadCovariance& spread, PsfForm form, PsfEdge edge,
                       std::span<Share> shares) const {
  std::fill(shares.begin(), shares.end(), Share{});
  for (const auto& grid : grids_) {
    const auto part =
        shares.subspan(grid.first, static_cast<std::size_t>(grid.rows * grid.columns));
    const double c = grid.cos_yaw, sn = grid.sin_yaw;
    const SpreadCovariance moment =
        turned({footprint.moment_xx_m2, 0, footprint.moment_yy_m2}, c, sn);
    const SpreadCovariance own = turned(spread, c, sn);
    for (const auto& point : footprint.points) {
      const double dx_m = x_m + point.x_m - grid.x_m, dy_m = y_m + point.y_m - grid.y_m;
      const double u_m = c * dx_m + sn * dy_m, v_m = c * dy_m - sn * dx_m;
      if (form == PsfForm::kSampled)
        add_sampled(grid, u_m, v_m, point.weight, moment, own, part);
      else
        add_point(grid, form == PsfForm::kPoint ? 0 : grid.filled, u_m, v_m, point.weight,
                  {own.xx + moment.xx, own.xy + moment.xy, own.yy + moment.yy}, part);
    }
    if (sn != 0)
      for (auto& share : part) turn_back(c, sn, share);
  }
  if (edge == PsfEdge::kRenormalised) renormalise(shares);
}

void PsfLayout::line_sums(std::span<const double> values, std::span<double> sums) const {
  std::fill(sums.begin(), sums.end(), 0.0);
  for (const auto& grid : grids_) {
    if (!grid.cells.empty()) continue;
    const auto rows = static_cast<std::size_t>(grid.rows);
    const auto columns = static_cast<std::size_t>(grid.columns);
    std::vector<double> of_row(rows), of_column(columns);
    for (std::size_t i = 0; i < rows * columns; ++i) {
      of_row[i / columns] += values[grid.first + i];
      of_column[i % columns] += values[grid.first + i];
    }
    for (std::size_t i = 0; i < rows * columns; ++i)
      sums[grid.first + i] =
          of_row[i / columns] + of_column[i % columns] - 2 * values[grid.first + i];
  }
}

double PsfLayout::to_border_m(double x_m, double y_m) const {
  double best = -std::numeric_limits<double>::infinity();
  for (const auto& grid : grids_) {
    const double dx_m = x_m - grid.x_m, dy_m = y_m - grid.y_m;
    const double u_m = grid.cos_yaw * dx_m + grid.sin_yaw * dy_m;
    const double v_m = grid.cos_yaw * dy_m - grid.sin_yaw * dx_m;
    best = std::max(best, std::min(0.5 * grid.columns * grid.pitch_x_m - std::abs(u_m),
                                   0.5 * grid.rows * grid.pitch_y_m - std::abs(v_m)));
  }
  return best;
}

DiscreteKernel discrete_kernel(double s_tactels) {
  DiscreteKernel kernel;
  kernel.half = std::max(1, static_cast<int>(std::ceil(3 * s_tactels)));
  double sum = 0;
  for (int a = -kernel.half; a <= kernel.half; ++a)
    for (int b = -kernel.half; b <= kernel.half; ++b)
      sum += kernel.weights.emplace_back(std::exp(-(a * a + b * b) / (2 * s_tactels * s_tactels)));
  for (double& w : kernel.weights) w /= sum;
  return kernel;
}

double sampled_from_integrated(double sigma_tactels) {
  const double centre = 2 * psf_cell::normal_cdf(0.5 / sigma_tactels) - 1;
  const double side =
      psf_cell::normal_cdf(-0.5 / sigma_tactels) - psf_cell::normal_cdf(-1.5 / sigma_tactels);
  return std::sqrt(-1 / (2 * std::log(side / centre)));
}

double integrated_from_sampled(double s_tactels) {
  double low = 0.05, high = std::max(1.0, 2 * s_tactels);
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    (sampled_from_integrated(middle) < s_tactels ? low : high) = middle;
  }
  return (low + high) / 2;
}

}  // namespace tactelier
