#include "devices/supervision/frozen_watch.hpp"

#include <algorithm>
#include <cmath>

namespace tactelier::rig {
namespace {

constexpr std::int64_t kLeast_ns = 50'000'000;
constexpr double kForget = 0.999;  // per change
constexpr std::int64_t kLearn_ns = 2'000'000'000;
constexpr double kOverLongest = 3, kForgetLongest_ns = 600e9;
constexpr double kMost_share = 0.9;
constexpr std::ptrdiff_t kMany = 7;    // of kRemembered; two axes at an edge give four
constexpr double kLog_chance = -27.6;  // 10^-12

}  // namespace

void FrozenWatch::see(const Counts& counts, std::int64_t time_ns) {
  seen_ns_ = time_ns;
  if (changes_ > 0 && counts == last_) {
    ++equal_;
    return;
  }
  if (changes_ == 0)
    begun_ns_ = time_ns;
  else
    learn_run(time_ns);
  different_[changes_++ % kRemembered] = last_ = counts;
  equal_ = 0;
  changed_ns_ = time_ns;
}

void FrozenWatch::learn_run(std::int64_t time_ns) {
  repeats_ = kForget * repeats_ + equal_;
  records_ = kForget * records_ + equal_ + 1;
  const auto run_ns = static_cast<double>(time_ns - changed_ns_);
  longest_ns_ *= std::exp(-run_ns / kForgetLongest_ns);
  if (equal_ > 0) longest_ns_ = std::max(longest_ns_, run_ns);
}

bool FrozenWatch::many_different() const {
  auto records = different_;
  std::sort(records.begin(), records.end());
  return changes_ >= kRemembered &&
         std::unique(records.begin(), records.end()) - records.begin() >= kMany;
}

bool FrozenWatch::frozen() const {
  const auto run_ns = seen_ns_ - changed_ns_;
  if (equal_ == 0 || changed_ns_ - begun_ns_ < kLearn_ns || run_ns < kLeast_ns ||
      static_cast<double>(run_ns) < kOverLongest * longest_ns_)
    return false;
  const double share = std::max(repeats_, 1.0) / records_;
  return share <= kMost_share && equal_ * std::log(share) < kLog_chance && many_different();
}

}  // namespace tactelier::rig
