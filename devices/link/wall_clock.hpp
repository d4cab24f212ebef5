#pragma once
// The kernel stamps what it receives with the wall clock, everything else here runs on the steady
// one. What lies between the two is the same until somebody sets the wall clock (slewing by NTP
// moves both: man 2 adjtimex), so that one good look at both would do; but a thread may be put
// aside between two readings, for tens of milliseconds on a busy computer, and the wall clock may
// be set at any time.
//
// Each look reads steady, wall, steady: their difference lies between two bounds, whoever was put
// aside when. The bounds of many looks are narrowed to what they share, so that a wide look changes
// nothing; one that shares nothing with the looks before it proves that the clock was set.

#include <cstdint>
#include <functional>
#include <optional>

namespace tactelier::devices {

class WallClock {
 public:
  using Read = std::function<std::int64_t()>;  // ns
  WallClock(Read steady, Read wall) : steady_(std::move(steady)), wall_(std::move(wall)) {}
  /// CLOCK_REALTIME beside steady_host_clock().
  static WallClock of_host();

  /// When the wall clock read `wall_ns`, on the steady clock; looks at both. Nothing when the wall
  /// clock was set since then.
  std::optional<std::int64_t> steady_ns(std::int64_t wall_ns);
  /// The wall clock's lead is known to within half of this.
  std::int64_t bounds_apart_ns() const { return lead_ ? lead_->high_ns - lead_->low_ns : 0; }

 private:
  /// By how much the wall clock is ahead of the steady one.
  struct Lead {
    std::int64_t low_ns = 0, high_ns = 0;
  };
  Lead look() const;
  void take(const Lead& seen);

  Read steady_, wall_;
  std::optional<Lead> lead_;
  std::optional<std::int64_t> set_ns_;  // on the steady clock: earlier readings make no sense
};

}  // namespace tactelier::devices
