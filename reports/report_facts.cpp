#include "reports/report_facts.hpp"

#include <array>

namespace tactelier {
namespace {

constexpr auto kCodes = std::to_array<CodeFact>({
    {"BELOW-STEP", "depth below one step of the stage",
     "A press of the protocol ends less deep than the stage's smallest step in z: it presses or it "
     "does not.",
     "Ask for a greater depth, or state the finer step of this stage as step_um in the rig file."},
    {"COARSE-STEP", "one step of the stage is much force",
     "By the rig's compliance, one step of the stage is more than a tenth of the force that the "
     "plate is to be pressed with: a press ends half a step beside it.",
     "Nothing, if the rig's limit allows for it: the force is measured. Else press the plate "
     "harder, or state the finer step of this stage as step_um in the rig file."},
    {"NO-GROUND", "bare ground beside the pad not stated",
     "A step 'ground' is left out: the rig file doesn't say where what the pad lies on is bare, so "
     "the layer's thickness stays what the sensor description says.",
     "State ground_mm in the rig file, or let 'rig setup' ask for it."},
    {"CONDITION-BOUNDED", "conditioning goes less far than asked",
     "A limit of the rig or of the sensor lets the step 'condition' press less far than its factor "
     "times the largest press behind it.",
     "Nothing, if it still goes further than what is measured; else lower the presses behind it."},
    {"CONDITION-LATE", "pressed before it was conditioned",
     "A step in front of 'condition' presses the pad, whose rubber is virgin there.",
     "Put 'condition' first; zeros, plates and ground may stand before it."},
    {"NOT-WARM", "the force's zero goes on drifting",
     "A step 'warm_up' waited as long as it may, and the drift of the force's zero (or of the "
     "array's temperature) was not below its limit beyond doubt. The run went on, or ended where "
     "the step says 'required'.",
     "Wait longer (at_most_s), look for what pulls at the cable or blows at the rig, or allow for "
     "more drift. A noisy or slow force sensor needs minutes to tell so little.",
     kNoRecording},
    {"NO-SPRING", "no leaf spring stated",
     "A step 'spring' is left out: the rig file has no leaf_spring.",
     "State leaf_spring in the rig file: where it is touched, its stiffness and how well that is "
     "known."},
    {"DIFF-SENSOR", "two different sensors",
     "The two models describe sensors of different layout or serial number.",
     "Compare models of one sensor; parameters by tactel mean nothing otherwise."},
    {"DIFF-COMMON", "one force sensor for both",
     "Both models were fitted with one force sensor, whose gain is uncertain in common: E_n of "
     "gains and stiffness is on the small side.",
     "Compare with a calibration by another force sensor where the absolute value matters."},
    {"NOT-SQUARE", "cells are not square",
     "The kernel of an image model counts in tactels, which are not square here: its width is "
     "right for the geometric mean of the pitches alone.",
     "Use the spread in metres, integrated over cells, where the simulator can."},
    {"STEP-DAMPING", "the simulator damps more than the model",
     "Engines that step springs implicitly add stiffness times step to a tactel's damping, here "
     "more than the model has even at the shortest step that is written.",
     "Use a shorter step in the simulator, or take its damping as it is: static forces are right."},
});

}  // namespace

const FactTable& report_facts() {
  static constexpr FactTable kTable{{}, {}, kCodes};
  return kTable;
}

}  // namespace tactelier
