#pragma once
// Writes a .tact file: one SQLite database, described in docs/session-format.md.
// Not thread-safe; Recorder (recorder.hpp) puts a ring and a thread in front of it.

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "libcalib/result.hpp"
#include "libcalib/session/events.hpp"
#include "libcalib/session/metadata.hpp"
#include "libcalib/session/stream.hpp"

namespace tactelier {

class SessionWriter {
 public:
  /// A new file; fails with kIo when one is there already. WAL, synchronous=FULL: everything up to
  /// the last commit() survives whatever kills the program or the machine.
  static Result<SessionWriter> create(const std::filesystem::path& file,
                                      const SessionMetadata& metadata);
  /// Goes on with a recording that was cut off, or closed too early: streams, chunks, events and
  /// hash continue where they ended; a stored content hash is taken back until finish(). Fails with
  /// kDamaged when any part of it can't be read, with kIo when it can't be written.
  static Result<SessionWriter> reopen(const std::filesystem::path& file);
  /// Like create() for an import that is thrown away when it fails: no syncs before finish().
  static Result<SessionWriter> create_import(const std::filesystem::path& file,
                                             const SessionMetadata& metadata);

  SessionWriter(SessionWriter&&) noexcept;
  SessionWriter& operator=(SessionWriter&&) noexcept;
  ~SessionWriter();  // without finish(): the file stays as it was at the last commit

  struct StreamEnd {
    StreamInfo info;
    double last_s = 0;  // minus infinity before the first chunk
  };
  /// Where each stream stands.
  std::vector<StreamEnd> stream_ends() const;

  /// One stream per kind, before its first chunk.
  Result<void> add_stream(const StreamInfo& stream);
  /// Chunks of a stream in time order; columns as in its StreamInfo.
  Result<void> append(StreamKind stream, const StreamChunk& chunk);
  Result<void> add_event(const Event& event);
  /// A decision made while recording; time and author are filled in.
  Result<void> add_edit(const Edit& edit);
  Result<void> commit();
  /// Commits, stores the content hash, and leaves one file without -wal.
  Result<void> finish();

 private:
  struct Impl;
  explicit SessionWriter(std::unique_ptr<Impl> impl);
  static Result<SessionWriter> create_for(const std::filesystem::path& file,
                                          const SessionMetadata& metadata, bool import);
  static Result<SessionWriter> fill_new_file(const std::filesystem::path& file,
                                             const SessionMetadata& metadata, bool import);
  std::unique_ptr<Impl> impl_;
};

/// Adds to the edits of an existing file, in one transaction; time and author are filled in.
/// The recording itself is not touched.
Result<void> add_edits(const std::filesystem::path& file, std::vector<Edit> edits);

}  // namespace tactelier
