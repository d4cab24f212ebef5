#pragma once
// Contact areas, conductances of rough contacts and many capacitive gaps grow like a power of the
// force (docs/theory/response.md 4):
//   c = c0 + a F^n      F in N, c in counts, n of no unit: below 1 softening, above 1 stiffening

#include <cmath>

#include "libcalib/models/response/scaled_basis.hpp"

namespace tactelier {

class PowerLaw : public ResponseLaw {
 public:
  enum Index { kRest, kFactor, kExponent, kSize };
  std::string_view name() const override { return "power"; }
  CoefficientInfo coefficient(std::size_t index) const override {
    using Kind = CoefficientInfo::Kind;
    if (index == kExponent) return {Kind::kShape, "1"};
    return index == kRest ? CoefficientInfo{Kind::kLevel, "counts"}
                          : CoefficientInfo{Kind::kRise, "counts/N^n"};
  }
  /// Of n: below, the readings go with the logarithm of the force; above, they are a corner.
  std::optional<std::array<double, 2>> shapes(const ForceRange&) const override {
    return {{0.1, 6}};
  }
  std::unique_ptr<ResponseBasis> basis(const ForceRange&, double exponent) const override {
    return std::make_unique<ScaledBasis>(power, exponent);
  }
  double counts(const ResponseSlots& terms, double force_N) const override {
    const auto& c = terms.coefficients;
    return c[kRest] + c[kFactor] * power(force_N, c[kExponent]);
  }
  std::optional<double> force_N(const ResponseSlots& terms, double counts) const override {
    const auto& c = terms.coefficients;
    return std::pow(std::max(0.0, (counts - c[kRest]) / c[kFactor]), 1 / c[kExponent]);
  }

 private:
  static double power(double force_N, double exponent) {
    return std::pow(std::max(force_N, 0.0), exponent);
  }
};

}  // namespace tactelier
