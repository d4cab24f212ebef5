#pragma once
// What a person looks at to believe damping: how much more force a pad gives the faster it is
// pressed, beside the model's line.

#include <string>
#include <vector>

#include "fitting/damping/damping_fit.hpp"
#include "fitting/engine/stage.hpp"

namespace tactelier {

/// One way (in or out) of one press: means over it.
struct DampingPoint {
  std::size_t session = 0;  // index into the sessions given
  int press = 0;
  bool chirp = false;
  double speed_m_per_s = 0;  // positive inwards
  double excess = 0;         // of the force over that of the same motion without damping, relative
  double model = 0;          // the same of the model; NaN while nothing is identified
};

struct DampingCurve {
  RateModel model = RateModel::kKelvinVoigt;  // that the points are drawn for
  std::vector<DampingPoint> points;
  double mean_N = 0;                  // force without damping, mean over the points
  std::vector<double> speed_m_per_s;  // of the model's line; empty while nothing is identified
  std::vector<double> excess;
};

/// Fails for damage and cancellation, with kUnidentifiable and the reason when no press at several
/// speeds can be shown.
Result<DampingCurve> damping_curve(std::vector<FitSession> sessions,
                                   std::vector<SessionClocks> clocks, const SensorModel& model,
                                   const Job& job);
/// The same in a context that has its contacts.
Result<DampingCurve> damping_curve_in(const FitContext& context);

}  // namespace tactelier
