#include "app/workflow/workflow_facts.hpp"

#include <array>

#include "devices/server/rig_facts.hpp"

namespace tactelier {
namespace {

constexpr auto kCodes = std::to_array<CodeFact>({
    {"BA-01", "session can't be read",
     "A session of a batch is not there, or the system doesn't let it be read.",
     "Check path and permissions, then run the batch again.", kNoRecording},
    {"BA-02", "session is damaged",
     "A session of a batch is damaged in a way that leaves nothing to fit.",
     "Look at it with `tactelier info`, and copy it again from where it was recorded.",
     kNoRecording},
    {"BA-03", "sessions can't be fitted",
     "The sessions that were planned for one sensor are of several sensors, or make no sense.",
     "Mend what the words behind the code name, or plan these sessions apart.", kNoRecording},
    {"BA-04", "options make no sense",
     "The options of the plan can't be carried out with this sensor's sessions.",
     "Correct the options and make the plan again.", kNoRecording},
    {"BA-05", "fit crashed",
     "The process that fitted this sensor ended without a result, by a signal or for want of "
     "memory; the other sensors are not touched by it.",
     "Try `tactelier batch retry` with fewer jobs; if it crashes again, report it with the "
     "session.",
     kNoRecording},
    {"BA-06", "asked for, not identified",
     "There is a model, but nothing was identified, or a stage that the plan requires was not.",
     "The sensor's model.txt says which recordings are missing.", kNoRecording},
    {"CONDITION-OPEN", "conditioning by presses not yet chosen",
     "Presses that are chosen as the recording goes (targets, --until) are not known when it "
     "begins, so how far to condition, and where, can't follow from them.",
     "State sites and depth_mm (or force_N) in the step 'condition'.", kNoRecording},
    {"RF-03", "pressed too little to be seen",
     "The recording's presses say too little of some tactels: a change of 8 % of their gain would "
     "not have shown.",
     "Record with --refresh, which presses what is still open."},
    {"RF-04", "model does not predict these presses",
     "What a model predicts of a recording's presses is off by more than scatter explains: another "
     "tip, mounting or rubber than the model's.",
     "Look for what differs; calibrate anew where nothing should."},
    {"UNCALIBRATED", "tactels without newtons",
     "Tactels whose gain or offset the model lacks get no force from their readings.",
     "Calibrate them: the reason behind the code says what to record."},
    {"SERIAL-UNKNOWN", "which array is connected nobody says",
     "The model is of one array by its serial number, and each array has gains of its own.",
     "Name the array that is connected: --serial."},
    {"NO-DATA", "recording not at hand",
     "A report was made without a recording that the model was fitted from, so that it shows "
     "numbers without their data.",
     "Give the recording to `tactelier report` behind the model."},
    {"ZERO-LOADED", "not free when the zero was taken",
     "Tactels read far more at the start than at the model's rest: what lies on them counts as "
     "nothing from then on.",
     "Take it off and start again; or keep the model's zero: --zero model."},
    {"ZERO-UNSTEADY", "touched while the zero was taken",
     "Readings moved by more than their noise while they were taken for rest.",
     "Keep hands off until the first line comes, and start again."},
    {"ZERO-OF-MODEL", "zero not taken at the start",
     "The model's zero was found under load, not at rest, so that readings at rest can't replace "
     "it.",
     "Nothing has to be done; for a zero of its own, fit a recording with free air."},
    {"NOT-COMPARED", "not pressed in the check",
     "Calibrated tactels have no gain in the short session, and were not compared.",
     "Press them, too, or lower what the check asks for."},
    {"ED-01", "protocol can't determine it",
     "A rehearsal on simulated sensors shows that this protocol can't determine a parameter.",
     "Add the protocol that the reason names, before anything is recorded."},
    {"DEVICE", "a device needs a look",
     "A device answers, but lost or damaged messages, or is not set up as it should be.",
     "Do what the words behind the code say, then test it again."},
    {"UNSURE", "not seen in the capture",
     "The description that was learned holds something that the captured bytes did not show.",
     "Capture longer, press the array while capturing, or check it in the device's manual."},
    {"FW-04", "tactels clip at full scale",
     "More than a tenth of the tactels that read something read their saturation.",
     "Lower the load, or compare shapes alone."},
    {"IM-01", "image is empty",
     "Once the readings at rest are taken off nothing is left of a recorded image.",
     "Check that the press reached the pad, and that nothing touched it in the zero before."},
    {"IM-02", "no direction in the measurement",
     "A prediction has a direction and the recorded image none, because its contact is too round.",
     "Count these images as not estimated; press harder, or with a longer shape."},
    {"IM-05", "registered at the limit",
     "Images fit best two pitches or more from where they were recorded.",
     "Check the order of the tactels, flips and transposition, and the registration."},
    {"IM-06", "image press can't be compared",
     "A recorded image press lacks readings, or nothing says with which force it pressed.",
     "State mass_g or force_N in its image_begin, or record the force."},
    {"NO-PITCH", "no distance between tactels",
     "Two images without the pitch of their tactels: places and lengths are not compared.",
     "Give --pitch or --model, or images in JSON, which hold it."},
    {"NO-FULL-SCALE", "no full scale",
     "Two images without a full scale: what refers to it is not compared.",
     "Give --full-scale or --model."},
});

}  // namespace

const FactTable& workflow_facts() {
  static constexpr FactTable kTable{{}, {}, kCodes};
  return kTable;
}

std::array<const FactTable*, 2> command_tables() { return {&workflow_facts(), &rig::rig_facts()}; }

}  // namespace tactelier
