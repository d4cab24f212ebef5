#include "fitting/statistics/line_fit.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <vector>

#include "fitting/statistics/robust.hpp"

namespace tactelier {
namespace {

double weight(std::span<const double> weights, std::size_t i) {
  return weights.empty() ? 1.0 : weights[i];
}

void add_residuals(LineFit& fit, std::span<const double> x, std::span<const double> y,
                   std::span<const double> weights) {
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double r = fit.residual(x[i], y[i]);
    fit.rss += weight(weights, i) * r * r;
  }
  fit.residual_sd = std::sqrt(fit.rss / fit.dof);
}

struct Moments {
  double mean_x = 0, mean_y = 0, total = 0, xx = 0, xy = 0, yy = 0;
};

Moments moments(std::span<const double> x, std::span<const double> y,
                std::span<const double> weights) {
  Moments m;
  for (std::size_t i = 0; i < x.size(); ++i) {
    m.total += weight(weights, i);
    m.mean_x += weight(weights, i) * x[i];
    m.mean_y += weight(weights, i) * y[i];
  }
  m.mean_x /= m.total;
  m.mean_y /= m.total;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double dx = x[i] - m.mean_x;
    const double dy = y[i] - m.mean_y;
    m.xx += weight(weights, i) * dx * dx;
    m.xy += weight(weights, i) * dx * dy;
    m.yy += weight(weights, i) * dy * dy;
  }
  return m;
}

/// What rounding alone can make of a spread about `mean`.
double rounding_floor(double mean, double total) {
  const double tiny = 16 * std::numeric_limits<double>::epsilon() * mean;
  return total * tiny * tiny;
}

}  // namespace

Result<LineFit> fit_line(std::span<const double> x, std::span<const double> y,
                         std::span<const double> weights) {
  assert(x.size() == y.size() && (weights.empty() || weights.size() == x.size()));
  if (x.size() < 3)
    return fail(ErrorCode::kUnidentifiable, "{} points, a line with an error needs 3", x.size());
  const Moments m = moments(x, y, weights);
  if (!(m.xx > rounding_floor(m.mean_x, m.total)))
    return fail(ErrorCode::kUnidentifiable, "all {} points have the same abscissa", x.size());
  LineFit fit;
  fit.n = x.size();
  fit.dof = static_cast<double>(x.size() - 2);
  fit.slope = m.xy / m.xx;
  fit.intercept = m.mean_y - fit.slope * m.mean_x;
  add_residuals(fit, x, y, weights);
  fit.u_slope = fit.residual_sd / std::sqrt(m.xx);
  fit.u_intercept = fit.residual_sd * std::sqrt(1 / m.total + m.mean_x * m.mean_x / m.xx);
  fit.covariance = -m.mean_x * fit.residual_sd * fit.residual_sd / m.xx;
  return fit;
}

Result<LineFit> fit_line_through_origin(std::span<const double> x, std::span<const double> y,
                                        std::span<const double> weights) {
  assert(x.size() == y.size() && (weights.empty() || weights.size() == x.size()));
  if (x.size() < 2)
    return fail(ErrorCode::kUnidentifiable, "{} points, a slope with an error needs 2", x.size());
  double xx = 0;
  double xy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    xx += weight(weights, i) * x[i] * x[i];
    xy += weight(weights, i) * x[i] * y[i];
  }
  if (!(xx > 0))
    return fail(ErrorCode::kUnidentifiable, "all {} points lie at the origin", x.size());
  LineFit fit;
  fit.n = x.size();
  fit.dof = static_cast<double>(x.size() - 1);
  fit.slope = xy / xx;
  add_residuals(fit, x, y, weights);
  fit.u_slope = fit.residual_sd / std::sqrt(xx);
  return fit;
}

StructuralLine fit_line_theil_sen(std::span<const double> x, std::span<const double> y) {
  assert(x.size() == y.size());
  const std::size_t n = x.size();
  std::vector<double> slopes;
  const auto add = [&](std::size_t i, std::size_t j) {
    if (x[i] != x[j]) slopes.push_back((y[j] - y[i]) / (x[j] - x[i]));
  };
  if (n <= 400) {
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = i + 1; j < n; ++j) add(i, j);
  } else {
    for (std::size_t i = 0; i + n / 2 < n; ++i) add(i, i + n / 2);
  }
  const double slope = median(slopes);
  std::vector<double> intercepts(n);
  for (std::size_t i = 0; i < n; ++i) intercepts[i] = y[i] - slope * x[i];
  return {median(intercepts), slope};
}

}  // namespace tactelier
