#pragma once
// How far gains have moved since a model was made, from a handful of presses anywhere on the array
// (docs/theory/refresh.md). The model's spread, gains and thresholds predict the readings; what
// they leave over says, by maximum a posteriori,
//   gain_i now = gain_i then * exp(common + own_i)
// beside a new registration, a scale for each press, and what the model does not know of its own
// numbers. Most tactels have not moved and some have by much: own_i has Student's t with few
// degrees as its prior.

#include <string>
#include <string_view>
#include <vector>

#include "fitting/recording/fit_context.hpp"
#include "libcalib/model_file/sensor_model.hpp"

namespace tactelier::refresh {

struct TactelChange {
  int tactel = 0;
  double log_own = 0, u_own = 0;      // standard
  double log_ratio = 0, u_ratio = 0;  // of the gain now to the gain then, with what is common if
                                      // all have changed; standard, of the gain now
  double by_presses = 0, u_by_presses = 0;  // log_own and its standard uncertainty, as these
                                            // presses alone have it; infinite: none tells
  bool changed = false;                     // on its own, by more than the tolerance, and clearly
  bool seen = false;                        // it has changed, or by less than the least
  std::string broken;                       // dead, stuck or far noisier than it was: code, words
  bool silent = false;                      // it answers to no press any more
};

struct GainChanges {
  double log_common = 0, u_common = 0;  // standard
  bool all_changed = false;             // by more than the tolerance, and clearly, also beside the
                                        // force sensor's certificate
  std::vector<TactelChange> tactels;    // those with a gain in the model, by index
  std::size_t presses = 0;
  double chi2_per_dof = 0;  // of groups, a tactel in a press each

  std::vector<int> changed() const;
  std::vector<int> not_seen() const;  // those that are broken apart
  std::vector<int> broken() const;
};

struct ChangeSettings {
  double tolerance = 0.02;  // relative change of a gain that matters
  double least = 0.08;      // relative change of one gain that must not stay hidden
};

/// Why a model can't be refreshed.
inline constexpr std::string_view kNoSpread =
    "RF-01 the model has no point spread, so that a press beside a tactel says nothing of it: "
    "compare it with a session of protocol 'check' (tactelier check)";

/// Standard uncertainties from which a change is clear, and by how many of them one has to lie
/// below the least that must not stay hidden.
constexpr double kClearChange = 3.5, kBelowLeast = 2;

/// `context`: after the stage "response", of a recording of the model's sensor. Fails with
/// kUnidentifiable where the model has no point spread or no press tells anything.
Result<GainChanges> gain_changes(FitContext context, const SensorModel& earlier,
                                 const ChangeSettings& settings);

}  // namespace tactelier::refresh
