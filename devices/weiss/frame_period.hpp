#pragma once
// The period of a stream whose device may not keep the rate that it was asked for, learnt from its
// own clock, so that lost frames can be counted. Pure; one thread.

#include <cstdint>
#include <vector>

namespace tactelier::devices {

class FramePeriod {
 public:
  /// Frames that never came between two that did, `step_ms` apart by the device's clock. The period
  /// is the median of the first eight steps, then the mean of all that are one period: the first
  /// eight are judged together, with the eighth of them.
  std::int64_t lost_in(std::int64_t step_ms);

  /// 0: not known yet.
  double period_ms() const { return period_ms_; }

 private:
  std::int64_t judge(std::int64_t step_ms);

  std::vector<std::int64_t> first_;
  double period_ms_ = 0, sum_ms_ = 0, steps_ = 0;
};

}  // namespace tactelier::devices
