#pragma once
// One frame of readings in newtons, as Python has it.

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "app/workflow/array_newtons.hpp"

namespace tactelier::python {

struct PyFrame {
  std::int64_t number = 0;
  double time_s = 0;
  std::vector<double> force_N;
  std::vector<std::uint8_t> flag;
  std::optional<double> total_N;
};

inline PyFrame newton_frame(std::int64_t number, double time_s,
                            std::span<const ReadingForce> tactels, std::optional<double> total_N) {
  PyFrame frame{number, time_s, {}, {}, total_N};
  for (const auto& tactel : tactels) {
    frame.force_N.push_back(tactel.force_N.value_or(std::numeric_limits<double>::quiet_NaN()));
    frame.flag.push_back(static_cast<std::uint8_t>(tactel.flag));
  }
  return frame;
}

}  // namespace tactelier::python
