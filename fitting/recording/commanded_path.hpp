#pragma once
// Where the stage was told to be, at any time: the lines it was sent (libcalib/session/moves.hpp),
// each at trapezoidal speed. What the axis makes of it is in virtual_encoder.hpp.
//
//   t = L/v + v/a from rest to rest; a line that ends before it reaches v is a triangle.
//
// A line begins when it was queued, or when the one before has ended. Lines of one direction and
// speed that were queued before the one before had ended are one line: the stage does not stop
// between them.

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "libcalib/protocol/motion.hpp"
#include "libcalib/session/moves.hpp"

namespace tactelier {

class CommandedPath {
 public:
  struct Line {
    double begin_s = 0;
    double end_s = 0;  // at rest
    Motion motion;
    std::optional<double> brake_s{};  // when it was cut short, and how it comes to rest
    Motion brake{};
    Vector3 jump_m{};  // from where the line before ended: what moved in between is not recorded

    Vector3 place_m(double t_s) const;  // before begin and after end: at rest there
  };

  CommandedPath() = default;
  explicit CommandedPath(std::span<const Move> moves);

  const std::vector<Line>& lines() const { return lines_; }
  /// The last line that begins at or before t_s; the first before all. Needs a line.
  const Line& line_at(double t_s) const;
  /// Whether all lines of this axis between these times begin where the one before ended. After a
  /// stop a controller says where the motor stands, to a whole step and in three decimals of a
  /// millimetre: a stage of that step, 0 where nobody knows, may begin its next line there.
  bool joined(std::size_t axis, double from_s, double to_s, double step_m = 0) const;
  /// The line that ends in a rest which was seen to begin at t_s: the last begun before, which ends
  /// at most `early_s` before (a rest is seen when the stage answers that it stands) and `late_s`
  /// after; nullptr without one.
  const Line* line_into(double t_s, double early_s, double late_s) const;

 private:
  std::vector<Line> lines_;  // in order of time
};

}  // namespace tactelier
