#pragma once
// Does a force sensor still measure? One that hangs repeats its last record, in all axes at once; a
// quiet one whose noise is below a step of its converter repeats it too. So the share of repeats is
// learnt while it lives, and only a run that this share gives less than once in 10^12 records,
// that lasts 50 ms and three times as long as any of late (a filtered force changes its count
// seldom, whatever the share says) is a standstill. Where more than nine in ten are repeats nothing
// can be told (ages and the axis check remain), nor in the first two seconds. Pure; one thread.

#include <array>
#include <cstdint>

namespace tactelier::rig {

class FrozenWatch {
 public:
  void see(const std::array<std::int32_t, 6>& counts, std::int64_t time_ns);
  bool frozen() const;
  /// Records in a row that equal the one before them.
  int equal() const { return equal_; }

 private:
  std::array<std::int32_t, 6> last_{};
  std::int64_t begun_ns_ = 0, changed_ns_ = 0, seen_ns_ = 0;
  double longest_ns_ = 0;  // between two changes, of late
  int equal_ = 0;
  double repeats_ = 0, records_ = 0;  // of late
  bool begun_ = false;
};

}  // namespace tactelier::rig
