// MCAP (https://mcap.dev/spec, version 0), read from front to back: what a file that was cut off
// still holds is read as well.

#include <fmt/format.h>
#include <lz4frame.h>
#include <zstd.h>

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "libcalib/import/formats/bag_table.hpp"
#include "libcalib/import/formats/format_readers.hpp"
#include "libcalib/units.hpp"

namespace tactelier {
namespace {

using nlohmann::json;

constexpr std::string_view kMagic("\x89MCAP0\r\n", 8);
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 31U;  // of a chunk, unpacked

enum Op : unsigned char { kSchema = 3, kChannel = 4, kMessage = 5, kChunk = 6, kDataEnd = 15 };

/// Little-endian numbers and counted texts; `good` is false once they ran out.
struct Bytes {
  std::string_view left;
  bool good = true;

  std::uint64_t number(std::size_t size) {
    const auto bytes = take(size);
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < bytes.size(); ++i)
      value |= static_cast<std::uint64_t>(static_cast<unsigned char>(bytes[i])) << (8 * i);
    return value;
  }
  std::string_view text() { return take(number(4)); }
  std::string_view take(std::uint64_t size) {
    good = good && size <= left.size();
    if (!good) return {};
    const auto taken = left.substr(0, size);
    left.remove_prefix(size);
    return taken;
  }
};

struct Schema {
  std::string name, encoding, text;
};

std::map<std::string, std::string> units_of(const Schema& schema) {
  std::map<std::string, std::string> units;
  const auto document = json::parse(schema.text, nullptr, false);
  if (!document.is_object() || !document.contains("properties")) return units;
  for (const auto& [name, property] : document["properties"].items()) {
    if (!property.is_object() || !property.contains("description")) continue;
    const auto& said = property["description"];
    if (said.is_string() && parse_unit(said.get<std::string>()))
      units[name] = said.get<std::string>();
  }
  return units;
}

BagTopic topic_of(std::string_view name, std::string_view encoding, const Schema& schema) {
  BagTopic topic;
  topic.name = name;
  topic.type = plain_type_name(schema.name);
  topic.encoding = encoding;
  if (encoding == "json") {
    topic.units = units_of(schema);
    return topic;
  }
  const bool known = (encoding == "cdr" && schema.encoding == "ros2msg") ||
                     (encoding == "ros1" && schema.encoding == "ros1msg");
  if (!known) {
    topic.problem = fmt::format("messages of '{}' by '{}' are not understood, only ROS and JSON",
                                encoding, schema.encoding);
    return topic;
  }
  auto types = parse_ros_definition(schema.name, schema.text);
  if (types)
    topic.types = std::move(*types);
  else
    topic.problem = types.error().message;
  return topic;
}

class McapReader {
 public:
  McapReader(std::ifstream& in, const std::string& name) : in_(in), name_(name) {}

  Result<ArrayFile> read() {
    std::string record;
    bool whole = false;
    for (;;) {
      char head[9];
      if (!in_.read(head, sizeof head)) break;
      Bytes length{{head + 1, 8}};
      const auto size = length.number(8);
      const auto op = static_cast<unsigned char>(head[0]);
      whole = op == kDataEnd;
      if (whole || size > left()) break;
      record.resize(size);
      if (!in_.read(record.data(), static_cast<std::streamsize>(size))) break;
      if (const auto done = take(op, record); !done) return fail(done.error());
    }
    auto table = table_.finish(name_);
    if (table && !whole)
      table->unread.emplace_back("what came after the file was cut off (mcap recover may help)");
    return table;
  }

 private:
  std::uint64_t left() {
    const auto here = in_.tellg();
    in_.seekg(0, std::ios::end);
    const auto end = in_.tellg();
    in_.seekg(here);
    return static_cast<std::uint64_t>(end - here);
  }

  tl::unexpected<Error> damaged(std::string_view what) const {
    return fail(ErrorCode::kInvalidInput, "{}: {}; the file is damaged", name_, what);
  }

  Result<void> take(unsigned char op, std::string_view content) {
    Bytes bytes{content};
    if (op == kChunk) return chunk(bytes);
    if (op == kSchema) {
      const auto id = bytes.number(2);
      Schema schema;
      schema.name = bytes.text();
      schema.encoding = bytes.text();
      schema.text = bytes.text();
      if (!bytes.good) return damaged("a schema ends early");
      schemas_[id] = std::move(schema);
    }
    if (op == kChannel) {
      const auto id = bytes.number(2), schema = bytes.number(2);
      const auto topic = bytes.text(), encoding = bytes.text();
      if (!bytes.good) return damaged("a channel ends early");
      // Chunks repeat what the summary says.
      if (!channels_.contains(id))
        channels_[id] = table_.add_topic(topic_of(topic, encoding, schemas_[schema]));
    }
    if (op == kMessage) {
      const auto id = bytes.number(2);
      bytes.number(4);
      const auto logged_ns = bytes.number(8);
      bytes.number(8);
      const auto channel = channels_.find(id);
      if (!bytes.good || channel == channels_.end()) return damaged("a message of no channel");
      table_.add_message(channel->second, static_cast<std::int64_t>(logged_ns), bytes.left);
    }
    return {};
  }

  Result<void> chunk(Bytes bytes) {
    bytes.number(8);
    bytes.number(8);
    const auto size = bytes.number(8);
    bytes.number(4);
    const auto compression = bytes.text();
    const auto packed = bytes.take(bytes.number(8));
    if (!bytes.good || size > kMostBytes) return damaged("a chunk ends early");
    std::string unpacked;
    Bytes records{packed};
    if (!compression.empty()) {
      unpacked.resize(size);
      if (const auto done = unpack(compression, packed, unpacked); !done) return done;
      records.left = unpacked;
    }
    while (!records.left.empty()) {
      const auto op = static_cast<unsigned char>(records.number(1));
      const auto content = records.take(records.number(8));
      if (!records.good) return damaged("a record of a chunk ends early");
      if (const auto done = take(op, content); !done) return done;
    }
    return {};
  }

  Result<void> unpack(std::string_view compression, std::string_view packed, std::string& into) {
    if (compression == "zstd") {
      const auto size = ZSTD_decompress(into.data(), into.size(), packed.data(), packed.size());
      if (ZSTD_isError(size) != 0 || size != into.size())
        return damaged("a chunk can't be unpacked");
      return {};
    }
    if (compression != "lz4")
      return fail(ErrorCode::kInvalidInput, "{}: compression '{}' is not understood", name_,
                  compression);
    LZ4F_dctx* context = nullptr;
    if (LZ4F_isError(LZ4F_createDecompressionContext(&context, LZ4F_VERSION)) != 0)
      return fail(ErrorCode::kIo, "{}: no memory to unpack a chunk", name_);
    std::size_t written = 0, read = 0, hint = 1;
    while (hint != 0 && read < packed.size()) {
      std::size_t room = into.size() - written, there = packed.size() - read;
      hint = LZ4F_decompress(context, into.data() + written, &room, packed.data() + read, &there,
                             nullptr);
      if (LZ4F_isError(hint) != 0 || (room == 0 && there == 0)) break;
      written += room;
      read += there;
    }
    LZ4F_freeDecompressionContext(context);
    if (hint != 0 || written != into.size()) return damaged("a chunk can't be unpacked");
    return {};
  }

  std::ifstream& in_;
  const std::string& name_;
  std::map<std::uint64_t, Schema> schemas_;
  std::map<std::uint64_t, std::size_t> channels_;
  BagTable table_;
};

}  // namespace

Result<ArrayFile> read_mcap(const std::filesystem::path& path, const std::string& name) {
  std::ifstream in(path, std::ios::binary);
  std::string magic(kMagic.size(), '\0');
  if (!in) return fail(ErrorCode::kIo, "{}: cannot be opened", name);
  if (!in.read(magic.data(), static_cast<std::streamsize>(magic.size())) || magic != kMagic)
    return fail(ErrorCode::kInvalidInput, "{}: is no MCAP file", name);
  return McapReader(in, name).read();
}

}  // namespace tactelier
