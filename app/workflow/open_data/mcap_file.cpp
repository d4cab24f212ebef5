#include "app/workflow/open_data/mcap_file.hpp"

#include <libdeflate.h>
#include <zstd.h>

#include <algorithm>
#include <concepts>
#include <utility>

namespace tactelier {
namespace {

constexpr std::string_view kMcapMagic("\x89MCAP0\r\n", 8);
constexpr std::size_t kChunkBytes = 1U << 20U;  // before compression
constexpr int kZstdLevel = 3;

enum class Op : unsigned char {
  kHeader = 0x01,
  kFooter = 0x02,
  kSchema = 0x03,
  kChannel = 0x04,
  kMessage = 0x05,
  kChunk = 0x06,
  kMessageIndex = 0x07,
  kChunkIndex = 0x08,
  kAttachment = 0x09,
  kAttachmentIndex = 0x0a,
  kStatistics = 0x0b,
  kMetadata = 0x0c,
  kMetadataIndex = 0x0d,
  kSummaryOffset = 0x0e,
  kDataEnd = 0x0f
};

template <std::unsigned_integral Number>
std::string bytes_of(Number number) {
  std::string bytes;
  for (std::size_t i = 0; i < sizeof(Number); ++i)
    bytes += static_cast<char>((static_cast<std::uint64_t>(number) >> (8 * i)) & 0xffU);
  return bytes;
}

/// A text with its length before it, in 32 bits.
std::string counted(std::string_view text) {
  return bytes_of(static_cast<std::uint32_t>(text.size())).append(text);
}

std::string texts_of(const McapFile::Texts& texts) {
  std::string entries;
  for (const auto& [key, value] : texts) entries += counted(key) + counted(value);
  return counted(entries);
}

std::string record(Op op, std::string_view content) {
  std::string bytes(1, static_cast<char>(op));
  return (bytes + bytes_of(static_cast<std::uint64_t>(content.size()))).append(content);
}

std::uint32_t crc_of(std::uint32_t before, std::string_view bytes) {
  return libdeflate_crc32(before, bytes.data(), bytes.size());
}

}  // namespace

McapFile::McapFile(std::ofstream out, McapCompression compression, std::string name)
    : out_(std::move(out)), compression_(compression), name_(std::move(name)) {}

Result<McapFile> McapFile::begin(const std::filesystem::path& file, McapCompression compression) {
  std::ofstream out(file, std::ios::binary | std::ios::trunc);
  if (!out) return fail(ErrorCode::kIo, "{}: can't be written", file.string());
  McapFile mcap(std::move(out), compression, file.string());
  mcap.put(kMcapMagic);
  mcap.put(record(Op::kHeader, counted("") + counted("tactelier")));
  return mcap;
}

void McapFile::put(std::string_view bytes) {
  out_.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  offset_ += bytes.size();
  crc_ = crc_of(crc_, bytes);
}

std::uint16_t McapFile::add_channel(const std::string& topic, const std::string& schema_name,
                                    const std::string& schema, const Texts& metadata) {
  const auto channel = static_cast<std::uint16_t>(sequences_.size());
  const auto schema_id = static_cast<std::uint16_t>(channel + 1);  // 0 says that there is none
  const auto of_schema = record(Op::kSchema, bytes_of(schema_id) + counted(schema_name) +
                                                 counted("jsonschema") + counted(schema));
  const auto of_channel =
      record(Op::kChannel, bytes_of(channel) + bytes_of(schema_id) + counted(topic) +
                               counted("json") + texts_of(metadata));
  put(of_schema);
  put(of_channel);
  schemas_ += of_schema;
  channel_records_ += of_channel;
  sequences_.push_back(0);
  return channel;
}

void McapFile::add_message(std::uint16_t channel, std::uint64_t time_ns, std::string_view json) {
  if (chunk_.records.empty()) chunk_.begin_ns = chunk_.end_ns = time_ns;
  chunk_.begin_ns = std::min(chunk_.begin_ns, time_ns);
  chunk_.end_ns = std::max(chunk_.end_ns, time_ns);
  chunk_.index[channel].push_back({time_ns, chunk_.records.size()});
  auto content =
      bytes_of(channel) + bytes_of(sequences_[channel]++) + bytes_of(time_ns) + bytes_of(time_ns);
  chunk_.records += record(Op::kMessage, content.append(json));
  begin_ns_ = messages_ == 0 ? time_ns : std::min(begin_ns_, time_ns);
  end_ns_ = messages_ == 0 ? time_ns : std::max(end_ns_, time_ns);
  ++messages_;
  if (chunk_.records.size() >= kChunkBytes) close_chunk();
}

std::string McapFile::packed(const std::string& records) const {
  if (compression_ == McapCompression::kNone) return records;
  std::string packed(ZSTD_compressBound(records.size()), '\0');
  packed.resize(
      ZSTD_compress(packed.data(), packed.size(), records.data(), records.size(), kZstdLevel));
  return packed;
}

void McapFile::close_chunk() {
  if (chunk_.records.empty()) return;
  const auto begin = offset_;
  const auto data = packed(chunk_.records);
  const auto name = compression_ == McapCompression::kZstd ? "zstd" : "";
  auto content = bytes_of(chunk_.begin_ns) + bytes_of(chunk_.end_ns) +
                 bytes_of(static_cast<std::uint64_t>(chunk_.records.size())) +
                 bytes_of(crc_of(0, chunk_.records)) + counted(name) +
                 bytes_of(static_cast<std::uint64_t>(data.size()));
  put(record(Op::kChunk, content + data));
  write_chunk_index(begin, offset_, data.size());
  chunk_ = {};
}

/// Where each channel's messages lie in the chunk, behind the chunk; where that stands goes into
/// the summary.
void McapFile::write_chunk_index(std::uint64_t chunk_begin, std::uint64_t chunk_end,
                                 std::uint64_t packed_size) {
  std::string offsets;
  for (const auto& [channel, entries] : chunk_.index) {
    offsets += bytes_of(channel) + bytes_of(offset_);
    std::string list;
    for (const auto& entry : entries) list += bytes_of(entry.time_ns) + bytes_of(entry.offset);
    put(record(Op::kMessageIndex, bytes_of(channel) + counted(list)));
  }
  const auto name = compression_ == McapCompression::kZstd ? "zstd" : "";
  chunk_indexes_ += record(
      Op::kChunkIndex, bytes_of(chunk_.begin_ns) + bytes_of(chunk_.end_ns) + bytes_of(chunk_begin) +
                           bytes_of(chunk_end - chunk_begin) + counted(offsets) +
                           bytes_of(offset_ - chunk_end) + counted(name) + bytes_of(packed_size) +
                           bytes_of(static_cast<std::uint64_t>(chunk_.records.size())));
  ++chunks_;
}

void McapFile::attach(const std::string& name, const std::string& media_type, std::uint64_t time_ns,
                      std::string_view data) {
  close_chunk();
  const auto begin = offset_;
  const auto size = bytes_of(static_cast<std::uint64_t>(data.size()));
  auto content = bytes_of(time_ns) + bytes_of(time_ns) + counted(name) + counted(media_type) + size;
  content.append(data);
  put(record(Op::kAttachment, content + bytes_of(crc_of(0, content))));
  attachment_indexes_ += record(Op::kAttachmentIndex,
                                bytes_of(begin) + bytes_of(offset_ - begin) + bytes_of(time_ns) +
                                    bytes_of(time_ns) + size + counted(name) + counted(media_type));
  ++attachments_;
}

void McapFile::add_metadata(const std::string& name, const Texts& texts) {
  close_chunk();
  const auto begin = offset_;
  put(record(Op::kMetadata, counted(name) + texts_of(texts)));
  metadata_indexes_ +=
      record(Op::kMetadataIndex, bytes_of(begin) + bytes_of(offset_ - begin) + counted(name));
  ++metadata_;
}

std::string McapFile::statistics() const {
  std::string counts;
  for (std::size_t i = 0; i < sequences_.size(); ++i)
    counts += bytes_of(static_cast<std::uint16_t>(i)) +
              bytes_of(static_cast<std::uint64_t>(sequences_[i]));
  const auto channels = static_cast<std::uint32_t>(sequences_.size());
  return record(Op::kStatistics,
                bytes_of(messages_) + bytes_of(static_cast<std::uint16_t>(channels)) +
                    bytes_of(channels) + bytes_of(attachments_) + bytes_of(metadata_) +
                    bytes_of(chunks_) + bytes_of(begin_ns_) + bytes_of(end_ns_) + counted(counts));
}

void McapFile::write_summary() {
  put(record(Op::kDataEnd, bytes_of(crc_)));
  const auto summary = offset_;
  crc_ = 0;
  std::string places;
  const auto group = [&](Op op, const std::string& records) {
    if (records.empty()) return;
    places += record(Op::kSummaryOffset, std::string(1, static_cast<char>(op)) + bytes_of(offset_) +
                                             bytes_of(static_cast<std::uint64_t>(records.size())));
    put(records);
  };
  group(Op::kSchema, schemas_);
  group(Op::kChannel, channel_records_);
  group(Op::kStatistics, statistics());
  group(Op::kChunkIndex, chunk_indexes_);
  group(Op::kAttachmentIndex, attachment_indexes_);
  group(Op::kMetadataIndex, metadata_indexes_);
  const auto places_begin = offset_;
  put(places);
  // Of the footer the checksum covers all but itself.
  const auto footer =
      record(Op::kFooter, bytes_of(summary) + bytes_of(places_begin) + bytes_of(std::uint32_t{0}));
  put(std::string_view(footer).substr(0, footer.size() - sizeof crc_));
  put(bytes_of(crc_));
  put(kMcapMagic);
}

Result<void> McapFile::finish() {
  close_chunk();
  write_summary();
  out_.close();
  if (out_.fail())
    return fail(ErrorCode::kIo, "{}: can't be written; is there room on the disk?", name_);
  return {};
}

}  // namespace tactelier
