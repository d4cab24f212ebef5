#pragma once
// A pressure-sensitive resistor in a voltage divider (docs/theory/response.md 4): its conductance
// grows with the force, G = G' F, and the divider with a fixed resistor R makes of it
//   c = c0 + A F/(F + F0) ,   F0 = 1/(G' R)      F, F0 in N; c, c0, A in counts
// read over the fixed resistor; read over the sensor itself the counts fall by as much (A < 0 in a
// model whose sensor is falling). Steepest at no force, and never beyond c0 + A.

#include "libcalib/models/response/scaled_basis.hpp"

namespace tactelier {

class ConductanceLaw : public ResponseLaw {
 public:
  enum Index { kRest, kSpan, kHalfForce, kSize };
  std::string_view name() const override { return "conductance"; }
  CoefficientInfo coefficient(std::size_t index) const override {
    using Kind = CoefficientInfo::Kind;
    if (index == kHalfForce) return {Kind::kShape, "N"};
    return {index == kRest ? Kind::kLevel : Kind::kRise, "counts"};
  }
  /// Of F0: beyond these the readings are a step, or a line.
  std::optional<std::array<double, 2>> shapes(const ForceRange& range) const override {
    return {{0.01 * range.high_N, 30 * range.high_N}};
  }
  std::unique_ptr<ResponseBasis> basis(const ForceRange&, double half_force_N) const override {
    return std::make_unique<ScaledBasis>(part, half_force_N);
  }
  double counts(const ResponseSlots& terms, double force_N) const override {
    const auto& c = terms.coefficients;
    return c[kRest] + c[kSpan] * part(force_N, c[kHalfForce]);
  }
  std::optional<double> force_N(const ResponseSlots& terms, double counts) const override {
    const auto& c = terms.coefficients;
    const double share = (counts - c[kRest]) / c[kSpan];
    return c[kHalfForce] * share / (1 - share);
  }

 private:
  static double part(double force_N, double half_force_N) {
    return std::max(force_N, 0.0) / (std::max(force_N, 0.0) + half_force_N);
  }
};

}  // namespace tactelier
