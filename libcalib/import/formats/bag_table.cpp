#include "libcalib/import/formats/bag_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>

namespace tactelier {
namespace {

using nlohmann::ordered_json;

constexpr std::int64_t kSameClock_ns = 60'000'000'000;
constexpr std::size_t kMostNumbers = std::size_t{1} << 28U;  // 2 GiB

/// Of packages whose messages say nothing of a press.
bool is_of_ros(std::string_view type) {
  constexpr std::array<std::string_view, 12> kPackages{
      "rcl_interfaces/",  "rosgraph_msgs/",  "tf2_msgs/",       "tf/",
      "diagnostic_msgs/", "action_msgs/",    "nav_msgs/",       "visualization_msgs/",
      "statistics_msgs/", "lifecycle_msgs/", "sensor_msgs/Imu", "tactelier.event"};
  return std::any_of(kPackages.begin(), kPackages.end(),
                     [&](std::string_view package) { return type.starts_with(package); });
}

/// Whose bytes are packed by rules that no definition holds: as numbers they would mean nothing.
bool is_packed(std::string_view type) {
  return type == "sensor_msgs/CompressedImage" || type == "sensor_msgs/PointCloud2" ||
         type == "sensor_msgs/PointCloud";
}

/// How the field's own messages name and measure things (REP 103 of ROS: SI).
struct KnownPath {
  std::string_view type, path, column;  // `path` ends the message's path
};
constexpr std::array kKnownPaths{
    KnownPath{"", "force.x", "Fx [N]"},
    KnownPath{"", "force.y", "Fy [N]"},
    KnownPath{"", "force.z", "Fz [N]"},
    KnownPath{"", "torque.x", "Tx [N*m]"},
    KnownPath{"", "torque.y", "Ty [N*m]"},
    KnownPath{"", "torque.z", "Tz [N*m]"},
    KnownPath{"", "position.x", "x [m]"},
    KnownPath{"", "position.y", "y [m]"},
    KnownPath{"", "position.z", "z [m]"},
    KnownPath{"geometry_msgs/PointStamped", "point.x", "x [m]"},
    KnownPath{"geometry_msgs/PointStamped", "point.y", "y [m]"},
    KnownPath{"geometry_msgs/PointStamped", "point.z", "z [m]"},
    KnownPath{"sensor_msgs/Temperature", "temperature", "temperature [degC]"},
    KnownPath{"sensor_msgs/FluidPressure", "fluid_pressure", "fluid_pressure [Pa]"},
};

bool ends_with(std::string_view path, std::string_view end) {
  return path.ends_with(end) &&
         (path.size() == end.size() || path[path.size() - end.size() - 1] == '.');
}

std::string last_part(std::string_view topic) {
  return std::string(topic.substr(topic.find_last_of('/') + 1));
}

/// "data[3]" of /tactile is "tactile_3".
std::string plain_column(const std::string& topic, std::string path) {
  if (path == "data") return last_part(topic);
  if (path.starts_with("data[")) path.replace(0, 4, last_part(topic));
  std::string column;
  for (const char c : path)
    if (c == '.' || c == '[')
      column += '_';
    else if (c != ']')
      column += c;
  return column;
}

/// Of sensor_msgs/JointState: "position[1]" of joints {hip, knee} is "knee angle [rad]". Joints
/// that turn are taken for granted: of those that slide metres and newtons are meant.
std::string joint_column(const std::string& path, const std::vector<std::string>& joints) {
  constexpr std::array<std::array<std::string_view, 2>, 3> kWords{
      {{"position", "angle [rad]"},
       {"velocity", "angular_speed [rad/s]"},
       {"effort", "torque [N*m]"}}};
  for (const auto& [member, column] : kWords) {
    if (!path.starts_with(member)) continue;
    const auto index =
        static_cast<std::size_t>(std::strtoul(path.c_str() + member.size() + 1, nullptr, 10));
    if (joints.size() < 2 || index >= joints.size()) return std::string(column);
    return fmt::format("{} {}", joints[index], column);
  }
  return plain_column("", path);
}

std::string column_of(const BagTopic& topic, const std::string& path,
                      const std::vector<std::string>& strings) {
  if (topic.type == "sensor_msgs/JointState") return joint_column(path, strings);
  if (const auto unit = topic.units.find(path); unit != topic.units.end())
    return fmt::format("{} [{}]", plain_column(topic.name, path), unit->second);
  for (const auto& known : kKnownPaths)
    if ((known.type.empty() || known.type == topic.type) && ends_with(path, known.path))
      return std::string(known.column);
  return plain_column(topic.name, path);
}

void flatten(const ordered_json& node, const std::string& path, RosNumbers& numbers) {
  if (node.is_number() || node.is_boolean()) {
    numbers.values.push_back(node.is_boolean() ? (node.get<bool>() ? 1 : 0) : node.get<double>());
    numbers.paths.push_back(path);
  } else if (node.is_object()) {
    for (const auto& [key, child] : node.items())
      if (!(path.empty() && (key == "time_s" || key == "header")))
        flatten(child, path.empty() ? key : path + "." + key, numbers);
  } else if (node.is_array()) {
    for (std::size_t i = 0; i < node.size(); ++i)
      flatten(node[i], fmt::format("{}[{}]", path, i), numbers);
  }
}

Result<RosNumbers> decode_json(std::string_view bytes) {
  const auto document = ordered_json::parse(bytes, nullptr, false);
  if (document.is_discarded()) return fail(ErrorCode::kInvalidInput, "a message that is no JSON");
  RosNumbers numbers;
  flatten(document, "", numbers);
  if (numbers.values.size() > kMaxRosNumbers)
    return fail(ErrorCode::kInvalidInput, "more than {} numbers a message", kMaxRosNumbers);
  return numbers;
}

/// A cell of a row, before rows are put together.
struct Reading {
  std::int64_t time_ns;
  std::size_t topic, row;
};

}  // namespace

std::size_t BagTable::add_topic(BagTopic topic) {
  if (topic.problem.empty() && is_of_ros(topic.type)) topic.problem = "nothing of a press";
  if (topic.problem.empty() && is_packed(topic.type))
    topic.problem = "packed bytes, no readings; record them as sensor_msgs/Image or numbers";
  auto& added = topics_.emplace_back();
  added.of = std::move(topic);
  return topics_.size() - 1;
}

void BagTable::add_message(std::size_t index, std::int64_t received_ns, std::string_view bytes) {
  auto& topic = topics_[index];
  ++topic.messages;
  if (!topic.of.problem.empty()) return;
  const bool json = topic.of.encoding == "json";
  auto numbers =
      json ? decode_json(bytes)
           : decode_ros(topic.of.types, topic.of.type,
                        topic.of.encoding == "ros1" ? RosEncoding::kRos1 : RosEncoding::kCdr, bytes,
                        topic.columns.empty());
  std::string why;
  if (!numbers)
    why = numbers.error().message;
  else if (numbers->values.empty())
    why = "no numbers";
  else if (!topic.columns.empty() && numbers->values.size() != topic.columns.size())
    why = fmt::format("{} numbers, not {} as the first", numbers->values.size(),
                      topic.columns.size());
  if (why.empty()) return take(topic, received_ns, std::move(*numbers));
  if (topic.unread++ == 0) topic.why = why;
}

void BagTable::take(Topic& topic, std::int64_t received_ns, RosNumbers numbers) {
  if (topic.columns.empty())
    for (const auto& path : numbers.paths)
      topic.columns.push_back(column_of(topic.of, path, numbers.strings));
  topic.received_ns.push_back(received_ns);
  topic.stamp_ns.push_back(numbers.stamp_ns.value_or(0));
  topic.stamped = topic.stamped && numbers.stamp_ns &&
                  std::abs(*numbers.stamp_ns - received_ns) < kSameClock_ns;
  topic.values.insert(topic.values.end(), numbers.values.begin(), numbers.values.end());
}

std::vector<std::string> BagTable::told() const {
  std::vector<std::string> said;
  for (const auto& topic : topics_)
    if (!topic.of.problem.empty())
      said.push_back(fmt::format("{} ({}): {}", topic.of.name, topic.of.type, topic.of.problem));
    else if (topic.unread > 0)
      said.push_back(fmt::format("{} ({}): {} of {} messages: {}", topic.of.name, topic.of.type,
                                 topic.unread, topic.messages, topic.why));
  return said;
}

/// A name that two topics use gets the topic before it.
std::vector<std::vector<std::string>> BagTable::column_names() const {
  std::map<std::string, int> used;
  for (const auto& topic : topics_)
    for (const auto& column : topic.columns) ++used[column];
  std::vector<std::vector<std::string>> names;
  std::set<std::string> seen{"t [s]"};
  for (const auto& topic : topics_) {
    auto& own = names.emplace_back();
    auto prefix = topic.of.name.substr(topic.of.name.starts_with('/') ? 1 : 0);
    std::replace(prefix.begin(), prefix.end(), '/', '_');
    for (const auto& column : topic.columns) {
      auto name = used[column] > 1 ? fmt::format("{} {}", prefix, column) : column;
      for (int more = 2; !seen.insert(name).second; ++more)
        name = fmt::format("{} {} {}", prefix, more, column);
      own.push_back(std::move(name));
    }
  }
  return names;
}

Result<ArrayFile> BagTable::finish(const std::string& name) {
  ArrayFile file;
  file.unread = told();
  NamedArray table;
  table.columns.emplace_back("t [s]");
  std::vector<std::size_t> first_column;
  const auto names = column_names();
  std::vector<Reading> readings;
  for (std::size_t k = 0; k < topics_.size(); ++k) {
    const auto& topic = topics_[k];
    first_column.push_back(table.columns.size());
    table.columns.insert(table.columns.end(), names[k].begin(), names[k].end());
    const auto& times = topic.stamped ? topic.stamp_ns : topic.received_ns;
    for (std::size_t row = 0; row < times.size(); ++row) readings.push_back({times[row], k, row});
  }
  if (readings.size() < 2)
    return fail(ErrorCode::kInvalidInput, "{}: no topic holds two messages of numbers{}", name,
                file.unread.empty() ? "" : fmt::format(" ({})", fmt::join(file.unread, "; ")));
  std::stable_sort(readings.begin(), readings.end(),
                   [](const Reading& a, const Reading& b) { return a.time_ns < b.time_ns; });
  table.width = table.columns.size();
  if (readings.size() > kMostNumbers / table.width)
    return fail(
        ErrorCode::kInvalidInput,
        "{}: {} messages with {} columns are too many for one table; record fewer topics or "
        "cut the bag (ros2 bag convert)",
        name, readings.size(), table.width);
  std::vector<bool> filled(topics_.size());
  for (std::size_t i = 0; i < readings.size(); ++i) {
    const auto& [time_ns, k, row] = readings[i];
    // Messages of several topics at one time share a row.
    if (i == 0 || time_ns != readings[i - 1].time_ns || filled[k]) {
      ++table.rows;
      table.values.resize(table.rows * table.width, std::numeric_limits<double>::quiet_NaN());
      table.values[(table.rows - 1) * table.width] =
          static_cast<double>(time_ns - readings.front().time_ns) * 1e-9;
      filled.assign(topics_.size(), false);
    }
    filled[k] = true;
    const auto width = topics_[k].columns.size();
    std::copy_n(topics_[k].values.begin() + static_cast<std::ptrdiff_t>(row * width), width,
                table.values.begin() +
                    static_cast<std::ptrdiff_t>((table.rows - 1) * table.width + first_column[k]));
  }
  file.arrays.push_back(std::move(table));
  return file;
}

}  // namespace tactelier
