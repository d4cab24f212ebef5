#pragma once
// `tactelier rig setup`: everything between a mounted rig and the first recording, in order, each
// step by the same call as its own command.

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/workflow/measure_ground.hpp"
#include "app/workflow/measure_plate.hpp"

namespace tactelier {

enum class SetUpStep { kMount, kPolarity, kHome, kPlaces, kPlate, kSurface, kRegister, kGround };
std::string_view to_string(SetUpStep step);  // "mount"
/// Fails with kUsage, naming the steps.
Result<SetUpStep> set_up_step(std::string_view word);

struct RigSetUpRequest {
  RigPlace place;
  SetUpStep from = SetUpStep::kMount;   // earlier ones are left out
  std::optional<double> plate_force_N;  // at most the rig's limit; PlateRequest::force_N
};

/// What a step found. Exactly one of the results is there, or none.
struct SetUpFound {
  SetUpStep step{};
  std::string words;  // where no result is there
  bool left_out = false;
  std::optional<FoundPlate> plate{};
  std::optional<FoundGround> ground{};
  nlohmann::json result{};  // of surface and register
};

struct SetUpHelp {
  AskPerson ask;
  /// Somebody jogs the tip to about a millimetre over what `text` names: where it stands then;
  /// nothing where that isn't there, or nobody.
  std::function<Result<std::optional<Vector3>>(rig::RigClient& client, const std::string& text)>
      show_place;
  std::function<void(SetUpStep step, std::string_view what)> begins;
  std::function<void(const SetUpFound& found)> found;
};

/// Fails as the step at hand does, naming it; the steps before are done and written then, and
/// `from` goes on with it.
Result<void> set_up_rig(const RigSetUpRequest& request, const SetUpHelp& help, Warnings& warnings,
                        const Job& job);

}  // namespace tactelier
