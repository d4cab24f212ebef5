#pragma once
// Streams on clocks of their own, lined up well enough to be looked at: from arrival times in a few
// stretches, so that an hour opens at once. A fit's stage "time" reads all of them.

#include <span>
#include <string>

#include "fitting/recording/session_clocks.hpp"
#include "libcalib/job.hpp"
#include "libcalib/session/session.hpp"

namespace tactelier {

/// Per stream of its own clock: straight lines through the soonest arrivals of up to 16 stretches
/// of 2 s (error: what the soonest message of a stretch took, well below a millisecond on a wire).
/// A stream without arrival times (t_host) keeps its own time and has a refusal.
Result<SessionClocks> viewing_clocks(const Session& session, const Job& job);

/// Session::read() with range and times on the host's clock.
Result<Samples> read_lined_up(const Session& session, const SessionClocks& clocks, StreamKind kind,
                              std::span<const std::string> columns, TimeRange host, const Job& job);

}  // namespace tactelier
