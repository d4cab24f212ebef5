#include <cmath>
#include <limits>
#include <string>
#include <system_error>

#include "libcalib/import/import.hpp"
#include "libcalib/import/keep_import.hpp"
#include "libcalib/import/plain_tables.hpp"
#include "libcalib/import/row_sorter.hpp"
#include "libcalib/import/table_files.hpp"
#include "libcalib/import/table_reader.hpp"
#include "libcalib/import/table_sink.hpp"

namespace tactelier {
namespace {

namespace fs = std::filesystem;

constexpr double kPause_s = 1;  // between tables whose times begin again

/// `later` whole units of time on; nothing when 18 digits don't hold it.
std::optional<Decimal> shifted(Decimal time, std::int64_t later) {
  for (; time.exponent > 0; --time.exponent)
    if (__builtin_mul_overflow(time.mantissa, 10, &time.mantissa)) return std::nullopt;
  for (int digit = time.exponent; digit < 0; ++digit)
    if (__builtin_mul_overflow(later, 10, &later)) return std::nullopt;
  if (__builtin_add_overflow(time.mantissa, later, &time.mantissa)) return std::nullopt;
  return std::abs(time.mantissa) < 1'000'000'000'000'000'000 ? std::optional(time) : std::nullopt;
}

/// Lays tables one after the other: one whose times begin again comes a pause after the last.
class TimeJoin {
 public:
  TimeJoin(const TableSink& sink, ImportReport& report) : sink_(sink), report_(report) {}

  void next_table() {
    first_row_ = true;
    ++tables_;
  }

  Result<void> place(const TableReader& reader, TableRow& row) {
    if (std::exchange(first_row_, false)) settle(sink_.time_s(row));
    if (later_ != 0) {
      const auto moved =
          shifted({row.mantissas[TableRow::kTime], row.exponents[TableRow::kTime]}, later_);
      if (!moved) return reader.bad("the time stamp has too many digits to lay tables end to end");
      row.mantissas[TableRow::kTime] = moved->mantissa;
      row.exponents[TableRow::kTime] = static_cast<std::int8_t>(moved->exponent);
    }
    const double now_s = sink_.time_s(row);
    if (now_s < before_s_) return reader.bad(backwards_message(now_s, before_s_, "samples"));
    before_s_ = now_s;
    return {};
  }

  void tell() {
    if (joined_ > 0)
      report_.warnings.push_back(
          {"time-joined",
           fmt::format("the times of {} of {} tables begin again; they were laid one after the "
                       "other, about {} s apart",
                       joined_, tables_, kPause_s),
           ""});
  }

 private:
  /// How much later a table is that begins at `first_s`: not at all when its times go on.
  void settle(double first_s) {
    later_ = 0;
    if (first_s > before_s_) return;
    later_ = std::llround(std::ceil(before_s_ - first_s + kPause_s) / sink_.time_to_si());
    ++joined_;
  }

  const TableSink& sink_;
  ImportReport& report_;
  double before_s_ = -std::numeric_limits<double>::infinity();
  std::int64_t later_ = 0;  // units of the tables' time
  bool first_row_ = true;
  std::size_t tables_ = 0;
  std::size_t joined_ = 0;
};

Result<void> take_in_order(std::span<const TableFile> tables, TableReader& reader, TableSink& sink,
                           ImportRun& run) {
  TableRow row;
  TimeJoin join(sink, run.report);
  for (std::size_t i = 0; i < tables.size(); ++i) {
    if (i > 0)
      if (const auto opened = reader.open(tables[i], run.progress); !opened) return opened;
    join.next_table();
    const auto before = run.report.rows;
    for (;;) {
      const auto more = reader.next(row);
      if (!more) return fail(more.error());
      if (!*more) break;
      if (reader.began_again()) join.next_table();
      if (const auto placed = join.place(reader, row); !placed) return placed;
      if (const auto taken = sink.take(row); !taken) return taken;
    }
    if (run.report.rows == before)
      return fail(ErrorCode::kInvalidInput, "{}: has a header but no rows", tables[i].name);
  }
  join.tell();
  return {};
}

Result<void> take_sorted(const TableFile& table, TableReader& reader, TableSink& sink,
                         const ImportRun& run) {
  TableRow row;
  RowSorter sorter(reader.width(), run.scratch_folder);
  bool any = false;
  for (;; any = true) {
    const auto more = reader.next(row);
    if (!more) return fail(more.error());
    if (!*more) break;
    const auto added = sorter.add(sink.time_s(row), row.mantissas.data(), row.exponents.data());
    if (!added) return added;
  }
  if (!any) return fail(ErrorCode::kInvalidInput, "{}: has a header but no rows", table.name);
  if (const auto finished = sorter.finish(); !finished) return finished;
  row.mantissas.resize(reader.width());
  row.exponents.resize(reader.width());
  for (;;) {
    if (run.progress.job->stopped()) return Job::cancelled();
    const auto more = sorter.next(row.mantissas.data(), row.exponents.data());
    if (!more) return fail(more.error());
    if (!*more) return {};
    if (const auto taken = sink.take(row); !taken) return taken;
  }
}

Result<void> import_rows(std::span<const TableFile> tables, const TableMap& map,
                         std::string_view map_name, ImportRun& run) {
  const bool sort = run.options.sort && !map.static_readings;
  if (sort && tables.size() > 1)
    return fail(ErrorCode::kUsage,
                "--sort orders the rows of one table; {} tables are read in the order of their "
                "names",
                tables.size());
  TableReader reader(map, !sort);
  if (const auto opened = reader.open(tables.front(), run.progress); !opened) return opened;
  auto sink = TableSink::create(map, reader, map_name, run);
  if (!sink) return fail(sink.error());
  const auto taken = sort ? take_sorted(tables.front(), reader, *sink, run)
                          : take_in_order(tables, reader, *sink, run);
  return taken ? sink->finish() : taken;
}

double bytes_of(std::span<const TableFile> tables) {
  double bytes = 0;
  for (const auto& table : tables) {
    std::error_code error;
    const auto size = fs::file_size(table.path, error);
    if (!error) bytes += static_cast<double>(size);
  }
  return bytes;
}

/// "table.csv", or "weights/ (12 tables)".
std::string source_name(const fs::path& source, std::span<const TableFile> tables) {
  std::error_code error;
  if (!fs::is_directory(source, error)) return source.filename().string();
  const auto folder = fs::weakly_canonical(source, error).filename().string();
  return fmt::format("{}/ ({} tables)", folder, tables.size());
}

}  // namespace

Result<ImportReport> import_table(const fs::path& source, const fs::path& map_file,
                                  const fs::path& target, const ImportOptions& options,
                                  const Job& job) {
  const auto map_name = map_file.filename().string();
  const auto map_text = read_small_file(map_file, map_name);
  if (!map_text) return fail(map_text.error());
  const auto map = parse_table_map(*map_text, map_name);
  if (!map) return fail(map.error());
  const auto tables = find_tables(source, map->files);
  if (!tables) return fail(tables.error());
  const auto metadata =
      parse_session_metadata(session_of(*map, source_name(source, *tables)), map_name);
  if (!metadata) return fail(metadata.error());
  auto partial = PartialPath::begin(target, options.overwrite);
  if (!partial) return fail(partial.error());
  auto writer = SessionWriter::create_import(partial->path(), *metadata);
  if (!writer) return fail(writer.error());
  const auto plain = PlainTables::of(*tables, map->names, partial->folder(), job);
  if (!plain) return fail(plain.error());
  ImportRun run{*writer, *metadata, options, partial->folder(), {&job}, {}};
  run.report.warnings = check_sensor(metadata->sensor);
  run.report.warnings.insert(run.report.warnings.end(), plain->warnings().begin(),
                             plain->warnings().end());
  run.progress.total = bytes_of(plain->tables());
  if (const auto done = import_rows(plain->tables(), *map, map_name, run); !done)
    return fail(done.error());
  const auto kept = keep_import(std::move(*writer), *partial, job);
  if (!kept) return fail(kept.error());
  run.report.warnings.insert(run.report.warnings.end(), kept->begin(), kept->end());
  run.report.bytes = static_cast<std::uint64_t>(run.progress.done);
  return std::move(run.report);
}

}  // namespace tactelier
