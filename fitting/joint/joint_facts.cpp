#include "fitting/joint/joint_facts.hpp"

#include <array>

namespace tactelier {
namespace {

constexpr auto kCodes = std::to_array<CodeFact>({
    {"NOT-AT-REST", "stiffness not relaxed",
     "The stiffness is that of these presses, and how far the pad relaxes after them can't be "
     "told: "
     "the relaxed one is lower by up to the part that the warning states, which u_total holds. "
     "Where nothing was held it is what the loops of the presses allow, or what rubbers do.",
     "Hold a depth until the force stays (P6), or rest for some seconds at each depth (P3)."},
    {"JOINT", "no joint refinement",
     "The fit of presses at several speeds and holds together did not converge or disagrees with "
     "the stages: damping and relaxation stay as those found them.",
     "Record ramps and holds on one site, P5 and P6."},
});

}  // namespace

const StageFacts& joint_facts() {
  static constexpr StageFacts kFacts{
      "joint", "Joint", StageFacts::Kind::kRefines, {{}, {}, kCodes}};
  return kFacts;
}

}  // namespace tactelier
