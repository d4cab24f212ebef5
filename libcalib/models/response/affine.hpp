#pragma once
// How a tactel answers the force on it (docs/theory/response.md 1): nothing up to a trigger force,
// then a straight line, then a ceiling.
//   c = min(c_sat, o + max(0, F - F_t) / kappa)      F in N, c in counts, kappa in N/count
// Whose force: press_threshold and press_gain go with the indenter's whole force, threshold and
// gain with the tactel's own share.

#include <algorithm>
#include <limits>

#include "libcalib/models/response/polynomial.hpp"

namespace tactelier {

struct AffineResponse {
  double offset_counts = 0;
  double threshold_N = 0;
  double gain_N_per_count = 0;
  double saturation_counts = std::numeric_limits<double>::infinity();

  double counts(double force_N) const {
    const double above_N = std::max(0.0, force_N - threshold_N);
    return std::min(saturation_counts, offset_counts + above_N / gain_N_per_count);
  }
  /// Force at which the ceiling is reached.
  double saturation_force_N() const {
    return threshold_N + gain_N_per_count * (saturation_counts - offset_counts);
  }

  enum class Range { kBelowTrigger, kLinear, kSaturated };
  struct Force {
    Range range = Range::kLinear;
    double force_N = 0;  // kBelowTrigger: somewhere in 0 .. force_N; kSaturated: at least force_N
  };

  /// From a reading back to a force. Readings within `dead_counts` of the offset (3 sigma of the
  /// noise) say no more than "below the trigger".
  Force force(double counts, double dead_counts) const {
    if (counts >= saturation_counts) return {Range::kSaturated, saturation_force_N()};
    if (counts <= offset_counts + dead_counts) return {Range::kBelowTrigger, threshold_N};
    return {Range::kLinear, threshold_N + gain_N_per_count * (counts - offset_counts)};
  }
};

/// The line among the laws: compared as a polynomial of degree 1. It has no slots of its own, the
/// model's offset, press_threshold, press_gain and saturation are the line.
class AffineLaw : public ResponseLaw {
 public:
  std::string_view name() const override { return "affine"; }
  std::string_view title() const override { return "line"; }
  bool curved() const override { return false; }
  std::unique_ptr<ResponseBasis> basis(const ForceRange& range, double) const override {
    return std::make_unique<PowerBasis>(1, range);
  }
  double counts(const ResponseSlots&, double) const override { return 0; }
};

}  // namespace tactelier
