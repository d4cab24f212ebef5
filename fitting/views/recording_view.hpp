#pragma once
// What a person sees of a whole recording, from the stored minima and maxima: nothing is decoded,
// so an hour shows at once. `clocks`: see viewing_clocks.hpp; times are the host's.

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "fitting/recording/session_clocks.hpp"
#include "libcalib/job.hpp"
#include "libcalib/session/session.hpp"

namespace tactelier {

struct Envelope {
  std::vector<OverviewPoint> points;  // min <= max
};

/// Force along the press axis, compression positive. Empty without a force stream.
Result<Envelope> force_envelope(const Session& session, const SessionClocks& clocks);
/// Stage travel, positive down. Empty without a stage.
Result<Envelope> travel_envelope(const Session& session, const SessionClocks& clocks);

/// Force over travel of one press, one point per stored chunk of the force.
struct PressTrace {
  int press = 0;
  std::vector<double> travel_m;
  std::vector<double> force_N;
};

/// Traces of all presses that hold at least two force chunks; travel by straight lines in time.
std::vector<PressTrace> press_traces(const Envelope& force, const Envelope& travel,
                                     std::span<const Press> presses);

/// What its extremes say about a tactel. Of a long recording stretches are read, so min and max are
/// inner bounds there; dead and stuck are said only after a look at the whole.
struct TactelExtremes {
  double min = 0;  // counts; NaN when it never had a reading
  double max = 0;
  bool dead = false;   // never moved from an end of the converter (0 without a range)
  bool stuck = false;  // never moved from another value
};

/// By tactel; sensors with several channels per tactel: the one that is shown. Empty without a tactile stream.
Result<std::vector<TactelExtremes>> tactel_extremes(const Session& session, const Job& job);

/// Names of the tactile columns to show, one per tactel: of several channels the normal one, z, or
/// else the first, as fitted.
std::vector<std::string> tactel_columns(const Session& session);

}  // namespace tactelier
