#pragma once
// What a person looks at to believe a tactel's gain: its readings over force beside the model's
// line. Read and split by the same code that fits.

#include <optional>
#include <string>
#include <vector>

#include "fitting/engine/stage.hpp"
#include "libcalib/models/response/affine.hpp"
#include "libcalib/models/response/calibration_curve.hpp"

namespace tactelier {

/// Force (bias removed) and reading, as recorded, of one press on the tactel, loading and
/// unloading.
struct ResponseTrace {
  std::size_t session = 0;  // index into the sessions given
  int press = 0;
  bool used = true;  // false: left out by an edit, or another press speaks for the tactel
  std::string why;   // when not used
  std::vector<double> loading_N, loading_counts;
  std::vector<double> unloading_N, unloading_counts;
  std::vector<double> loading_s, unloading_s;  // host times; empty for readings at rest
};

struct ResponseCurve {
  int tactel = 0;
  std::vector<ResponseTrace> traces;
  std::optional<AffineResponse> line;    // empty while gain is not identified; rises
  std::optional<CalibrationCurve> bent;  // what the model says instead of the line; rises
  std::optional<double> mirror_counts;   // readings fall: this less what line and bent say
  bool height_from_data = false;  // offset or threshold unknown: only the slope is the model's
  double noise_counts = 0;        // of one reading; 0 when not known
  double largest_force_N = 0;     // of all traces

  bool fitted() const { return line || bent; }
  /// Of the curve, else of the line, as recorded; only when fitted().
  double counts(double force_N) const {
    const double rising = bent ? bent->counts(force_N) : line->counts(force_N);
    return mirror_counts ? *mirror_counts - rising : rising;
  }
};

/// Root mean square of what the readings of its used presses, loading, lie off the model; nothing
/// where there is no model.
std::optional<double> residual_rms_counts(const ResponseCurve& curve);

/// `clocks`: one per session, as the fit found them (session_clocks()).
/// Presses on `tactel`, also those that edits left out. Fails for damage, cancellation, and with
/// kUnidentifiable when nothing was pressed on the tactel.
Result<ResponseCurve> response_curve(std::vector<FitSession> sessions,
                                     std::vector<SessionClocks> clocks, const SensorModel& model,
                                     int tactel, const Job& job);

/// The same of every tactel with a usable press, by tactel: each press is read once.
Result<std::vector<ResponseCurve>> response_curves(std::vector<FitSession> sessions,
                                                   std::vector<SessionClocks> clocks,
                                                   const SensorModel& model, const Job& job);

}  // namespace tactelier
