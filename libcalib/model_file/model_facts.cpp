#include "libcalib/model_file/model_facts.hpp"

#include <array>

namespace tactelier {
namespace {

constexpr auto kCodes = std::to_array<CodeFact>({
    {"NOT-FITTED", "nothing recorded for it",
     "No stage gave this parameter a value: its stage was not asked for, does not exist in the "
     "version that wrote the file, or the sessions hold nothing for it. The words behind the code "
     "say which.",
     "Fit with the stage, and record the protocol of the stage where the sessions lack it.",
     kNoRecording},
    {"NOT-FINITE", "no finite number",
     "The computation ended in infinity or in no number at all, which a file can't hold.",
     "Report it with the session: it is an error of the program.", kNoRecording},
    {"CV-02", "stiffness out of range",
     "A stiffness lies outside 10 to 100 000 N/m; a factor of 1000 suggests N/mm.",
     "Check the units of force and depth in the recording or in the file."},
    {"CV-03", "relaxation time out of range",
     "c_n/k is a relaxation time, and lies outside 0.1 to 100 ms.",
     "Check the units of damping and stiffness, and the latency that was taken out."},
    {"CV-04", "bristles softer than the layer",
     "At the friction force the bristles would deflect by more than half of the layer's thickness "
     "before they slide.",
     "Check the units of σ0 and the thickness in the sensor description."},
    {"CV-05", "area disagrees with the pitch",
     "Number of tactels times pitch squared is not the area that the description states; k of a "
     "tactel scales with it.",
     "Correct pitch or area in the sensor description."},
});

}  // namespace

const FactTable& model_facts() {
  static constexpr FactTable kTable{{}, {}, kCodes};
  return kTable;
}

}  // namespace tactelier
