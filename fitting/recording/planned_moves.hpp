#pragma once
// What the stage was told, where a recording does not say: the protocol is planned anew for the rig
// in the metadata, and the events say when each part of it happened.

#include <vector>

#include "libcalib/session/moves.hpp"
#include "libcalib/session/session.hpp"

namespace tactelier {

/// Lines whose begin or end an event marks, in order of time, each with the time at which it
/// began; `line` is the segment's number in the plan. Left out is what feedback decided: ways to
/// a force, ways back from wherever one ended, oscillations. Empty without protocol or rig, or
/// where they can't be planned.
std::vector<Move> planned_moves(const Session& session);

}  // namespace tactelier
