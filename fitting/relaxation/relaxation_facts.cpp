#include "fitting/relaxation/relaxation_facts.hpp"

#include <array>

namespace tactelier {
namespace {

constexpr auto kParameters = std::to_array<ParameterFact>({
    {"relaxation.g_inf", "g∞", "relaxed share g∞", "",
     "Share of the stiffness that is left after a long hold.", "P6", kPurpose},
    {"relaxation.g[]", "g", "relaxing share g", "",
     "Share of the stiffness that relaxes in one Prony branch.", "P6", kPurpose},
    {"relaxation.tau[]", "τ", "relaxation time τ", "s", "Time in which one Prony branch relaxes.",
     "P6", kPurpose},
    {"response.tactels[].creep", "", "creep", "%/decade",
     "Rise of the reading under constant load per decade of time.", "P6"},
});

constexpr auto kGroups = std::to_array<GroupFact>({{"relaxation", "Relaxation"}});

constexpr auto kCodes = std::to_array<CodeFact>({
    {"DP-02", "no relaxation above the noise",
     "The force falls over the hold by no more than the noise explains.",
     "Nothing has to be done for a pad that doesn't relax; a longer hold gives a tighter limit.",
     recording("P6"), "relaxation."},
    {"DP-03", "no hold long enough",
     "No depth was held, or the relaxation time lies at the limit of what the hold shows.",
     "Hold a depth for several relaxation times, after a step of at most 0.2 s; sample faster for "
     "short ones.",
     recording("P6")},
    {"RS-CREEP", "no hold on this tactel",
     "The tactel was not held under load, or loads just before its hold still show, or its "
     "readings saturate, are too small, or have no gain.",
     "Hold a depth on the tactel, below its saturation, before anything else is pressed there.",
     recording("P6")},
});

}  // namespace

const StageFacts& relaxation_facts() {
  static constexpr StageFacts kFacts{
      "relaxation", "Relaxation", StageFacts::Kind::kCalibrates, {kParameters, kGroups, kCodes}};
  return kFacts;
}

}  // namespace tactelier
