#include "libcalib/forward/forward_facts.hpp"

#include <array>

namespace tactelier {
namespace {

constexpr auto kCodes = std::to_array<CodeFact>({
    {"FW-01", "no tactel under the indenter",
     "The indenter stands beside the array, or nothing of it reaches a tactel: no tactel carries "
     "the load.",
     "Check the place of the press: sensor frame, millimetres, origin at the array's centre.",
     kNoRecording},
    {"FW-02", "footprint beside the array",
     "Part of the footprint lies off the array. How much of the load the frame carries there is "
     "not known; the simulation lets the array carry all of it.",
     "Press farther inside, or leave the press out of comparisons of force."},
    {"FW-03", "deeper than the layer",
     "The load needs a depth beyond the layer's thickness, where an elastic foundation means "
     "nothing.",
     "Lower the load, or check thickness and foundation modulus."},
    {"FW-05", "no foundation modulus",
     "How deep a round or tilted contact goes, and so how large it gets, is the foundation "
     "modulus's to say, which the model lacks. Level flat faces under a force need none.",
     "Fit sessions with a plate or dead weights, or assume stiffness.foundation_modulus.",
     recording("P4")},
});

}  // namespace

const FactTable& forward_facts() {
  static constexpr FactTable kTable{{}, {}, kCodes};
  return kTable;
}

}  // namespace tactelier
