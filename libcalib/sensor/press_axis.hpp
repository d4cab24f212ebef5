#pragma once
// Which axis of the force sensor the pad presses, and its sign: force_sensor.press_axis of a
// session or a rig file.

#include <cstddef>
#include <string>
#include <string_view>

#include "libcalib/result.hpp"

namespace tactelier {

/// "-z", the axis along which pressing reads positive, is {2, -1}: compression is -Fz.
struct PressAxis {
  std::size_t index = 2;  // of Fx, Fy, Fz
  double sign = 1;

  std::string column() const { return std::string{'F', "xyz"[index]}; }
  bool operator==(const PressAxis&) const = default;
};

/// "z", "+z" and "-z", x and y alike; anything else is kInvalidInput. `where` names the member.
Result<PressAxis> parse_press_axis(std::string_view name, std::string_view where);

}  // namespace tactelier
