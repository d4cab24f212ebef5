// rosbag2's SQLite storage (.db3): tables "topics", "messages" and, since ROS 2 Iron,
// "message_definitions".

#include <fmt/format.h>
#include <sqlite3.h>

#include <map>
#include <memory>

#include "libcalib/import/formats/bag_table.hpp"
#include "libcalib/import/formats/format_readers.hpp"

namespace tactelier {
namespace {

using Database = std::unique_ptr<sqlite3, int (*)(sqlite3*)>;
using Statement = std::unique_ptr<sqlite3_stmt, int (*)(sqlite3_stmt*)>;

class RosbagReader {
 public:
  RosbagReader(sqlite3* database, const std::string& name) : database_(database), name_(name) {}

  Result<ArrayFile> read() {
    if (const auto done = topics(); !done) return fail(done.error());
    if (const auto done = messages(); !done) return fail(done.error());
    return table_.finish(name_);
  }

 private:
  Statement prepare(const char* sql) {
    sqlite3_stmt* statement = nullptr;
    sqlite3_prepare_v2(database_, sql, -1, &statement, nullptr);
    return {statement, sqlite3_finalize};
  }
  static std::string text(sqlite3_stmt* statement, int column) {
    const auto* const bytes = static_cast<const char*>(sqlite3_column_blob(statement, column));
    const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement, column));
    return bytes != nullptr ? std::string(bytes, size) : std::string();
  }
  tl::unexpected<Error> unreadable() const {
    return fail(ErrorCode::kInvalidInput, "{}: cannot be read as a bag of ROS 2: {}", name_,
                sqlite3_errmsg(database_));
  }

  /// By type; none in bags of releases before Iron.
  std::map<std::string, std::string> definitions() {
    std::map<std::string, std::string> found;
    const auto rows = prepare(
        "SELECT topic_type, encoded_message_definition FROM message_definitions "
        "WHERE encoding = 'ros2msg'");
    while (rows && sqlite3_step(rows.get()) == SQLITE_ROW)
      found[plain_type_name(text(rows.get(), 0))] = text(rows.get(), 1);
    return found;
  }

  Result<void> topics() {
    const auto stored = definitions();
    const auto known = known_ros_types();
    if (!known) return fail(known.error());
    const auto rows = prepare("SELECT id, name, type, serialization_format FROM topics");
    if (!rows) return unreadable();
    int step = SQLITE_ROW;
    while ((step = sqlite3_step(rows.get())) == SQLITE_ROW) {
      BagTopic topic;
      topic.name = text(rows.get(), 1);
      topic.type = plain_type_name(text(rows.get(), 2));
      topic.encoding = text(rows.get(), 3);
      topic.types = *known;
      if (const auto own = stored.find(topic.type); own != stored.end()) {
        auto types = parse_ros_definition(topic.type, own->second);
        if (types)
          topic.types = std::move(*types);
        else
          topic.problem = types.error().message;
      } else if (!known->contains(topic.type)) {
        topic.problem =
            "the bag holds no definition of its messages; record with ROS 2 Iron or later, or as "
            "MCAP";
      }
      if (topic.encoding != "cdr")
        topic.problem = fmt::format("messages of '{}' are not understood", topic.encoding);
      channels_[sqlite3_column_int64(rows.get(), 0)] = table_.add_topic(std::move(topic));
    }
    return step == SQLITE_DONE ? Result<void>() : unreadable();
  }

  Result<void> messages() {
    const auto rows = prepare("SELECT topic_id, timestamp, data FROM messages ORDER BY timestamp");
    if (!rows) return unreadable();
    int step = SQLITE_ROW;
    while ((step = sqlite3_step(rows.get())) == SQLITE_ROW) {
      const auto channel = channels_.find(sqlite3_column_int64(rows.get(), 0));
      if (channel == channels_.end()) continue;
      table_.add_message(channel->second, sqlite3_column_int64(rows.get(), 1), text(rows.get(), 2));
    }
    return step == SQLITE_DONE ? Result<void>() : unreadable();
  }

  sqlite3* database_;
  const std::string& name_;
  std::map<sqlite3_int64, std::size_t> channels_;
  BagTable table_;
};

}  // namespace

Result<ArrayFile> read_rosbag(const std::filesystem::path& path, const std::string& name) {
  sqlite3* opened = nullptr;
  const int code = sqlite3_open_v2(path.c_str(), &opened, SQLITE_OPEN_READONLY, nullptr);
  const Database database(opened, sqlite3_close);
  if (code != SQLITE_OK)
    return fail(ErrorCode::kIo, "{}: cannot be opened: {}", name, sqlite3_errstr(code));
  return RosbagReader(database.get(), name).read();
}

}  // namespace tactelier
