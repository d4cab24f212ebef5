#pragma once
// Follows events in order of time and says which one can't be: an end without its begin, two
// presses at once, a hold outside a press, a tactel that the sensor lacks. Import names the line,
// presses() and intervals() build on the same rules.

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "libcalib/result.hpp"
#include "libcalib/session/events.hpp"
#include "libcalib/session/metadata.hpp"

namespace tactelier {

class PressOrder {
 public:
  explicit PressOrder(const SessionMetadata& metadata) : metadata_(metadata) {}

  /// Events other than press_* and hold_* are passed over. Messages don't say where.
  Result<void> add(const Event& event);
  /// Number of the press that has begun and not ended.
  std::optional<int> open_press() const;
  /// Presses in order of begin; an open one ends with the last event seen and counts as aborted.
  std::vector<Press> finish();

 private:
  Result<void> begin(const Event& event);
  Result<void> end(const Event& event);
  Result<void> hold(const Event& event, bool begins);

  const SessionMetadata& metadata_;
  std::vector<Press> presses_;
  std::map<int, double> begun_;  // every press number seen, with its begin
  bool press_open_ = false;
  bool hold_open_ = false;
  double last_s_ = 0;
};

/// NAME_begin and NAME_end of anything but presses: zero, plate, reference, slide, image.
class PairOrder {
 public:
  Result<void> add(const Event& event);
  /// Closed pairs of one name, in order.
  std::vector<Interval> intervals(std::string_view name) const;

 private:
  struct Pairs {
    std::optional<double> open_s;
    std::vector<Interval> closed;
  };
  std::map<std::string, Pairs, std::less<>> pairs_;
};

/// The events in order of time; those of equal time stay as they are.
std::vector<const Event*> in_time_order(std::span<const Event> events);

}  // namespace tactelier
