#pragma once
// What the stage "time" found out about a session's streams and every reader of samples uses.

#include <array>
#include <string>

#include "fitting/recording/clock_map.hpp"
#include "libcalib/session/stream.hpp"

namespace tactelier {

struct StreamTime {
  ClockMap map;         // from the stream's stamps to host time, latency taken out
  std::string refusal;  // why the stream can't be placed: code and words; empty when it can
};

struct SessionClocks {
  std::array<StreamTime, kStreamKinds.size()> streams;
  double u_latency_s = 0;  // standard: how late readings may still be against force

  StreamTime& of(StreamKind kind) { return streams[static_cast<std::size_t>(kind)]; }
  const StreamTime& of(StreamKind kind) const { return streams[static_cast<std::size_t>(kind)]; }
};

}  // namespace tactelier
