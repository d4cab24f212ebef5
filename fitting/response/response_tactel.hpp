#pragma once
// The response of one tactel from its presses: fit first (on any thread), report later, when the
// scatter between presses of all tactels together is known.

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "fitting/response/affine_fit.hpp"
#include "fitting/response/curve_fit.hpp"
#include "fitting/response/lack_of_fit.hpp"
#include "fitting/response/response_limits.hpp"
#include "fitting/response/response_press.hpp"
#include "fitting/response/touch_map.hpp"
#include "fitting/statistics/bootstrap.hpp"
#include "libcalib/model_file/sensor_model.hpp"

namespace tactelier {

struct TactelData {
  int tactel = 0;
  std::vector<BaselineWindow> air;    // of this tactel; windows without readings left out
  std::vector<TactelPress> presses;   // to be fitted
  std::vector<TactelPress> held_out;  // to be predicted only
  std::optional<TouchAnswer> touch;   // of its first press
  double step = 0;                    // of the converter, counts; 0: as its own readings show it
};

/// Data-sheet figures; empty with the reason in `why` when the presses don't show them.
struct Figure {
  std::optional<Estimate> estimate;
  std::string why;
};

/// One press as means over forces; apparent: the force that the loading line makes of the reading.
struct ReadingLoop {
  double peak_N = 0;
  std::vector<double> loading_N, loading_apparent_N;      // force ascending
  std::vector<double> unloading_N, unloading_apparent_N;  // descending
};

struct TactelFigures {
  Figure hysteresis, repeatability, reversibility, zero_return, nonlinearity;
};

struct TactelFit {
  enum class Outcome {
    kNotPressed,
    kSilent,    // pressed, and never left its offset
    kConstant,  // one and the same reading, pressed or not
    kRefused,   // it answers, but no gain can be given: see `refusal`
    kFitted,
  };
  int tactel = 0;
  Outcome outcome = Outcome::kNotPressed;
  std::string refusal;  // code and words
  ReadingLimits limits;
  AffineSettings settings;
  AffineFit fit;
  bool noise_known = true;  // sigma_counts from free air; else from the residuals
  double noise_dof = 0;     // samples behind the noise
  double lowest_force_N = 0, peak_force_N = 0;
  double lowest_counts = 0, highest_counts = 0;
  double force_rate_N_per_s = 0, period_s = 0;
  LoadingRate rate;         // median of the presses
  double u_latency_s = 0;   // largest of them
  double drift_counts = 0;  // RestDrift::left_counts
  bool static_readings = false;
  std::size_t presses = 0;
  int readings = 0;  // while loading
  std::optional<TouchAnswer> touch;
  TactelFigures figures;
  std::vector<ReadingLoop> loops;
  std::optional<TactelCurves> curves;         // of fitted tactels with readings enough
  std::size_t curve_loads = 0;                // forces at which a press could tell a curve
  ErrorBins errors;                           // of the line, over the forces where it holds
  double sum_squares = 0, total_squares = 0;  // counts^2, on the line: residual and about the mean
  double line_samples = 0;
  double holdout_squares = 0;
  double holdout_samples = 0;
  int rejected = 0;      // samples at the ceiling, and spikes
  int spikes = 0;        // taken out
  int downweighted = 0;  // of those left: less than half of Huber's weight
  int cut = 0;  // samples that a clip cut to exactly its value: they hold a bound, no residual

  double dof() const { return std::max(1, fit.samples - cut - 2); }
  bool fitted() const { return outcome == Outcome::kFitted; }
};

TactelFit fit_tactel(const TactelData& data, const SensorDescription& sensor, const Job& job);

}  // namespace tactelier
