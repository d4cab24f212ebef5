#include "fitting/statistics/robust.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <vector>

namespace tactelier {

double quantile(std::span<const double> values, double p) {
  assert(p >= 0 && p <= 1);
  if (values.empty()) return std::numeric_limits<double>::quiet_NaN();
  std::vector<double> sorted(values.begin(), values.end());
  const double place = p * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(below);
  std::nth_element(sorted.begin(), middle, sorted.end());
  const double low = *middle;
  if (below + 1 >= sorted.size()) return low;
  const double high = *std::min_element(middle + 1, sorted.end());
  return low + (place - static_cast<double>(below)) * (high - low);
}

double median(std::span<const double> values) { return quantile(values, 0.5); }

double mad_sigma(std::span<const double> values) {
  const double centre = median(values);
  std::vector<double> distance(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) distance[i] = std::abs(values[i] - centre);
  return 1.482602218505602 * median(distance);
}

double RobustLoss::rho(double s) const {
  const double a2 = tuning * tuning;
  switch (shape) {
    case LossShape::kHuber:
      return s <= a2 ? s : 2 * tuning * std::sqrt(s) - a2;
    case LossShape::kCauchy:
      return a2 * std::log1p(s / a2);
    case LossShape::kTukey: {
      const double left = std::max(0.0, 1 - s / a2);
      return a2 / 3 * (1 - left * left * left);
    }
  }
  return s;
}

double RobustLoss::weight(double s) const {
  const double a2 = tuning * tuning;
  switch (shape) {
    case LossShape::kHuber:
      return s <= a2 ? 1 : tuning / std::sqrt(s);
    case LossShape::kCauchy:
      return 1 / (1 + s / a2);
    case LossShape::kTukey: {
      const double left = std::max(0.0, 1 - s / a2);
      return left * left;
    }
  }
  return 1;
}

double RobustLoss::psi_slope(double r) const {
  const double a2 = tuning * tuning;
  const double s = r * r;
  switch (shape) {
    case LossShape::kHuber:
      return s <= a2 ? 1 : 0;
    case LossShape::kCauchy:
      return (1 - s / a2) / ((1 + s / a2) * (1 + s / a2));
    case LossShape::kTukey:
      return s >= a2 ? 0 : (1 - s / a2) * (1 - 5 * s / a2);
  }
  return 1;
}

namespace {

/// Symmetric 2 x 2 of a line's normal equations.
struct Normal2 {
  double n = 0, x = 0, xx = 0;
  void add(double weight, double at) {
    n += weight;
    x += weight * at;
    xx += weight * at * at;
  }
  double determinant() const { return n * xx - x * x; }
};

void add_sandwich(RobustLine& line, std::span<const double> x, std::span<const double> y,
                  double sigma, const RobustLoss& loss, Normal2& core) {
  Normal2 scatter;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double r = (y[i] - line.intercept - line.slope * x[i]) / sigma;
    const double w = loss.weight(r * r);
    core.add(loss.psi_slope(r), x[i]);
    scatter.add(w * r * w * r, x[i]);
    if (w < 0.5) ++line.downweighted;
  }
  const double d = core.determinant();
  if (!(d > 0)) return;
  const double a00 = core.xx / d;
  const double a01 = -core.x / d;
  const double a11 = core.n / d;
  const double b00 = scatter.n * a00 + scatter.x * a01;
  const double b01 = scatter.n * a01 + scatter.x * a11;
  const double b10 = scatter.x * a00 + scatter.xx * a01;
  const double b11 = scatter.x * a01 + scatter.xx * a11;
  line.u_intercept = sigma * std::sqrt(a00 * b00 + a01 * b10);
  line.u_slope = sigma * std::sqrt(a01 * b01 + a11 * b11);
  line.covariance = sigma * sigma * (a00 * b01 + a01 * b11);
}

}  // namespace

Result<RobustLine> fit_line_huber(std::span<const double> x, std::span<const double> y,
                                  double sigma, double tuning) {
  assert(sigma > 0);
  const RobustLoss loss{LossShape::kHuber, tuning};
  auto fit = fit_line(x, y);
  std::vector<double> weights(x.size(), 1.0);
  RobustLine line;
  while (fit) {
    const double moved =
        std::abs(fit->slope - line.slope) + std::abs(fit->intercept - line.intercept);
    line.intercept = fit->intercept;
    line.slope = fit->slope;
    if (++line.iterations > 1 && moved <= 1e-13 * (std::abs(line.slope) + std::abs(line.intercept)))
      break;
    if (line.iterations >= 2000) break;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double r = fit->residual(x[i], y[i]) / sigma;
      weights[i] = loss.weight(r * r);
    }
    fit = fit_line(x, y, weights);
  }
  if (!fit) return fail(fit.error());
  Normal2 core;
  add_sandwich(line, x, y, sigma, loss, core);
  if (!(core.determinant() > 0))
    return fail(ErrorCode::kUnidentifiable, "only {:.0f} of {} points agree with a line", core.n,
                x.size());
  return line;
}

}  // namespace tactelier
