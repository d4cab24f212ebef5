#pragma once
// Which events have begun and not ended: NAME_begin without its NAME_end.

#include <string>
#include <string_view>
#include <vector>

#include "libcalib/protocol/plan.hpp"

namespace tactelier::rig {

/// "press" of "press_begin" and "press_end"; "" for an event that is none of a pair.
std::string_view pair_of(std::string_view event);
bool begins_pair(std::string_view event);

class OpenEvents {
 public:
  /// Each event in its order; `data` is a JSON object.
  void see(std::string_view name, std::string_view data);
  bool empty() const { return open_.empty(); }
  std::size_t size() const { return open_.size(); }
  bool has(std::string_view pair) const;
  /// What ends them, the innermost first; a press with this outcome. None is open afterwards.
  std::vector<PlannedEvent> close(std::string_view outcome);

 private:
  std::vector<PlannedEvent> open_;
};

}  // namespace tactelier::rig
