#pragma once
// Estimates that a few wild samples can't carry away (docs/theory/statistics.md 1, 7).
// A loss acts on s = r^2, r whitened: cost = 1/2 sum rho(s). weight = rho'(s) is what an
// iteratively re-weighted fit uses; psi'(r) = rho' + 2 s rho'' is what the sandwich covariance
// needs.

#include <span>

namespace tactelier {

/// Middle value (mean of the two middle ones); NaN for no values.
double median(std::span<const double> values);
/// 1.4826 * median |x - median|: the standard deviation of normal data, blind to outliers.
double mad_sigma(std::span<const double> values);
/// Type 7 quantile (linear between order statistics), 0 <= p <= 1; NaN for no values.
double quantile(std::span<const double> values, double p);

enum class LossShape { kHuber, kCauchy, kTukey };

/// 95 % efficient on normal data.
constexpr double kHuberTuning = 1.345;
constexpr double kCauchyTuning = 2.3849;
constexpr double kTukeyTuning = 4.6851;

struct RobustLoss {
  LossShape shape = LossShape::kHuber;
  double tuning = kHuberTuning;

  double rho(double s) const;
  double weight(double s) const;     // rho'(s), in 0 .. 1
  double psi_slope(double r) const;  // d(r rho'(r^2))/dr
};

}  // namespace tactelier
