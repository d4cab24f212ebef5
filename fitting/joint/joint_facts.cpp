#include "fitting/joint/joint_facts.hpp"

#include <array>

namespace tactelier {
namespace {

constexpr auto kCodes = std::to_array<CodeFact>({
    {"NOT-AT-REST", "stiffness not relaxed",
     "The force falls while a depth is held, and how can't be told: the stiffness lies above the "
     "relaxed one by up to that part, which u_total holds.",
     "Hold a depth until the force stays (P6)."},
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
