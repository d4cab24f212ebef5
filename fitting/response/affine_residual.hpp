#pragma once
// One sample against the affine response: a whitened residual and its derivatives.

#include <algorithm>
#include <cmath>
#include <numbers>

#include "fitting/response/affine_fit.hpp"

namespace tactelier {

/// A whitened residual and its derivatives with respect to threshold and gain.
struct AffineTerm {
  double r = 0;
  double d_threshold = 0;
  double d_gain = 0;
  bool on_line = false;
};

/// Mean and variance of max(0, X), X normal about `d` with deviation `sigma`, and their slopes.
struct SoftCorner {
  double mean, mean_slope, variance, variance_slope;

  SoftCorner(double d, double sigma) {
    const double u = d / sigma;
    const double density = std::exp(-0.5 * u * u) * std::numbers::inv_sqrtpi / std::numbers::sqrt2;
    const double above = 0.5 * std::erfc(-u / std::numbers::sqrt2);
    mean = d * above + sigma * density;
    mean_slope = above;
    variance = std::max(0.0, (d * d + sigma * sigma) * above + d * sigma * density - mean * mean);
    variance_slope = 2 * mean * (1 - above);
  }
};

class AffineResidual {
 public:
  AffineResidual(const AffineSettings& settings, double threshold_N, double gain)
      : s_(settings), threshold_N_(threshold_N), gain_(gain) {
    slope_ = 1 / gain;
    const double variance = square(s_.sigma_counts) + square(slope_ * s_.sigma_force_N);
    weight_ = 1 / std::sqrt(variance);
    by_threshold_ = slope_ * weight_;
    weight_by_gain_ = square(s_.sigma_force_N * slope_) * slope_ / variance;
    precision_ = 1 / s_.sigma_counts;
  }

  [[gnu::always_inline]] AffineTerm operator()(double force_N, double counts, double offset) const {
    const double c = counts - offset;
    const double ceiling = s_.saturation_counts - offset;
    const double d = force_N - threshold_N_;
    const double p = d * slope_;
    if (s_.ceiling == Clip::kCensored && c >= ceiling)
      return p < ceiling ? line(ceiling - p, p, false) : AffineTerm{};
    if (s_.ceiling == Clip::kVisible && p > ceiling)
      return {(c - ceiling) * precision_, 0, 0, false};
    if (s_.floor == Clip::kCensored && c <= 0) return p > 0 ? line(-p, p, false) : AffineTerm{};
    if (s_.floor != Clip::kVisible) return line(c - p, p, true);
    if (s_.sigma_force_N > 0 && d < 8 * s_.sigma_force_N) return soft(c, d);
    if (p <= 0) return {c * precision_, 0, 0, false};
    return line(c - p, p, true);
  }

  /// Of a reading on the line, with p = (F - threshold) slope: r = (c - offset - p) weight, by the
  /// threshold slope weight, by the gain slope weight p + r weight_by_gain.
  struct Line {
    double threshold_N, slope, weight, weight_by_gain;
  };
  Line line() const { return {threshold_N_, slope_, weight_, weight_by_gain_}; }
  /// 1/sigma of the counts: what weighs readings below a trigger that can be seen.
  double precision() const { return precision_; }

 private:
  static double square(double x) { return x * x; }

  /// r = value / sd where value = constant - p.
  AffineTerm line(double value, double p, bool on_line) const {
    const double r = value * weight_;
    return {r, by_threshold_, by_threshold_ * p + r * weight_by_gain_, on_line};
  }

  [[gnu::noinline]] AffineTerm soft(double c, double d) const {
    const SoftCorner corner(d, s_.sigma_force_N);
    const double s = 1 / gain_;
    const double variance = square(s_.sigma_counts) + s * s * corner.variance;
    const double w = 1 / std::sqrt(variance);
    const double r = (c - s * corner.mean) * w;
    const double half = 0.5 * r / variance;
    return {r, s * corner.mean_slope * w + half * s * s * corner.variance_slope,
            s * s * corner.mean * w + half * 2 * s * s * s * corner.variance, d > 0};
  }

  const AffineSettings& s_;
  double threshold_N_;
  double gain_;
  double slope_ = 1, weight_ = 1;  // of a reading on the line: counts/N, 1/sd
  double by_threshold_ = 0;        // of its residual
  double weight_by_gain_ = 0;      // relative
  double precision_ = 1;           // 1/sd beside the line
};

}  // namespace tactelier
