#pragma once
// Reads a .tact file. Samples are streamed chunk by chunk: memory stays small for any length, and
// one column is read without decoding the others. A damaged chunk is left out, noted in damage(),
// and the rest stays usable.

#include <filesystem>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "libcalib/job.hpp"
#include "libcalib/result.hpp"
#include "libcalib/session/events.hpp"
#include "libcalib/session/metadata.hpp"
#include "libcalib/session/stream.hpp"

namespace tactelier {

/// Half-open, on the stream's own clock (host seconds when clocks are shared).
struct TimeRange {
  double begin_s = -std::numeric_limits<double>::infinity();
  double end_s = std::numeric_limits<double>::infinity();
};

/// Columns of one stream in SI units. columns[i][row]; missing cells are NaN.
struct Samples {
  std::vector<double> time_s;
  std::vector<std::vector<double>> columns;
  std::size_t rows() const { return time_s.size(); }
};

/// A stretch that was left out, because reading it would have given wrong numbers.
struct Damage {
  std::optional<StreamKind> stream;  // empty: events, edits or the file as a whole
  std::string column;                // empty: all columns
  double begin_s = 0;                // time range of the chunks, as far as known, else NaN
  double end_s = 0;
  std::string what;

  std::string describe() const;  // "force, column Fz, 12.3 s to 12.5 s: its checksum ..."
};

struct StreamSummary {
  StreamInfo info;
  std::uint64_t rows = 0;
  std::uint64_t chunks = 0;
  double begin_s = 0;
  double end_s = 0;
  /// (rows - 1) / (end - begin); empty with fewer than two rows.
  std::optional<double> rate_hz() const;
};

/// Minimum and maximum of one column over one chunk as it was recorded (about 100 ms): enough for a
/// plot of an hour.
struct OverviewPoint {
  double begin_s = 0;
  double end_s = 0;
  double min = 0;  // SI; NaN when all are missing
  double max = 0;
};

class Session {
 public:
  /// Opens for reading; a file that was being written when the machine died opens just the same, a
  /// file on read-only media too. A message each for: no such file, empty, not SQLite, another
  /// program's SQLite file, a newer version, truncated.
  static Result<Session> open(const std::filesystem::path& file);

  Session(Session&&) noexcept;
  Session& operator=(Session&&) noexcept;
  ~Session();

  const std::filesystem::path& file() const;
  const SessionMetadata& metadata() const;
  const std::vector<Event>& events() const;
  const std::vector<Edit>& edits() const;
  /// Streams that are there, in the order of kStreamKinds.
  const std::vector<StreamSummary>& streams() const;
  const StreamSummary* stream(StreamKind kind) const;
  /// Closed by finish() (false: the recording was cut off; all that was committed is here).
  bool finished() const;

  using SampleSink = std::function<Result<void>(const Samples&)>;
  using ChunkSink = std::function<Result<void>(const StreamChunk&)>;

  /// Calls `sink` once per chunk that overlaps `range`, rows outside `range` left out. `columns`
  /// are names; unknown ones fail with kInvalidInput. Like read(), from any number of threads at
  /// once: each reads through a connection of its own.
  Result<void> scan(StreamKind stream, std::span<const std::string> columns, TimeRange range,
                    const SampleSink& sink, const Job& job = {}) const;
  /// The same in one piece, for a press or a short stretch.
  Result<Samples> read(StreamKind stream, std::span<const std::string> columns, TimeRange range,
                       const Job& job = {}) const;
  /// All columns as stored integers, chunk by chunk in order: for unpack and exact copies.
  Result<void> scan_stored(StreamKind stream, const ChunkSink& sink, const Job& job = {}) const;
  /// From the stored minima and maxima; of a compacted recording the column is decoded.
  Result<std::vector<OverviewPoint>> overview(StreamKind stream, std::string_view column,
                                              TimeRange range = {}) const;

  /// SHA-256 (hex) over chunk checksums, metadata and events, edits left out.
  Result<std::string> content_hash() const;
  /// Decodes everything; what is damaged is in damage() afterwards.
  Result<void> check(const Job& job = {}) const;
  /// Damage met so far by any read; not while another thread reads.
  const std::vector<Damage>& damage() const;

 private:
  friend class SessionWriter;  // goes on where a session ends
  struct Impl;
  explicit Session(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace tactelier
