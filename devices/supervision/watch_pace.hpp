#pragma once
// Whether the watch over ages may believe them. A computer that stood still for a moment itself
// (26 ms once a minute were seen on an idle virtual machine) finds samples waiting in the system's
// buffers, which look like silence until the threads that read them have run. Two looks are passed
// over then, never more: a computer that is always late judges every third look, and one that stood
// still for longer at once.

#include <cstdint>

namespace tactelier::rig {

class WatchPace {
 public:
  /// `late_ns`: by how much this look came later than planned.
  bool may_judge(std::int64_t late_ns) {
    if (passed_over_ == kMaxPassedOver) {
      passed_over_ = 0;
      return true;
    }
    const bool moment = late_ns > kHeldUp_ns && late_ns <= kTooLong_ns;
    if (passed_over_ == 0 && !moment) return true;
    ++passed_over_;
    return false;
  }

 private:
  static constexpr std::int64_t kHeldUp_ns = 5'000'000;
  static constexpr std::int64_t kTooLong_ns = 50'000'000;
  static constexpr int kMaxPassedOver = 2;
  int passed_over_ = 0;
};

}  // namespace tactelier::rig
