#include "libcalib/session/session_writer.hpp"

#include <cmath>
#include <set>

#include "libcalib/session/edits.hpp"
#include "libcalib/session/schema_rows.hpp"
#include "libcalib/session/session_file.hpp"
#include "libcalib/session/session_writer_impl.hpp"

namespace tactelier {
namespace {

constexpr std::size_t kMaxColumns = 65536;

/// An import that fails is thrown away, so nothing has to survive before finish().
constexpr std::string_view kImportPragmas =
    "PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA locking_mode=EXCLUSIVE";

Result<void> check_stream(const StreamInfo& stream) {
  const auto name = to_string(stream.kind);
  if (stream.columns.empty() || stream.columns.front().name != "t")
    return fail(ErrorCode::kInvalidInput, "stream '{}': its first column must be 't'", name);
  if (stream.columns.size() > kMaxColumns)
    return fail(ErrorCode::kInvalidInput, "stream '{}': {} columns, {} are possible", name,
                stream.columns.size(), kMaxColumns);
  std::set<std::string_view> names;
  for (const auto& column : stream.columns) {
    if (!names.insert(column.name).second)
      return fail(ErrorCode::kInvalidInput, "stream '{}': column '{}' is there twice", name,
                  column.name);
    if (!std::isfinite(column.scale) || column.scale == 0)
      return fail(ErrorCode::kInvalidInput, "stream '{}', column '{}': impossible scale {}", name,
                  column.name, column.scale);
  }
  if (stream.columns.front().to_si() <= 0)
    return fail(ErrorCode::kInvalidInput, "stream '{}': the scale of 't' must be positive", name);
  return {};
}

/// All columns of one length, exponents complete and in range.
Result<void> check_shape(const StreamInfo& stream, const StreamChunk& chunk) {
  const auto name = to_string(stream.kind);
  if (chunk.columns.size() != stream.columns.size())
    return fail(ErrorCode::kInvalidInput, "stream '{}': {} columns in a chunk, {} were announced",
                name, chunk.columns.size(), stream.columns.size());
  if (chunk.rows() == 0 || chunk.rows() > kMaxChunkRows)
    return fail(ErrorCode::kInvalidInput, "stream '{}': a chunk of {} rows, 1 to {} are possible",
                name, chunk.rows(), kMaxChunkRows);
  for (const auto& column : chunk.columns) {
    if (column.mantissas.size() != chunk.rows() ||
        (!column.exponents.empty() && column.exponents.size() != chunk.rows()))
      return fail(ErrorCode::kInvalidInput, "stream '{}': columns of unequal length", name);
    if (column.exponent < -128 || column.exponent > 127)
      return fail(ErrorCode::kInvalidInput, "stream '{}': impossible exponent {}", name,
                  column.exponent);
  }
  return {};
}

}  // namespace

Result<void> SessionWriter::Impl::prepare(std::int64_t first_blob) {
  auto writer = ChunkWriter::prepare(database, first_blob);
  if (!writer) return fail(writer.error());
  chunk_writer.emplace(std::move(*writer));
  const auto make = [&](std::optional<Statement>& target, std::string_view sql) -> Result<void> {
    auto statement = database.prepare(sql);
    if (!statement) return fail(statement.error());
    target.emplace(std::move(*statement));
    return {};
  };
  return make(insert_event, "INSERT INTO event VALUES(?,?,?,?,?,?)")
      .and_then([&] { return make(insert_meta, "INSERT INTO meta VALUES(?,?,?)"); })
      .and_then([&] { return make(set_tally, "INSERT OR REPLACE INTO tally VALUES(?,?,?,?)"); });
}

Result<void> SessionWriter::Impl::begin() {
  if (finished) return fail(ErrorCode::kUsage, "{}: is finished", database.file().string());
  if (in_transaction) return {};
  auto begun = database.execute("BEGIN IMMEDIATE");
  in_transaction = begun.has_value();
  return begun;
}

Result<void> SessionWriter::Impl::set_meta(std::string_view key, std::string_view value) {
  insert_meta->bind(1, key);
  insert_meta->bind(2, value);
  insert_meta->bind(3, meta_checksum(key, value));
  return insert_meta->run();
}

Result<void> SessionWriter::Impl::write_tally(std::int64_t id, std::int64_t rows,
                                              std::int64_t chunks) {
  set_tally->bind(1, id);
  set_tally->bind(2, rows);
  set_tally->bind(3, chunks);
  set_tally->bind(4, tally_checksum(id, rows, chunks));
  return set_tally->run();
}

/// The chunk's header. Time must not run backwards: readers find chunks by bisection.
Result<ChunkHeader> SessionWriter::Impl::next_chunk(Stream& stream,
                                                    const StreamChunk& chunk) const {
  const auto& time = chunk.columns.front();
  double last_s = stream.last_s;
  for (std::size_t row = 0; row < chunk.rows(); ++row) {
    const double t_s = time.si(row, stream.time_to_s);
    if (!(t_s >= last_s))
      return fail(ErrorCode::kInvalidInput,
                  "stream '{}': time {} ({:.12g} s after {:.12g} s) in row {}",
                  to_string(stream.info.kind), std::isnan(t_s) ? "is missing" : "runs backwards",
                  t_s, last_s, stream.rows + static_cast<std::int64_t>(row));
    last_s = t_s;
  }
  stream.last_s = last_s;
  return ChunkHeader{chunk_id(stream.info.kind, stream.chunks),
                     static_cast<std::int64_t>(chunk.rows()), time.si(0, stream.time_to_s), last_s,
                     chunk_writer->next_blob()};
}

Result<void> SessionWriter::Impl::write_column(const ChunkHeader& chunk, std::int64_t position,
                                               const ColumnChunk& column, StreamKind stream) {
  const auto record = encode_column(column, encoder);
  hash.add_column(stream, record.header.exponent, record.header.values_crc);
  return chunk_writer->write_column(chunk, position, record);
}

Result<void> SessionWriter::Impl::write_columns_info(const StreamInfo& stream) {
  auto insert = database.prepare("INSERT INTO column_info VALUES(?,?,?,?,?)");
  if (!insert) return fail(insert.error());
  std::int64_t position = 0;
  for (const auto& column : stream.columns) {
    insert->bind(1, stream_id(stream.kind));
    insert->bind(2, position++);
    insert->bind(3, std::string_view(column.name));
    insert->bind(4, std::string_view(column.unit));
    insert->bind(5, column.scale);
    if (auto done = insert->run(); !done) return done;
  }
  return {};
}

Result<void> SessionWriter::Impl::close_to_one_file() {
  chunk_writer.reset();
  for (auto* statement : {&insert_event, &insert_meta, &set_tally}) statement->reset();
  if (purpose == WritePurpose::kImport) return sync_file(database.file());
  const auto mode = database.query("PRAGMA journal_mode=DELETE");
  if (!mode || *mode != "delete")
    return fail(ErrorCode::kIo,
                "{}: everything is stored, but the file could not be closed to one: another "
                "program still has it open; keep '{}' beside it",
                database.file().string(), beside(database.file(), "-wal").string());
  return sync_file(database.file());
}

namespace {

/// Tables and metadata are on the disk before the first sample.
Result<Database> create_database(const std::filesystem::path& file, WritePurpose purpose) {
  auto database = Database::open(file, Database::Access::kWrite);
  if (!database) return database;
  if (purpose == WritePurpose::kImport)
    if (auto done = database->execute(kImportPragmas); !done) return fail(done.error());
  auto transaction = Transaction::begin(*database, "IMMEDIATE");
  if (!transaction) return fail(transaction.error());
  auto created =
      create_tables(*database, kRecordedVersion).and_then([&] { return transaction->commit(); });
  if (!created) return fail(created.error());
  return database;
}

}  // namespace

SessionWriter::SessionWriter(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
SessionWriter::SessionWriter(SessionWriter&&) noexcept = default;
SessionWriter& SessionWriter::operator=(SessionWriter&&) noexcept = default;
SessionWriter::~SessionWriter() = default;

Result<SessionWriter> SessionWriter::create(const std::filesystem::path& file,
                                            const SessionMetadata& metadata) {
  return create_for(file, metadata, false);
}

Result<SessionWriter> SessionWriter::create_import(const std::filesystem::path& file,
                                                   const SessionMetadata& metadata) {
  return create_for(file, metadata, true);
}

Result<SessionWriter> SessionWriter::create_for(const std::filesystem::path& file,
                                                const SessionMetadata& metadata, bool import) {
  if (auto reserved = reserve_new_file(file); !reserved) return fail(reserved.error());
  auto writer = fill_new_file(file, metadata, import);
  if (!writer) {
    std::error_code ignored;
    std::filesystem::remove(file, ignored);
  }
  return writer;
}

Result<SessionWriter> SessionWriter::fill_new_file(const std::filesystem::path& file,
                                                   const SessionMetadata& metadata, bool import) {
  const auto purpose = import ? WritePurpose::kImport : WritePurpose::kRecording;
  auto database = create_database(file, purpose);
  if (!database) return fail(database.error());
  SessionWriter writer(std::make_unique<Impl>(std::move(*database), metadata.document, purpose));
  auto& impl = *writer.impl_;
  auto done = impl.prepare(1)
                  .and_then([&] { return impl.begin(); })
                  .and_then([&] { return impl.set_meta("format", "tactelier/session"); })
                  .and_then([&] { return impl.set_meta("writer", "tactelier " TACTELIER_VERSION); })
                  .and_then([&] { return impl.set_meta("metadata", impl.document); })
                  .and_then([&] { return impl.write_tally(kEventTally, 0, 0); })
                  .and_then([&] { return impl.write_tally(kEditTally, 0, 0); })
                  .and_then([&] { return writer.commit(); });
  if (done && !import)
    done = impl.database.execute(kRecordingPragmas).and_then([&] { return sync_file(file); });
  if (!done) return fail(done.error());
  return writer;
}

Result<void> SessionWriter::add_stream(const StreamInfo& stream) {
  if (auto sane = check_stream(stream); !sane) return sane;
  auto& slot = impl_->streams[static_cast<std::size_t>(stream.kind)];
  if (slot)
    return fail(ErrorCode::kInvalidInput, "stream '{}' is there already", to_string(stream.kind));
  auto done = impl_->begin().and_then([&] { return impl_->write_columns_info(stream); });
  if (!done) return done;
  auto insert = impl_->database.prepare("INSERT INTO stream VALUES(?,?,?,?)");
  if (!insert) return fail(insert.error());
  insert->bind(1, stream_id(stream.kind));
  insert->bind(2, to_string(stream.kind));
  insert->bind(3, static_cast<std::int64_t>(stream.columns.size()));
  insert->bind(4, stream_checksum(stream));
  done = insert->run();
  if (!done) return done;
  slot.emplace(Impl::Stream{stream, stream.columns.front().to_si()});
  impl_->hash.add_stream(stream);
  return {};
}

Result<void> SessionWriter::append(StreamKind kind, const StreamChunk& chunk) {
  auto& stream = impl_->streams[static_cast<std::size_t>(kind)];
  if (!stream)
    return fail(ErrorCode::kInvalidInput, "stream '{}' was not announced", to_string(kind));
  if (auto sane = check_shape(stream->info, chunk); !sane) return sane;
  if (auto begun = impl_->begin(); !begun) return begun;
  const auto header = impl_->next_chunk(*stream, chunk);
  if (!header) return fail(header.error());
  impl_->hash.begin_chunk(kind, header->count);
  std::int64_t position = 0;
  for (const auto& column : chunk.columns)
    if (auto done = impl_->write_column(*header, position++, column, kind); !done) return done;
  ++stream->chunks;
  stream->rows += header->count;
  stream->tally_changed = true;
  return impl_->chunk_writer->write_chunk(*header);
}

Result<void> SessionWriter::add_event(const Event& event) {
  if (auto begun = impl_->begin(); !begun) return begun;
  const auto id = ++impl_->events;
  auto& insert = *impl_->insert_event;
  insert.bind(1, id);
  insert.bind(2, event.t_s.mantissa);
  insert.bind(3, std::int64_t{event.t_s.exponent});
  insert.bind(4, std::string_view(event.name));
  insert.bind(5, std::string_view(event.data));
  insert.bind(6, event_checksum(id, event));
  impl_->hash.add_event(event);
  return insert.run().and_then([&] { return impl_->write_tally(kEventTally, id, 0); });
}

Result<void> SessionWriter::add_edit(const Edit& edit) {
  return impl_->begin().and_then([&] { return insert_edits(impl_->database, {edit}); });
}

Result<void> SessionWriter::commit() {
  if (!impl_->in_transaction) return {};
  for (auto& stream : impl_->streams) {
    if (!stream || !stream->tally_changed) continue;
    auto done = impl_->write_tally(stream_id(stream->info.kind), stream->rows, stream->chunks);
    if (!done) return done;
    stream->tally_changed = false;
  }
  auto done = impl_->database.execute("COMMIT");
  if (done) impl_->in_transaction = false;
  return done;
}

Result<void> SessionWriter::finish() {
  auto done = impl_->begin()
                  .and_then([&] {
                    return impl_->set_meta("content_hash", impl_->hash.hex(impl_->document));
                  })
                  .and_then([&] { return commit(); });
  if (!done) return done;
  impl_->finished = true;
  return impl_->close_to_one_file();
}

}  // namespace tactelier
