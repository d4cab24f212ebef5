#pragma once
// Raw readings of one tactel to newtons: the one evaluation that `tactelier apply` and the exported
// runtimes share.
//
// Force on the calibration indenter over a tactel's centre that gives this reading
// (docs/theory/response.md 1): F = press_threshold + press_gain * (reading - offset), or the
// inverse of the model's curve where its readings bend. A threshold that the model has not counts
// as 0: gain and offset are enough for newtons. Not a tactel's own share: that needs the point
// spread.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "libcalib/model_file/tactel_curve.hpp"

namespace tactelier {

enum class ReadingFlag {
  kOk,
  kBelow,         // within a dead zone and its noise, or below a curve's beginning
  kSaturated,     // F is at least the force given
  kUncalibrated,  // the model has neither line nor curve for this tactel: see why
  kNoReading,     // no reading
};
std::string_view to_string(ReadingFlag flag);

struct ReadingForce {
  ReadingFlag flag{};
  std::optional<double> force_N;  // kBelow: empty; kSaturated: the lower limit
  double counts = 0;              // that were turned into the force: rising, held at saturation,
                                  // on the model's zero
  double gain_N_per_count = 0;    // there
};

/// What a model says of one tactel's readings, all counts rising (turned_counts.hpp). A reading
/// above the curve's end counts as saturated: curves are not continued.
struct TactelCalibration {
  std::string why;  // no reading of this tactel becomes newtons: code and words; "" where they do
  bool falling = false;
  double mirror_counts = 0;  // falling sensors: counts are mirror - reading
  double offset_counts = 0;
  double zero_shift_counts = 0;  // by which rest now lies above the model's: set_zero()
  double noise_counts = 0;       // of one reading, 1 sigma
  double threshold_N = 0;        // 0: there is no dead zone, forces begin at 0
  double gain_N_per_count = 0;
  std::optional<double> saturation_counts;
  std::optional<CalibrationCurve> curve;  // instead of the line

  ReadingForce force(double reading) const;

  /// From now on this reading, as recorded, is rest. The converter's end stays where it is: what
  /// saturates is told by the reading itself.
  void set_zero(double rest_reading);

  /// From here on readings count as saturated.
  std::optional<double> ceiling_counts() const;
  /// Above the offset; readings up to here say no more than "within the dead zone".
  std::optional<double> dead_counts() const;
  /// Readings further below or above a curve than this are not on it.
  double curve_margin_counts() const { return 3 * noise_counts; }
};

/// A tactel that the model has not is uncalibrated, too.
TactelCalibration tactel_calibration(const SensorModel& model, std::size_t tactel);

}  // namespace tactelier
