#include "libcalib/session/chunk_writer.hpp"

#include <utility>

namespace tactelier {
namespace {

void bind_bound(Statement& statement, int at, const Bound& bound) {
  if (const auto* integer = std::get_if<std::int64_t>(&bound)) return statement.bind(at, *integer);
  if (const auto* real = std::get_if<double>(&bound)) return statement.bind(at, *real);
  statement.bind_null(at);
}

}  // namespace

ChunkWriter::ChunkWriter(Statement insert_chunk, Statement insert_blob, std::int64_t first_blob)
    : insert_chunk_(std::move(insert_chunk)),
      insert_blob_(std::move(insert_blob)),
      next_blob_(first_blob) {}

Result<ChunkWriter> ChunkWriter::prepare(const Database& database, std::int64_t first_blob) {
  auto insert_chunk = database.prepare("INSERT INTO chunk VALUES(?,?,?,?,?,?)");
  if (!insert_chunk) return fail(insert_chunk.error());
  auto insert_blob = database.prepare("INSERT INTO blob VALUES(?,?,?,?,?,?,?,?,?,?)");
  if (!insert_blob) return fail(insert_blob.error());
  return ChunkWriter(std::move(*insert_chunk), std::move(*insert_blob), first_blob);
}

Result<void> ChunkWriter::write_column(const ChunkHeader& chunk, std::int64_t position,
                                       const ColumnRecord& record) {
  const auto& header = record.header;
  insert_blob_.bind(1, next_blob_++);
  insert_blob_.bind(2, std::int64_t{header.codec});
  insert_blob_.bind(3, std::int64_t{header.width});
  insert_blob_.bind(4, std::int64_t{header.exponent});
  insert_blob_.bind(5, header.base);
  bind_bound(insert_blob_, 6, header.min);
  bind_bound(insert_blob_, 7, header.max);
  insert_blob_.bind(8, static_cast<std::int64_t>(header.checksum(chunk, position)));
  if (record.exponents.empty())
    insert_blob_.bind_null(9);
  else
    insert_blob_.bind(9, record.exponents);
  insert_blob_.bind(10, record.data);
  return insert_blob_.run();
}

Result<void> ChunkWriter::write_chunk(const ChunkHeader& header) {
  insert_chunk_.bind(1, header.id);
  insert_chunk_.bind(2, header.count);
  insert_chunk_.bind(3, header.t_first_s);
  insert_chunk_.bind(4, header.t_last_s);
  insert_chunk_.bind(5, header.first_blob);
  insert_chunk_.bind(6, std::int64_t{header.checksum()});
  return insert_chunk_.run();
}

}  // namespace tactelier
