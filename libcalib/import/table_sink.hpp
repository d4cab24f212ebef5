#pragma once
// Spreads the rows of a table over the streams of a session and finds its presses.

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "libcalib/import/chunk_builder.hpp"
#include "libcalib/import/press_finder.hpp"
#include "libcalib/import/stream_import.hpp"
#include "libcalib/import/table_map.hpp"

namespace tactelier {

/// A row of a table as integers, so that it can be sorted: [0] time, [1] press group, then one
/// entry per mapped column.
struct TableRow {
  static constexpr std::size_t kTime = 0;
  static constexpr std::size_t kGroup = 1;
  static constexpr std::size_t kFirst = 2;
  std::vector<std::int64_t> mantissas;
  std::vector<std::int8_t> exponents;
};

class TableSink {
 public:
  /// `targets[i]` is entry kFirst + i of a row. Fails when the targets don't make whole streams:
  /// a tactel missing or beyond the sensor.
  static Result<TableSink> create(const TableMap& map, std::span<const MapTarget> targets,
                                  std::string_view map_name, ImportRun& run);

  Result<void> take(const TableRow& row);
  /// Writes what is left, and the events of the presses found.
  Result<void> finish();
  /// SI time of a row.
  double time_s(const TableRow& row) const;

 private:
  struct Source {
    std::size_t slot = 0;   // column of the stream
    std::size_t entry = 0;  // of the row; 0xFF...: the constant
    Decimal constant;
    bool negate = false;
  };
  struct Stream {
    std::unique_ptr<ChunkBuilder> builder;
    std::vector<Source> sources;
  };
  /// Where presses are read from; entry or constant, in SI.
  struct Signal {
    Source source;
    double to_si = 1;
  };

  TableSink(const TableMap& map, ImportRun& run);
  Result<void> add_stream(StreamKind kind, std::span<const MapTarget> targets,
                          std::string_view map_name);
  std::optional<double> read(const std::optional<Signal>& signal, const TableRow& row) const;
  TracedRow traced_row(const TableRow& row) const;
  Result<void> add_press(const FoundPress& press, int number);
  std::vector<FoundPress> find_presses();

  const TableMap& map_;
  ImportRun& run_;
  double time_to_si_ = 1;
  std::string time_unit_ = "s";
  std::vector<Stream> streams_;
  std::optional<Signal> force_;
  std::optional<Signal> x_;
  std::optional<Signal> y_;
  bool finds_presses_;
  std::variant<GroupPresses, ThresholdPresses> presses_;
};

}  // namespace tactelier
