// Text of .msg files to fields.

#include <fmt/format.h>

#include <array>
#include <charconv>

#include "libcalib/import/formats/ros_message.hpp"

namespace tactelier {
namespace {

std::string_view trim(std::string_view text) {
  const auto begin = text.find_first_not_of(" \t\r");
  if (begin == text.npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

std::string_view next_line(std::string_view& text) {
  const auto end = std::min(text.find('\n'), text.size());
  const auto line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return trim(line.substr(0, line.find('#')));
}

bool is_separator(std::string_view line) {
  return line.size() > 3 && line.find_first_not_of('=') == line.npos;
}

std::string package_of(std::string_view type) {
  return std::string(type.substr(0, std::min(type.find('/'), type.size())));
}

bool is_primitive(std::string_view type) {
  constexpr std::string_view kPrimitives =
      " bool byte char int8 uint8 int16 uint16 int32 uint32 int64 uint64 float32 float64 string "
      "wstring time duration ";
  return kPrimitives.find(fmt::format(" {} ", type)) != kPrimitives.npos;
}

/// "float64[9] covariance 0 0": a field; nothing for a constant.
Result<std::optional<RosField>> field_in(std::string_view line, const std::string& type) {
  const auto bad = [&] {
    return fail(ErrorCode::kInvalidInput, "definition of {}: '{}' is no field", type, line);
  };
  const auto blank = line.find_first_of(" \t");
  if (blank == line.npos) return bad();
  auto kind = line.substr(0, blank);
  auto rest = trim(line.substr(blank));
  const auto name_end = std::min(rest.find_first_of(" \t="), rest.size());
  if (trim(rest.substr(name_end)).starts_with('=')) return std::optional<RosField>();
  RosField field;
  field.name = rest.substr(0, name_end);
  if (const auto open = kind.find('['); open != kind.npos) {
    const auto inside = kind.substr(open + 1, kind.size() - open - 2);
    if (!kind.ends_with(']')) return bad();
    field.array = RosField::Array::kSequence;
    const auto* const end = inside.data() + inside.size();
    if (!inside.empty() && !inside.starts_with('<')) {
      field.array = RosField::Array::kFixed;
      if (std::from_chars(inside.data(), end, field.count).ptr != end) return bad();
    }
    kind = kind.substr(0, open);
  }
  kind = kind.substr(0, kind.find("<="));  // of a bounded text
  if (kind.empty() || field.name.empty()) return bad();
  field.type = is_primitive(kind)            ? std::string(kind)
               : kind == "Header"            ? "std_msgs/Header"
               : kind.find('/') == kind.npos ? fmt::format("{}/{}", package_of(type), kind)
                                             : plain_type_name(kind);
  return std::optional(std::move(field));
}

/// In our own words: names and order of fields are what the bytes hold.
constexpr std::string_view kKnown = R"(
MSG: builtin_interfaces/Time
int32 sec
uint32 nanosec
====
MSG: std_msgs/Header
builtin_interfaces/Time stamp
string frame_id
====
MSG: std_msgs/MultiArrayDimension
string label
uint32 size
uint32 stride
====
MSG: std_msgs/MultiArrayLayout
MultiArrayDimension[] dim
uint32 data_offset
====
MSG: geometry_msgs/Vector3
float64 x
float64 y
float64 z
====
MSG: geometry_msgs/Point
float64 x
float64 y
float64 z
====
MSG: geometry_msgs/Quaternion
float64 x
float64 y
float64 z
float64 w
====
MSG: geometry_msgs/Pose
Point position
Quaternion orientation
====
MSG: geometry_msgs/Wrench
Vector3 force
Vector3 torque
====
MSG: geometry_msgs/WrenchStamped
Header header
Wrench wrench
====
MSG: geometry_msgs/PoseStamped
Header header
Pose pose
====
MSG: geometry_msgs/PointStamped
Header header
Point point
====
MSG: geometry_msgs/Vector3Stamped
Header header
Vector3 vector
====
MSG: sensor_msgs/JointState
Header header
string[] name
float64[] position
float64[] velocity
float64[] effort
====
MSG: sensor_msgs/Image
Header header
uint32 height
uint32 width
string encoding
uint8 is_bigendian
uint32 step
uint8[] data
====
MSG: sensor_msgs/Temperature
Header header
float64 temperature
float64 variance
====
MSG: sensor_msgs/FluidPressure
Header header
float64 fluid_pressure
float64 variance
)";

struct Simple {
  std::string_view name, type;
};
constexpr std::array kSimple{
    Simple{"Float32", "float32"}, Simple{"Float64", "float64"}, Simple{"Int8", "int8"},
    Simple{"UInt8", "uint8"},     Simple{"Int16", "int16"},     Simple{"UInt16", "uint16"},
    Simple{"Int32", "int32"},     Simple{"UInt32", "uint32"},   Simple{"Int64", "int64"},
    Simple{"UInt64", "uint64"},
};

}  // namespace

std::string plain_type_name(std::string_view name) {
  const auto at = name.find("/msg/");
  if (at == name.npos) return std::string(name);
  return fmt::format("{}/{}", name.substr(0, at), name.substr(at + 5));
}

Result<RosTypes> parse_ros_definition(std::string_view type, std::string_view text) {
  RosTypes types;
  auto here = plain_type_name(type);
  if (!here.empty()) types[here];
  while (!text.empty()) {
    const auto line = next_line(text);
    if (line.empty() || is_separator(line)) continue;
    if (line.starts_with("MSG:")) {
      here = plain_type_name(trim(line.substr(4)));
      types[here];
      continue;
    }
    auto field = field_in(line, here);
    if (!field) return fail(field.error());
    if (*field) types[here].push_back(std::move(**field));
  }
  return types;
}

Result<RosTypes> known_ros_types() {
  std::string text(kKnown);
  for (const auto& [name, type] : kSimple)
    text += fmt::format(
        "====\nMSG: std_msgs/{}\n{} data\n====\nMSG: std_msgs/{}MultiArray\n"
        "MultiArrayLayout layout\n{}[] data\n",
        name, type, name, type);
  return parse_ros_definition("", text);
}

}  // namespace tactelier
