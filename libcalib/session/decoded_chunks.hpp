#pragma once
// Columns of the chunks that were read last, decoded. A chunk of a closed recording holds thousands
// of rows, a dozen short presses: read one by one, each press would decode all of it again.

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>

#include "libcalib/session/stream.hpp"

namespace tactelier {

/// Shared with whoever reads it: the chunk may be forgotten meanwhile.
using DecodedColumn = std::shared_ptr<const ColumnChunk>;

/// Of each stream's chunks, one connection: 2000 tactels at 4091 rows.
constexpr std::size_t kMaxDecodedBytes = std::size_t{64} << 20;

/// One chunk of each stream, the last that was asked for; of one that is larger than the bound, the
/// columns that came first. Not thread-safe.
class DecodedChunks {
 public:
  explicit DecodedChunks(std::size_t max_bytes = kMaxDecodedBytes) : max_bytes_(max_bytes) {}

  /// Null where it is not kept.
  DecodedColumn find(StreamKind stream, std::int64_t chunk, std::size_t position) const;
  void keep(StreamKind stream, std::int64_t chunk, std::size_t position, DecodedColumn column);

 private:
  struct Chunk {
    std::int64_t id = -1;
    std::size_t bytes = 0;
    std::map<std::size_t, DecodedColumn> columns;  // by position
  };

  std::size_t max_bytes_;
  std::array<Chunk, kStreamKinds.size()> chunks_;
};

}  // namespace tactelier
