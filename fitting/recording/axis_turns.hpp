#pragma once
// What the commands of a path make a nut do, time by time: the part of a virtual encoder
// (virtual_encoder.hpp) that is the same whatever the axis' play, microstep error and ringing.
// Where those are sought it is computed once, and the axis with all its derivatives in one pass
// over it. docs/theory/clocks.md 8.

#include <Eigen/Core>
#include <cstdint>
#include <span>
#include <vector>

#include "fitting/recording/axis_drive.hpp"
#include "fitting/recording/commanded_path.hpp"
#include "fitting/recording/virtual_encoder.hpp"

namespace tactelier {

struct AxisTurns {
  struct Turn {
    double nut_m = 0;       // where it turned to
    std::int32_t nut = 0;   // in whole steps; 0 where there are none
    double left = kAtOnce;  // of the period, from when it was due
  };
  static constexpr double kAtOnce = -1;  // the axis is there without ringing

  double step_m = 0;    // 0: the nut follows the command
  double period_s = 0;  // between times that follow each other
  double start_m = 0;   // the nut before all
  std::vector<Turn> turns;
  std::vector<std::size_t> end;      // of the turns up to each time
  std::vector<std::uint8_t> rested;  // the time before is so far back that the axis is at rest
};

/// Of `axis` (0 x, 1 y, 2 z; stage frame), at rising times, `delay_s` after the command. Each step
/// is placed within its period by a straight line of the command. Needs a line in the path.
AxisTurns axis_turns(const CommandedPath& path, std::size_t axis, double step_m, double delay_s,
                     double period_s, std::span<const double> times_s);

/// By what an axis' places are derived.
enum AxisParameter : Eigen::Index {
  kAxisBacklash,   // AxisDrive::backlash_m
  kAxisRippleCos,  // microstep[0] as a cos + b sin of its phase, m
  kAxisRippleSin,
  kAxisSecondCos,  // microstep[1], likewise
  kAxisSecondSin,
  kAxisLogRing,  // log of AxisRing::frequency_hz
  kAxisRingDamping,
};
/// By AxisParameter, and one more, so that they go in pairs.
using AxisSlopes = Eigen::Array<double, 8, 1>;

/// Places of the axis at the turns' times, m; without `ring` steps are made at once. `drive` has
/// the step and the delay of the turns. `slopes` may be null.
std::vector<double> turned_axis_m(const AxisTurns& turns, const AxisDrive& drive,
                                  const AxisRing* ring, std::vector<AxisSlopes>* slopes);

}  // namespace tactelier
