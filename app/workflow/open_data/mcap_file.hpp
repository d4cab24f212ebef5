#pragma once
// MCAP: messages with a time and a channel, in compressed chunks with an index. The format is that
// of https://mcap.dev/spec, version 0; of it what a recording needs. Numbers are little-endian.

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "libcalib/result.hpp"

namespace tactelier {

enum class McapCompression { kNone, kZstd };

class McapFile {
 public:
  using Texts = std::map<std::string, std::string>;

  static Result<McapFile> begin(const std::filesystem::path& file,
                                McapCompression compression = McapCompression::kZstd);

  /// A channel of JSON messages. `schema`: a JSON schema. Channels come before all messages.
  std::uint16_t add_channel(const std::string& topic, const std::string& schema_name,
                            const std::string& schema, const Texts& metadata);
  /// Best in the order of time: readers then need one chunk at a time.
  void add_message(std::uint16_t channel, std::uint64_t time_ns, std::string_view json);
  /// A file within the file.
  void attach(const std::string& name, const std::string& media_type, std::uint64_t time_ns,
              std::string_view data);
  void add_metadata(const std::string& name, const Texts& texts);

  /// Writes what is left and the summary. Fails with kIo when anything could not be written.
  Result<void> finish();

 private:
  struct Entry {
    std::uint64_t time_ns = 0, offset = 0;
  };
  /// Messages that are not written yet.
  struct OpenChunk {
    std::string records;
    std::map<std::uint16_t, std::vector<Entry>> index;
    std::uint64_t begin_ns = 0, end_ns = 0;
  };
  McapFile(std::ofstream out, McapCompression compression, std::string name);
  void put(std::string_view bytes);
  void close_chunk();
  std::string packed(const std::string& records) const;
  void write_chunk_index(std::uint64_t chunk_begin, std::uint64_t chunk_end,
                         std::uint64_t packed_size);
  std::string statistics() const;
  void write_summary();

  std::ofstream out_;
  McapCompression compression_;
  std::string name_;
  std::uint64_t offset_ = 0;
  std::uint32_t crc_ = 0;  // of all bytes since it was last set to 0
  OpenChunk chunk_;
  std::vector<std::uint32_t> sequences_;  // of the next message of each channel
  // Records that the summary repeats or points with.
  std::string schemas_, channel_records_, chunk_indexes_, attachment_indexes_, metadata_indexes_;
  std::uint32_t chunks_ = 0, attachments_ = 0, metadata_ = 0;
  std::uint64_t messages_ = 0, begin_ns_ = 0, end_ns_ = 0;
};

}  // namespace tactelier
