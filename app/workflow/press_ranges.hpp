#pragma once
// Presses as people write them: "7", "2-41", "1-3,7".

#include <optional>
#include <string_view>
#include <vector>

namespace tactelier {

struct PressRange {
  int first = 0, last = 0;
  bool holds(int press) const { return press >= first && press <= last; }
};

/// Nothing where it is written otherwise, or a range runs backwards.
std::optional<std::vector<PressRange>> parse_press_ranges(std::string_view text);

}  // namespace tactelier
