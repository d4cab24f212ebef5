#pragma once
// An exported pad pressed again in its target: a fixed list of presses, what our model says of each
// and what the target shows, without noise. Our model here is what the file was made from: a
// spring, hardening where the format holds it, and a damper per tactel, one friction coefficient,
// saturation. How well that model agrees with recordings is another question (compare).

#include <array>
#include <string>
#include <vector>

#include "libcalib/job.hpp"
#include "reports/export/mujoco_pad.hpp"
#include "reports/verify/press_target.hpp"

namespace tactelier {

struct VerifiedPress {
  std::string press;  // "plate, 0.02 N on each tactel: tactel 3"
  double expected = 0;
  double seen = 0;
  double error_percent = 0;  // of what is expected, or of the load where nothing is
};

struct VerifiedQuantity {
  std::string name;  // "depth under a plate"
  std::string unit;
  double tolerance_percent = 0;
  std::vector<VerifiedPress> presses;

  double median_percent() const;  // of the errors' magnitudes
  double worst_percent() const;
  bool passed() const { return worst_percent() <= tolerance_percent; }
};

struct Verification {
  TargetFacts target;
  std::array<double, 2> force_N{};  // on one tactel, from which the loads are taken
  std::vector<VerifiedQuantity> quantities;
  std::vector<std::string> left_out;  // what was not compared, and why

  bool passed() const;
};

/// Loads of 10 to 90 % of the range for which the model is valid, as far as the pad gives way.
/// Fails with kUnidentifiable when the model states no range and the pad no travel.
Result<Verification> verify_pad(const SensorModel& model, const MujocoPad& pad, PressTarget& target,
                                const Job& job);

}  // namespace tactelier
