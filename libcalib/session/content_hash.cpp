#include "libcalib/session/content_hash.hpp"

#include <openssl/evp.h>

#include <array>

namespace tactelier {
namespace {

// Recordings keep their hash when they are compacted, so it is that of the version they began as.
constexpr std::int64_t kHashedVersion = 1;
constexpr std::size_t kPendingBytes = 4096;

}  // namespace

void Sha256::Deleter::operator()(evp_md_ctx_st* context) const { EVP_MD_CTX_free(context); }

Sha256::Sha256() : context_(EVP_MD_CTX_new()) {
  EVP_DigestInit_ex(context_.get(), EVP_sha256(), nullptr);
}

void Sha256::add(const void* bytes, std::size_t size) {
  const auto* first = static_cast<const std::uint8_t*>(bytes);
  pending_.insert(pending_.end(), first, first + size);
  if (pending_.size() >= kPendingBytes) flush();
}

void Sha256::flush() {
  EVP_DigestUpdate(context_.get(), pending_.data(), pending_.size());
  pending_.clear();
}

void Sha256::add(std::int64_t number) { add(&number, sizeof number); }

void Sha256::add(double number) { add(&number, sizeof number); }

void Sha256::add(std::string_view text) {
  add(static_cast<std::int64_t>(text.size()));
  add(text.data(), text.size());
}

std::string Sha256::hex() {
  flush();
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned size = 0;
  EVP_DigestFinal_ex(context_.get(), digest.data(), &size);
  std::string text;
  for (unsigned i = 0; i < size; ++i) text += fmt::format("{:02x}", digest[i]);
  return text;
}

void ContentHash::add_stream(const StreamInfo& stream) {
  auto& hash = streams_[stream.kind];
  hash.add(static_cast<std::int64_t>(stream.columns.size()));
  for (const auto& column : stream.columns) {
    hash.add(column.name);
    hash.add(column.unit);
    hash.add(column.scale);
  }
}

void ContentHash::begin_chunk(StreamKind stream, std::int64_t rows) {
  streams_.at(stream).add(rows);
}

void ContentHash::add_column(StreamKind stream, int exponent, std::uint32_t values_crc) {
  auto& hash = streams_.at(stream);
  hash.add(std::int64_t{exponent});
  hash.add(std::int64_t{values_crc});
}

void ContentHash::add_chunks(StreamKind stream, std::span<const ColumnChunk> columns,
                             const RecordedRows& rows) {
  std::size_t first = 0;
  for (const auto count : rows) {
    const auto size = static_cast<std::size_t>(count);
    begin_chunk(stream, count);
    for (const auto& column : columns)
      add_column(stream, column.exponents.empty() ? column.exponent : 0,
                 values_checksum(column, first, size));
    first += size;
  }
}

void ContentHash::add_event(const Event& event) {
  events_.add(event.t_s.mantissa);
  events_.add(std::int64_t{event.t_s.exponent});
  events_.add(event.name);
  events_.add(event.data);
}

std::string ContentHash::hex(std::string_view metadata_document) {
  Sha256 all;
  all.add(std::string_view("tactelier/session"));
  all.add(kHashedVersion);
  all.add(metadata_document);
  for (auto& [kind, hash] : streams_) {
    all.add(to_string(kind));
    all.add(hash.hex());
  }
  all.add(events_.hex());
  return all.hex();
}

}  // namespace tactelier
