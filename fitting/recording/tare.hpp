#pragma once
// Bias and drift of the force sensor over one press, from the free air around it
// (docs/theory/force.md 1). On a rig that doesn't turn its sensor, bias and tool weight are one
// number.

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>

#include "libcalib/result.hpp"

namespace tactelier {

struct PressData;

/// What to subtract: bias_N + drift_N_per_s (t - t0_s), for the press axis and the two side axes.
struct ForceTare {
  double t0_s = 0;
  std::array<double, 3> bias_N{};
  std::array<double, 3> drift_N_per_s{};
  bool drift_known = false;          // both windows were long enough for a line
  double sigma_N = 0;                // noise of the press axis around it
  double before_s = 0, after_s = 0;  // lengths of the free air
  double moved_N = 0;                // zero at the end of the press less zero at its beginning
  std::size_t samples = 0;
};

constexpr double kMinAir_s = 1.0;

/// Rows of free air at the beginning and at the end of a press, a guard left out.
struct FreeAir {
  std::size_t before_end = 0;   // rows 0 .. before_end - 1
  std::size_t after_begin = 0;  // rows after_begin .. rows - 1; rows() when there are none
};
/// Fails as detect_contact() does.
Result<FreeAir> find_free_air(std::span<const double> force_N, double period_s);

/// `data` on the force's times, bias still in it. A line through both windows where each lasts a
/// second, else a constant from the one before. Fails with kUnidentifiable (RC-01, NO-CONTACT).
Result<ForceTare> find_tare(const PressData& data);

/// Subtracts it from force and side forces.
void apply_tare(const ForceTare& tare, PressData& data);

/// The straight line value = bias + drift (t - t0) through samples of two windows, for each axis.
std::array<double, 2> line_through(std::span<const double> time_s, std::span<const double> value,
                                   double t0_s);

}  // namespace tactelier
