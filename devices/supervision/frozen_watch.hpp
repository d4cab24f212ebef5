#pragma once
// Does a force sensor still measure? One that hangs repeats its last record, in all axes at once;
// so does a quiet one whose noise is below a step of its converter, for as long as the force stands
// amid a step. Told apart by what is learnt while it lives:
// - how many different records there are among the last changes: where noise is below the step they
//   go to and fro between two, or four at two axes' edges, and a standstill tells nothing (ages and
//   the axis check remain);
// - the share of repeats: a run must be one of 10^12 records by it;
// - the longest run of the last ten minutes: a filtered force, and one at rest, changes its count
//   seldom, whatever the share says. A standstill lasts three times as long, and 50 ms.
// Nothing is judged in the first two seconds. Pure; one thread.

#include <array>
#include <cstdint>

namespace tactelier::rig {

class FrozenWatch {
 public:
  using Counts = std::array<std::int32_t, 6>;

  void see(const Counts& counts, std::int64_t time_ns);
  bool frozen() const;
  /// Records in a row that equal the one before them.
  int equal() const { return equal_; }

 private:
  static constexpr std::size_t kRemembered = 16;

  void learn_run(std::int64_t time_ns);
  bool many_different() const;

  std::array<Counts, kRemembered> different_{};  // the last changes, a ring
  std::size_t changes_ = 0;
  Counts last_{};
  std::int64_t begun_ns_ = 0, changed_ns_ = 0, seen_ns_ = 0;
  double longest_ns_ = 0;             // of equal records in a row, of late
  double repeats_ = 0, records_ = 0;  // of late
  int equal_ = 0;
};

}  // namespace tactelier::rig
