#pragma once
// tactelier check: is a model still good for its sensor? A short session (protocol `check`) is
// fitted afresh and compared, tactel by tactel.

#include <filesystem>
#include <string>
#include <vector>

#include "libcalib/job.hpp"
#include "libcalib/model_file/sensor_model.hpp"
#include "libcalib/result.hpp"

namespace tactelier {

enum class CalibrationVerdict {
  kValid,        // nothing changed by more than tolerance and uncertainty
  kReZero,       // offsets moved, gains didn't: subtract the new offsets
  kRescale,      // all gains changed by one factor
  kRecalibrate,  // some tactels changed on their own
  kWrongSensor,  // gains don't resemble the model's
};
/// "valid", "re-zero", "rescale", "recalibrate", "wrong sensor".
std::string_view to_string(CalibrationVerdict verdict);

struct CheckSettings {
  double gain_tolerance = 0.02;     // relative change of press_gain that matters
  double offset_tolerance = 0.005;  // of the reading's range: change of the offset that matters
};

struct TactelCheck {
  int tactel = 0;
  double gain_ratio = 1;     // press_gain now over then
  double gain_e_n = 0;       // of the ratio against 1
  double own_e_n = 0;        // of the ratio against the common factor
  double offset_change = 0;  // counts
  double offset_e_n = 0;
};

struct CalibrationCheck {
  CalibrationVerdict verdict{};
  std::string explanation;           // what to do, in a sentence
  double common_factor = 1;          // median gain ratio
  double u_common_factor = 0;        // 95 %
  std::vector<TactelCheck> tactels;  // those identified in both
  std::vector<int> recalibrate;      // tactels that changed on their own
  std::vector<int> rezero;           // tactels whose offset moved
  std::vector<int> not_compared;     // calibrated, but not fitted in the new session
  Warnings warnings;
};

/// Compares two models of one sensor: `now` is fitted from the check session. Gains differ where
/// the change exceeds the tolerance and E_n > 1 (intervals from repetition, since the force sensor
/// is the same or its certificate's uncertainty is common). Fails with kUnidentifiable when fewer
/// than three tactels can be compared.
Result<CalibrationCheck> compare_calibration(const SensorModel& model, const SensorModel& now,
                                             const CheckSettings& settings);

/// The whole way from files. A session of another layout or serial number is the wrong sensor.
Result<CalibrationCheck> check_calibration(const std::filesystem::path& model,
                                           const std::filesystem::path& session,
                                           const CheckSettings& settings, const Job& job);
/// The same of a model that is at hand.
Result<CalibrationCheck> check_calibration(const SensorModel& model,
                                           const std::filesystem::path& session,
                                           const CheckSettings& settings, const Job& job);

}  // namespace tactelier
