#pragma once
// How a soft layer stiffens as it is compressed (docs/theory/contact-and-stiffness.md 10): stress
// over strain, or force over depth divided by a length; the laws don't care.
//   linear       y = c1 x
//   cubic        y = c1 x + c2 x^2 + c3 x^3
//   exponential  y = A (e^(B x) - 1)
//   piecewise    y = E1 x + (E2-E1)[sp(x-x1)-sp(-x1)] + (E3-E2)[sp(x-x2)-sp(-x2)],
//                sp(x) = w ln(1 + e^(x/w)), w = 0.01: an elastic part, a plateau, densification
// Sources: Gibson & Ashby, Cellular Solids, ch. 5 (piecewise); Fung (exponential).

#include <array>
#include <span>
#include <string_view>
#include <vector>

#include "fitting/statistics/criteria.hpp"
#include "libcalib/result.hpp"

namespace tactelier {

enum class HardeningLaw { kLinear, kCubic, kExponential, kPiecewise };
std::string_view to_string(HardeningLaw law);

struct HardeningFit {
  HardeningLaw law = HardeningLaw::kLinear;
  std::vector<double> parameters;  // c1; c1 c2 c3; A B; E1 E2 E3 x1 x2
  std::vector<double> std;         // as if the scatter about the curve were noise
  double rss = 0;
  Criteria criteria;
  bool rises = true;  // everywhere on the data

  double operator()(double x) const;
  double slope(double x) const;
};

/// Least squares over points of equal weight, x >= 0 rising. Fails with kUnidentifiable when there
/// are too few points, when only A B is known (B x_max < 0.3), or, piecewise, when the data end
/// before x2 + 0.1.
Result<HardeningFit> fit_hardening(HardeningLaw law, std::span<const double> x,
                                   std::span<const double> y);

/// The law that AICc prefers, BIC's where they disagree, among those that fit and rise; the simpler
/// one when AICc differs by less than 2. `strain`: x is one, which the piecewise law's starts need.
HardeningFit choose_hardening(std::span<const double> x, std::span<const double> y, bool strain);

/// The one number that a simulator with a linear spring can take, up to x: they differ by as much
/// as the law is bent, so a model names which one it holds.
struct LinearEquivalents {
  double secant = 0;   // y(x)/x
  double energy = 0;   // 2 W/x^2, the same work
  double tangent = 0;  // y'(x)
};
LinearEquivalents linear_equivalents(const HardeningFit& fit, double x);

}  // namespace tactelier
