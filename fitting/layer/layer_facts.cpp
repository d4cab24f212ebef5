#include "fitting/layer/layer_facts.hpp"

#include <array>

#include "libcalib/sensor/sensor_description.hpp"

namespace tactelier {
namespace {

constexpr auto kParameters = std::to_array<ParameterFact>({
    {"stiffness.youngs_modulus", "E", "Young's modulus E", "Pa",
     "Of the relaxed layer, from k_punch, its thickness and Poisson's ratio.", "P3", kPurpose},
});

constexpr auto kCodes = std::to_array<CodeFact>({
    {"LAYER-POISSON", "Poisson's ratio not stated",
     "Young's modulus takes Poisson's ratio, which presses of one tip don't show.",
     "State poisson_ratio in the sensor description (rubber 0.48 to 0.5, open foam 0 to 0.2), with "
     "poisson_ratio_std where it is known better than 0.02, and fit with --sensor.",
     device("the material's data sheet")},
    {"LAYER-TIP", "no flat round tip",
     "The law of a bonded layer is that of a flat round punch; k_punch is that of another tip.",
     "Press with a flat round tip, at most as wide as the layer is thick.",
     recording("P3", "a flat round tip")},
    {"LAYER-THIN", "tip too wide for the layer",
     "Under a tip wider than the layer is thick the modulus hangs on what nobody knows: whether "
     "rubber sticks to the tip.",
     "Press with a smaller flat round tip.", recording("P3", "a smaller flat round tip")},
});

bool states_poisson(const SensorDescription& sensor) { return sensor.poisson_ratio.has_value(); }

}  // namespace

const StageFacts& layer_facts() {
  static constexpr StageFacts kFacts{.id = "layer",
                                     .label = "Layer",
                                     .table = {kParameters, {}, kCodes},
                                     .expected = states_poisson};
  return kFacts;
}

}  // namespace tactelier
