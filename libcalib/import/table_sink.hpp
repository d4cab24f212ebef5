#pragma once
// Spreads the rows of tables over the streams of a session and finds their events.

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "libcalib/import/chunk_builder.hpp"
#include "libcalib/import/event_maker.hpp"
#include "libcalib/import/event_spans.hpp"
#include "libcalib/import/stream_import.hpp"
#include "libcalib/import/table_audit.hpp"
#include "libcalib/import/table_reader.hpp"

namespace tactelier {

class TableSink {
 public:
  /// `reader` has opened its first table. Fails when the targets don't make whole streams: a tactel
  /// missing or beyond the sensor.
  static Result<TableSink> create(const TableMap& map, const TableReader& reader,
                                  std::string_view map_name, ImportRun& run);

  Result<void> take(const TableRow& row);
  /// Writes what is left, and the events found.
  Result<void> finish();
  /// SI time of a row.
  double time_s(const TableRow& row) const;
  /// Seconds in one unit of the tables' time.
  double time_to_si() const { return time_to_si_; }

 private:
  struct Source {
    std::size_t slot = 0;   // column of the stream
    std::size_t entry = 0;  // of the row
    bool negate = false;
  };
  struct Stream {
    std::unique_ptr<ChunkBuilder> builder;
    std::vector<Source> sources;
  };
  /// What events are found from, in SI.
  struct Signal {
    std::size_t entry = 0;
    double to_si = 1;
    double last = std::numeric_limits<double>::quiet_NaN();  // where a row says nothing of it
  };

  TableSink(const TableMap& map, const TableReader& reader, ImportRun& run);
  Result<void> add_stream(StreamKind kind, std::span<const MapTarget> targets,
                          std::string_view map_name);
  void trace(const MapTarget& target, std::size_t entry);
  static bool says_nothing(const Stream& stream, const TableRow& row);
  static double read(Signal& signal, const TableRow& row);
  static double read(std::optional<Signal>& signal, const TableRow& row);
  TracedRow traced_row(const TableRow& row);
  /// Whether the row holds what presses are found by: the force, else the depth, else a reading.
  bool measures_load(const TableRow& row) const;
  Result<void> add_events();
  Result<void> add_loads(const MadeEvents& made);

  const TableMap& map_;
  const TableReader& reader_;
  ImportRun& run_;
  TableAudit audit_;
  double time_to_si_ = 1;
  std::string time_unit_ = "s";
  std::vector<Stream> streams_;
  std::vector<std::unique_ptr<SpanFinder>> finders_;  // one per rule
  std::optional<Signal> force_, x_, y_, z_;
  std::vector<Signal> readings_;  // only where a rule needs them
  std::vector<Decimal> times_;    // of all rows, only where the map states loads
};

}  // namespace tactelier
