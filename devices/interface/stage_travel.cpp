#include "devices/interface/stage_travel.hpp"

#include <string_view>

#include "libcalib/units.hpp"

namespace tactelier::devices {

Result<void> check_travel(const StageTravel& travel, const StagePosition& to_m) {
  constexpr std::string_view kAxes = "XYZ";
  constexpr double kRounding_m = 1e-9;
  for (std::size_t axis = 0; axis < 3; ++axis)
    if (!(to_m[axis] >= travel.low_m[axis] - kRounding_m) ||
        !(to_m[axis] <= travel.high_m[axis] + kRounding_m))
      return fail(ErrorCode::kInvalidInput,
                  "{} {:.3f} mm is outside the stage's travel of {:.3f} to {:.3f} mm; nothing was "
                  "sent",
                  kAxes[axis], m_to_mm(to_m[axis]), m_to_mm(travel.low_m[axis]),
                  m_to_mm(travel.high_m[axis]));
  return {};
}

}  // namespace tactelier::devices
