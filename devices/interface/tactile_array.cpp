#include "devices/interface/tactile_array.hpp"

namespace tactelier::devices {

std::int64_t UnwrappedCounter::next(std::uint64_t counter) {
  if (!started_) {
    started_ = true;
    value_ = static_cast<std::int64_t>(counter);
  } else if (bits_ >= 64) {
    value_ = static_cast<std::int64_t>(counter);
  } else {
    const std::uint64_t range = std::uint64_t{1} << static_cast<unsigned>(bits_);
    const auto forward = static_cast<std::int64_t>((counter - last_) & (range - 1));
    const auto half = static_cast<std::int64_t>(range / 2);
    value_ += forward >= half ? forward - static_cast<std::int64_t>(range) : forward;
  }
  last_ = counter;
  return value_;
}

}  // namespace tactelier::devices
