#include "devices/motion/descent_law.hpp"

#include <algorithm>

namespace tactelier::rig {
namespace {

constexpr double kSurfaceDoubt_m = 50e-6;  // of the pad's height
constexpr double kPlaceDoubt_m = 300e-6;   // of what is beside the pad, as the rig file has it
constexpr double kFeltDoubt_m = 30e-6;     // of where they were felt before, by this tip
constexpr double kStiffestPad_N_per_m = 50e3;
// Steel on steel behind a sensor that gives 1 um under 8 N (Nano17) or less: stiffer than any frame
// around it. The simulated plate has half of it.
constexpr double kStiffestRig_N_per_m = 10e6;
constexpr double kLeastStep_m = 1e-6;  // of a jog: three decimals of a millimetre

}  // namespace

DescentLaw::DescentLaw(Touch touch, double stage_step_m)
    : touch_(touch), least_step_m_(std::max(kLeastStep_m, stage_step_m)) {}

void DescentLaw::begin_press() {
  seen_.begin_press();
  rest_z_m_.reset();
  in_contact_ = false;
  slope_N_per_m_ = least_slope_N_per_m_ = 0;
}

void DescentLaw::see(double z_m, std::int64_t place_ns, double force_N, std::int64_t force_ns) {
  if (force_N < kTouch_N || force_ns < place_ns) return;
  seen_.see(z_m, force_N);
}

/// The first touch came somewhere within the last piece: the middle is assumed.
void DescentLaw::rest(double z_m, double force_N) {
  const bool touches = force_N >= kTouch_N;
  const bool first = touches && !in_contact_;
  if (touches && rest_z_m_ && *rest_z_m_ > z_m) {
    least_slope_N_per_m_ = (force_N - rest_N_) / (*rest_z_m_ - z_m);
    slope_N_per_m_ = (first ? 2 : 1) * least_slope_N_per_m_;
  }
  if (first && touch_ != Touch::kPad) felt_z_m_ = z_m;
  in_contact_ = in_contact_ || touches;
  rest_z_m_ = z_m;
  rest_N_ = force_N;
}

/// In air the touch may come as early as the doubt says.
double DescentLaw::air_m(const DescentGoal& goal, double z_m, double force_N) const {
  if (force_N > kTouch_N) return 0;
  const double stated_m =
      goal.surface_z_m + (touch_ == Touch::kPad ? kSurfaceDoubt_m : kPlaceDoubt_m);
  return std::max(0.0, z_m - (felt_z_m_ ? *felt_z_m_ + kFeltDoubt_m : stated_m));
}

double DescentLaw::step_m(const DescentGoal& goal, double force_N) const {
  const bool pad = touch_ == Touch::kPad;
  const double stiffest_N_per_m = pad       ? kStiffestPad_N_per_m
                                  : known() ? bound_N_per_m()
                                            : expected_N_per_m_.value_or(kStiffestRig_N_per_m);
  const double room_N = std::max(0.0, goal.ceiling_N - force_N);
  return std::clamp(0.5 * room_N / stiffest_N_per_m, least_step_m_,
                    std::max(kStep_m, least_step_m_));
}

double DescentLaw::reach_m(const DescentGoal& goal, double z_m, double force_N) const {
  if (!known()) return 0;
  const double air = air_m(goal, z_m, force_N);
  return air + seen_.reach_m(z_m - air, force_N, goal.ceiling_N);
}

std::optional<double> DescentLaw::piece_m(const DescentGoal& goal, double z_m,
                                          double force_N) const {
  // Of a pad its own limit is watched, which only ends the press.
  if (touch_ != Touch::kPad && force_N + slope_N_per_m_ * least_step_m_ > goal.ceiling_N)
    return std::nullopt;
  const double air = air_m(goal, z_m, force_N);
  const double step = step_m(goal, force_N);
  if (known()) return std::max(air + step, reach_m(goal, z_m, force_N));
  return air > kStep_m ? air : step;
}

}  // namespace tactelier::rig
