#pragma once
// A loading as the stage was told to do it, instead of as a few answers a second show it.

#include <optional>
#include <vector>

#include "fitting/recording/commanded_path.hpp"
#include "fitting/recording/press_data.hpp"

namespace tactelier {

/// The lines of a session: recorded, else planned anew from protocol and events. Empty when
/// neither can say.
CommandedPath commanded_path(const Session& session);

/// How late a line was begun, and a standard uncertainty. What positions read under way allow is
/// all equally likely; with what was known before, both weigh by their variances, without it a line
/// is on time where positions allow that.
struct Lateness {
  double value_s = 0;
  double u_s = 0;
  double u_shared_s = 0;  // of that, what all lines of a session have in common
  double or_later_s = 0;  // so much later, or twice, is told as well: edges of steps are alike

  /// The value of these that is nearest to `other_s`.
  double near_s(double other_s) const;
};

struct ComputedLoading {
  Lateness late;
  double rest_begin_s = 0;  // when the line ends; later, the rest was seen to begin
};

/// Puts computed travel into `data`, from the press's begin until the stage leaves the rest that
/// the loading ended in; that rest is where the position was read to be. Empty, with `data` as it
/// was, where the line into the rest is unknown or positions read under way contradict it.
/// `known`: of any line of this axis, before a position was read.
Result<std::optional<ComputedLoading>> compute_loading(const FitContext& context,
                                                       std::size_t session, std::size_t press,
                                                       const CommandedPath& path, Interval rest,
                                                       PressData& data,
                                                       const std::optional<Lateness>& known = {});

/// Puts computed travel into all of a press; `late_s`: of every line. False, with `data` as it was,
/// where the lines are unknown or positions contradict the first.
Result<bool> compute_travel(const FitContext& context, std::size_t session, std::size_t press,
                            const CommandedPath& path, double late_s, PressData& data);

/// Of any line along z, as the steps on the rigid plate show it (step_edges.hpp); empty without
/// them. Fails for damage and cancellation.
Result<std::optional<Lateness>> lateness_on_plate(const FitContext& context, std::size_t session,
                                                  const CommandedPath& path);

/// How far the positions read while the stage rests before this line, within `range`, lie from the
/// line's begin; empty where none were read or those read under way contradict the line. Fails for
/// damage and cancellation.
Result<std::optional<double>> shift_of_line(const FitContext& context, std::size_t session,
                                            TimeRange range, const CommandedPath::Line& line);

}  // namespace tactelier
