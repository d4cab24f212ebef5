#include "fitting/hydroelastic/hydroelastic_facts.hpp"

#include <array>

namespace tactelier {
namespace {

constexpr auto kParameters = std::to_array<ParameterFact>({
    {"hydroelastic.modulus", "E_h", "hydroelastic modulus E_h", "Pa",
     "Pressure at full compression of the layer: foundation modulus times thickness.", "P4",
     kPurpose},
    {"hydroelastic.thickness", "H", "layer thickness", "m",
     "Thickness of the compliant layer, from the sensor description, or from touches of the ground "
     "beside the pad.",
     ""},
    {"hydroelastic.dissipation", "d", "dissipation d", "s/m",
     "Relative rise of the pressure per speed of indentation.", "P5"},
    {"hydroelastic.mu_static", "µ_s", "static friction µ_s", "",
     "Coefficient of friction before sliding.", "P9"},
    {"hydroelastic.mu_dynamic", "µ_d", "sliding friction µ_d", "",
     "Coefficient of friction in fast sliding.", "P9"},
    {"hydroelastic.receptive_radius", "r_c", "receptive radius r_c", "m",
     "Radius around a tactel's centre within which pressure counts for its reading.", "P8"},
    {"hydroelastic.spacing", "", "sample spacing", "m",
     "Distance between samples of the pressure field, a setting of the simulator.", ""},
});

constexpr auto kGroups = std::to_array<GroupFact>({{"hydroelastic", "Hydroelastic"}});

constexpr auto kCodes = std::to_array<CodeFact>({
    {"HY-02", "indenters disagree",
     "Indenters of different size give different moduli: the layer's shear counts, which a "
     "pressure field lacks.",
     "Use the modulus of the indenter nearest to what will be simulated; a plate has no edge that "
     "shears.",
     recording("P4")},
    {"HY-04", "too few speeds",
     "Dissipation needs presses at two speeds at least, a factor of 5 apart.",
     "Press a ball at several speeds.", recording("P5")},
    {"NO-FIELD-PRESS", "no press of a pressure field",
     "No press with a ball, a wedge, a wide flat end or a plate was recorded.",
     "Press a ball or a plate, to less than 0.3 of the thickness.", recording("P4")},
    {"NO-THICKNESS", "thickness not stated",
     "A recording shows the foundation modulus alone; the hydroelastic modulus is that times the "
     "layer's thickness, which is not stated.",
     "Record the protocol thickness, which touches the ground beside the pad, and fit it with the "
     "rest; or state thickness_mm in the sensor description, or sensor.thickness_m with --assume.",
     device("bare ground beside the pad (protocol thickness), or a caliper")},
    {"GROUND-MISSED", "no ground beside the pad",
     "The touches of the ground beside the pad met nothing rigid, so the layer's thickness is not "
     "known.",
     "Correct ground_mm of the rig file: a place where what the pad lies on is bare, within the "
     "stage's travel.",
     device("bare ground beside the pad, within the stage's travel")},
    {"GROUND-SOFT", "the ground gives way",
     "What was touched as ground gives more than a rigid rig does: it is rubber, or loose.",
     "Correct ground_mm of the rig file: not over the pad's own edge; fix what is loose.",
     device("rigid ground beside the pad")},
    {"GROUND-HIGH", "ground above the pad",
     "What was touched as ground lies above the pad's face: it is not what the pad lies on.",
     "Correct ground_mm of the rig file.", device("the ground on which the pad lies")},
    {"GROUND-NO-FACE", "pad's face not known",
     "The ground was touched, but too few places of the pad in the same recording to continue its "
     "face to there.",
     "Press the pad at four places or more that don't lie in a line, as the protocol thickness "
     "does.",
     device("presses of the pad in the recording that touches the ground")},
    {"THICKNESS-DIFFERS", "stated thickness contradicted",
     "The sensor description's thickness lies outside the interval that touches of the ground "
     "beside the pad give. The stated one was taken.",
     "Measure it with a caliper; correct the description, or ground_mm of the rig file."},
    {"SETTING", "the simulator's choice",
     "The spacing of samples is a setting of the simulator, no property of the sensor.",
     "Choose at most a quarter of the receptive radius.", kNoRecording},
    {"TOO-FAST", "too fast for the stage's reports",
     "The indenter goes too far between two reported positions of the stage.",
     "Press more slowly, or sample the position faster.",
     recording("P5", "a stage that reports its position at 1 kHz or more")},
    {"RC-02", "the frame bends too much",
     "Most of the travel is the frame's own deflection: the depth can't be trusted.",
     "Use a stiffer rig or a displacement sensor at the tip.",
     device("a stiffer frame, or a displacement sensor at the tip"), "hydroelastic."},
});

}  // namespace

const StageFacts& hydroelastic_facts() {
  static constexpr StageFacts kFacts{"hydroelastic",
                                     "Hydroelastic",
                                     StageFacts::Kind::kCalibrates,
                                     {kParameters, kGroups, kCodes}};
  return kFacts;
}

}  // namespace tactelier
