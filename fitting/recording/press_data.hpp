#pragma once
// One press on one time base and in one sign convention: what every stage of the fit reads.

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "fitting/recording/fit_context.hpp"
#include "fitting/recording/stream_reader.hpp"

namespace tactelier {

/// Rows of one press, all vectors of equal length (or empty where the session has no such stream).
/// The base is the tactile stream's times, or the force's where there is no tactile stream (the
/// stage's where there is neither); the other streams are interpolated linearly, never
/// extrapolated, and rows that fall into a gap (more than 2.5 periods of a stream) or have a cell
/// missing are left out. Static readings (import with row_is "press") share their times exactly.
/// The force's bias and drift are out where the stage "wrench" has found them; what is left of the
/// bias and the contact point are not removed: see PressContact.
struct PressData {
  std::vector<double> time_s;
  std::vector<double> travel_m;  // positive down: minus the stage's z; the encoder's where recorded
  std::vector<double> force_N;   // compression > 0, along force_sensor.press_axis
  std::array<std::vector<double>, 2> side_N;  // the two other axes; empty for a one-axis cell
  std::vector<int> tactels;                   // as asked for
  std::vector<std::vector<double>> counts;    // counts[i][row] of tactels[i]; load raises them
  std::size_t rows_left_out = 0;              // because of gaps and missing cells
  std::size_t force_spikes = 0;               // samples of force that stood alone, taken out
  std::size_t peak = 0;          // row of the largest force (of the largest travel without a force)
  bool static_readings = false;  // rows are readings at rest: no free air, no time course
  double period_s = 0;           // median interval of the base, 0 for static readings
  double stage_period_s = 0;     // median interval of positions up to the peak, 0 without a stage

  std::size_t rows() const { return time_s.size(); }
  bool has_force() const { return !force_N.empty(); }
  bool has_travel() const { return !travel_m.empty(); }
  /// Loading is rows 0 .. peak, unloading peak .. rows()-1: both hold the peak.
  std::size_t loading_rows() const { return rows() == 0 ? 0 : peak + 1; }
};

/// Whose times the rows are stamped with. kForce leaves the readings out: for finding contact,
/// which wants every force sample.
enum class PressBase { kTactile, kForce };

/// Times are the host's: streams on other clocks are lined up, and latencies taken out, as the
/// stage "time" found them. Before it has run, streams on clocks of their own are refused.
/// From any thread. Reads press `press` of session `session` (indices into context.sessions and its
/// presses) with the readings of `tactels` (may be empty). Streams that the session lacks stay
/// empty. Fails with kUnidentifiable and a reason for the user ("TA-08 stream 'force' runs on a
/// clock of its own ...", "NO-SAMPLES press 3 ...") when this press can't be used; with another
/// code (kIo, kDamaged, kCancelled) when the whole fit must stop.
Result<PressData> load_press(const FitContext& context, std::size_t session, std::size_t press,
                             std::span<const int> tactels, PressBase base = PressBase::kTactile);

/// Of a session of the fit; `clocks` outlive the reader.
StreamReader reader_of(const FitContext& context, std::size_t session, const SessionClocks& clocks,
                       TimeRange range, bool exact = false);

/// Readings of `tactels` alone over a stretch of time, turned where they fall; NaN where missing.
/// For offsets, where nothing else matters. readings[i] belongs to tactels[i].
struct Readings {
  std::vector<double> time_s;
  std::vector<std::vector<double>> counts;
};
Result<Readings> load_readings(const FitContext& context, std::size_t session,
                               std::span<const int> tactels, TimeRange range);

/// Force (compression > 0, bias not removed) and travel during any interval, on the force's times:
/// for plate presses, which belong to no tactel.
Result<PressData> load_interval(const FitContext& context, std::size_t session, TimeRange range);

/// Readings that fall under load turned once, so that every stage sees them rise; fit() turns what
/// the model says of them back.
void turn_falling(std::span<double> counts, const SensorDescription& sensor);

/// As the stage "time" found them; before it has run, as they are stated.
SessionClocks clocks_of(const FitContext& context, std::size_t session);

/// Values of (x, y) at `at`, all sorted ascending, by straight lines between neighbours; NaN
/// outside x and where neighbours are more than `max_gap` apart. A NaN in y counts as missing.
std::vector<double> interpolate(std::span<const double> x, std::span<const double> y,
                                std::span<const double> at, double max_gap);

/// Median of the differences of `time_s`; 0 with fewer than two times.
double median_interval(std::span<const double> time_s);

}  // namespace tactelier
