#include "fitting/array/array_facts.hpp"

#include <array>

namespace tactelier {
namespace {

constexpr auto kParameters = std::to_array<ParameterFact>({
    {"array.force.error", "", "error of the array's force", "N",
     "Standard error of the force that all readings together tell, where nothing presses.", "P2",
     kPurpose},
    {"array.force.error_share", "", "error of the array's force, share", "",
     "What that error has besides, as a share of the force.", "P2"},
});

constexpr auto kGroups = std::to_array<GroupFact>({{"array", "Array"}});

constexpr auto kCodes = std::to_array<CodeFact>({
    {"AR-01", "fewer than three presses",
     "The force on the whole array is judged by presses that took no part in its law.",
     "Press the array three times or more, wherever it will be pressed later, with the force "
     "recorded beside the readings.",
     recording("P2"), "array."},
    {"AR-02", "the readings don't tell the force",
     "Predicted from all readings, the force of presses that took no part is missed by half of "
     "what forces differ by.",
     "Press more places, up to the forces that matter; look for tactels that saturate or bend: a "
     "curve of each tactel may do what a sum can't.",
     recording("P2"), "array."},
});

}  // namespace

const StageFacts& array_facts() {
  static constexpr StageFacts kFacts{
      "array", "Array's force", StageFacts::Kind::kCalibrates, {kParameters, kGroups, kCodes}};
  return kFacts;
}

}  // namespace tactelier
