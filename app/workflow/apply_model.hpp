#pragma once
// tactelier apply: raw readings to newtons with this model
// (libcalib/model_file/tactel_calibration.hpp says what they are), each with its uncertainty.

#include <array>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "libcalib/job.hpp"
#include "libcalib/model_file/tactel_calibration.hpp"

namespace tactelier {

struct AppliedReading {
  std::optional<double> force_N;  // kBelow: empty; kSaturated: the lower limit
  std::optional<double> u95_N;    // expanded, 95 %: response line, noise, and what u_total adds
  ReadingFlag flag{};
};

/// The calibration of one tactel with what its forces are uncertain by, prepared once.
class TactelLine {
 public:
  TactelLine(const SensorModel& model, std::size_t tactel);
  AppliedReading apply(double reading) const;
  /// Why no reading of this tactel becomes newtons: code and words; "" where they do.
  const std::string& why() const { return calibration_.why; }

 private:
  /// Standard, without the reading's own noise.
  double u_line_N(double above_counts) const;
  double u_curve_N(double force_N) const;
  TactelCalibration calibration_;
  std::vector<std::array<double, 2>> curve_u95_;  // force_N, u_N
  double var_threshold_ = 0;                      // (N)^2, 1 sigma, statistical and systematic
  double var_gain_ = 0;
  double cov_ = 0;
};

/// The force on the whole array, from all its readings (SensorModel::array).
class ArrayTotal {
 public:
  explicit ArrayTotal(const SensorModel& model);
  bool known() const { return !force_.weight_N_per_count.empty(); }
  /// `readings` by tactel. Empty where one that counts is missing.
  AppliedReading apply(std::span<const double> readings) const;

 private:
  ArrayForce force_;
  double coverage_ = 0;  // of a standard error told by so many presses
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

  bool total = false;  // the force on the whole array was written

  /// Readings of tactels without newtons.
  double uncalibrated_percent() const;
  bool nothing() const { return readings > 0 && uncalibrated == readings && !total; }
};

/// `input`: a session, or a table like tactile.csv. Writes a CSV with t[s] and per tactel i the
/// columns i[N], i.u95[N], i.flag, and total[N], total.u95[N] where the model knows the array's
/// force. Fails when the sensor of model and session differ.
Result<ApplyReport> apply_model(const std::filesystem::path& model,
                                const std::filesystem::path& input,
                                const std::filesystem::path& output, const Job& job);

}  // namespace tactelier
