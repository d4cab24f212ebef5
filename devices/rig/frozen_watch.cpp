#include "devices/rig/frozen_watch.hpp"

#include <algorithm>
#include <cmath>

namespace tactelier::rig {
namespace {

constexpr std::int64_t kLeast_ns = 50'000'000;
constexpr double kForget = 0.999;  // per change
constexpr std::int64_t kLearn_ns = 2'000'000'000;
constexpr double kOverLongest = 3;
constexpr double kMost_share = 0.9;
constexpr double kLeastJumps_share = 5e-3, kJump_steps = 1.5;
constexpr double kLog_chance = -27.6;  // 10^-12

}  // namespace

void FrozenWatch::see(const std::array<std::int32_t, 6>& counts, std::int64_t time_ns) {
  seen_ns_ = time_ns;
  if (begun_ && counts == last_) {
    ++equal_;
    return;
  }
  if (begun_) {
    jumps_ = kForget * jumps_ + (jumped(counts) ? 1 : 0);
    repeats_ = kForget * repeats_ + equal_;
    records_ = kForget * records_ + equal_ + 1;
    longest_ns_ = std::max(kForget * longest_ns_, static_cast<double>(time_ns - changed_ns_));
  } else {
    begun_ns_ = time_ns;
  }
  begun_ = true;
  last_ = counts;
  equal_ = 0;
  changed_ns_ = time_ns;
}

/// Does any axis move by two of its steps? Learns the steps.
bool FrozenWatch::jumped(const std::array<std::int32_t, 6>& counts) {
  bool any = false;
  for (std::size_t axis = 0; axis < counts.size(); ++axis) {
    const auto change = std::abs(std::int64_t{counts[axis]} - last_[axis]);
    if (change == 0) continue;
    auto& step = step_counts_[axis];
    step = step == 0 ? change : std::min(step, change);
    any |= static_cast<double>(change) > kJump_steps * static_cast<double>(step);
  }
  return any;
}

bool FrozenWatch::frozen() const {
  const auto run_ns = seen_ns_ - changed_ns_;
  if (equal_ == 0 || changed_ns_ - begun_ns_ < kLearn_ns || run_ns < kLeast_ns ||
      static_cast<double>(run_ns) < kOverLongest * longest_ns_)
    return false;
  const double share = std::max(repeats_, 1.0) / records_;
  return jumps_ >= kLeastJumps_share * records_ && share <= kMost_share &&
         equal_ * std::log(share) < kLog_chance;
}

}  // namespace tactelier::rig
