#pragma once
// What a person looks at to believe friction: the mean of every slide over speed beside the
// model's Stribeck curve, and presliding loops beside the model's. Read by the code that fits.

#include <string>
#include <vector>

#include "fitting/engine/stage.hpp"

namespace tactelier {

/// Settled part of one slide.
struct StribeckPoint {
  std::size_t session = 0;  // index into the sessions given
  int slide = 0;
  double speed_m_per_s = 0;  // > 0
  bool forward = true;
  double load_N = 0;
  double friction = 0;    // F_t/N, side force taken out
  double u_friction = 0;  // standard uncertainty from the slide alone
  double model = 0;       // F_t/N of the fitted model moved as the stage moved; NaN without one
  bool used = true;
  std::string why;  // when not used
};

/// One oscillation about a stuck contact, its middle periods.
struct PreslidingLoop {
  std::size_t session = 0;
  int slide = 0;
  double load_N = 0;
  double frequency_hz = 0;
  std::vector<double> path_m, force_N;  // one period, averaged over the periods
  std::vector<double> model_N;          // of the fitted model over the same path; empty without one
  bool used = true;
  std::string why;
};

struct FrictionCurve {
  std::vector<StribeckPoint> points;
  std::vector<PreslidingLoop> loops;
  std::vector<double> speed_m_per_s,
      friction;  // the model at the reference load; empty without one
  double reference_N = 0;
};

/// `clocks`: one per session (session_clocks()). Fails for damage and cancellation, with
/// kUnidentifiable when no slide was recorded.
Result<FrictionCurve> friction_curve(std::vector<FitSession> sessions,
                                     std::vector<SessionClocks> clocks, const SensorModel& model,
                                     const Job& job);

}  // namespace tactelier
