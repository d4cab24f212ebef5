#pragma once
// Some columns of a session's streams over a stretch of host time: clocks lined up, forces turned
// along the press axis, travel positive downwards.

#include <span>
#include <string>
#include <vector>

#include "fitting/recording/session_clocks.hpp"
#include "libcalib/job.hpp"
#include "libcalib/result.hpp"
#include "libcalib/session/session.hpp"

namespace tactelier {

class SampleCache;

/// Columns of one stream; no samples when the session lacks the stream.
struct Source {
  Samples samples;                  // times are the host's
  double max_gap_s = 0;             // 0: times must agree exactly
  std::vector<std::size_t> spikes;  // samples taken out because they stood alone (spikes.hpp)

  bool there() const { return !samples.columns.empty(); }
  /// NaN outside, across gaps and where a cell is missing.
  std::vector<double> on(std::span<const double> times, std::size_t column) const;
};

struct StreamReader {
  const Session& session;
  const SessionClocks& clocks;
  TimeRange range;  // host time
  bool exact;       // static readings: no margin, no interpolation
  Job job;
  SampleCache* cache = nullptr;  // what was read before is there, what is read stays there

  /// Fails with kUnidentifiable where the stream's clock can't be placed, else as Session::read().
  /// A margin is read around the range, to interpolate at its ends.
  Result<Source> read(StreamKind kind, std::span<const std::string> columns) const;
  /// Column 0: compression along force_sensor.press_axis; 1 and 2: the two other axes of the
  /// sensor frame, with the same sign, turned by rz_deg (as far as the stream has them). Samples
  /// whose compression stands alone are missing.
  Result<Source> force() const;
  /// Travel: minus the encoder where there is one, else minus z.
  Result<Source> stage() const;
  /// x and y as the stage answered: beside an encoder one row for each answer, though its stream
  /// has a row for each of the encoder's samples. Nothing there where the stage tells no x and y.
  Result<Source> places() const;
  /// Without margin. Readings are not turned.
  Result<Source> tactile(std::span<const int> tactels) const;
};

/// The clocks that metadata promises, before the stage "time" has run: shared and host clocks are
/// taken as they are, clocks of their own are refused.
SessionClocks clocks_as_stated(const SessionMetadata& metadata);

}  // namespace tactelier
