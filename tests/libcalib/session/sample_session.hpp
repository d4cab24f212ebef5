#pragma once
// A small session whose every number follows from its row: what tests write and expect back.

#include <cstdint>
#include <filesystem>
#include <vector>

#include "libcalib/session/metadata.hpp"
#include "libcalib/session/session_writer.hpp"

namespace tactelier::test {

SessionMetadata sample_metadata();

struct StoredStream {
  StreamInfo info;
  std::vector<StreamChunk> chunks;
};

/// Force (decimals, some missing, some with exponents of their own), stage (a constant column),
/// tactile (84 noisy columns), `seconds` long, chunks of 100 ms.
std::vector<StoredStream> sample_streams(double seconds);
std::vector<Event> sample_events();

/// Writes all of it; `finish` false leaves it as a killed recorder would, closed without finish().
void write_sample(const std::filesystem::path& file, const std::vector<StoredStream>& streams,
                  const std::vector<Event>& events, bool finish = true);

}  // namespace tactelier::test
