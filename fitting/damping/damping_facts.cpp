#include "fitting/damping/damping_facts.hpp"

#include <array>

namespace tactelier {
namespace {

constexpr auto kParameters = std::to_array<ParameterFact>({
    {"damping.c_n", "c_n", "normal damping c_n", "N*s/m",
     "Force along the normal per speed of indentation (Kelvin-Voigt).", "P5", kPurpose},
    {"damping.dissipation", "d", "dissipation d", "s/m",
     "Relative rise of the force per speed of indentation (Hunt-Crossley).", "P5", kPurpose},
});

constexpr auto kGroups = std::to_array<GroupFact>({{"damping", "Damping"}});

constexpr auto kCodes = std::to_array<CodeFact>({
    {"DP-01", "too few speeds",
     "No presses at several speeds were recorded, or their speeds are too close together.",
     "Press one site with a flat end at four speeds over a factor of 30, loading and unloading.",
     recording("P5")},
    {"DP-02", "no rate effect above the noise",
     "The force changes with speed by less than it changes from press to press.",
     "Repeat each speed three times, over a wider range of speeds.", recording("P5")},
    {"DP-04", "negative damping",
     "The force falls with speed: the latency that was taken out has the wrong sign or size.",
     "Check the latency between force and stage before the model.",
     recording("P5", "a stage that reports its position at 1 kHz or more")},
    {"DP-05", "damping or latency",
     "A delay between stage and force looks like damping, and it is not known well enough to tell "
     "the two apart.",
     "Press the rigid plate twice at 0.09 and twice at 0.07 mm/s, then the pad six times at each "
     "speed up to the stage's fastest with its moves recorded; or sample an encoder at 1 kHz or "
     "more.",
     recording("P1", "an encoder on the stage, sampled at 1 kHz or more")},
    {"DP-06", "either law of damping",
     "Kelvin-Voigt damping and Hunt-Crossley dissipation describe the presses alike.",
     "Repeat the presses, deeper and over a wider range of speeds.", recording("P5")},
    {"OTHER-MODEL", "the other model fits",
     "Of Kelvin-Voigt damping and Hunt-Crossley dissipation the presses follow the other one; only "
     "that is reported.",
     "Use the other number; no recording makes a pad follow both.", kNoRecording},
});

}  // namespace

const StageFacts& damping_facts() {
  static constexpr StageFacts kFacts{
      "damping", "Damping", StageFacts::Kind::kCalibrates, {kParameters, kGroups, kCodes}};
  return kFacts;
}

}  // namespace tactelier
