#pragma once
// Friction of a joint that turns steadily.

#include <cmath>

namespace tactelier {

/// Torque at constant angular speed w, with the Stribeck effect:
///   T(w) = sgn(w) [Tc + (Ts - Tc) exp(-(w / ws)^2)] + B w + T0       w in rad/s, T in N*m
/// Valid for w != 0 at constant speed: what starts to turn or speeds up needs more torque. T0 is
/// what pulls one way at all speeds: weight, preload, zero of the torque sensor.
/// Source: Armstrong-Helouvry, Dupont, Canudas de Wit, Automatica 30(7), 1994, section 3.
struct JointFrictionLaw {
  double coulomb_Nm = 0;                // Tc
  double breakaway_Nm = 0;              // Ts
  double stribeck_speed_rad_per_s = 1;  // ws
  double viscous_Nm_s_per_rad = 0;      // B
  double offset_Nm = 0;                 // T0

  /// exp(-(w / ws)^2): 1 near standstill, 0 in fast turning.
  double slow_share(double speed_rad_per_s) const {
    const double ratio = speed_rad_per_s / stribeck_speed_rad_per_s;
    return std::exp(-ratio * ratio);
  }
  double torque_Nm(double speed_rad_per_s) const {
    const double level_Nm = coulomb_Nm + (breakaway_Nm - coulomb_Nm) * slow_share(speed_rad_per_s);
    return std::copysign(level_Nm, speed_rad_per_s) + viscous_Nm_s_per_rad * speed_rad_per_s +
           offset_Nm;
  }
};

}  // namespace tactelier
