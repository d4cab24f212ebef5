#pragma once
// From an estimate to a Parameter of the model file: standard error, 95 % interval, and the budget
// of what repetition can't show (docs/theory/statistics.md 5).

#include <span>
#include <string>
#include <vector>

#include "fitting/statistics/quantiles.hpp"
#include "libcalib/parameter.hpp"

namespace tactelier {

/// A value with its statistical standard error. dof belongs to the standard error: presses - 1 when
/// it comes from press to press, n_eff - p when it comes from within one.
struct Estimate {
  double value = 0;
  double std = 0;
  double dof = kManyDegrees;
};

/// One line of an uncertainty budget: standard uncertainty in the unit of the result.
struct Component {
  std::string name;
  double u = 0;
  double dof = kManyDegrees;
};

/// Standard uncertainty of a rectangular half-width, and of a reading with a step.
double u_rectangular(double half_width);
double u_resolution(double step);

struct Budget {
  double u_c = 0;     // combined standard uncertainty
  double dof = 0;     // Welch-Satterthwaite, not yet floored
  double k_95 = 0;    // t_0.975(floor dof)
  double U_95 = 0;    // k_95 u_c: what u_total holds
  double U_9545 = 0;  // t_0.97725(floor dof) u_c: where a certificate's "k = 2" is meant
};
/// Components are independent; one that is 0 adds nothing.
Budget combine(std::span<const Component> components);

/// Mean of repeats with the standard error that their spread gives: s / sqrt(m), dof m - 1.
/// With one value: std 0 and dof 0, which no interval may be made of.
Estimate press_spread(std::span<const double> values);

/// A Parameter with std, ci95 = value +- t_0.975(dof) std, and u_total from std plus `systematic`.
/// An estimate without a usable std or dof (not finite, dof < 1) gets neither.
Parameter identified(const Estimate& estimate, std::string unit, std::string from,
                     std::span<const Component> systematic = {});

/// A quantity that can't be below 0 and doesn't show: value 0, status not_seen, ci95 and u_total up
/// to what could hide behind `estimate`, which may lie on either side of 0.
Parameter not_seen(const Estimate& estimate, std::string unit, std::string from,
                   std::span<const Component> systematic = {});

/// A number that was read once: no repetition, so no std and no ci95; u_total from what is known of
/// the reading, empty when that is nothing.
Parameter single_reading(double value, std::string unit, std::string from,
                         std::span<const Component> systematic);

/// For theta = exp(log_value): interval theta exp(+-t u), std = theta u only when u < 0.2.
/// Systematic components are relative (of log theta).
Parameter identified_log(const Estimate& log_estimate, std::string unit, std::string from,
                         std::span<const Component> systematic = {});

}  // namespace tactelier
