#pragma once
// Reads the small tables of a .tact file: everything but samples. Rows whose checksum fails are
// left out and noted.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "libcalib/result.hpp"
#include "libcalib/session/events.hpp"
#include "libcalib/session/session_damage.hpp"
#include "libcalib/session/session_open.hpp"
#include "libcalib/session/stream.hpp"

namespace tactelier {

struct SessionTables {
  struct Stream {
    StreamInfo info;
    std::int64_t rows = 0;
    std::int64_t chunks = 0;
  };
  std::string document;  // metadata
  bool finished = false;
  std::optional<std::string> content_hash;  // stored by finish(), unless damaged
  std::vector<Stream> streams;
  std::vector<Event> events;
  std::vector<Edit> edits;
};

/// Fails with kDamaged only where the metadata can't be read: without them nothing has a meaning.
Result<SessionTables> read_tables(const OpenedSession& opened, DamageLog& damage);

}  // namespace tactelier
