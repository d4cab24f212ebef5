// Covariances of the spread and its integral over one cell.

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "libcalib/models/psf.hpp"
#include "libcalib/models/psf_cell.hpp"

namespace tactelier {
namespace {

using psf_cell::normal_cdf;
using psf_cell::normal_density;

// Gauss-Legendre on [-1, 1], 16 nodes: positive half.
constexpr std::array<double, 8> kNodes{0.0950125098376374, 0.2816035507792589, 0.4580167776572274,
                                       0.6178762444026438, 0.7554044083550030, 0.8656312023878318,
                                       0.9445750230732326, 0.9894009349916499};
constexpr std::array<double, 8> kWeights{0.1894506104550685, 0.1826034150449236, 0.1691565193950025,
                                         0.1495959888165767, 0.1246289712555339, 0.0951585116824928,
                                         0.0622535239386479, 0.0271524594117541};

/// g(x, y) integrated over y in [bottom, top] at one x, and its derivative by x.
struct Edge {
  double value = 0, slope = 0;
};
Edge along_edge(double x_m, double bottom_m, double top_m, double xx, double xy, double yy) {
  const double sigma = std::sqrt(xx), tau = std::sqrt(yy - xy * xy / xx);
  const double slope = xy / xx, mean = slope * x_m;
  const double high = (top_m - mean) / tau, low = (bottom_m - mean) / tau;
  const double density = normal_density(x_m / sigma) / sigma;
  const double inside = normal_cdf(high) - normal_cdf(low);
  return {density * inside,
          -x_m / xx * density * inside -
              density * slope / tau * (normal_density(high) - normal_density(low))};
}

/// Integral over the rectangle: closed without correlation, else along y in pieces no longer than
/// two standard deviations.
double inside_cell(double left, double right, double bottom, double top,
                   const SpreadCovariance& s) {
  const double sigma_x = std::sqrt(s.xx), sigma_y = std::sqrt(s.yy);
  if (s.xy == 0)
    return (normal_cdf(right / sigma_x) - normal_cdf(left / sigma_x)) *
           (normal_cdf(top / sigma_y) - normal_cdf(bottom / sigma_y));
  const double slope = s.xy / s.yy, tau = std::sqrt(s.xx - s.xy * slope);
  bottom = std::max(bottom, -9 * sigma_y);
  top = std::min(top, 9 * sigma_y);
  if (top <= bottom) return 0;
  const int pieces = std::max(1, static_cast<int>(std::ceil((top - bottom) / (2 * sigma_y))));
  const double half = (top - bottom) / (2 * pieces);
  double sum = 0;
  for (int piece = 0; piece < pieces; ++piece) {
    const double centre = bottom + (2 * piece + 1) * half;
    for (std::size_t i = 0; i < kNodes.size(); ++i)
      for (const double sign : {-1.0, 1.0}) {
        const double y = centre + sign * kNodes[i] * half;
        sum += half * kWeights[i] * normal_density(y / sigma_y) / sigma_y *
               (normal_cdf((right - slope * y) / tau) - normal_cdf((left - slope * y) / tau));
      }
  }
  return sum;
}

}  // namespace

Share density_at(double x_m, double y_m, const SpreadCovariance& s) {
  const double det = s.xx * s.yy - s.xy * s.xy;
  const double u = (s.yy * x_m - s.xy * y_m) / det, v = (s.xx * y_m - s.xy * x_m) / det;
  Share share;
  share.value = std::exp(-0.5 * (u * x_m + v * y_m)) / (2 * std::numbers::pi * std::sqrt(det));
  share.x = share.value * u;
  share.y = share.value * v;
  share.xx = share.value * (u * u - s.yy / det) / 2;
  share.yy = share.value * (v * v - s.xx / det) / 2;
  share.xy = share.value * (u * v + s.xy / det);
  return share;
}

Share share_of_cell(double left_m, double right_m, double bottom_m, double top_m,
                    const SpreadCovariance& s) {
  const double reach_x = 9 * std::sqrt(s.xx), reach_y = 9 * std::sqrt(s.yy);
  if (left_m > reach_x || right_m < -reach_x || bottom_m > reach_y || top_m < -reach_y) return {};
  const Edge left = along_edge(left_m, bottom_m, top_m, s.xx, s.xy, s.yy);
  const Edge right = along_edge(right_m, bottom_m, top_m, s.xx, s.xy, s.yy);
  const Edge bottom = along_edge(bottom_m, left_m, right_m, s.yy, s.xy, s.xx);
  const Edge top = along_edge(top_m, left_m, right_m, s.yy, s.xy, s.xx);
  Share share;
  share.value = inside_cell(left_m, right_m, bottom_m, top_m, s);
  share.x = left.value - right.value;
  share.y = bottom.value - top.value;
  share.xx = (right.slope - left.slope) / 2;
  share.yy = (top.slope - bottom.slope) / 2;
  share.xy = density_at(left_m, bottom_m, s).value - density_at(left_m, top_m, s).value -
             density_at(right_m, bottom_m, s).value + density_at(right_m, top_m, s).value;
  return share;
}

SpreadCovariance spread_covariance(const SpreadAxes& axes) {
  const double c = std::cos(axes.theta_rad), sn = std::sin(axes.theta_rad);
  const double a = axes.sigma_x_m * axes.sigma_x_m, b = axes.sigma_y_m * axes.sigma_y_m;
  return {c * c * a + sn * sn * b, c * sn * (a - b), sn * sn * a + c * c * b};
}

SpreadAxes spread_axes(const SpreadCovariance& s) {
  const double mean = (s.xx + s.yy) / 2, half = (s.xx - s.yy) / 2;
  const double radius = std::hypot(half, s.xy);
  return {std::sqrt(mean + radius), std::sqrt(std::max(0.0, mean - radius)),
          radius > 0 ? 0.5 * std::atan2(s.xy, half) : 0};
}

SpreadCovariance spread_covariance(const LogSpread& log) {
  const double rho = std::hypot(log.e1, log.e2), scale = std::exp(log.m);
  const double ratio = rho < 1e-4 ? 1 + rho * rho / 6 : std::sinh(rho) / rho;
  const double even = scale * std::cosh(rho), odd = scale * ratio;
  return {even + odd * log.e1, odd * log.e2, even - odd * log.e1};
}

std::array<SpreadCovariance, 3> spread_gradient(const LogSpread& log) {
  const double rho2 = log.e1 * log.e1 + log.e2 * log.e2, rho = std::sqrt(rho2);
  const double scale = std::exp(log.m);
  const double ratio = rho < 1e-4 ? 1 + rho2 / 6 : std::sinh(rho) / rho;
  // d(sinh(rho)/rho)/d(e) = slope * e
  const double slope =
      rho < 1e-2 ? 1.0 / 3 + rho2 / 30 : (rho * std::cosh(rho) - std::sinh(rho)) / (rho * rho2);
  const auto by = [&](double e, bool first) {
    const double even = scale * ratio * e, odd = scale * slope * e;
    SpreadCovariance d{even + odd * log.e1, odd * log.e2, even - odd * log.e1};
    (first ? d.xx : d.xy) += scale * ratio;
    if (first) d.yy -= scale * ratio;
    return d;
  };
  return {spread_covariance(log), by(log.e1, true), by(log.e2, false)};
}

}  // namespace tactelier
