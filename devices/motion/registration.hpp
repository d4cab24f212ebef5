#pragma once
// How the stage's x, y lie over the sensor's tactels: about nine presses at places of the stage
// frame, and where the array felt each. The place felt is the centre of the readings' rise. A pad
// spreads a press over its neighbours, thresholds cut the flanks, so the centre is drawn towards
// the middle of the nearest tactel: the fitted scale is below 1 for that reason alone, and the
// places pressed are symmetric about tactel centres so that it does not shift anything.
//
//   felt = R(rz) M S place + t,   M = diag(-1, 1) when mirrored, S = scale
//
// Both handednesses are fitted; the better one wins.

#include <array>
#include <functional>
#include <vector>

#include "devices/motion/descent.hpp"

namespace tactelier::rig {

struct FeltPress {
  double stage_x_m = 0, stage_y_m = 0;
  double felt_x_m = 0, felt_y_m = 0;  // sensor frame
  int tactel = 0;                     // that rose most
  int expected_tactel = 0;
};

struct FoundRegistration {
  StageToSensor frame;
  double scale = 1;  // felt over commanded distance
  double u_xy_m = 0, u_rz_rad = 0;
  double residual_m = 0;  // rms
  std::vector<FeltPress> presses;
  Warnings warnings;  // ROWS: rows or columns come in another order than the description's
};

/// Least squares over at least four places that aren't in a line. Fails with kUnidentifiable.
Result<FoundRegistration> fit_registration(const std::vector<FeltPress>& presses, double pitch_m);

/// Presses nine tactels of a grid to `force_N` and fits. The tip is back at the safe height
/// afterwards. Fails with kUnidentifiable when the array feels nothing.
Result<FoundRegistration> find_registration(LiveRig& live, RigMotion& motion, Descent& descent,
                                            const SensorDescription& sensor, const RigFile& rig,
                                            double force_N,
                                            const std::function<void(int, int)>& on_press = {});

/// How far two registrations put the same places apart, at most over the pad.
double registration_shift_m(const StageToSensor& a, const StageToSensor& b,
                            const SensorDescription& sensor);

}  // namespace tactelier::rig
