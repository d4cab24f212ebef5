#include "devices/rig/frozen_watch.hpp"

#include <algorithm>
#include <cmath>

namespace tactelier::rig {
namespace {

constexpr std::int64_t kLeast_ns = 50'000'000;
constexpr double kForget = 0.999;       // per change
constexpr double kEnough_records = 30;  // before a share is believed
constexpr double kMost_share = 0.9;
constexpr double kLog_chance = -27.6;  // 10^-12

}  // namespace

void FrozenWatch::see(const std::array<std::int32_t, 6>& counts, std::int64_t time_ns) {
  seen_ns_ = time_ns;
  if (begun_ && counts == last_) {
    ++equal_;
    return;
  }
  if (begun_) {
    repeats_ = kForget * repeats_ + equal_;
    records_ = kForget * records_ + equal_ + 1;
  }
  begun_ = true;
  last_ = counts;
  equal_ = 0;
  changed_ns_ = time_ns;
}

bool FrozenWatch::frozen() const {
  if (equal_ == 0 || records_ < kEnough_records || seen_ns_ - changed_ns_ < kLeast_ns) return false;
  const double share = std::max(repeats_, 1.0) / records_;
  return share <= kMost_share && equal_ * std::log(share) < kLog_chance;
}

}  // namespace tactelier::rig
