#pragma once
// A fit is a chain of stages; each reads sessions (and what earlier stages found) and fills its
// part of the sensor model. A stage that does not exist yet is not in the registry: its paths stay
// unidentifiable. A new stage: one file pair, one line in registry.cpp.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fitting/recording/fit_context.hpp"

namespace tactelier {

struct Stage {
  std::string_view id;                  // "response": as in --stages
  std::string_view title;               // "Response of each tactel"
  std::vector<std::string_view> needs;  // stages that must run before
  /// Fills context.model. Returns an error only for damage or cancellation; what the data don't
  /// determine is written as unidentifiable with its reason, with a warning in quality[id].
  Result<void> (*run)(FitContext& context);
  std::string_view settled_by = {};  // stage that makes its numbers final: asked for with it
};

/// In the order in which they run.
std::span<const Stage> stages();

/// The named stages (all when empty), what settles them and what all those need, in order; unknown
/// names fail with kUsage.
Result<std::vector<const Stage*>> stage_chain(std::span<const std::string> ids);

/// In the provenance's options where a description was given instead of the sessions' own: the
/// model's sensor then is not what its sessions say.
inline const std::string kSensorOption = "sensor";

/// Runs stage_chain(). The sessions are sorted first, by when they were recorded and by content, so
/// that their order on a command line decides nothing.
/// Refuses sessions of different sensors.
Result<SensorModel> fit(std::vector<FitSession> sessions, std::span<const std::string> stage_ids,
                        const FitOptions& options, const Job& job);

}  // namespace tactelier
