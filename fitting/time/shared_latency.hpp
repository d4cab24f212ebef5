#pragma once
// A latency belongs to a pair of devices, not to a recording: electronics, drivers and buffers add
// it, whatever is pressed. What one session of a fit finds out holds for all sessions of the same
// two devices; where none does, how late readings may be stands in every interval that rests on it.

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "fitting/statistics/identified.hpp"
#include "libcalib/session/metadata.hpp"

namespace tactelier {

/// Sessions with equal texts were recorded with the same force sensor, the same other device and
/// the same kind of stamps. `other`: kTactile or kStage.
std::string device_pair(const SessionMetadata& metadata, StreamKind other);

/// One latency from those that sessions found, in any order: weighted mean, widened where they
/// differ by more than they should (Birge).
struct SharedLatency {
  Estimate latency_s;
  bool agree = true;  // what they differ by is chance (p > 0.001)
};
std::optional<SharedLatency> share_latencies(std::vector<Estimate> found);

/// Never measured: a frame, and what USB and serial links usually add.
double assumed_latency_limit_s(double frame_s);

}  // namespace tactelier
