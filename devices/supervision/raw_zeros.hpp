#pragma once
// The force sensor's raw zeros of this power-up, whichever tip was on: nobody's tare makes them
// forgotten. A zero that jumps while a tip is changed tells of a gauge that has yielded: what a
// chuck takes to be tightened overloads small sensors (docs/safety.md). 2 % of an axis's range is
// more than tips weigh, cables pull and warm-ups drift. Pure.

#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>

namespace tactelier::rig {

struct RawZero {
  std::array<double, 6> wrench_SI{};
  std::int64_t time_ns = 0;
};

/// Of the axis that moved most of its range.
struct ZeroShift {
  std::size_t axis = 0;
  double shift_SI = 0, full_scale_SI = 0;
  double after_s = 0;  // since the zero before

  double share() const { return shift_SI / full_scale_SI; }
  /// "the force sensor's raw zero of Tx moved by +0.0061 N m, +2.4 % of its range, in 3.2 min"
  std::string describe() const;
};

class RawZeros {
 public:
  static constexpr double kMost = 0.02;       // of the range
  static constexpr std::size_t kKept = 1000;  // the newest

  /// Another sensor, or one that was switched off.
  void forget() { zeros_.clear(); }
  /// Kept in any case; the shift from the one before where it is more than kMost. Axes without a
  /// known range are not judged.
  std::optional<ZeroShift> add(const RawZero& zero, const std::array<double, 6>& full_scale_SI);
  const std::deque<RawZero>& history() const { return zeros_; }

 private:
  std::deque<RawZero> zeros_;
};

}  // namespace tactelier::rig
