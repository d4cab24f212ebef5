#pragma once
// What is believed of a pad before it is measured: enough to plan with. Every number is an
// interval; plans use the middle for durations, the stiff end for peaks, the soft end for how far a
// ramp may have to go. Nothing of this ever enters a fit.
//
// Force of a flat punch of area A at depth d: F = (K_f A + e sqrt(A/A_ref)) d, with e chosen so
// that the reference punch has its known stiffness: layer springs plus the rim's share, which grows
// with the radius (Pasternak's foundation). For other shapes the contact area grows with depth and
// F is the integral of that stiffness over depth.

#include <optional>

#include "libcalib/sensor/indenter.hpp"
#include "libcalib/sensor/sensor_description.hpp"

namespace tactelier {

struct Expected {
  double low = 0;
  double value = 0;
  double high = 0;
};

enum class Belief { kLow, kValue, kHigh };
double pick(const Expected& expected, Belief belief);

struct ExpectedPad {
  // Kappassov et al.: a 1 mm pin on a WTS 0614 shows about 2 N/mm and saturates near 1.8 N; the
  // intervals cover rubbers a factor of two softer and stiffer.
  double punch_radius_m = 0.5e-3;
  Expected punch_stiffness_N_per_m{1000, 2000, 4000};
  Expected foundation_modulus_Pa_per_m{0.5e8, 2e8, 4e8};
  Expected press_saturation_N{1.2, 1.8, 2.4};  // of the reference punch on a tactel's centre
  Expected friction{0.3, 0.6, 1.2};
  Expected rig_compliance_m_per_N{1e-6, 12e-6, 30e-6};
  std::optional<double> thickness_m;  // where the sensor description gives none
};

/// Contact area at a depth; of a plate or an unknown mesh the sensing area.
double contact_area_m2(const Indenter& indenter, double depth_m, const SensorDescription& sensor);

/// Static force at a depth (>= 0).
double expected_force_N(const ExpectedPad& pad, Belief belief, const Indenter& indenter,
                        double depth_m, const SensorDescription& sensor);

/// The depth at which that force is reached; at most `most_m`.
double expected_depth_m(const ExpectedPad& pad, Belief belief, const Indenter& indenter,
                        double force_N, const SensorDescription& sensor, double most_m);

/// Force over the larger of contact area and one tactel's cell: what the pad's limit means.
double expected_pressure_Pa(double force_N, const Indenter& indenter, double depth_m,
                            const SensorDescription& sensor);

/// Force at which the pressed tactel is expected to stop rising under this indenter.
double expected_saturation_N(const ExpectedPad& pad, Belief belief, const Indenter& indenter,
                             double depth_m, const SensorDescription& sensor);

}  // namespace tactelier
