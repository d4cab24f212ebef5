#pragma once
// Where a press first touches (docs/theory/contact-and-stiffness.md 1), on plain arrays:
//   F(z) = F0 + k (z - z0 - C(F))_+^n
// A threshold finds it roughly (and late); the profile over z0 finds it well.

#include <cstddef>
#include <optional>
#include <span>

#include "libcalib/result.hpp"

namespace tactelier {

constexpr std::size_t kBaselineSamples = 20;

struct CoarseContact {
  double mean_N = 0;  // of the baseline
  double sd_N = 0;
  double threshold_N = 0;  // mean + 5 sd
  // First of three consecutive samples above it; what is back at the baseline's mean within 20 rows
  // was noise of motors (less than a tenth of the peak) or a knock (swings as far below).
  std::size_t index = 0;
};

/// Baseline from the first `baseline` samples (>= 20). Fails with kUnidentifiable: "RC-01 ..." with
/// fewer, "NO-CONTACT ..." when the force never rises.
Result<CoarseContact> detect_contact(std::span<const double> force_N,
                                     std::size_t baseline = kBaselineSamples);

struct ContactWindow {
  double low_m = 0;  // z0 is sought in [low, high]
  double high_m = 0;
  int points = 41;  // of the grid
};

struct ContactFit {
  double bias_N = 0;
  double k = 0;  // N/m^n
  double n = 1;
  double z0_m = 0;
  double u_z0_m = 0;  // standard, widened for residuals that follow one another
  double u_k = 0;
  double cost = 0;  // half the sum of squared residuals, N^2
  double rms_N = 0;
  std::size_t rows_in_contact = 0;
};

/// Least squares by profile: for each z0 (and n, when not given) bias and k are solved exactly.
/// `travel_m` has the rig's deflection taken out already; rows in time order. n is sought in
/// [0.5, 4]. Fails with kUnidentifiable when fewer than 5 rows lie beyond contact, when force
/// falls with depth, or when z0 ends at the edge of the window.
Result<ContactFit> fit_contact(std::span<const double> travel_m, std::span<const double> force_N,
                               const ContactWindow& window, std::optional<double> exponent);

}  // namespace tactelier
