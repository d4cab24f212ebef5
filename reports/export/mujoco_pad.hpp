#pragma once
// The numbers of a pad in MJCF, apart from the text that holds them: what the exporter writes and
// what a verification expects come from here.

#include <optional>
#include <span>

#include "libcalib/models/lugre.hpp"
#include "reports/export/tactel_pad.hpp"

namespace tactelier {

/// What a pad may be made of: before 3.7 a joint has one stiffness and no bristles. A modern pad
/// has what of both the model knows.
enum class MujocoForm { kPortable, kModern };

/// The model's curve as MuJoCo 3.7 takes it.
struct MujocoHardening {
  FittedSpring fitted;
  double end_m = 0;  // the curve is known so far
};

/// LuGre friction of each tactel (libcalib/models/lugre.hpp), as MuJoCo has it on a joint.
struct MujocoBristles {
  LugreValues law{};
  double load_N = 0;      // on a tactel; another one is for a loop to set, step by step
  double inertia_kg = 0;  // of the two joints along the surface
};

struct MujocoPad : TactelPad {
  std::optional<MujocoHardening> hardening;  // instead of the one stiffness
  std::optional<MujocoBristles> bristles;    // instead of a friction coefficient
  double time_step_s = 0;
  double inertia_kg = 0;  // of each joint: keeps the step stable and weighs nothing

  CubicSpring spring() const {
    return hardening ? hardening->fitted.spring : CubicSpring{stiffness_N_per_m, 0, 0};
  }
  /// The spring's slope where it is stiffest: as deep as the tactel goes.
  double stiffest_N_per_m() const;
};

/// Of the ball that stands for a tactel's middle: a rim is felt at most so far beside it, sqrt(2 r
/// d) for depths d < r and r for all others, which is 5 % of the shorter pitch.
double mujoco_tip_radius_m(const TactelPlace& place);

/// Inertia below which readings oscillate: max(4 k dt^2, 2 c dt).
double least_inertia_kg(double stiffness_N_per_m, double damping_N_s_per_m, double time_step_s);

/// What the joint form takes from a model, required: k and c of one tactel.
std::span<const Slot> mujoco_slots(MujocoForm form = MujocoForm::kPortable);
/// Fails with kUnidentifiable where the modern form is asked for and the model knows neither
/// hardening nor the six numbers of bristles. A pad of either form has no bristles yet.
Result<MujocoPad> mujoco_pad(const SensorModel& model, const SlotContents& contents,
                             MujocoForm form = MujocoForm::kPortable);
/// The same pad on bristles, with a step that suits them; empty where the model doesn't know all
/// six numbers, or they are such that nothing ever sticks (mu_d 0).
std::optional<MujocoPad> bristled(MujocoPad pad, const SensorModel& model,
                                  const SlotContents& contents);

}  // namespace tactelier
