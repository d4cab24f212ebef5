#pragma once
// Where a joint turns steadily: one speed and one torque of each such run.

#include <span>
#include <string>
#include <vector>

#include "libcalib/job.hpp"
#include "libcalib/result.hpp"
#include "libcalib/session/session.hpp"

namespace tactelier {

struct TurningRun {
  double speed_rad_per_s = 0;  // signed
  double torque_Nm = 0;        // mean
  std::size_t rows = 0;
};

/// One joint of a recording, a value per row. `angle_rad` or `speed_rad_per_s` may be empty.
struct JointRows {
  std::vector<double> time_s, angle_rad, speed_rad_per_s, torque_Nm;
};

/// Names of the joints whose torque a session holds beside an angle or an angular speed, "" of the
/// one without a name.
std::vector<std::string> joints_of(const Session& session);
/// Rows that hold all that the joint has. Fails as Session::read().
Result<JointRows> read_joint(const Session& session, const std::string& joint, const Job& job);

/// Each row by itself: readings at rest hold one speed and one torque each. Where several `tables`
/// (stretches of time) hold many rows each, of one speed but for its noise, each table is a run:
/// its rows follow one another, and about zero their noise would turn the sign.
std::vector<TurningRun> runs_of_rows(const JointRows& rows, std::span<const TimeRange> tables);
/// Stretches of a time series in which the speed stays within a tenth of itself (or its noise),
/// without their ends. Speed comes from the angle where it was recorded.
std::vector<TurningRun> steady_runs(const JointRows& rows);

}  // namespace tactelier
