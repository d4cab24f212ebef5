#pragma once
// The options of Genesis's sensors, apart from the files that hold them: names, units and limits
// are those of genesis/options/sensors/tactile.py.

#include <array>
#include <nlohmann/json.hpp>

#include "reports/export/tactel_pad.hpp"

namespace tactelier {

struct GenesisPad : TactelPad {
  std::optional<double> damping_N_s_per_m2;  // c / x at x, half of the range's depth
  double damping_at_m = 0;                   // that x
  std::optional<double> shear_N_s_per_m;
  std::optional<double> counts_per_N;  // of the middle tactel
  std::optional<double> resolution_N, noise_N, latency_s;
  std::optional<double> spread_m;  // else kernel_s
  std::optional<double> kernel_s_tactels;
  std::optional<double> hysteresis, hysteresis_tau_s;  // of the strongest relaxation
};

std::span<const Slot> genesis_slots();
GenesisPad genesis_pad(const SensorModel& model, const SlotContents& contents);

/// Keyword arguments of one KinematicTaxel for an array; `first` is its first tactel. Nothing where
/// every tactel is dead.
std::optional<nlohmann::ordered_json> kinematic_taxel(const SensorModel& model,
                                                      const GenesisPad& pad, std::size_t array,
                                                      std::size_t first);
/// Least and greatest relative sensitivity of the tactels of an array that read.
std::array<double, 2> probe_gain_range(const GenesisPad& pad, std::size_t first, std::size_t count);
/// Of one ContactForce per tactel that reads, each with its "link".
nlohmann::ordered_json contact_forces(const GenesisPad& pad);

}  // namespace tactelier
