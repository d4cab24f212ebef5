#pragma once
// What a recording says of its rig and of the state in which it measured: whether it had warmed up,
// whether rubber was conditioned, how a leaf spring compared.

#include <span>
#include <string>
#include <vector>

#include "libcalib/session/events.hpp"

namespace tactelier {

struct RigFinding {
  double t_s = 0;
  std::string what;  // the event's name
  std::string text;  // "conditioned: 3 cycles at 25 places to 0.96 mm, 60 s of rest"
  bool good = true;
  std::string data;  // the event's
};

/// In order of time.
Result<std::vector<RigFinding>> rig_findings(std::span<const Event> events);

}  // namespace tactelier
