#pragma once
// The numbers of a pad in MJCF, apart from the text that holds them: what the exporter writes and
// what a verification expects come from here.

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "reports/export/cubic_spring.hpp"
#include "reports/export/slots.hpp"
#include "reports/export/tactel_places.hpp"

namespace tactelier {

/// How a tactel's force becomes a reading; nothing where the model has no such number.
struct MujocoReadout {
  bool reads = true;  // dead and stuck tactels carry load, but show none
  std::optional<double> gain_N_per_count, offset_counts, threshold_N, saturation_counts,
      noise_counts;

  std::optional<double> saturation_N() const;
  std::optional<double> noise_N() const;
};

/// What a joint's spring may be. Before 3.7 it has one stiffness.
enum class MujocoSpring { kLinear, kCubic };

/// The model's curve as MuJoCo 3.7 takes it.
struct MujocoHardening {
  FittedSpring fitted;
  double end_m = 0;  // the curve is known so far
};

struct MujocoPad {
  std::string name;  // of sensor and serial: "acme_pad_A_7"
  double stiffness_N_per_m = 0;
  std::optional<MujocoHardening> hardening;  // instead of the one stiffness
  double damping_N_s_per_m = 0;
  std::optional<double> friction;  // one coefficient: the dynamic one
  std::optional<double> travel_m;  // largest penetration, else the layer's thickness
  double time_step_s = 0;
  double inertia_kg = 0;  // of each joint: keeps the step stable and weighs nothing
  std::vector<TactelPlace> places;
  std::vector<MujocoReadout> readouts;

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

/// A weight over all tactels of a level pad.
struct MujocoWeight {
  double force_N = 0;  // on each tactel
  double mass_kg = 0;
  double depth_m = 0;
};
/// Half of what the model is valid for; half of the travel where it says nothing; empty for a pad
/// that is not level or of which neither is known.
std::optional<MujocoWeight> mujoco_weight(const MujocoPad& pad, const SensorModel& model);

}  // namespace tactelier
