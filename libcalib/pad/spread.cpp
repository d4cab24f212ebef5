#include "libcalib/pad/spread.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace tactelier::pad {
namespace {

constexpr double kReach = 6.5;       // standard deviations; 1e-10 of the force lies beyond
constexpr double kNarrowest = 1e-3;  // of the pitch: "no spread" without dividing by zero
constexpr double kMinOnArray = 0.2;  // a renormalised point must lie on the array by this much

/// Values and slopes of the distribution function, for cubic interpolation.
struct CdfTable {
  static constexpr int kPerUnit = 128;
  static constexpr double kEnd = 8;
  std::array<double, static_cast<std::size_t>(2 * kEnd * kPerUnit) + 2> value{}, slope{};

  CdfTable() {
    for (std::size_t i = 0; i < value.size(); ++i) {
      const double x = static_cast<double>(i) / kPerUnit - kEnd;
      value[i] = 0.5 * std::erfc(-x / std::numbers::sqrt2);
      slope[i] = std::exp(-x * x / 2) / std::sqrt(2 * std::numbers::pi) / kPerUnit;
    }
  }
};

/// Eight points of Gauss and Legendre on [-1, 1], one half.
constexpr double kGaussX[4] = {0.1834346424956498, 0.5255324099163290, 0.7966664774136267,
                               0.9602898564975363};
constexpr double kGaussW[4] = {0.3626837833783620, 0.3137066458778873, 0.2223810344533745,
                               0.1012285362903763};

const CdfTable kCdf;

inline double cdf(double x) {
  const double position = (x + CdfTable::kEnd) * CdfTable::kPerUnit;
  if (!(position > 0)) return 0;
  const auto i = static_cast<std::size_t>(position);
  if (i + 1 >= kCdf.value.size()) return 1;
  const double t = position - static_cast<double>(i);
  const double rise = kCdf.value[i + 1] - kCdf.value[i];
  const double a = kCdf.slope[i] - rise;
  const double b = rise - kCdf.slope[i + 1];
  return kCdf.value[i] + t * rise + t * (1 - t) * (a + (b - a) * t);
}

/// Student's density (1 + r^2/s^2)^-q is a mixture of Gaussians of variance s^2/(2 t), with t
/// distributed as Gamma(q - 1). Trapezoids in log t converge exponentially.
struct Scale {
  double weight, factor;  // of sigma
};
std::vector<Scale> student_mixture(double q) {
  constexpr double kStep = 0.4;
  std::vector<Scale> scales;
  double sum = 0;
  const double log_peak = std::log(q - 1);
  for (int i = -40; i <= 12; ++i) {
    const double log_t = log_peak + kStep * i;
    const double t = std::exp(log_t);
    const double weight = std::exp((q - 1) * (log_t - log_peak) - (t - (q - 1)));
    if (weight < 1e-7) continue;
    // s^2 = 2 (q - 2) sigma^2 has the variance sigma^2.
    scales.push_back({weight, std::sqrt((q - 2) / t)});
    sum += weight;
  }
  for (auto& scale : scales) scale.weight /= sum;
  return scales;
}

}  // namespace

double normal_cdf(double x) { return cdf(x); }

Result<Spread> Spread::create(const SensorDescription& sensor, const SpreadTruth& truth) {
  Spread spread;
  double pitch = 0;
  for (const auto& array : sensor.arrays) {
    const bool curved = std::any_of(array.normals.begin(), array.normals.end(),
                                    [](const Vector3& n) { return n[2] < 0.999; });
    if (curved || array.pose.rpy_rad[0] != 0 || array.pose.rpy_rad[1] != 0)
      return fail(ErrorCode::kInvalidInput,
                  "sensor '{}': curved or inclined arrays are not simulated", sensor.name);
    const auto& p = array.pose.position_m;
    const double yaw = array.pose.rpy_rad[2];
    Grid grid{array.rows, array.columns, array.pitch_x_m, array.pitch_y_m, {p[0], p[1]},
              yaw,        std::cos(yaw), std::sin(yaw),   spread.tactels_, {}};
    for (const auto& cell : array.positions_m) grid.cells.push_back({cell[0], cell[1]});
    spread.grids_.push_back(grid);
    spread.tactels_ += static_cast<std::size_t>(array.tactels());
    const double smaller = std::min(array.pitch_x_m, array.pitch_y_m);
    pitch = pitch == 0 ? smaller : std::min(pitch, smaller);
  }
  const double least = kNarrowest * pitch;
  const double sigma_x = std::max(truth.sigma_x_m, least);
  const double sigma_y = std::max(truth.sigma_y_m, least);
  if (truth.student_exponent == 0) {
    spread.components_.push_back({1, sigma_x, sigma_y});
  } else if (truth.student_exponent <= 2) {
    return fail(ErrorCode::kInvalidInput,
                "Student spread of exponent {}: its variance is finite above 2 only",
                truth.student_exponent);
  } else {
    for (const auto& scale : student_mixture(truth.student_exponent))
      spread.components_.push_back({scale.weight, sigma_x * scale.factor, sigma_y * scale.factor});
  }
  spread.theta_rad_ = sigma_x == sigma_y ? 0 : truth.theta_rad;
  spread.renormalised_ = truth.renormalised;
  spread.resolution_m_ = std::max({std::min(truth.sigma_x_m, truth.sigma_y_m), pitch / 16});
  return spread;
}

std::vector<Polygon> Spread::outlines() const {
  std::vector<Polygon> outlines;
  for (const auto& grid : grids_)
    outlines.push_back(turned(rectangle(grid.columns * grid.pitch_x_m, grid.rows * grid.pitch_y_m),
                              grid.yaw_rad, grid.centre));
  return outlines;
}

void Spread::shares(std::span<const PressurePoint> points, double x_m, double y_m,
                    std::span<double> shares) const {
  std::fill(shares.begin(), shares.end(), 0.0);
  for (const auto& point : points)
    for (const auto& grid : grids_)
      add_point(grid, {x_m + point.x_m, y_m + point.y_m}, point.weight, shares);
}

void Spread::add_point(const Grid& grid, Point at, double weight, std::span<double> shares) const {
  const double dx = at.x_m - grid.centre.x_m;
  const double dy = at.y_m - grid.centre.y_m;
  const Point local{grid.cos_yaw * dx + grid.sin_yaw * dy, -grid.sin_yaw * dx + grid.cos_yaw * dy};
  const auto add = [&](double w, std::span<double> into) {
    for (const auto& component : components_) {
      if (theta_rad_ - grid.yaw_rad == 0 && grid.cells.empty())
        add_rows_and_columns(grid, local, w * component.weight, component, into);
      else
        add_cells(grid, local, w * component.weight, component, into);
    }
  };
  if (!renormalised_) return add(weight, shares);
  std::vector<double> own(shares.size(), 0.0);
  add(1, own);
  double sum = 0;
  for (const double share : own) sum += share;
  const double scale = sum > kMinOnArray ? weight / sum : weight;
  for (std::size_t i = 0; i < own.size(); ++i) shares[i] += scale * own[i];
}

void Spread::add_rows_and_columns(const Grid& grid, Point at, double weight,
                                  const Component& component, std::span<double> shares) const {
  // Cells [first, last) within reach along one axis, and the part of the point on each.
  struct Axis {
    int first = 0, last = 0;
    std::array<double, 256> part{};
    Axis(double x, int cells, double pitch, double sigma) {
      const double from_edge = x / pitch + 0.5 * cells;
      const double reach = kReach * sigma / pitch;
      first = static_cast<int>(std::clamp(std::floor(from_edge - reach), 0.0, cells * 1.0));
      last = static_cast<int>(std::clamp(std::ceil(from_edge + reach), 0.0, cells * 1.0));
      last = std::min(last, first + static_cast<int>(part.size()));
      double below = cdf((first - from_edge) * pitch / sigma);
      for (int i = first; i < last; ++i) {
        const double up_to = cdf((i + 1 - from_edge) * pitch / sigma);
        part[static_cast<std::size_t>(i - first)] = up_to - below;
        below = up_to;
      }
    }
  };
  const Axis column(at.x_m, grid.columns, grid.pitch_x_m, component.sigma_x_m);
  const Axis row(at.y_m, grid.rows, grid.pitch_y_m, component.sigma_y_m);
  for (int i = row.first; i < row.last; ++i) {
    const double row_weight = weight * row.part[static_cast<std::size_t>(i - row.first)];
    double* out = &shares[grid.first + static_cast<std::size_t>(i * grid.columns + column.first)];
    const int columns = column.last - column.first;
    for (int j = 0; j < columns; ++j)
      out[j] += row_weight * column.part[static_cast<std::size_t>(j)];
  }
}

// Along x by Gauss and Legendre over the normal distribution of x, along y in closed form given x.
void Spread::add_cells(const Grid& grid, Point at, double weight, const Component& component,
                       std::span<double> shares) const {
  const double c = std::cos(theta_rad_ - grid.yaw_rad);
  const double s = std::sin(theta_rad_ - grid.yaw_rad);
  const double vx = component.sigma_x_m * component.sigma_x_m;
  const double vy = component.sigma_y_m * component.sigma_y_m;
  const double xx = c * c * vx + s * s * vy;
  const double yy = s * s * vx + c * c * vy;
  const double xy = c * s * (vx - vy);
  const double sigma_x = std::sqrt(xx);
  const double lean = xy / xx;  // mean of y given x
  const double sigma_y = std::sqrt(std::max(yy - xy * lean, 1e-4 * yy));
  const double half_x = grid.pitch_x_m / 2;
  const double half_y = grid.pitch_y_m / 2;
  const double reach_y = kReach * std::sqrt(yy) + half_y;
  for (int i = 0; i < grid.rows * grid.columns; ++i) {
    const auto tactel = static_cast<std::size_t>(i);
    const Point centre = grid.cells.empty()
                             ? Point{(i % grid.columns - 0.5 * (grid.columns - 1)) * grid.pitch_x_m,
                                     (i / grid.columns - 0.5 * (grid.rows - 1)) * grid.pitch_y_m}
                             : grid.cells[tactel];
    const double dx = centre.x_m - at.x_m;
    const double dy = centre.y_m - at.y_m;
    if (std::abs(dy) > reach_y || std::abs(dx) > kReach * sigma_x + half_x) continue;
    // The part of the cell that lies within reach, so that a narrow spread isn't stepped over.
    const double low = std::max(dx - half_x, -kReach * sigma_x);
    const double high = std::min(dx + half_x, kReach * sigma_x);
    const int panels = 1 + static_cast<int>((high - low) / (2 * sigma_x));
    const double half = (high - low) / (2 * panels);
    double sum = 0;
    for (int panel = 0; panel < panels; ++panel)
      for (int k = 0; k < 8; ++k) {
        const double x = low + half * (2 * panel + 1 + (k < 4 ? kGaussX[k] : -kGaussX[k - 4]));
        const double t = x / sigma_x;
        sum += kGaussW[k % 4] * std::exp(-t * t / 2) *
               (cdf((dy + half_y - lean * x) / sigma_y) - cdf((dy - half_y - lean * x) / sigma_y));
      }
    shares[grid.first + tactel] +=
        weight * sum * half / (sigma_x * std::sqrt(2 * std::numbers::pi));
  }
}

}  // namespace tactelier::pad
