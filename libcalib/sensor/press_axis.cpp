#include "libcalib/sensor/press_axis.hpp"

namespace tactelier {

Result<PressAxis> parse_press_axis(std::string_view name, std::string_view where) {
  auto letter = name;
  if (name.starts_with('+') || name.starts_with('-')) letter.remove_prefix(1);
  const auto index = letter.size() == 1 ? std::string_view("xyz").find(letter) : letter.npos;
  if (index == letter.npos)
    return fail(ErrorCode::kInvalidInput, "{}: '{}' is no axis; x, y, z, -x, -y or -z expected",
                where, name);
  return PressAxis{index, name.front() == '-' ? -1.0 : 1.0};
}

}  // namespace tactelier
