#pragma once
// A pad as simulators build it: a spring, a damper and a place per tactel, one friction
// coefficient, and how each tactel's force is read. What formats with one body per tactel share.

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reports/export/cubic_spring.hpp"
#include "reports/export/slots.hpp"
#include "reports/export/tactel_places.hpp"

namespace tactelier {

/// How a tactel's force becomes a reading; nothing where the model has no such number.
struct PadReadout {
  bool reads = true;  // dead and stuck tactels carry load, but show none
  std::optional<double> gain_N_per_count, offset_counts, threshold_N, saturation_counts,
      noise_counts;

  std::optional<double> saturation_N() const;
  std::optional<double> noise_N() const;
};

struct TactelPad {
  std::string name;      // of sensor and serial: "acme_pad_A_7"
  bool falling = false;  // readings go down from the offset as the force rises
  double stiffness_N_per_m = 0;
  double damping_N_s_per_m = 0;
  std::optional<double> friction;  // one coefficient: the dynamic one
  std::optional<double> travel_m;  // largest penetration, else the layer's thickness
  std::vector<TactelPlace> places;
  std::vector<PadReadout> readouts;
};

/// Takes what stands in the slots "stiffness", "damping", "friction", "range" and "thickness_m".
TactelPad tactel_pad(const SensorModel& model, const SlotContents& contents);

/// Of sensor and serial, in letters, digits and underscores: "acme_pad_A_7".
std::string pad_name(const SensorModel& model);

/// For a format that gives each tactel its own read-out: no loss then.
void add_readout_paths(const SensorModel& model, SlotContents& contents);
/// Tactels of which no gain is known: newtons, but no counts.
void add_unscaled_tactels(const SensorModel& model, std::vector<Loss>& losses);

/// A weight over all tactels of a level pad.
struct PadWeight {
  double force_N = 0;  // on each tactel
  double mass_kg = 0;
  double depth_m = 0;
};
/// Half of what the model is valid for; half of the travel where it says nothing.
std::optional<double> half_load_N(const TactelPad& pad, const CubicSpring& spring,
                                  const SensorModel& model);
/// Of half_load_N() on each tactel; empty for a pad that is not level or of which no load is known.
std::optional<PadWeight> pad_weight(const TactelPad& pad, const CubicSpring& spring,
                                    const SensorModel& model, double gravity_m_per_s2);

/// For engines that step springs implicitly, which adds k dt to a damping: the first of the steps
/// with which that is no more than the tactel's own, else the last.
double longest_implicit_step_s(const TactelPad& pad, std::span<const double> steps_s);
/// STEP-DAMPING where k dt is more than the tactel's own damping even so; `engine`: "Bullet".
Warnings step_damping_warnings(const TactelPad& pad, double step_s, std::string_view engine);

/// Half the edge of a plate that covers a level pad with a centimetre to spare.
double plate_half_edge_m(const TactelPad& pad);

}  // namespace tactelier
