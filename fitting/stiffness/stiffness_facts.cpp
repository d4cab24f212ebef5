#include "fitting/stiffness/stiffness_facts.hpp"

#include <array>

#include "libcalib/model_file/sensor_model.hpp"

namespace tactelier {
namespace {

constexpr auto kParameters = std::to_array<ParameterFact>({
    {"stiffness.k_punch", "k_punch", "punch stiffness k_punch", "N/m",
     "Stiffness under the calibration indenter, of a line through the contact point.", "P3",
     kPurpose},
    {"stiffness.k_punch_tactel[]", "k_punch", "k_punch by tactel", "N/m",
     "Stiffness under the calibration indenter on each tactel.", "P2"},
    {"stiffness.k_affine", "k_affine", "loading stiffness k_affine", "N/m",
     "Slope of force over depth on the loading branch, wherever contact is.", "P3", kPurpose},
    {"stiffness.intercept", "", "intercept", "N",
     "Force of the straight loading line at first contact.", "P3"},
    {"stiffness.unloading", "S", "unloading slope", "N/m",
     "Slope of force over depth at the start of the unloading branch.", "P3", kPurpose},
    {"stiffness.foundation_modulus", "K_f", "foundation modulus K_f", "Pa/m",
     "Pressure per depth under a plate.", "P4", kPurpose},
    {"stiffness.k", "k", "tactel stiffness k", "N/m",
     "Stiffness of one tactel's column of the layer.", "P4", kPurpose},
    {"stiffness.linear_to", "", "linear to", "m",
     "Depth up to which a straight line describes force over depth.", "P3"},
    {"stiffness.max_penetration", "", "largest depth", "m", "Largest depth that was reached.",
     "P3"},
});

constexpr auto kGroups = std::to_array<GroupFact>({{"stiffness", "Stiffness"}});

constexpr std::string_view kPlate =
    "Press a flat plate larger than the array, or put on weights and read their compression.";

constexpr auto kCodes = std::to_array<CodeFact>({
    {"RC-02", "the frame bends too much",
     "The rig's frame is softer than twice the whole pad under a plate: most of the travel is the "
     "frame's own deflection.",
     "Press a ball of 10 mm at several speeds (p4 does): the rig hardly moves its modulus; or lay "
     "on weights with a dial gauge at the pad, or use a stiffer rig.",
     recording("P4", "a stiffer frame, or a displacement sensor at the tip"), "stiffness."},
    {"ST-01", "too few depths",
     "Too few depths, or too small ones, were pressed for a slope of force over depth.",
     "Press at least seven depths, with force and stage travel recorded.", recording("P3")},
    {"ST-01", "no plate press",
     "No plate press and no weight with a compression was recorded, which alone load a tactel's "
     "column of the layer.",
     kPlate, recording("P4"), "stiffness.foundation_modulus"},
    {"ST-01", "no plate press",
     "No plate press and no weight with a compression was recorded, which alone load a tactel's "
     "column of the layer.",
     kPlate, recording("P4"), "stiffness.k"},
    {"ST-01", "too few depths",
     "Too few depths, or too small ones, were pressed for a slope of force over depth.",
     "Press at least seven depths, with force and stage travel recorded.", recording("P3"),
     "stiffness.k_"},
    {"ST-02", "line misses the contact point",
     "The straight line doesn't pass through zero force at contact: contact point, threshold or "
     "zero of the compression was not removed.",
     "Check the contact points, and the zero of depths and weights.", recording("P4")},
    {"ST-03", "no linear part seen",
     "Force over depth is curved from the start, or too few readings lie at small depths to see a "
     "linear part.",
     "Take smaller steps of depth; use the curve where it is curved.", recording("P3")},
    {"ST-04", "deeper than the layer",
     "The indentation exceeds the layer's thickness: the substrate was pressed, or the zero of the "
     "depth is wrong.",
     "Check the thickness in the description and the contact points."},
    {"ST-05", "a punch is not a plate",
     "The stiffness was measured with a small indenter and holds for its contact size alone; it is "
     "not that of a tactel's column.",
     kPlate, recording("P4")},
    {"UNLOADING", "too few readings on the unloading branch",
     "The unloading branch holds too few readings near its peak, or force and travel don't fall "
     "together there.",
     "Retract as slowly as the approach, with several readings in the first quarter of the load.",
     recording("P3")},
    {"FIRST-PRESS", "first press into virgin rubber",
     "Rubber is stiffer at its first press (Mullins), and too few sites were pressed again to tell "
     "by how much.",
     "Press each site twice, or discard the first press.", kOwnProtocol},
    {"OTHER-INDENTER", "another indenter",
     "Presses with another indenter are left out: k_punch belongs to one contact size.",
     "Fit them on their own for their stiffness."},
    {"AREA-DISAGREES", "plate and weights disagree",
     "Plate presses and weights give foundation moduli further apart than their uncertainties; the "
     "plate's was taken.",
     "Check the area of the plate and the zero of the compression."},
    {"ONE-WEIGHT", "a single weight",
     "A single weight tells nothing of repeatability: its uncertainty is the resolution of the "
     "compression.",
     "Put on three weights or more."},
    {"HARDENING", "hardening with depth",
     "Force over depth is curved: secant, tangent and equal-work stiffness differ, and the "
     "interval of k_punch reaches to the one at first contact.",
     "Use stiffness.curve where the depth varies."},
    {"CV-06", "pressure disagrees with the weight",
     "Mass times gravity over the area is not the pressure that was written down.",
     "Correct mass, area or pressure of the weight."},
});

std::optional<std::string> unmet(const SensorModel& model) {
  const auto& stiffness = model.stiffness;
  if (stiffness.k_punch.identified() || stiffness.k.identified()) return std::nullopt;
  return stiffness.k_punch.reason;
}

}  // namespace

const StageFacts& stiffness_facts() {
  static constexpr StageFacts kFacts{"stiffness",
                                     "Stiffness",
                                     StageFacts::Kind::kCalibrates,
                                     {kParameters, kGroups, kCodes},
                                     unmet};
  return kFacts;
}

}  // namespace tactelier
