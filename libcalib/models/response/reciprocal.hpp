#pragma once
// The resistance of a pressure-sensitive layer, read as such (docs/theory/response.md 4): contacts
// and paths through it grow with the force, so
//   c = b + a/F      F > 0 in N; c, b in counts, a in counts N
// Resistances fall (a > 0 in a model whose sensor is falling). Says nothing at no force, where the
// resistance is as good as infinite.

#include "libcalib/models/response/scaled_basis.hpp"

namespace tactelier {

class ReciprocalLaw : public ResponseLaw {
 public:
  enum Index { kFullyLoaded, kFactor, kSize };
  std::string_view name() const override { return "reciprocal"; }
  CoefficientInfo coefficient(std::size_t index) const override {
    if (index == kFullyLoaded) return {CoefficientInfo::Kind::kLevel, "counts"};
    return {CoefficientInfo::Kind::kRise, "counts N"};
  }
  std::unique_ptr<ResponseBasis> basis(const ForceRange&, double) const override {
    return std::make_unique<ScaledBasis>(inverse);
  }
  double counts(const ResponseSlots& terms, double force_N) const override {
    return terms.coefficients[kFullyLoaded] + terms.coefficients[kFactor] * inverse(force_N, 0);
  }
  std::optional<double> force_N(const ResponseSlots& terms, double counts) const override {
    return terms.coefficients[kFactor] / (counts - terms.coefficients[kFullyLoaded]);
  }

 private:
  static constexpr double kLeast_N = 1e-9;  // forces of noise about zero are no division by zero
  static double inverse(double force_N, double) { return 1 / std::max(force_N, kLeast_N); }
};

}  // namespace tactelier
