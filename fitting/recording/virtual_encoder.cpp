#include "fitting/recording/virtual_encoder.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tactelier {
namespace {

constexpr double kTwoPi = 2 * std::numbers::pi;

/// The screw and its nut.
class Drive {
 public:
  Drive(const AxisDrive& drive, double start_m) : drive_(drive), driven_m_(stepped_m(start_m)) {}

  void command(double at_m) {
    const double nut_m = stepped_m(at_m);
    const double play_m = drive_.backlash_m;
    driven_m_ = drive_.up_drives ? std::clamp(driven_m_, nut_m, nut_m + play_m)
                                 : std::clamp(driven_m_, nut_m - play_m, nut_m);
  }
  double place_m() const { return driven_m_ + drive_.microstep_error_m(driven_m_); }

 private:
  double stepped_m(double at_m) const {
    return drive_.step_m > 0 ? std::round(at_m / drive_.step_m) * drive_.step_m : at_m;
  }

  const AxisDrive& drive_;
  double driven_m_;
};

}  // namespace

double AxisDrive::microstep_error_m(double at_m) const {
  double error_m = 0;
  for (const auto& wave : microstep)
    if (wave.period_m > 0)
      error_m += wave.amplitude_m * std::sin(kTwoPi * at_m / wave.period_m + wave.phase_rad);
  return error_m;
}

std::vector<double> virtual_encoder_m(const CommandedPath& path, std::size_t axis,
                                      const AxisDrive& drive, std::span<const double> times_s) {
  const auto& lines = path.lines();
  if (lines.empty()) return {};
  Drive screw(drive, lines.front().motion.from_m()[axis]);
  std::vector<double> places_m;
  places_m.reserve(times_s.size());
  std::size_t at = 0;  // the line under way
  for (const double time_s : times_s) {
    const double told_s = time_s - drive.delay_s;
    for (; at + 1 < lines.size() && lines[at + 1].begin_s <= told_s; ++at) {
      screw.command(lines[at].place_m(lines[at].end_s)[axis]);
      screw.command(lines[at + 1].motion.from_m()[axis]);
    }
    screw.command(lines[at].place_m(told_s)[axis]);
    places_m.push_back(screw.place_m());
  }
  return places_m;
}

}  // namespace tactelier
