#pragma once
// The inside of Session, shared by session.cpp (reading) and session_check.cpp (checking).

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "libcalib/session/chunk_reader.hpp"
#include "libcalib/session/content_hash.hpp"
#include "libcalib/session/database.hpp"
#include "libcalib/session/session.hpp"
#include "libcalib/session/session_damage.hpp"
#include "libcalib/session/session_tables.hpp"

namespace tactelier {

struct Session::Impl {
  using ChunkVisitor = std::function<Result<void>(const NumberedChunk&)>;
  using ChunkHasher = std::function<Result<void>(const StreamSummary&, ContentHash&)>;

  explicit Impl(Database opened) : database(std::move(opened)) {}

  Result<const StreamSummary*> find(StreamKind kind) const;
  Result<std::vector<std::size_t>> positions(const StreamSummary& stream,
                                             std::span<const std::string> columns) const;
  /// Every chunk that overlaps `range`, in order; lost ones are noted and skipped.
  Result<void> walk(const StreamSummary& stream, TimeRange range, const Job& job,
                    const ChunkVisitor& visit);
  void summarize(const SessionTables::Stream& stream);
  /// Fed with everything that can be read, not ended.
  Result<ContentHash> open_hash(const ChunkHasher& add_chunks) const;
  Result<std::string> computed_hash(const ChunkHasher& add_chunks) const;
  Result<void> hash_headers(const StreamSummary& stream, ContentHash& hash);
  Result<void> hash_values(const StreamSummary& stream, ContentHash& hash, const Job& job);

  Database database;
  DamageLog damage;
  std::optional<ChunkReader> chunks;
  SessionMetadata metadata;
  std::vector<Event> events;
  std::vector<Edit> edits;
  std::vector<StreamSummary> streams;
  bool finished = false;
  std::optional<std::string> stored_hash;
};

}  // namespace tactelier
