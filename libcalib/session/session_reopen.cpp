// SessionWriter::reopen()

#include "libcalib/session/session_file.hpp"
#include "libcalib/session/session_impl.hpp"
#include "libcalib/session/session_writer_impl.hpp"

namespace tactelier {
namespace {

Result<std::int64_t> number_of(const Database& database, std::string_view sql) {
  auto statement = database.prepare(sql);
  if (!statement) return fail(statement.error());
  const auto row = statement->step();
  if (!row) return fail(row.error());
  return *row ? statement->integer(0).value_or(0) : 0;
}

/// Compaction puts another file in its place; what is added to the old one would be lost.
Result<void> still(const std::filesystem::path& file, const FileIdentity& before) {
  const auto now = identity(file);
  if (!now) return fail(now.error());
  if (*now == before) return {};
  return fail(ErrorCode::kIo, "another program has just compacted it; try again");
}

}  // namespace

Result<SessionWriter> SessionWriter::reopen(const std::filesystem::path& file) {
  const auto opened_file = identity(file);
  auto opened = Session::open(file);
  if (!opened) return fail(opened.error());
  std::optional<Session> session(std::move(*opened));
  auto& before = *session->impl_;
  auto hash = before.open_hash([&](const StreamSummary& stream, ContentHash& into) {
    return before.hash_headers(stream, into);
  });
  if (!hash) return fail(hash.error());
  if (!session->damage().empty())
    return fail(ErrorCode::kDamaged,
                "{}: damaged, so nothing is added to it ({}); record into a new file",
                file.string(), session->damage().front().describe());

  auto database = Database::open(file, Database::Access::kWrite);
  if (!database) return fail(database.error());
  SessionWriter writer(std::make_unique<Impl>(std::move(*database), before.metadata.document,
                                              WritePurpose::kRecording));
  auto& impl = *writer.impl_;
  for (const auto& stream : session->streams()) {
    Impl::Stream again{stream.info, stream.info.columns.front().to_si()};
    again.chunks = static_cast<std::int64_t>(stream.chunks);
    again.rows = static_cast<std::int64_t>(stream.rows);
    if (again.chunks > 0) again.last_s = stream.end_s;
    impl.streams[static_cast<std::size_t>(stream.info.kind)].emplace(std::move(again));
  }
  impl.events = static_cast<std::int64_t>(session->events().size());
  impl.hash = std::move(*hash);
  session.reset();  // a reader would keep the journal's mode
  const auto blobs = number_of(impl.database, "SELECT max(id) FROM blob");
  if (!blobs) return fail(blobs.error());
  auto done = impl.database.execute(kRecordingPragmas)
                  .and_then([&] { return impl.prepare(*blobs + 1); })
                  .and_then([&] { return impl.begin(); })
                  .and_then([&] { return still(file, *opened_file); })
                  .and_then([&] {
                    return impl.database.execute("DELETE FROM meta WHERE key='content_hash'");
                  })
                  .and_then([&] { return writer.commit(); });
  if (!done) return fail(done.error(), file.string() + ": can't go on with it");
  return writer;
}

std::vector<SessionWriter::StreamEnd> SessionWriter::stream_ends() const {
  std::vector<StreamEnd> ends;
  for (const auto& stream : impl_->streams)
    if (stream) ends.push_back({stream->info, stream->last_s});
  return ends;
}

}  // namespace tactelier
