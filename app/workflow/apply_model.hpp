#pragma once
// tactelier apply: raw readings to newtons with this model.
//
// Force on the calibration indenter over a tactel's centre that gives this reading
// (docs/theory/response.md 1): F = press_threshold + press_gain * (reading - offset), or the
// inverse of the model's curve where its readings bend. A threshold that the model has not counts
// as 0: gain and offset are enough for newtons. Not a tactel's own share: that needs the point
// spread.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "libcalib/job.hpp"
#include "libcalib/model_file/tactel_curve.hpp"

namespace tactelier {

enum class ReadingFlag {
  kOk,
  kBelow,         // within a dead zone and its noise, or below a curve's beginning
  kSaturated,     // F is at least the force given
  kUncalibrated,  // the model has neither line nor curve for this tactel: see why()
  kNoReading,     // no reading
};
std::string_view to_string(ReadingFlag flag);

struct AppliedReading {
  std::optional<double> force_N;  // kBelow: empty; kSaturated: the lower limit
  std::optional<double> u95_N;    // expanded, 95 %: response line, noise, and what u_total adds
  ReadingFlag flag{};
};

/// The calibration line, or curve, of one tactel, prepared once. A reading above the curve's end
/// counts as saturated: curves are not continued.
class TactelLine {
 public:
  TactelLine(const SensorModel& model, std::size_t tactel);
  AppliedReading apply(double reading) const;
  /// Why no reading of this tactel becomes newtons: code and words; "" where they do.
  const std::string& why() const { return why_; }

 private:
  AppliedReading on_curve(double counts, bool saturated) const;
  /// Standard, without the reading's own noise.
  double u_line_N(double above_counts) const;
  double curve_u_N(double force_N) const;
  static double u95_N(double u_N, double noise_N);
  std::string why_;
  bool falling_ = false;
  double mirror_ = 0;  // falling sensors: counts are mirror - reading
  double offset_ = 0;
  double noise_ = 0;
  double threshold_N_ = 0;  // 0: there is no dead zone, forces begin at 0
  double gain_N_per_count_ = 0;
  std::optional<double> saturation_;
  std::optional<CalibrationCurve> curve_;         // instead of the line
  std::vector<std::array<double, 2>> curve_u95_;  // force_N, u_N
  double var_threshold_ = 0;                      // (N)^2, 1 sigma, statistical and systematic
  double var_gain_ = 0;
  double cov_ = 0;
};

/// Tactels that have no newtons for the same reason.
struct UncalibratedTactels {
  std::string reason;
  std::vector<int> tactels;
};

struct ApplyReport {
  std::uint64_t rows = 0;
  std::uint64_t readings = 0;  // rows times tactels
  std::uint64_t below = 0;
  std::uint64_t saturated = 0;
  std::uint64_t uncalibrated = 0;
  std::vector<UncalibratedTactels> uncalibrated_tactels;
  Warnings warnings;

  /// Readings of tactels without newtons.
  double uncalibrated_percent() const;
  bool nothing() const { return readings > 0 && uncalibrated == readings; }
};

/// `input`: a session, or a table like tactile.csv. Writes a CSV with t[s] and per tactel i the
/// columns i[N], i.u95[N], i.flag. Fails when the sensor of model and session differ.
Result<ApplyReport> apply_model(const std::filesystem::path& model,
                                const std::filesystem::path& input,
                                const std::filesystem::path& output, const Job& job);

}  // namespace tactelier
