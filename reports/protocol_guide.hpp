#pragma once
// The shipped protocols as people choose among them: what each gives, how long it takes on a rig,
// how it is run. Window, command line and refusals say the same.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "libcalib/protocol/plan.hpp"
#include "reports/section.hpp"

namespace tactelier {

struct ProtocolGuide {
  std::string name;                  // "p9": what --protocol takes
  std::string description;           // what it gives, and what not
  std::optional<double> duration_s;  // on that rig, waiting for the operator included
  std::string why_not;               // it can't be planned there

  /// "4 min 18 s", or "not on this rig".
  std::string time_words() const;
  /// The description up to the end of its first sentence.
  std::string headline() const;
};

/// All shipped protocols, by name: p2 before p10.
std::vector<ProtocolGuide> protocol_guides(const SensorDescription& sensor, const PlanSetup& setup);

/// Of one of the experiment design, "P9"; nothing for a protocol that isn't shipped.
std::optional<ProtocolGuide> protocol_guide(std::string_view protocol,
                                            const SensorDescription& sensor,
                                            const PlanSetup& setup);

/// "P9: slides at eight speeds, two directions, three loads (record --protocol p9)".
std::string record_words(std::string_view protocol);
/// The same with its time on a rig: "... (record --protocol p9, 4 min 18 s)".
std::string record_words(std::string_view protocol, const SensorDescription& sensor,
                         const PlanSetup& setup);

/// Name, time, what it is.
Table protocol_table(const std::vector<ProtocolGuide>& guides);

}  // namespace tactelier
