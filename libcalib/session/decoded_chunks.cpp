#include "libcalib/session/decoded_chunks.hpp"

#include <utility>

namespace tactelier {
namespace {

std::size_t bytes_of(const ColumnChunk& column) {
  return column.mantissas.size() * sizeof(column.mantissas[0]) + column.exponents.size();
}

}  // namespace

DecodedColumn DecodedChunks::find(StreamKind stream, std::int64_t chunk,
                                  std::size_t position) const {
  const auto& kept = chunks_[static_cast<std::size_t>(stream)];
  if (kept.id != chunk) return nullptr;
  const auto found = kept.columns.find(position);
  return found == kept.columns.end() ? nullptr : found->second;
}

void DecodedChunks::keep(StreamKind stream, std::int64_t chunk, std::size_t position,
                         DecodedColumn column) {
  auto& kept = chunks_[static_cast<std::size_t>(stream)];
  if (kept.id != chunk) kept = {chunk, 0, {}};
  const auto bytes = bytes_of(*column);
  if (kept.bytes + bytes > max_bytes_) return;
  if (kept.columns.try_emplace(position, std::move(column)).second) kept.bytes += bytes;
}

}  // namespace tactelier
