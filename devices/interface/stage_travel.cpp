#include "devices/interface/stage_travel.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
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

double along_way(const StagePosition& limits, const StagePosition& from_m,
                 const StagePosition& to_m) {
  const double length_m = std::hypot(to_m[0] - from_m[0], to_m[1] - from_m[1], to_m[2] - from_m[2]);
  double most = std::numeric_limits<double>::infinity();
  for (std::size_t axis = 0; axis < 3; ++axis)
    if (const double way_m = std::abs(to_m[axis] - from_m[axis]); way_m > 0)
      most = std::min(most, limits[axis] * length_m / way_m);
  return most;
}

}  // namespace tactelier::devices
