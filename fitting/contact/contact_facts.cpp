#include "fitting/contact/contact_facts.hpp"

#include <array>

#include "libcalib/model_file/sensor_model.hpp"

namespace tactelier {
namespace {

constexpr auto kParameters = std::to_array<ParameterFact>({
    {"timing.rate_hz", "", "rate", "Hz", "Tactile frames per second.", "P0"},
    {"presses[].contact_point", "z0", "contact point", "m",
     "Travel of the stage at which the indenter first touches the pad.", "P2", kPurpose},
    {"rig.compliance", "C_m", "frame compliance", "m/N", "Deflection of the rig's frame per force.",
     "P1", kPurpose},
    {"rig.seating", "", "seating", "m",
     "Travel in which the rig's joints close before its compliance is constant.", "P1"},
    {"rig.tilt", "", "tilt", "rad", "Angle of the pad's surface against the stage.", "P2"},
});

constexpr auto kGroups = std::to_array<GroupFact>({
    {"rig", "Rig", kOfRecording},
    {"presses", "Presses", kOfRecording},
});

constexpr auto kCodes = std::to_array<CodeFact>({
    {"RC-01", "no baseline before contact",
     "The press holds too few unloaded samples before contact, so that neither the bias of the "
     "force nor the contact point is known.",
     "Begin each press above the pad, with an unloaded baseline of at least 20 force samples.",
     recording("P2")},
    {"RC-02", "the frame bends too much",
     "The rig's frame is softer than twice the pad: most of the travel is the frame's own "
     "deflection, and what is left for the pad can't be trusted.",
     "Use a stiffer rig or a sensor of displacement at the tip; measure the frame on a rigid "
     "plate.",
     recording("P1", "a stiffer frame, or a displacement sensor at the tip")},
    {"RC-03", "backlash, or plate presses unused",
     "The plate presses show backlash of the stage, which is taken out of the depths on the "
     "unloading branch, or could not be used at all.",
     "Take the backlash out of the stage; repeat plate presses that could not be used."},
    {"RC-04", "contact point drifts",
     "The contact point moved during the recordings by more than a tenth of the depth, so that "
     "early and late depths are not comparable.",
     "Let rig and pad come to one temperature, and press the reference again."},
    {"RC-05", "contact not bracketed",
     "No samples lie close on either side of first contact, so that the contact point is as wide "
     "as the gap.",
     "Approach more slowly or sample faster, and press well above the noise.", recording("P2")},
    {"RC-06", "the rig's compliance is unknown",
     "Neither a plate press nor a stated compliance says how much of the travel is the rig's own "
     "deflection: pad and rig in series can't be told apart.",
     "Press the bare tip on a rigid plate, or state rig.compliance_um_per_N.", recording("P1")},
    {"CV-01", "a sign is inverted",
     "The force falls while the indenter goes down, or drives a slide instead of braking it: the "
     "sign of the force or of the depth is inverted.",
     "Correct press_axis of the force sensor, or the direction of the stage, in session.json.",
     kNoRecording},
    {"NO-CONTACT", "never touched",
     "The force never rose above its noise: the tip did not touch the pad.",
     "Press deeper, or check the place of the press and the force sensor.", recording("P2")},
    {"CONTACT-EDGE", "contact at the edge of the record",
     "The best contact point lies at the edge of what was recorded.",
     "Begin the press further above the pad, and press deeper.", recording("P2")},
    {"EXCLUDED", "left out",
     "Somebody excluded the press, by an edit of the session or by an option of the fit.",
     "Include it again (tactelier edit --include) where it should count.", kNoRecording},
    {"OUTCOME", "the press did not end well",
     "The recording says that the press was aborted, undone or stopped.", "Repeat the press.",
     recording("P2")},
    {"FT-05", "side load",
     "The force along the surface is more than a fifth of the normal one in a normal press.",
     "Check the alignment of pad and tip, and whether the tip slips."},
    {"GAP", "samples missing in the press",
     "More than ten periods of a stream are missing within the press: what happened there is not "
     "known.",
     "Look for lost frames (TA-03), and repeat the press."},
    {"RIG-DIFFERS", "rigs differ between sessions",
     "The sessions' rigs have different compliances: each session is corrected with its own, the "
     "model names one.",
     "Nothing has to be done if the rig was rebuilt between them."},
    {"RIGID-RIG", "rig counts as rigid",
     "No plate press and no stated compliance: depths hold whatever the rig deflects.",
     "Press the bare tip on a rigid plate (P1), or state rig.compliance_um_per_N.",
     recording("P1")},
    {"NOT-FITTED", "no plate press",
     "No press on a rigid plate was recorded, which alone shows what the rig itself deflects.",
     "Press the bare tip on a rigid plate.", recording("P1"), "rig."},
});

std::optional<std::string> unmet(const SensorModel& model) {
  for (const auto& press : model.presses)
    if (press.used && !press.contact_point.usable())
      return fmt::format("press {} of {}: {}", press.number, press.session,
                         press.contact_point.reason);
  if (model.presses.empty()) return "the sessions hold no press";
  return std::nullopt;
}

}  // namespace

const StageFacts& contact_facts() {
  static constexpr StageFacts kFacts{"contact",
                                     "Contact, rig",
                                     StageFacts::Kind::kPrepares,
                                     {kParameters, kGroups, kCodes},
                                     unmet};
  return kFacts;
}

}  // namespace tactelier
