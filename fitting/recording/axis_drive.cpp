#include "fitting/recording/axis_drive.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tactelier {
namespace {

constexpr double kTwoPi = 2 * std::numbers::pi;

}  // namespace

double AxisDrive::microstep_error_m(double at_m) const {
  double error_m = 0;
  for (const auto& wave : microstep)
    if (wave.period_m > 0)
      error_m += wave.amplitude_m * std::sin(kTwoPi * at_m / wave.period_m + wave.phase_rad);
  return error_m;
}

Screw::Screw(const AxisDrive& drive, double start_m)
    : drive_(drive), driven_m_(stepped_m(start_m)), error_m_(drive.microstep_error_m(driven_m_)) {}

double Screw::stepped_m(double at_m) const {
  return drive_.step_m > 0 ? std::round(at_m / drive_.step_m) * drive_.step_m : at_m;
}

void Screw::turn_to(double nut_m) {
  const double play_m = drive_.backlash_m;
  const double before_m = driven_m_;
  driven_m_ = drive_.up_drives ? std::clamp(driven_m_, nut_m, nut_m + play_m)
                               : std::clamp(driven_m_, nut_m - play_m, nut_m);
  if (driven_m_ != before_m) error_m_ = drive_.microstep_error_m(driven_m_);
}

}  // namespace tactelier
