#pragma once
// Messages of ROS as numbers, by the definition that a bag stores with them. Definitions are those
// of .msg files, types that they use behind lines of '=' and "MSG: package/Type". Messages are CDR
// of ROS 2 (OMG DDSI-RTPS 10.2, plain CDR version 1) or ROS 1's plain little-endian bytes.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "libcalib/result.hpp"

namespace tactelier {

struct RosField {
  enum class Array { kNone, kFixed, kSequence };
  std::string name, type;  // type: "float64", "string", "geometry_msgs/Vector3"
  Array array = Array::kNone;
  std::uint32_t count = 1;  // kFixed
};

/// "geometry_msgs/Wrench" to its fields, in order.
using RosTypes = std::map<std::string, std::vector<RosField>>;

/// "geometry_msgs/msg/Wrench" is "geometry_msgs/Wrench".
std::string plain_type_name(std::string_view name);

/// Fails with kInvalidInput on a line that is no field, naming it.
Result<RosTypes> parse_ros_definition(std::string_view type, std::string_view text);
/// Common messages of ROS 2, for bags that store no definitions (before its release Iron).
Result<RosTypes> known_ros_types();

enum class RosEncoding { kCdr, kRos1 };

/// What of a message is a number or a name.
struct RosNumbers {
  std::vector<double> values;
  std::vector<std::string> paths;    // of values: "wrench.force.x", "data[3]"; only where wanted
  std::vector<std::string> strings;  // of arrays of texts, in order: names of joints
  std::optional<std::int64_t> stamp_ns;  // header.stamp
};

constexpr std::size_t kMaxRosNumbers = 4096;  // of a message: more is an image or a cloud

/// Header, layout, covariances and orientations are left out: nothing of a press is in them.
/// A sensor_msgs/Image gives its pixels, row by row from the first, as "data[0]" and so on.
/// Fails with kInvalidInput on bytes that end early, unknown types, more than kMaxRosNumbers, and
/// pictures whose pixels aren't one number each.
Result<RosNumbers> decode_ros(const RosTypes& types, const std::string& type, RosEncoding encoding,
                              std::string_view bytes, bool with_paths);

}  // namespace tactelier
