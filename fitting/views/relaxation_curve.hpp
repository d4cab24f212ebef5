#pragma once
// What a person looks at to believe relaxation: the force of holds over time beside the model's.

#include <string>
#include <vector>

#include "fitting/engine/stage.hpp"

namespace tactelier {

/// One hold at a depth, its force over that at its begin.
struct HoldCurve {
  std::size_t session = 0;  // index into the sessions given
  int press = 0;
  double depth_m = 0;
  std::vector<double> since_s, force;  // since the stage stopped
  std::vector<double> model;           // at the same times; empty while nothing is identified
  double noise = 0;                    // of one point, standard deviation, median
};

struct RelaxationCurve {
  std::vector<HoldCurve> holds;
  std::vector<double> tau_s;  // of the model
};

/// Fails for damage and cancellation, with kUnidentifiable and the reason when no hold can be
/// shown.
Result<RelaxationCurve> relaxation_curve(std::vector<FitSession> sessions,
                                         std::vector<SessionClocks> clocks,
                                         const SensorModel& model, const Job& job);
/// The same in a context that has its contacts.
Result<RelaxationCurve> relaxation_curve_in(const FitContext& context);

}  // namespace tactelier
