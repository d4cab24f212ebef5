// Session::check() and content_hash().

#include "libcalib/session/session_impl.hpp"

namespace tactelier {

Result<void> Session::Impl::hash_headers(const StreamSummary& stream, ContentHash& hash) {
  return walk(stream, {}, {}, [&](ChunkReader& chunks, const NumberedChunk& chunk) -> Result<void> {
    if (const auto rows = chunks.recorded_rows(stream.info, chunk); rows.size() > 1) {
      if (const auto columns = chunks.columns(stream.info, chunk))
        hash.add_chunks(stream.info.kind, *columns, rows);
      return {};
    }
    hash.begin_chunk(stream.info.kind, chunk.header.count);
    for (std::size_t position = 0; position < stream.info.columns.size(); ++position)
      if (const auto header = chunks.column_header(stream.info, chunk, position))
        hash.add_column(stream.info.kind, header->exponent, header->values_crc);
    return {};
  });
}

Result<void> Session::Impl::hash_values(const StreamSummary& stream, ContentHash& hash,
                                        const Job& job) {
  return walk(
      stream, {}, job, [&](ChunkReader& chunks, const NumberedChunk& chunk) -> Result<void> {
        if (const auto columns = chunks.columns(stream.info, chunk))
          hash.add_chunks(stream.info.kind, *columns, chunks.recorded_rows(stream.info, chunk));
        return {};
      });
}

Result<ContentHash> Session::Impl::open_hash(const ChunkHasher& add_chunks) const {
  ContentHash hash;
  for (const auto& stream : streams) {
    hash.add_stream(stream.info);
    if (auto done = add_chunks(stream, hash); !done) return fail(done.error());
  }
  for (const auto& event : events) hash.add_event(event);
  return hash;
}

/// Of what can be read; means nothing where there is damage.
Result<std::string> Session::Impl::computed_hash(const ChunkHasher& add_chunks) const {
  auto hash = open_hash(add_chunks);
  if (!hash) return fail(hash.error());
  return hash->hex(metadata.document);
}

Result<std::string> Session::content_hash() const {
  if (impl_->stored_hash) return *impl_->stored_hash;
  auto hash = impl_->computed_hash([&](const StreamSummary& stream, ContentHash& into) {
    return impl_->hash_headers(stream, into);
  });
  if (hash && !damage().empty())
    return fail(ErrorCode::kDamaged, "{}: damaged, so its content has no hash: {}", file().string(),
                damage().front().describe());
  return hash;
}

Result<void> Session::check(const Job& job) const {
  const auto hash = impl_->computed_hash([&](const StreamSummary& stream, ContentHash& into) {
    return impl_->hash_values(stream, into, job);
  });
  if (!hash) return fail(hash.error());
  if (impl_->stored_hash && *impl_->stored_hash != *hash && damage().empty())
    impl_->damage.note("the content differs from what was there when the recording was closed");
  return {};
}

}  // namespace tactelier
