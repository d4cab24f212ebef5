#include "app/workflow/workflow_facts.hpp"

#include <array>

#include "devices/server/rig_facts.hpp"

namespace tactelier {
namespace {

constexpr auto kCodes = std::to_array<CodeFact>({
    {"UNCALIBRATED", "tactels without newtons",
     "Tactels whose gain or offset the model lacks get no force from their readings.",
     "Calibrate them: the reason behind the code says what to record."},
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
