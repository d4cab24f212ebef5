#include "devices/server/rig_facts.hpp"

#include <array>

namespace tactelier::rig {
namespace {

constexpr auto kCodes = std::to_array<CodeFact>({
    {"TILT", "surface tilted",
     "The surface found by touches leans by more than 0.5 degrees: a flat tip presses with an edge "
     "first, and a slide changes its load.",
     "Shim the sensor or the stage until it is level, then find the surface again."},
    {"TIP", "another tip than the one that found the surface",
     "Surface and registration had been found by hand, and the recording's tip meets the pad at "
     "another height: it is longer, shorter, or sits deeper in its chuck. Both were found anew.",
     "Change tips where the program asks for it, or find the surface after the change."},
    {"ROWS", "presses rose another tactel",
     "Presses of the registration rose another tactel than the one that was pressed. The "
     "registration takes that into account.",
     "Look whether rows and columns are what the sensor description says, and whether the pad was "
     "turned or mirrored when it was mounted."},
    {"SHIFT", "array moved against the stage",
     "The registration at the end of a run no longer agrees with the one at its beginning.",
     "Fasten the sensor, register again and record again what was pressed in between."},
    {"BUMP", "collision with the rig",
     "The force sensor felt a collision while the tip was in the air. Heights and places may have "
     "changed.",
     "Look whether the sensor still sits where it sat; register again if in doubt."},
    {"REFERENCE", "height of the reference pad moved",
     "The reference pad was touched at another height than before: the stage lost steps, something "
     "slipped, or the rig warmed up.",
     "Find the surface again; presses since the last good reference may have wrong depths."},
    {"LIMIT", "a press ended at a limit",
     "A limit of the rig file ended a press, or the step would have passed one. The run went on "
     "with the next press.",
     "Press less, or raise the limit if the sensor allows it."},
    {"NOTHING-TO-UNDO", "no press to undo",
     "No press since the run began, or since the tip was changed, was left to be taken back.",
     "Exclude the press by `tactelier edit` when the run is over."},
    {"NEAR-RANGE", "end of the force sensor's range",
     "A press was ended where force and torque together came near the force sensor's range: a "
     "plate "
     "on a tilted pad, or a place far from the tool's axis, turns the sensor more than it loads "
     "it. "
     "What was pressed until then counts.",
     "Level the pad, press less, or take a sensor with a larger range of torque."},
    {"GROUND-MISSED", "no ground beside the pad",
     "The tip went down beside the pad and met nothing rigid within the stage's travel or the "
     "step's "
     "reach. The step was left.",
     "Correct ground_mm of the rig file: a place where what the pad lies on is bare."},
    {"GROUND-SOFT", "the ground gives way",
     "What was met beside the pad gives way like rubber. The step was left before it was pressed "
     "hard.",
     "Correct ground_mm of the rig file: not over the pad's own edge."},
    {"SPRING-OFF", "leaf spring measured with another stiffness",
     "The leaf spring's stiffness, by force, depth and the rig's compliance, differs from the "
     "stated one by more than both uncertainties: one of the three is wrong.",
     "Weigh the force sensor (rig weigh), measure the plate again (rig plate), check the steps per "
     "millimetre; then the spring's own certificate and where it is touched."},
    {"SPRING-UNREAD", "leaf spring without a result",
     "The presses of a step 'spring' gave too few heights under force for a stiffness.",
     "Look whether the tip met the spring: top_mm of leaf_spring in the rig file."},
    {"ZERO-SHIFT", "raw zero of the force sensor jumped",
     "The zero of an axis, untared, differs from the last one by more than 2 % of its range: tips "
     "and cables don't do that. Small sensors are ruined by the torque that tightens a chuck.",
     "Take the tip off: does the zero come back? Weigh the sensor (rig weigh): a gain that is off "
     "means repair. If it reads right go on (record --resume): axes and weight are asked for "
     "again. Hold the sensor's own side of the chuck next time."},
    {"FURTHER", "nobody said what to press next",
     "A recording whose presses are chosen while it runs got no further steps in time, or choosing "
     "them failed. The steps for that case follow, or it ends in order.",
     "Go on with `record --until ... --resume`; if it comes back, look at the text behind it."},
    {"CLOCK-STEP", "computer's clock was set back",
     "A recording was taken up again, and by the computer's clock its end lies in the future. It "
     "goes on right behind its end.",
     "Set the clock before recording; times across the join are not to be trusted."},
});

}  // namespace

const FactTable& rig_facts() {
  static constexpr FactTable kTable{{}, {}, kCodes};
  return kTable;
}

}  // namespace tactelier::rig
