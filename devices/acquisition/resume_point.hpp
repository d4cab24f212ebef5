#pragma once
// Where a plan goes on in a recording that was cut off: behind the last piece of work that the
// recording has whole. A piece is what lies between a begin and its end outside any other pair: a
// press, a slide, an image, a zero, a touch of plate or reference; or a weight. Pieces are told by
// what their begin says (kind, tactel, place, speed), numbers left out.
//
// A press that was done again counts once; one that was never ended, aborted as the last thing of
// all, or withdrawn at the rig and not yet done again, is done again.

#include <span>

#include "libcalib/protocol/plan.hpp"
#include "libcalib/protocol/protocol.hpp"
#include "libcalib/session/session.hpp"

namespace tactelier::rig {

struct ResumePoint {
  std::size_t segment = 0;  // of the plan: a way through the air, or its end when all is done
  int presses = 0;          // numbers that the recording has used
  int pieces_done = 0, pieces = 0;
  /// What is on the tip there.
  std::optional<MountedIndenter> indenter;
};

/// With which the recording was begun, with the steps that it was given later. Fails with
/// kInvalidInput when it holds none.
Result<Protocol> protocol_of(const Session& session);

/// Fails with kInvalidInput when the events are none of this plan's.
Result<ResumePoint> resume_point(const Plan& plan, std::span<const Event> events,
                                 std::span<const Edit> edits);

/// Where the plan `moved`, of the same protocol over another surface, goes on behind the tip that
/// was mounted last before `segment` of `plan`: a way through the air may be a piece more or less
/// there, so that no segment keeps its number. Empty where it mounts fewer tips or has other
/// presses.
std::optional<std::size_t> behind_same_tip(const Plan& plan, std::size_t segment,
                                           const Plan& moved);

/// From where the tip comes through the air to that segment.
std::size_t way_to(const Plan& plan, std::size_t segment);

}  // namespace tactelier::rig
