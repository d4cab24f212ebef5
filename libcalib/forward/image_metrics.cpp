#include "libcalib/forward/image_metrics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "libcalib/forward/image_features.hpp"
#include "libcalib/forward/image_transport.hpp"

namespace tactelier {
namespace {

constexpr double kActive = 0.01;          // of full scale
constexpr double kAboveNoise = 0.02;      // of full scale, for directions
constexpr double kHoughLevel = 0.10;      // of full scale
constexpr double kC1 = 0.01, kC2 = 0.03;  // of SSIM, of full scale
constexpr int kWindow = 3;

constexpr auto kInfos = std::to_array<ImageMetricInfo>({
    {ImageMetric::kMadFs, "mad_fs", "%", true},
    {ImageMetric::kMadActive, "mad_active", "%", true},
    {ImageMetric::kRelL1, "rel_l1", "%", true},
    {ImageMetric::kRmse, "rmse", "counts", true},
    {ImageMetric::kNcc, "ncc", "", false},
    {ImageMetric::kSsim, "ssim", "", false},
    {ImageMetric::kCentroid, "centroid", "m", true},
    {ImageMetric::kTotal, "total", "%", true},
    {ImageMetric::kOrientation, "orientation", "rad", true},
    {ImageMetric::kHough, "orientation_hough", "rad", true},
    {ImageMetric::kIou, "iou", "", false},
    {ImageMetric::kEmd, "emd", "m", true},
    {ImageMetric::kRho, "rho", "", true},
    {ImageMetric::kCoverage, "coverage", "%", false},
    {ImageMetric::kLatency, "latency", "s", true},
    {ImageMetric::kLoop, "loop", "%", true},
});
static_assert(kInfos.size() == kImageMetrics);

/// Both images without the tactels that one of them lacks.
struct Pair {
  std::vector<double> a, b;  // NaN where either is
  std::size_t count = 0;
};

Pair paired(std::span<const double> model, std::span<const double> measured) {
  Pair pair{{model.begin(), model.end()}, {measured.begin(), measured.end()}, 0};
  for (std::size_t i = 0; i < pair.a.size(); ++i) {
    const bool there = !std::isnan(pair.a[i]) && !std::isnan(pair.b[i]);
    pair.count += there;
    if (!there) pair.a[i] = pair.b[i] = std::numeric_limits<double>::quiet_NaN();
  }
  return pair;
}

/// Sums over the tactels of a pair, or of one window of it.
struct Moments {
  double n = 0, a = 0, b = 0, aa = 0, ab = 0, bb = 0;

  void add(double x, double y) {
    n += 1;
    a += x;
    b += y;
    aa += x * x;
    ab += x * y;
    bb += y * y;
  }
  double var_a() const { return std::max(0.0, aa / n - a * a / n / n); }
  double var_b() const { return std::max(0.0, bb / n - b * b / n / n); }
  double cov() const { return ab / n - a * b / n / n; }
};

std::optional<double> correlation(const Moments& m) {
  const double scale = std::sqrt(m.var_a() * m.var_b());
  if (scale <= 1e-12 * std::sqrt(m.aa * m.bb) / m.n) return {};
  return m.cov() / scale;
}

double similarity(const Moments& m, double full_scale) {
  const double c1 = std::pow(kC1 * full_scale, 2), c2 = std::pow(kC2 * full_scale, 2);
  const double mean_a = m.a / m.n, mean_b = m.b / m.n;
  return (2 * mean_a * mean_b + c1) * (2 * m.cov() + c2) /
         ((mean_a * mean_a + mean_b * mean_b + c1) * (m.var_a() + m.var_b() + c2));
}

/// Over all windows that lie within an array and lack no tactel.
std::optional<double> mean_similarity(const ImageLayout& layout, const Pair& pair,
                                      double full_scale) {
  double sum = 0;
  int windows = 0;
  for (const auto& grid : layout.grids)
    for (int row = 0; row + kWindow <= grid.rows; ++row)
      for (int column = 0; column + kWindow <= grid.columns; ++column) {
        Moments m;
        for (int k = 0; k < kWindow * kWindow; ++k) {
          const auto i = grid.at(row + k / kWindow, column + k % kWindow);
          m.add(pair.a[i], pair.b[i]);
        }
        if (std::isnan(m.ab)) continue;
        sum += similarity(m, full_scale);
        ++windows;
      }
  return windows > 0 ? std::optional(sum / windows) : std::nullopt;
}

void compare_levels(const Pair& pair, double full_scale, ImageMetricValues& values) {
  double all = 0, active = 0, of_model = 0, measured = 0;
  std::size_t active_count = 0;
  const double level = kActive * full_scale;
  for (std::size_t i = 0; i < pair.a.size(); ++i) {
    if (std::isnan(pair.a[i])) continue;
    const double apart = std::abs(pair.a[i] - pair.b[i]);
    all += apart;
    if (pair.a[i] > level || pair.b[i] > level) {
      active += apart;
      ++active_count;
    }
    if (pair.a[i] > level) {
      of_model += apart;
      measured += pair.b[i];
    }
  }
  at(values, ImageMetric::kMadFs) = 100 * all / static_cast<double>(pair.count) / full_scale;
  if (active_count > 0)
    at(values, ImageMetric::kMadActive) =
        100 * active / static_cast<double>(active_count) / full_scale;
  if (measured > 0) at(values, ImageMetric::kRelL1) = 100 * of_model / measured;
}

void compare_moments(const Pair& pair, ImageMetricValues& values) {
  Moments m;
  for (std::size_t i = 0; i < pair.a.size(); ++i)
    if (!std::isnan(pair.a[i])) m.add(pair.a[i], pair.b[i]);
  at(values, ImageMetric::kRmse) = std::sqrt(std::max(0.0, m.aa - 2 * m.ab + m.bb) / m.n);
  at(values, ImageMetric::kNcc) = correlation(m);
  if (m.b > 0) at(values, ImageMetric::kTotal) = 100 * (m.a / m.b - 1);
}

void compare_places(const ImageLayout& layout, const Pair& pair, ImageMetricValues& values) {
  const auto a = image_centroid(layout, pair.a), b = image_centroid(layout, pair.b);
  if (a && b) at(values, ImageMetric::kCentroid) = std::hypot(a->x_m - b->x_m, a->y_m - b->y_m);
  at(values, ImageMetric::kEmd) = transport_distance_m(layout, pair.a, pair.b);
}

void compare_directions(const ImageLayout& layout, const Pair& pair, double full_scale,
                        ImageMetricValues& values) {
  const double level = kAboveNoise * full_scale;
  const auto a = image_orientation(layout, pair.a, level);
  const auto b = image_orientation(layout, pair.b, level);
  if (!a || !b || std::min(a->elongation, b->elongation) < kLeastElongation) return;
  at(values, ImageMetric::kOrientation) = axis_difference_rad(a->angle_rad, b->angle_rad);
  const auto line_a = hough_line_rad(layout, pair.a, kHoughLevel * full_scale);
  const auto line_b = hough_line_rad(layout, pair.b, kHoughLevel * full_scale);
  if (line_a && line_b) at(values, ImageMetric::kHough) = axis_difference_rad(*line_a, *line_b);
}

void compare_contact(const ImageScale& scale, const Pair& pair, ImageMetricValues& values) {
  int both = 0, either = 0;
  for (std::size_t i = 0; i < pair.a.size(); ++i) {
    const bool a = pair.a[i] > scale.contact_levels[i], b = pair.b[i] > scale.contact_levels[i];
    both += a && b;
    either += a || b;
  }
  if (either > 0) at(values, ImageMetric::kIou) = static_cast<double>(both) / either;
}

}  // namespace

std::span<const ImageMetricInfo> image_metrics() { return kInfos; }

const ImageMetricInfo* find_image_metric(std::string_view name) {
  const auto* const found = std::find_if(kInfos.begin(), kInfos.end(),
                                         [&](const auto& info) { return info.name == name; });
  return found == kInfos.end() ? nullptr : found;
}

ImageMetricValues compare_images(const ImageLayout& layout, const ImageScale& scale,
                                 std::span<const double> model, std::span<const double> measured) {
  ImageMetricValues values;
  const auto pair = paired(model, measured);
  if (pair.count == 0) return values;
  compare_moments(pair, values);
  if (layout.pitch_m > 0) compare_places(layout, pair, values);
  if (!scale.contact_levels.empty()) {
    compare_contact(scale, pair, values);
    if (!at(values, ImageMetric::kIou)) at(values, ImageMetric::kTotal) = {};  // a sum of noise
  }
  if (!scale.full_scale) return values;
  compare_levels(pair, *scale.full_scale, values);
  at(values, ImageMetric::kSsim) = mean_similarity(layout, pair, *scale.full_scale);
  if (layout.pitch_m > 0) compare_directions(layout, pair, *scale.full_scale, values);
  return values;
}

double active_distance(std::span<const double> judge, double full_scale, std::span<const double> a,
                       std::span<const double> b) {
  double sum = 0;
  for (std::size_t i = 0; i < judge.size(); ++i) {
    const double apart = std::abs(a[i] - b[i]);
    if (judge[i] > kActive * full_scale && !std::isnan(apart)) sum += apart;
  }
  return sum;
}

ContactErrors contact_errors(const ImageScale& scale, std::span<const double> model,
                             std::span<const double> measured) {
  ContactErrors errors;
  for (std::size_t i = 0; i < scale.contact_levels.size(); ++i) {
    if (std::isnan(model[i]) || std::isnan(measured[i])) continue;
    const bool a = model[i] > scale.contact_levels[i], b = measured[i] > scale.contact_levels[i];
    errors.false_lit += a && !b;
    errors.missed_lit += b && !a;
  }
  return errors;
}

}  // namespace tactelier
