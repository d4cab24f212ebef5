#include "fitting/statistics/statistics_facts.hpp"

#include <array>

namespace tactelier {
namespace {

constexpr auto kCodes = std::to_array<CodeFact>({
    {"ID-01", "data don't determine it",
     "The recorded data do not depend on this parameter, or only on a combination of it with "
     "another one: the fit's normal equations are (nearly) singular.",
     "Vary what tells the two apart, as the parameter's protocol does, or state one of them with "
     "--assume.",
     kOwnProtocol},
    {"ID-02", "interval wider than the value",
     "The 95 % interval is as wide as the value itself, or nothing was repeated from which an "
     "interval could be had.",
     "Repeat the presses of the parameter's protocol, over a wider range if the rig allows.",
     kOwnProtocol},
    {"ID-03", "known only together",
     "Two parameters are correlated beyond 0.99: each alone is uncertain, the combination that is "
     "named is not.",
     "Use both together, or record what tells them apart."},
    {"ID-04", "only one limit",
     "The cost does not rise on one side of the value: the data give a lower or an upper limit, "
     "not a value.",
     "Extend the range of the parameter's protocol towards the open side.", kOwnProtocol},
    {"ID-05", "several solutions",
     "Fits from different starting points end at different values that describe the data equally "
     "well.",
     "Record more of the parameter's protocol, with other speeds, loads or sites.", kOwnProtocol},
    {"ID-06", "ended at its limit",
     "The fit pushed the parameter to the bound of what is physically possible, so its value is "
     "the bound's and not the data's.",
     "Check signs, zeros and units of the recording; then extend the parameter's protocol.",
     kOwnProtocol},
    {"ID-07", "model doesn't describe the data",
     "Residuals are larger than the noise explains, or follow one another: the numbers are "
     "descriptive only, and their intervals count for the recorded range alone.",
     "Look at the residuals; leave out presses of another kind, or let a richer model be chosen by "
     "recording more.",
     kOwnProtocol},
    {"NOT-SEEN", "none shows",
     "It was looked for and is not there: the value is 0, and the interval reaches up to what the "
     "data could hide.",
     "Nothing has to be done; for a tighter limit repeat the parameter's protocol.", kOwnProtocol},
});

}  // namespace

const FactTable& statistics_facts() {
  static constexpr FactTable kTable{{}, {}, kCodes};
  return kTable;
}

}  // namespace tactelier
