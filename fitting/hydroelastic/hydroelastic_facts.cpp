#include "fitting/hydroelastic/hydroelastic_facts.hpp"

#include <array>

namespace tactelier {
namespace {

constexpr auto kParameters = std::to_array<ParameterFact>({
    {"hydroelastic.modulus", "E_h", "hydroelastic modulus E_h", "Pa",
     "Pressure at full compression of the layer: foundation modulus times thickness.", "P4",
     kPurpose},
    {"hydroelastic.thickness", "H", "layer thickness", "m",
     "Thickness of the compliant layer, from the sensor description.", ""},
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
     "State thickness_mm in the sensor description, or sensor.thickness_m with --assume.",
     device("a caliper: the thickness is not in a recording")},
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
