#include "devices/supervision/raw_zeros.hpp"

#include <fmt/format.h>

#include <cmath>
#include <string_view>

namespace tactelier::rig {

std::string ZeroShift::describe() const {
  constexpr std::array<std::string_view, 6> kAxes{"Fx", "Fy", "Fz", "Tx", "Ty", "Tz"};
  return fmt::format(
      "the force sensor's raw zero of {} moved by {:+.3g} {}, {:+.1f} % of its range, in {:.1f} "
      "min",
      kAxes[axis], shift_SI, axis < 3 ? "N" : "N m", 100 * share(), after_s / 60);
}

std::optional<ZeroShift> RawZeros::add(const RawZero& zero,
                                       const std::array<double, 6>& full_scale_SI) {
  std::optional<ZeroShift> worst;
  if (!zeros_.empty()) {
    const auto& before = zeros_.back();
    for (std::size_t axis = 0; axis < full_scale_SI.size(); ++axis) {
      if (!(full_scale_SI[axis] > 0)) continue;
      const ZeroShift shift{axis, zero.wrench_SI[axis] - before.wrench_SI[axis],
                            full_scale_SI[axis],
                            static_cast<double>(zero.time_ns - before.time_ns) * 1e-9};
      if (std::abs(shift.share()) > std::abs(worst ? worst->share() : kMost)) worst = shift;
    }
  }
  zeros_.push_back(zero);
  if (zeros_.size() > kKept) zeros_.pop_front();
  return worst;
}

}  // namespace tactelier::rig
