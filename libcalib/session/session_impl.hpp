#pragma once
// The inside of Session, shared by session.cpp (reading) and session_check.cpp (checking).

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "libcalib/session/chunk_reader.hpp"
#include "libcalib/session/content_hash.hpp"
#include "libcalib/session/database.hpp"
#include "libcalib/session/session.hpp"
#include "libcalib/session/session_damage.hpp"
#include "libcalib/session/session_file.hpp"
#include "libcalib/session/session_tables.hpp"

namespace tactelier {

struct Session::Impl {
  using ChunkVisitor = std::function<Result<void>(ChunkReader&, const NumberedChunk&)>;
  using ChunkHasher = std::function<Result<void>(const StreamSummary&, ContentHash&)>;

  /// A connection of its own with its statements, for one walk at a time.
  struct Reader {
    Database database;
    std::optional<ChunkReader> chunks;
  };
  /// Of the reader that a walk has for itself; given back at the end of its scope.
  class Lease;

  explicit Impl(Database database) : first{std::move(database), std::nullopt} {}

  Result<const StreamSummary*> find(StreamKind kind) const;
  Result<std::vector<std::size_t>> positions(const StreamSummary& stream,
                                             std::span<const std::string> columns) const;
  /// Every chunk that overlaps `range`, in order; lost ones are noted and skipped. From any thread.
  Result<void> walk(const StreamSummary& stream, TimeRange range, const Job& job,
                    const ChunkVisitor& visit);
  /// Not in use by anyone; nullptr where no further connection can be opened.
  std::unique_ptr<Reader> take_spare();
  void summarize(const SessionTables::Stream& stream);
  /// Fed with everything that can be read, not ended.
  Result<ContentHash> open_hash(const ChunkHasher& add_chunks) const;
  Result<std::string> computed_hash(const ChunkHasher& add_chunks) const;
  Result<void> hash_headers(const StreamSummary& stream, ContentHash& hash);
  Result<void> hash_values(const StreamSummary& stream, ContentHash& hash, const Job& job);

  DamageLog damage;
  Reader first;                        // opened with the session
  std::recursive_mutex first_in_use;   // by the thread that walks with it
  std::optional<FileIdentity> opened;  // of the file; empty: no further connection can be opened
  std::mutex spare_in_use;             // `opened` and the list, not its readers
  std::vector<std::unique_ptr<Reader>> spare;
  SessionMetadata metadata;
  std::vector<Event> events;
  std::vector<Edit> edits;
  std::vector<StreamSummary> streams;
  bool finished = false;
  std::optional<std::string> stored_hash;
};

}  // namespace tactelier
