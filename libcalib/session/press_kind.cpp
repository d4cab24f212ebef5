#include "libcalib/session/press_kind.hpp"

#include <algorithm>

namespace tactelier {

std::string_view to_string(PressKind kind) {
  switch (kind) {
    case PressKind::kRamp:
      return "ramp";
    case PressKind::kStaircase:
      return "staircase";
    case PressKind::kRepeat:
      return "repeat";
    case PressKind::kHold:
      return "hold";
    case PressKind::kCycle:
      return "cycle";
    case PressKind::kSpeed:
      return "speed";
    case PressKind::kChirp:
      return "chirp";
    case PressKind::kRaster:
      return "raster";
    case PressKind::kArea:
      return "area";
  }
  return {};
}

std::optional<PressKind> press_kind_from(std::string_view name) {
  const auto found = std::find_if(kPressKinds.begin(), kPressKinds.end(),
                                  [&](PressKind kind) { return to_string(kind) == name; });
  return found == kPressKinds.end() ? std::nullopt : std::optional(*found);
}

}  // namespace tactelier
