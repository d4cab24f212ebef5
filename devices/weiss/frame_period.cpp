#include "devices/weiss/frame_period.hpp"

#include <algorithm>
#include <cmath>

namespace tactelier::devices {
namespace {

constexpr std::size_t kLearnt = 8;

}  // namespace

std::int64_t FramePeriod::judge(std::int64_t step_ms) {
  const auto periods = std::max(1.0, std::round(static_cast<double>(step_ms) / period_ms_));
  if (periods > 1) return static_cast<std::int64_t>(periods) - 1;
  sum_ms_ += static_cast<double>(step_ms);
  period_ms_ = sum_ms_ / ++steps_;
  return 0;
}

std::int64_t FramePeriod::lost_in(std::int64_t step_ms) {
  if (period_ms_ > 0) return judge(step_ms);
  first_.push_back(step_ms);
  if (first_.size() < kLearnt) return 0;
  auto steps = first_;
  const auto middle = steps.begin() + kLearnt / 2;
  std::nth_element(steps.begin(), middle, steps.end());
  period_ms_ = static_cast<double>(*middle);
  std::int64_t lost = 0;
  for (const auto step : first_) lost += judge(step);
  return lost;
}

}  // namespace tactelier::devices
