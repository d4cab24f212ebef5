#pragma once
// A fit is a chain of stages; each reads sessions (and what earlier stages found) and fills its
// part of the sensor model. A stage that does not exist yet is not in the registry: its paths stay
// unidentifiable. A new stage: one file pair, one line in registry.cpp.

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fitting/recording/rig_compliance.hpp"
#include "fitting/recording/session_clocks.hpp"
#include "fitting/recording/tare.hpp"
#include "libcalib/job.hpp"
#include "libcalib/model_file/sensor_model.hpp"
#include "libcalib/result.hpp"
#include "libcalib/session/session.hpp"

namespace tactelier {

struct FitSession {
  const Session* session = nullptr;
  std::vector<Press> presses;           // edits and exclusions applied
  std::vector<std::string> exclusions;  // for provenance: "exclude press 7"
  std::string name{};                   // in the model's provenance; empty: the file's
  std::size_t argument = 0;             // place among those given to fit(), which sorts them
};

struct FitContext;
struct ResponseFits;

struct FitOptions {
  std::uint64_t seed = 1;
  int threads = 0;     // 0: as many as the machine has
  double holdout = 0;  // fraction of presses kept out of the fit, 0 .. 0.5
  int bootstrap_resamples = 1000;
  std::optional<SensorDescription> sensor;  // instead of the sessions' own (fit --sensor)
  /// Called on the fit's own thread when a stage has ended, with what is known so far.
  std::function<void(std::string_view stage, const FitContext& so_far)> on_stage;
  /// A stop keeps the stages that have ended, if any, instead of failing with kCancelled.
  bool keep_when_stopped = false;
};

/// What the contact stage finds for one press and later stages use.
struct PressContact {
  std::size_t session = 0;   // index into FitContext::sessions
  std::size_t press = 0;     // index into its presses
  bool ok = false;           // z0 is known and the press may be used
  bool tared = false;        // force_bias_N comes from free air; needs no stage
  double z0_m = 0;           // stage travel (positive down) at first touch
  double u_z0_m = 0;         // standard uncertainty
  double time_s = 0;         // of first touch
  double force_bias_N = 0;   // subtracted by later stages
  double sigma_force_N = 0;  // noise of one force sample in free air
  std::string reason;        // when not ok: code and words
};

/// What the stages of one fit share. One press's samples come from load_press() (press_data.hpp).
struct FitContext {
  std::vector<FitSession> sessions;
  FitOptions options;
  Job job;
  SensorModel model;                  // being filled; starts as empty_model()
  std::vector<SessionClocks> clocks;  // one per session, from the stage "time"
  std::vector<std::vector<std::optional<ForceTare>>> tares;  // [session][press], from "wrench"
  std::vector<PressContact> contacts;     // one per press, in the order of sessions and presses
  std::vector<RigCompliance> compliance;  // one per session
  std::shared_ptr<ResponseFits> response_fits;  // of the stage "response": response_model.hpp
  std::set<std::string> failed;                 // stages that could not run, for later ones
};

struct Stage {
  std::string_view id;                  // "response": as in --stages
  std::string_view title;               // "Response of each tactel"
  std::vector<std::string_view> needs;  // stages that must run before
  /// Fills context.model. Returns an error only for damage or cancellation; what the data don't
  /// determine is written as unidentifiable with its reason, with a warning in quality[id].
  Result<void> (*run)(FitContext& context);
};

/// In the order in which they run.
std::span<const Stage> stages();

/// The named stages (all when empty) and what they need, in order; unknown names fail with kUsage.
Result<std::vector<const Stage*>> stage_chain(std::span<const std::string> ids);

/// Runs stage_chain(). The sessions are sorted first, by when they were recorded and by content, so
/// that their order on a command line decides nothing.
/// Refuses sessions of different sensors.
Result<SensorModel> fit(std::vector<FitSession> sessions, std::span<const std::string> stage_ids,
                        const FitOptions& options, const Job& job);

}  // namespace tactelier
