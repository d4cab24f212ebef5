#include "reports/export/sdf_pad.hpp"

#include <algorithm>
#include <array>

#include "reports/export/pad_slots.hpp"

namespace tactelier {
namespace {

constexpr std::array kSdfSlots{
    kStiffnessSlot,
    kDampingSlot,
    Slot{"friction", "friction.mu_d", "sliding friction, the one coefficient that Gazebo has",
         Bound::kNotNegative},
    kRangeSlot,
    kThicknessSlot,
    kRateSlot,
    kLatencySlot,
    kSpreadSlot,
    kKernelSlot,
};

/// Gazebo's own step first. In gz-sim what swings on light tips loses more than their damping, a
/// fifth more at 0.5 ms, and below 1 % at 0.1 ms.
constexpr std::array kSdfSteps_s{1e-3, 5e-4, 2e-4, 1e-4};
constexpr double kLeastTip_kg = 1e-4;
constexpr double kTipSteps = 5;  // a tip of this many dt c: s is at most 1.25

}  // namespace

double SdfPad::deepest_m() const {
  double widest_m = 0;
  for (const auto& place : places) widest_m = std::max(widest_m, 2 * place.half_width_m);
  return std::max(travel_m.value_or(0), widest_m);
}

double SdfPad::correcting_speed_m_per_s() const {
  return stiffness_N_per_m * deepest_m() / acting_damping_N_s_per_m;
}

std::span<const Slot> sdf_slots() { return kSdfSlots; }

SdfPad sdf_pad(const SensorModel& model, const SlotContents& contents, SdfSpring spring) {
  SdfPad pad{tactel_pad(model, contents), spring, 0, 0, 0, 1, contents.value("rate_hz")};
  pad.time_step_s =
      spring == SdfSpring::kJoint ? kSdfSteps_s.back() : longest_implicit_step_s(pad, kSdfSteps_s);
  pad.acting_damping_N_s_per_m =
      std::max(pad.damping_N_s_per_m, pad.stiffness_N_per_m * pad.time_step_s);
  if (spring == SdfSpring::kContact) return pad;
  const double in_a_step_kg = pad.time_step_s * pad.acting_damping_N_s_per_m;
  pad.tip_kg = std::max(kLeastTip_kg, kTipSteps * in_a_step_kg);
  pad.share = 1 - in_a_step_kg / pad.tip_kg;
  return pad;
}

}  // namespace tactelier
