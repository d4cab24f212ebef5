#pragma once
// How a tactel answers the force on it where a straight line won't do (docs/theory/response.md 4):
// a rising curve between two forces, held as points with straight lines between them, or by a law
// that has an inverse. Never extrapolated.

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "libcalib/models/response/response_law.hpp"

namespace tactelier {

class CalibrationCurve {
 public:
  /// (force_N, counts), forces ascending; points at which the counts don't rise are left out.
  /// Empty with fewer than two points.
  static std::optional<CalibrationCurve> through(std::span<const std::array<double, 2>> knots);
  /// Of a law on [0, high_N]: the longest stretch on which it rises above `floor_counts`.
  static std::optional<CalibrationCurve> of(const ResponseLaw& law, const ResponseSlots& terms,
                                            double floor_counts, double high_N);

  double low_N() const { return knots_.front()[0]; }
  double high_N() const { return knots_.back()[0]; }
  double lowest_counts() const { return knots_.front()[1]; }
  double highest_counts() const { return knots_.back()[1]; }
  std::span<const std::array<double, 2>> knots() const { return knots_; }
  /// Whose inverse speaks between the ends, with its coefficients; null: straight lines between the
  /// knots.
  const ResponseLaw* law() const { return exact_; }
  std::span<const double> coefficients() const { return slots_.coefficients; }

  /// The ends' counts outside.
  double counts(double force_N) const;
  /// Force of a reading and N/count there; clamped to the ends.
  struct Inverse {
    double force_N = 0, gain_N_per_count = 0;
  };
  Inverse inverse(double counts) const;

 private:
  explicit CalibrationCurve(std::vector<std::array<double, 2>> knots) : knots_(std::move(knots)) {}
  Inverse exact_inverse(double counts) const;
  std::vector<std::array<double, 2>> knots_;  // both rising
  const ResponseLaw* exact_ = nullptr;        // speaks between the ends in place of the knots
  ResponseSlots slots_;
};

}  // namespace tactelier
