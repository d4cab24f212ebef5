#pragma once
// Does a force sensor still measure? One that hangs repeats its last record, in all axes at once;
// so does a quiet one whose noise is below a step of its converter, for as long as the force stands
// amid a step. Told apart by what is learnt while it lives:
// - the step of each axis, the smallest change seen: where hardly a record in two hundred moves by
//   two steps, the noise is below the step, and repeats tell nothing (ages and the axis check
//   remain);
// - the share of repeats: a run must be one of 10^12 records by it;
// - the longest run of late: a filtered force changes its count seldom, whatever the share says. A
//   standstill lasts three times as long, and 50 ms.
// Nothing is judged in the first two seconds. Pure; one thread.

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
  bool jumped(const std::array<std::int32_t, 6>& counts);

  std::array<std::int32_t, 6> last_{};
  std::int64_t begun_ns_ = 0, changed_ns_ = 0, seen_ns_ = 0;
  double longest_ns_ = 0;  // between two changes, of late
  int equal_ = 0;
  std::array<std::int64_t, 6> step_counts_{};     // 0: never seen to change
  double repeats_ = 0, records_ = 0, jumps_ = 0;  // of late
  bool begun_ = false;
};

}  // namespace tactelier::rig
