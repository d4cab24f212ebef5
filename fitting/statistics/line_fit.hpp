#pragma once
// Straight lines y = intercept + slope x: the work-horse of stiffness and gain
// (docs/theory/response.md 2; docs/theory/contact-and-stiffness.md 4). Standard errors assume
// independent residuals of equal (or weighted) size; where residuals follow one another, use
// serial.hpp on top.

#include <cstddef>
#include <span>

#include "libcalib/result.hpp"

namespace tactelier {

struct LineFit {
  double intercept = 0;  // exactly 0 when forced through the origin
  double slope = 0;
  double u_intercept = 0;  // standard errors, scaled by residual_sd
  double u_slope = 0;
  double covariance = 0;   // of intercept and slope
  double rss = 0;          // weighted sum of squared residuals
  double residual_sd = 0;  // sqrt(rss / dof)
  double dof = 0;          // n - 2, or n - 1 through the origin
  std::size_t n = 0;

  double at(double x) const { return intercept + slope * x; }
  double residual(double x, double y) const { return y - at(x); }
};

/// Least squares of y on x; `weights` are 1/sigma^2 up to a common factor, or empty.
/// Fails with kUnidentifiable with fewer than 3 points or when all x are equal.
Result<LineFit> fit_line(std::span<const double> x, std::span<const double> y,
                         std::span<const double> weights = {});

/// The same with the intercept held at 0: slope = sum(x y) / sum(x^2). Needs 2 points.
Result<LineFit> fit_line_through_origin(std::span<const double> x, std::span<const double> y,
                                        std::span<const double> weights = {});

struct StructuralLine {
  double intercept = 0;
  double slope = 0;
};

/// Median of the pairwise slopes and median intercept: a start that outliers can't drag. Beyond
/// 400 points the pairs are thinned to (i, i + n/2), which keeps the breakdown point at 29 % or
/// less.
StructuralLine fit_line_theil_sen(std::span<const double> x, std::span<const double> y);

}  // namespace tactelier
