#include "app/workflow/check_calibration.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "app/workflow/fit_sessions.hpp"
#include "app/workflow/same_arrays.hpp"
#include "fitting/statistics/robust.hpp"
#include "libcalib/model_file/model_file.hpp"

namespace tactelier {
namespace {

constexpr std::size_t kFewest = 3;    // tactels whose scatter tells one's change from all of them
constexpr double kOneByOne = 0.5;     // more than this share changed on their own: not this sensor
constexpr double kAlmostNone = 1e-6;  // relative: least uncertainty of a gain
constexpr double kMedianOverMean = 1.2533;  // standard error of a median over a mean, normal data

/// From repetition: what the force sensor adds is common to both calibrations.
std::optional<double> half_width(const Parameter& p) {
  if (p.ci95) return ((*p.ci95)[1] - (*p.ci95)[0]) / 2;
  return p.u_total;
}

struct Pair {
  TactelCheck check;
  double log_ratio = 0;
  double u_log = 0;  // 95 %
  double u_offset = 0;
};

/// The scatter between presses counts too: intervals of a single press don't hold it.
double u_of_gain(const TactelResponse& tactel) {
  const double u = half_width(tactel.press_gain).value_or(0) / *tactel.press_gain.value;
  const double repeat = tactel.repeatability.value ? 2 * *tactel.repeatability.value / 100 : 0.0;
  return std::max({u, repeat, kAlmostNone});
}

std::vector<Pair> paired(const SensorModel& then, const SensorModel& now,
                         std::vector<int>& not_compared) {
  std::vector<Pair> pairs;
  const std::size_t n = std::min(then.response.tactels.size(), now.response.tactels.size());
  for (std::size_t i = 0; i < n; ++i) {
    const auto& a = then.response.tactels[i];
    const auto& b = now.response.tactels[i];
    if (!a.press_gain.identified()) continue;
    if (!b.press_gain.identified()) {
      not_compared.push_back(static_cast<int>(i));
      continue;
    }
    Pair pair;
    pair.check.tactel = static_cast<int>(i);
    pair.check.gain_ratio = *b.press_gain.value / *a.press_gain.value;
    pair.log_ratio = std::log(pair.check.gain_ratio);
    pair.u_log = std::hypot(u_of_gain(a), u_of_gain(b));
    pair.check.gain_e_n = std::abs(pair.log_ratio) / pair.u_log;
    if (a.offset.value && b.offset.value) {
      pair.check.offset_change = *b.offset.value - *a.offset.value;
      pair.u_offset =
          std::hypot(half_width(a.offset).value_or(0), half_width(b.offset).value_or(0));
      pair.check.offset_e_n =
          pair.u_offset > 0 ? std::abs(pair.check.offset_change) / pair.u_offset : 0;
    }
    pairs.push_back(pair);
  }
  return pairs;
}

/// Median of the ratios; what the tactels scatter about it tells how well it is known, of one or
/// two what their gains say of themselves.
void find_common_factor(std::vector<Pair>& pairs, CalibrationCheck& result) {
  std::vector<double> logs;
  for (const auto& pair : pairs) logs.push_back(pair.log_ratio);
  const double common = median(logs);
  const double scatter = mad_sigma(logs);
  result.common_factor = std::exp(common);
  const auto n = static_cast<double>(pairs.size());
  double u_log = 2 * kMedianOverMean * scatter / std::sqrt(n);
  if (pairs.size() < kFewest) {
    double squares = 0;
    for (const auto& pair : pairs) squares += pair.u_log * pair.u_log;
    u_log = std::max(u_log, std::sqrt(squares) / n);
  }
  result.u_common_factor = result.common_factor * u_log;
  for (auto& pair : pairs) pair.check.own_e_n = std::abs(pair.log_ratio - common) / pair.u_log;
}

/// Of the converter, else from offsets to saturations, whichever lie higher; without either no
/// offset can be called moved.
double range_counts(const SensorModel& model) {
  const auto& adc = model.sensor.adc;
  if (adc.min && adc.max) return *adc.max - *adc.min;
  double low = std::numeric_limits<double>::infinity();
  double high = -low;
  for (const auto& tactel : model.response.tactels)
    for (const auto* end : {&tactel.offset, &tactel.saturation}) {
      if (!end->value) continue;
      low = std::min(low, *end->value);
      high = std::max(high, *end->value);
    }
  return high > low ? high - low : std::numeric_limits<double>::infinity();
}

void judge_tactels(const std::vector<Pair>& pairs, const CheckSettings& settings, double range,
                   CalibrationCheck& result) {
  const double common = std::log(result.common_factor);
  for (const auto& pair : pairs) {
    result.tactels.push_back(pair.check);
    if (std::abs(pair.log_ratio - common) > std::log1p(settings.gain_tolerance) &&
        pair.check.own_e_n > 1)
      result.recalibrate.push_back(pair.check.tactel);
    if (std::abs(pair.check.offset_change) > settings.offset_tolerance * range &&
        pair.check.offset_e_n > 1)
      result.rezero.push_back(pair.check.tactel);
  }
}

std::string listed(const std::vector<int>& tactels) {
  return fmt::format("{}", fmt::join(tactels, ", "));
}

/// Relative creep of readings per decade, median of the tactels; 0 where nobody found it.
double creep_per_decade(const SensorModel& model) {
  std::vector<double> creeps;
  for (const auto& tactel : model.response.tactels)
    if (tactel.creep.identified()) creeps.push_back(*tactel.creep.value / 100);
  return creeps.empty() ? 0 : median(creeps);
}

/// By how much gains may differ because only one of two sessions knew how readings creep: those of
/// the other hold what presses of some seconds creep by (docs/theory/response.md 9).
double creep_apart(const SensorModel& then, const SensorModel& now) {
  constexpr double kDecadesOfAPress = 0.5;
  const double before = creep_per_decade(then), after = creep_per_decade(now);
  return before != 0 && after != 0 ? 0 : kDecadesOfAPress * std::abs(before + after);
}

void decide(const CheckSettings& settings, double creep_apart, CalibrationCheck& result) {
  const auto n = static_cast<double>(result.tactels.size());
  const bool rescaled = std::abs(result.common_factor - 1) >
                        std::max(settings.gain_tolerance, result.u_common_factor) + creep_apart;
  if (static_cast<double>(result.recalibrate.size()) > kOneByOne * n) {
    result.verdict = CalibrationVerdict::kWrongSensor;
    result.explanation = fmt::format(
        "{} of {} tactels changed one by one: this is another sensor, or it was mounted the other "
        "way round. Check serial number and mounting, else calibrate anew.",
        result.recalibrate.size(), result.tactels.size());
  } else if (!result.recalibrate.empty()) {
    result.verdict = CalibrationVerdict::kRecalibrate;
    result.explanation = fmt::format(
        "Recalibrate tactels {}; the others hold{}.", listed(result.recalibrate),
        rescaled ? fmt::format(" after multiplying all gains by {:.4g}", result.common_factor)
                 : "");
  } else if (rescaled) {
    result.verdict = CalibrationVerdict::kRescale;
    result.explanation =
        fmt::format("{}: multiply press_gain and gain by {:.4g} ± {:.2g}.",
                    result.tactels.size() < kFewest
                        ? "The gain changed (of fewer than three tactels nothing tells a change of "
                          "one from one of all)"
                        : "All gains changed alike",
                    result.common_factor, result.u_common_factor);
  } else if (!result.rezero.empty()) {
    result.verdict = CalibrationVerdict::kReZero;
    result.explanation = fmt::format(
        "Gains hold; the offsets of tactels {} moved: take the offsets of this session.",
        listed(result.rezero));
  } else {
    result.verdict = CalibrationVerdict::kValid;
    result.explanation =
        result.tactels.size() == 1
            ? "The tactel agrees with the model."
            : fmt::format("{} tactels agree with the model.", result.tactels.size());
  }
}

CalibrationCheck wrong_sensor(std::string why) {
  CalibrationCheck check;
  check.verdict = CalibrationVerdict::kWrongSensor;
  check.explanation = std::move(why);
  return check;
}

}  // namespace

std::string_view to_string(CalibrationVerdict verdict) {
  switch (verdict) {
    case CalibrationVerdict::kValid:
      return "valid";
    case CalibrationVerdict::kReZero:
      return "re-zero";
    case CalibrationVerdict::kRescale:
      return "rescale";
    case CalibrationVerdict::kRecalibrate:
      return "recalibrate";
    case CalibrationVerdict::kWrongSensor:
      return "wrong sensor";
  }
  return "";
}

Result<CalibrationCheck> compare_calibration(const SensorModel& model, const SensorModel& now,
                                             const CheckSettings& settings) {
  if (!same_arrays(model.sensor, now.sensor))
    return wrong_sensor("The session's sensor has another layout than the model's.");
  if (!model.serial.empty() && !now.serial.empty() && model.serial != now.serial)
    return wrong_sensor(
        fmt::format("The session is of sensor {}, the model of {}.", now.serial, model.serial));
  CalibrationCheck result;
  auto pairs = paired(model, now, result.not_compared);
  if (pairs.empty())
    return fail(ErrorCode::kUnidentifiable,
                "no tactel has a gain in both model and session: press some that were calibrated "
                "(protocol 'check')");
  find_common_factor(pairs, result);
  judge_tactels(pairs, settings, range_counts(model), result);
  decide(settings, creep_apart(model, now), result);
  if (!result.not_compared.empty())
    result.warnings.push_back({"NOT-COMPARED",
                               fmt::format("{} calibrated tactels have no gain in this session",
                                           result.not_compared.size()),
                               listed(result.not_compared)});
  return result;
}

Result<CalibrationCheck> check_calibration(const std::filesystem::path& model_file,
                                           const std::filesystem::path& session,
                                           const CheckSettings& settings, const Job& job) {
  const auto model = read_model(model_file);
  if (!model) return fail(model.error());
  return check_calibration(*model, session, settings, job);
}

Result<CalibrationCheck> check_calibration(const SensorModel& model,
                                           const std::filesystem::path& session,
                                           const CheckSettings& settings, const Job& job) {
  FitRequest request;
  request.sessions = {session};
  request.stages = {"response"};
  auto fitted = fit_sessions(request, job);
  if (!fitted) return fail(fitted.error());
  auto check = compare_calibration(model, fitted->model, settings);
  if (check)
    check->warnings.insert(check->warnings.begin(), fitted->warnings.begin(),
                           fitted->warnings.end());
  return check;
}

}  // namespace tactelier
