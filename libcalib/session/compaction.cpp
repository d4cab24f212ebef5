#include "libcalib/session/compaction.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <array>

#include "libcalib/partial_file.hpp"
#include "libcalib/session/chunk_reader.hpp"
#include "libcalib/session/chunk_writer.hpp"
#include "libcalib/session/schema.hpp"
#include "libcalib/session/schema_rows.hpp"
#include "libcalib/session/session_file.hpp"
#include "libcalib/session/session_open.hpp"
#include "libcalib/session/session_tables.hpp"
#include "libcalib/session/stream_compactor.hpp"

namespace tactelier {
namespace {

// Fewer are read in milliseconds as they are, and a changed byte costs 100 ms of one column alone.
constexpr std::int64_t kWorthChunks = 256;
constexpr std::int64_t kProgressEvery = 64;  // chunks
constexpr std::string_view kNewFilePragmas =
    "PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA locking_mode=EXCLUSIVE";
/// Tables that are copied row by row as they are.
constexpr std::array<std::string_view, 5> kCopied{"meta", "stream", "column_info", "event",
                                                  "edits"};

std::int64_t compacted_chunks(std::int64_t rows) {
  return (rows + kCompactedRows - 1) / kCompactedRows;
}

/// Whether at least half of the chunks would go, and enough of them.
bool worth_doing(const SessionTables& tables) {
  std::int64_t before = 0;
  std::int64_t after = 0;
  for (const auto& stream : tables.streams) {
    before += stream.chunks;
    after += compacted_chunks(stream.rows);
  }
  return before > 2 * after && before - after >= kWorthChunks;
}

void bind_cell(Statement& into, int position, const Statement& from, int column) {
  if (const auto integer = from.integer(column)) return into.bind(position, *integer);
  if (const auto real = from.real(column)) return into.bind(position, *real);
  if (const auto text = from.text(column)) return into.bind(position, *text);
  if (const auto blob = from.blob(column)) return into.bind(position, *blob);
  into.bind_null(position);
}

Result<void> copy_table(const Database& from, const Database& into, std::string_view table) {
  auto select = from.prepare(fmt::format("SELECT * FROM {} ORDER BY rowid", table));
  if (!select) return fail(select.error());
  const int columns = select->columns();
  std::string marks = "?";
  for (int i = 1; i < columns; ++i) marks += ",?";
  auto insert = into.prepare(fmt::format("INSERT INTO {} VALUES({})", table, marks));
  if (!insert) return fail(insert.error());
  while (true) {
    const auto row = select->step();
    if (!row) return fail(row.error());
    if (!*row) return {};
    for (int column = 0; column < columns; ++column)
      bind_cell(*insert, column + 1, *select, column);
    if (auto done = insert->run(); !done) return done;
  }
}

Result<void> write_tally(const Database& database, std::int64_t id, std::int64_t rows,
                         std::int64_t chunks) {
  auto insert = database.prepare("INSERT INTO tally VALUES(?,?,?,?)");
  if (!insert) return fail(insert.error());
  insert->bind(1, id);
  insert->bind(2, rows);
  insert->bind(3, chunks);
  insert->bind(4, tally_checksum(id, rows, chunks));
  return insert->run();
}

tl::unexpected<Error> left(const std::filesystem::path& file, std::string_view damage) {
  return fail(ErrorCode::kDamaged, "{}: damaged, so it is left as it is: {}", file.string(),
              damage);
}

/// From a locked file into a new one.
class Compactor {
 public:
  Compactor(const Database& from, Database& into, const SessionTables& tables, const Job& job)
      : from_(from), into_(into), tables_(tables), job_(job) {
    for (const auto& stream : tables.streams) total_ += stream.chunks;
  }

  Result<std::int64_t> run() {
    auto done = into_.execute(kNewFilePragmas)
                    .and_then([&] { return into_.execute("BEGIN"); })
                    .and_then([&] { return create_tables(into_, kCompactedVersion); });
    if (!done) return fail(done.error());
    for (const auto table : kCopied)
      if (auto copied = copy_table(from_, into_, table); !copied) return fail(copied.error());
    if (auto copied = copy_streams(); !copied) return fail(copied.error());
    done = write_tally(into_, kEventTally, static_cast<std::int64_t>(tables_.events.size()), 0)
               .and_then([&] {
                 return write_tally(into_, kEditTally,
                                    static_cast<std::int64_t>(tables_.edits.size()), 0);
               })
               .and_then([&] { return into_.execute("COMMIT"); });
    if (!done) return fail(done.error());
    return chunks_;
  }

 private:
  Result<void> copy_streams() {
    auto reader = ChunkReader::prepare(from_, damage_);
    if (!reader) return fail(reader.error());
    auto chunks = ChunkWriter::prepare(into_, 1);
    if (!chunks) return fail(chunks.error());
    auto recorded = RecordedRowsWriter::prepare(into_);
    if (!recorded) return fail(recorded.error());
    for (const auto& stream : tables_.streams)
      if (auto done = copy(stream, *reader, *chunks, *recorded); !done) return done;
    return write_tally(into_, kRecordedTally, recorded->written(), 0);
  }

  Result<void> copy(const SessionTables::Stream& stream, ChunkReader& reader, ChunkWriter& chunks,
                    RecordedRowsWriter& recorded) {
    const auto kind = stream.info.kind;
    StreamCompactor compactor(stream.info, chunks, recorded);
    for (std::int64_t number = 0; number < stream.chunks; ++number, ++done_) {
      if (job_.stopped()) return Job::cancelled();
      if (done_ % kProgressEvery == 0)
        job_.progress("compact", static_cast<double>(done_), static_cast<double>(total_));
      const auto header = reader.header(kind, number);
      if (!header) return damaged();
      const NumberedChunk chunk{*header, number};
      auto columns = reader.stored_columns(stream.info, chunk);
      const auto rows = reader.recorded_rows(stream.info, chunk);
      if (!columns || !damage_.entries().empty()) return damaged();
      if (auto added = compactor.add(chunk, std::move(*columns), rows); !added)
        return of_the_file(added.error());
    }
    if (auto flushed = compactor.flush(); !flushed) return of_the_file(flushed.error());
    chunks_ += compactor.written();
    return write_tally(into_, stream_id(kind), stream.rows, compactor.written());
  }

  tl::unexpected<Error> damaged() const {
    const auto& entries = damage_.entries();
    return left(from_.file(), entries.empty() ? "a chunk is lost" : entries.front().describe());
  }

  tl::unexpected<Error> of_the_file(const Error& error) const {
    return error.code == ErrorCode::kDamaged ? left(from_.file(), error.message) : fail(error);
  }

  const Database& from_;
  Database& into_;
  const SessionTables& tables_;
  const Job& job_;
  DamageLog damage_;
  std::int64_t total_ = 0;
  std::int64_t done_ = 0;
  std::int64_t chunks_ = 0;
};

Result<SessionTables> whole_tables(const OpenedSession& opened) {
  const auto file = opened.database.file().string();
  DamageLog damage;
  auto tables = read_tables(opened, damage);
  if (!tables) return tables;
  if (!damage.entries().empty())
    return left(opened.database.file(), damage.entries().front().describe());
  if (!tables->finished)
    return fail(ErrorCode::kInvalidInput,
                "{}: the recording is not closed; it is compacted when it is", file);
  return tables;
}

std::uint64_t size_of(const std::filesystem::path& file) {
  std::error_code error;
  const auto size = std::filesystem::file_size(file, error);
  return error ? 0 : size;
}

}  // namespace

Result<Compaction> compact(const std::filesystem::path& file, const Job& job) {
  std::error_code error;
  auto path = std::filesystem::canonical(file, error);  // a link stays one
  if (error) path = file;
  const auto locked = lock_session_file(path);
  if (!locked) return fail(locked.error());
  Compaction report;
  report.bytes_before = report.bytes_after = locked->bytes;
  const auto tables = whole_tables(*locked);
  if (!tables) return fail(tables.error());
  for (const auto& stream : tables->streams)
    report.chunks_before += static_cast<std::uint64_t>(stream.chunks);
  report.chunks_after = report.chunks_before;
  if (!worth_doing(*tables)) return report;

  auto partial = PartialPath::begin(path, true);
  if (!partial) return fail(partial.error());
  if (auto reserved = reserve_new_file(partial->path()); !reserved) return fail(reserved.error());
  {
    auto into = Database::open(partial->path(), Database::Access::kWrite);
    if (!into) return fail(into.error());
    const auto chunks = Compactor(locked->database, *into, *tables, job).run();
    if (!chunks) return fail(chunks.error());
    report.chunks_after = static_cast<std::uint64_t>(*chunks);
  }
  const auto permissions = std::filesystem::status(path, error).permissions();
  if (!error) std::filesystem::permissions(partial->path(), permissions, error);
  report.bytes_after = size_of(partial->path());
  report.changed = true;
  auto kept = sync_file(partial->path()).and_then([&] { return partial->keep(); }).and_then([&] {
    return sync_file(path);
  });
  if (!kept) return fail(kept.error());
  return report;
}

Warning not_compacted(const Error& why, const std::filesystem::path& file) {
  return {"NOT-COMPACTED", why.message, file.string()};
}

Result<Warnings> compact_if_room(const std::filesystem::path& file, const Job& job) {
  const auto done = compact(file, job);
  if (done) return Warnings{};
  if (done.error().code != ErrorCode::kIo) return fail(done.error());
  return Warnings{not_compacted(done.error(), file)};
}

}  // namespace tactelier
