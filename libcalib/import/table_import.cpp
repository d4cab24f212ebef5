#include <limits>
#include <string>
#include <system_error>
#include <unordered_map>

#include "libcalib/import/import.hpp"
#include "libcalib/import/number_rows.hpp"
#include "libcalib/import/partial_file.hpp"
#include "libcalib/import/row_sorter.hpp"
#include "libcalib/import/stream_header.hpp"
#include "libcalib/import/table_sink.hpp"
#include "libcalib/json_check.hpp"

namespace tactelier {
namespace {

namespace fs = std::filesystem;

/// Reads the table row by row.
class TableReader {
 public:
  TableReader(CsvReader& reader, const TableMap& map) : reader_(reader), map_(map) {}

  /// The header: every column of the table is in the map and the other way round.
  Result<void> read_header() {
    const auto first = reader_.next();
    if (!first) return fail(first.error());
    if (!*first)
      return fail(ErrorCode::kInvalidInput, "{}: only blank lines; a header is needed",
                  reader_.blocks().name());
    std::vector<std::string> names;
    for (const auto cell : reader_.cells()) {
      if (const auto text = check_text(cell, reader_.place()); !text) return text;
      names.emplace_back(trimmed(cell));
    }
    for (const auto& [name, target] : map_.columns)
      if (std::find(names.begin(), names.end(), name) == names.end())
        return fail(ErrorCode::kInvalidInput, "{}: column '{}', which the map names, is missing{}",
                    reader_.place(), name, did_you_mean(name, names));
    for (const auto& name : names)
      if (const auto added = add_column(name); !added) return added;
    return {};
  }

  const std::vector<MapTarget>& targets() const { return targets_; }

  /// False at the end.
  Result<bool> next(TableRow& row) {
    const auto more = reader_.next();
    if (!more || !*more) return more;
    const auto cells = reader_.cells();
    if (cells.size() != columns_.size())
      return bad(fmt::format("{} cells, but the header has {} columns: the row is too {}",
                             cells.size(), columns_.size(),
                             cells.size() < columns_.size() ? "short" : "long"));
    row.mantissas.assign(TableRow::kFirst + targets_.size(), 0);
    row.exponents.assign(row.mantissas.size(), 0);
    std::size_t entry = TableRow::kFirst;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      if (columns_[i].kind == MapTarget::Kind::kIgnore) continue;
      std::string why;
      const auto number = read_number(cells[i], why);
      if (!number) return bad(fmt::format("column '{}': {}", names_[i], why));
      put(row, entry++, *number);
      if (columns_[i].kind == MapTarget::Kind::kTime) put(row, TableRow::kTime, *number);
    }
    if (map_.static_readings) put(row, TableRow::kTime, {rows_, 0});
    if (row.mantissas[TableRow::kTime] == kMissing) return bad("the time stamp is missing");
    row.mantissas[TableRow::kGroup] = group_of(cells);
    ++rows_;
    return true;
  }

  tl::unexpected<Error> bad(std::string_view what) const {
    return fail(ErrorCode::kInvalidInput, "{}: {}", reader_.place(), what);
  }

 private:
  static void put(TableRow& row, std::size_t entry, const Decimal& number) {
    row.mantissas[entry] = number.mantissa;
    row.exponents[entry] = static_cast<std::int8_t>(number.exponent);
  }

  Result<void> add_column(const std::string& name) {
    const auto found = map_.columns.find(name);
    if (found == map_.columns.end())
      return bad(
          fmt::format("column '{}' is not in the map; map it, or map it to 'ignore'", shown(name)));
    for (const auto& other : names_)
      if (other == name) return bad(fmt::format("column '{}' is there twice", name));
    for (const auto& column : map_.press_by)
      if (column == name) grouping_.push_back(names_.size());
    names_.push_back(name);
    columns_.push_back(found->second);
    if (found->second.kind != MapTarget::Kind::kIgnore) targets_.push_back(found->second);
    return {};
  }

  /// A number for each combination of the cells of press_by; "10" and "10.0" are the same place.
  std::int64_t group_of(std::span<const std::string_view> cells) {
    std::string key;
    for (const auto column : grouping_) {
      const auto number = parse_decimal(cells[column]);
      key += number ? fmt::format("{}", number->value()) : std::string(cells[column]);
      key += '\0';
    }
    return groups_.emplace(key, static_cast<std::int64_t>(groups_.size())).first->second;
  }

  CsvReader& reader_;
  const TableMap& map_;
  std::vector<std::string> names_;
  std::vector<MapTarget> columns_;  // of the table
  std::vector<MapTarget> targets_;  // those that are kept
  std::vector<std::size_t> grouping_;
  std::unordered_map<std::string, std::int64_t> groups_;
  std::int64_t rows_ = 0;
};

Result<void> take_in_order(TableReader& reader, TableSink& sink) {
  TableRow row;
  double before_s = -std::numeric_limits<double>::infinity();
  for (;;) {
    const auto more = reader.next(row);
    if (!more) return fail(more.error());
    if (!*more) return {};
    const double now_s = sink.time_s(row);
    if (now_s < before_s) return reader.bad(backwards_message(now_s, before_s, "samples"));
    before_s = now_s;
    if (const auto taken = sink.take(row); !taken) return taken;
  }
}

Result<void> take_sorted(TableReader& reader, TableSink& sink, const ImportRun& run) {
  TableRow row;
  RowSorter sorter(TableRow::kFirst + reader.targets().size(), run.scratch_folder);
  for (;;) {
    const auto more = reader.next(row);
    if (!more) return fail(more.error());
    if (!*more) break;
    const auto added = sorter.add(sink.time_s(row), row.mantissas.data(), row.exponents.data());
    if (!added) return added;
  }
  if (const auto finished = sorter.finish(); !finished) return finished;
  row.mantissas.resize(TableRow::kFirst + reader.targets().size());
  row.exponents.resize(row.mantissas.size());
  for (;;) {
    if (run.progress.job->stopped()) return Job::cancelled();
    const auto more = sorter.next(row.mantissas.data(), row.exponents.data());
    if (!more) return fail(more.error());
    if (!*more) return {};
    if (const auto taken = sink.take(row); !taken) return taken;
  }
}

Result<void> import_rows(const fs::path& table, const TableMap& map, std::string_view map_name,
                         ImportRun& run) {
  auto blocks = LineBlocks::open(table, table.filename().string(), &run.progress);
  if (!blocks) return fail(blocks.error());
  CsvReader csv(std::move(*blocks), map.delimiter);
  TableReader reader(csv, map);
  if (const auto header = reader.read_header(); !header) return header;
  auto sink = TableSink::create(map, reader.targets(), map_name, run);
  if (!sink) return fail(sink.error());
  const auto taken = run.options.sort && !map.static_readings ? take_sorted(reader, *sink, run)
                                                              : take_in_order(reader, *sink);
  if (!taken) return taken;
  if (run.report.rows == 0)
    return fail(ErrorCode::kInvalidInput, "{}: has a header but no rows", csv.blocks().name());
  return sink->finish();
}

}  // namespace

Result<ImportReport> import_table(const fs::path& table, const fs::path& map_file,
                                  const fs::path& target, const ImportOptions& options,
                                  const Job& job) {
  const auto map_name = map_file.filename().string();
  const auto map_text = read_small_file(map_file, map_name);
  if (!map_text) return fail(map_text.error());
  const auto map = parse_table_map(*map_text, map_name, table.filename().string());
  if (!map) return fail(map.error());
  const auto metadata = parse_session_metadata(map->session, map_name);
  if (!metadata) return fail(metadata.error());
  auto partial = PartialPath::begin(target, options.overwrite);
  if (!partial) return fail(partial.error());
  auto writer = SessionWriter::create_import(partial->path(), *metadata);
  if (!writer) return fail(writer.error());
  ImportRun run{*writer, *metadata, options, partial->folder(), {&job}, {}};
  run.report.warnings = check_sensor(metadata->sensor);
  std::error_code error;
  const auto size = fs::file_size(table, error);
  run.progress.total = error ? 0 : static_cast<double>(size);
  if (const auto done = import_rows(table, *map, map_name, run); !done) return fail(done.error());
  if (const auto finished = writer->finish(); !finished) return fail(finished.error());
  if (const auto kept = partial->keep(); !kept) return fail(kept.error());
  run.report.bytes = static_cast<std::uint64_t>(run.progress.done);
  return std::move(run.report);
}

}  // namespace tactelier
