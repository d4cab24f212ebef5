#pragma once
// The numbers of a pad in MJCF, apart from the text that holds them: what the exporter writes and
// what a verification expects come from here.

#include <optional>
#include <span>

#include "reports/export/tactel_pad.hpp"

namespace tactelier {

/// What a joint's spring may be. Before 3.7 it has one stiffness.
enum class MujocoSpring { kLinear, kCubic };

/// The model's curve as MuJoCo 3.7 takes it.
struct MujocoHardening {
  FittedSpring fitted;
  double end_m = 0;  // the curve is known so far
};

struct MujocoPad : TactelPad {
  std::optional<MujocoHardening> hardening;  // instead of the one stiffness
  double time_step_s = 0;
  double inertia_kg = 0;  // of each joint: keeps the step stable and weighs nothing

  CubicSpring spring() const {
    return hardening ? hardening->fitted.spring : CubicSpring{stiffness_N_per_m, 0, 0};
  }
  /// The spring's slope where it is stiffest: as deep as the tactel goes.
  double stiffest_N_per_m() const;
};

/// Inertia below which readings oscillate: max(4 k dt^2, 2 c dt).
double least_inertia_kg(double stiffness_N_per_m, double damping_N_s_per_m, double time_step_s);

/// What the joint form takes from a model, required: k and c of one tactel, for a cubic spring also
/// how far the pad is linear.
std::span<const Slot> mujoco_slots(MujocoSpring spring = MujocoSpring::kLinear);
/// Fails with kUnidentifiable where a cubic spring is asked for and the model has no curve.
Result<MujocoPad> mujoco_pad(const SensorModel& model, const SlotContents& contents,
                             MujocoSpring spring = MujocoSpring::kLinear);

}  // namespace tactelier
