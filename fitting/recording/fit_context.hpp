#pragma once
// What the stages of one fit share: the sessions, what earlier stages found in them, and the model
// that is being filled.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "fitting/recording/creep_correction.hpp"
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

class SampleCache;
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
  std::shared_ptr<SampleCache> samples;  // decoded once; without it every read decodes
  SensorModel model;                     // being filled; starts as empty_model()
  std::vector<SessionClocks> clocks;     // one per session, from the stage "time"
  std::vector<std::vector<std::optional<ForceTare>>> tares;  // [session][press], from "wrench"
  std::vector<PressContact> contacts;     // one per press, in the order of sessions and presses
  std::vector<RigCompliance> compliance;  // one per session
  std::optional<ReadingCreep> reading_creep;    // from "response", where weights lay still
  std::shared_ptr<ResponseFits> response_fits;  // of the stage "response": response_model.hpp
  /// From "relaxation": by how much of itself the force fell while depths were held, where the
  /// holds can't tell how.
  std::optional<double> unresolved_fall;
  std::set<std::string> failed;  // stages that could not run, for later ones
};

}  // namespace tactelier
