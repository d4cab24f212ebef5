#pragma once
// Quantiles of the three distributions that intervals and tests rest on. All checks of ours are
// two-sided 95 % unless they say otherwise, so coverage_95() is what most callers want.

#include <limits>

namespace tactelier {

/// Degrees of freedom of a number that is known, not estimated: t becomes the normal.
constexpr double kManyDegrees = std::numeric_limits<double>::infinity();

double normal_quantile(double p);
double normal_cdf(double x);

/// Student's t below which a fraction `p` lies; dof > 0, may be fractional or kManyDegrees.
double t_quantile(double p, double dof);
/// t_0.975(dof): half-width of a two-sided 95 % interval in standard errors. 12.7 at dof 1.
double coverage_95(double dof);

double chi2_quantile(double p, double dof);
/// Probability of a chi-square above `x`: small when the residuals are larger than their sigmas.
double chi2_survival(double x, double dof);
/// Probability of a chi-square per `dof` above `x` where the noise was measured, too.
double f_survival(double x, double dof, double noise_dof);

}  // namespace tactelier
