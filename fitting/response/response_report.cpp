#include "fitting/response/response_report.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "fitting/response/dead_zone.hpp"
#include "fitting/response/response_uncertainty.hpp"
#include "fitting/statistics/robust.hpp"
#include "libcalib/model_file/turned_counts.hpp"
#include "libcalib/reason.hpp"

namespace tactelier {
namespace {

constexpr double kEnoughForCorrelation = 5;  // degrees of freedom of a covariance
constexpr double kWellAbove = 1.5;   // times the others' thresholds: a dead tactel was pressed so
constexpr double kFarBelow = 10;     // noises or steps: a reading that lies so far below rest falls
constexpr double kFallsAlone = 3;    // and rises less than a third of that
constexpr double kFarOffset = 0.05;  // of the converter's range: a stuck reading lies so far away
const char* const kFrom = "response";

void fill_all(TactelResponse& response, const std::string& reason) {
  const auto set = [&](Parameter& p, const char* unit) { p = unidentifiable(unit, reason, kFrom); };
  set(response.offset, "counts");
  set(response.press_threshold, "N");
  set(response.press_gain, "N/count");
  set(response.saturation, "counts");
  set(response.noise, "counts");
  for (auto* figure : {&response.hysteresis, &response.repeatability, &response.reversibility,
                       &response.zero_return, &response.nonlinearity})
    set(*figure, "%");
}

double converter_range(const SensorDescription& sensor, const TactelFit& fit) {
  if (sensor.adc.max) return *sensor.adc.max - sensor.adc.min.value_or(0);
  return std::max(std::abs(fit.highest_counts), fit.limits.step);
}

/// One and the same reading, and not where the other tactels rest.
bool is_stuck(const TactelFit& fit, double reading, const ReportSettings& settings) {
  if (settings.sensor->adc.max && reading >= *settings.sensor->adc.max) return true;
  const double far = std::max({10 * settings.offset_spread, 5 * fit.limits.step,
                               kFarOffset * converter_range(*settings.sensor, fit)});
  return std::abs(reading - settings.median_offset) > far;
}

void fill_air(const TactelFit& fit, TactelResponse& response) {
  const auto& limits = fit.limits;
  if (limits.floor == Clip::kNone) {
    response.offset = unidentifiable(
        "counts", "OF-01 no free air: record a zero interval, or begin presses in free air", kFrom);
  } else {
    response.offset = identified(limits.offset, "counts", kFrom);
  }
  if (limits.noise_dof >= 1) {
    const double u = limits.noise / std::sqrt(2 * limits.noise_dof);
    response.noise = identified({limits.noise, u, limits.noise_dof}, "counts", kFrom);
  } else {
    response.noise = unidentifiable(
        "counts", "OF-01 no free air: record a zero interval, or begin presses in free air", kFrom);
  }
}

void fill_saturation(const TactelFit& fit, const SensorDescription& sensor,
                     TactelResponse& response) {
  if (fit.limits.ceiling != Clip::kNone)
    response.saturation = identified(fit.limits.saturation, "counts", kFrom);
  else if (sensor.adc.max)
    response.saturation = assumed(*sensor.adc.max, "counts", "sensor description, adc.max");
  else
    response.saturation = unidentifiable(
        "counts",
        "RS-05 not reached, and the sensor description names no largest reading: press until "
        "readings stop rising",
        kFrom);
}

void fill_figures(const TactelFigures& figures, TactelResponse& response) {
  const auto set = [](const Figure& figure, Parameter& parameter) {
    parameter = figure.estimate ? identified(*figure.estimate, "%", kFrom)
                                : unidentifiable("%", figure.why, kFrom);
  };
  set(figures.hysteresis, response.hysteresis);
  set(figures.repeatability, response.repeatability);
  set(figures.reversibility, response.reversibility);
  set(figures.zero_return, response.zero_return);
  set(figures.nonlinearity, response.nonlinearity);
}

std::vector<Component> gain_budget(const TactelFit& fit, const ReportSettings& settings) {
  return {{"force sensor", fit.fit.gain_N_per_count * settings.gain_u_percent / 100}};
}

/// Besides the latency, which is in the interval: when within a frame a reading was made.
std::vector<Component> threshold_budget(const TactelFit& fit, const ReportSettings& settings) {
  const double late_N = u_rectangular(std::abs(fit.force_rate_N_per_s) * fit.period_s);
  return {{"force sensor", fit.fit.threshold_N * settings.gain_u_percent / 100}, {"frame", late_N}};
}

/// Within its presses, however they scatter.
bool rises_clearly(const TactelFit& fit) {
  const double information = fit.fit.information()(1, 1);
  const double scale = std::sqrt(std::max(1.0, 2 * fit.fit.cost / fit.dof()));
  return fit.fit.gain_N_per_count * std::sqrt(information) > 5 * scale;
}

CovarianceBlock covariance_of(const TactelFit& fit, const Eigen::Matrix2d& covariance) {
  const auto path = fmt::format("response.tactels[{}].", fit.tactel);
  return {{path + "press_threshold", path + "press_gain"},
          {covariance(0, 0), covariance(1, 0), covariance(1, 1)}};
}

/// Zero lies in what the readings leave open: the threshold is 0, and the gain the one of a line
/// from there.
/// What hides a dead zone (an unknown latency) hides as much of the gain: never tighter than the
/// line that may have one.
void fill_without_dead_zone(const TactelFit& fit, const ResponseUncertainty& free,
                            const ReportSettings& settings, const Job& job, TactelReport& report) {
  const auto line = without_dead_zone(fit);
  const auto uncertainty = response_uncertainty(line, settings, job);
  auto& response = report.response;
  response.press_threshold = hidden_threshold(fit, settings, threshold_budget(line, settings), job);
  response.press_gain =
      identified({line.fit.gain_N_per_count,
                  std::sqrt(std::max(uncertainty.covariance(1, 1), free.covariance(1, 1))),
                  std::min(uncertainty.gain_dof, free.gain_dof)},
                 "N/count", kFrom, gain_budget(line, settings));
}

/// Where no free air was recorded.
void fill_rest(const TactelFit& fit, const ResponseUncertainty& uncertainty, TactelReport& report) {
  const auto rest = rest_of_line(fit, uncertainty.covariance, uncertainty.threshold_dof);
  auto& response = report.response;
  response.offset = identified(rest.offset, "counts", kFrom);
  response.press_threshold = not_seen(rest.threshold, "N", kFrom);
  response.press_threshold.reason =
      "NOT-SEEN no free air was recorded that could show one: offset is where the line through the "
      "readings meets force 0";
  report.covariance = covariance_of(fit, rest.covariance);
  report.rest_from_rows = true;
}

/// Why no line may speak for this tactel, however wide its intervals.
std::string not_a_line(const TactelFit& fit, const ResponseUncertainty& uncertainty) {
  const std::string remedy =
      "Its law is another one, or something moved between presses: look at its readings over force "
      "(Fit page), press less far, or leave out the presses that differ";
  if (fit.sum_squares > fit.total_squares && fit.total_squares > 0)
    return fmt::format(
        "RS-07 Tactel {}: its mean reading describes it better than a line does (R2 = {:.2g}). {}",
        fit.tactel, 1 - fit.sum_squares / fit.total_squares, remedy);
  if (uncertainty.missed >= std::max(1, improbable_misses(uncertainty.left_out)))
    return fmt::format(
        "RS-07 Tactel {}: {} of {} presses, left out of the fit, lie outside its intervals. {}",
        fit.tactel, uncertainty.missed, uncertainty.left_out, remedy);
  return {};
}

/// Presses that agree to the last digit scatter by less than their readings are rounded to: as much
/// as that leaves open of a line through two readings.
void add_rounding(const TactelFit& fit, ResponseUncertainty& uncertainty) {
  constexpr double kNone = 1e-9;  // of the gain
  const double gain = fit.fit.gain_N_per_count, span = fit.highest_counts - fit.lowest_counts;
  if (!(std::sqrt(uncertainty.covariance(1, 1)) < kNone * gain) || !(span > 0)) return;
  const double rounding_N = gain * u_resolution(fit.limits.step);
  uncertainty.covariance(0, 0) += rounding_N * rounding_N;
  uncertainty.covariance(1, 1) += 2 * std::pow(rounding_N / span, 2);
}

void fill_line(const TactelFit& fit, const ReportSettings& settings, const Job& job,
               TactelReport& report) {
  auto& response = report.response;
  auto uncertainty = response_uncertainty(fit, settings, job);
  add_rounding(fit, uncertainty);
  report.method = uncertainty.method;
  const bool held = fit.fit.threshold_at_zero || fit.fit.threshold_at_top;
  const bool offset_known = fit.limits.floor != Clip::kNone;
  const double u_offset_N = settings.u_force_offset_N;
  if (!held) uncertainty.covariance(0, 0) += u_offset_N * u_offset_N;
  Candidate threshold;
  threshold.name = fmt::format("tactel {} press_threshold", fit.tactel);
  threshold.unit = "N";
  const double raised_N = fit.fit.threshold_N + (held ? 0 : settings.force_offset_N);
  threshold.estimate = {std::max(0.0, raised_N), std::sqrt(uncertainty.covariance(0, 0)),
                        uncertainty.threshold_dof};
  threshold.location = shows_dead_zone(fit);
  if (fit.fit.threshold_at_zero) threshold.at_bound = 0;
  if (fit.fit.threshold_at_top) threshold.at_bound = fit.settings.max_threshold_N;
  Candidate gain;
  gain.name = fmt::format("tactel {} press_gain", fit.tactel);
  gain.unit = "N/count";
  gain.estimate = {fit.fit.gain_N_per_count, std::sqrt(uncertainty.covariance(1, 1)),
                   uncertainty.gain_dof};
  FitEvidence evidence;
  // The spread of two or three presses always lies on a line.
  if (offset_known && !threshold.at_bound && uncertainty.threshold_dof >= kEnoughForCorrelation)
    evidence.covariance = uncertainty.covariance;
  evidence.dof = fit.dof();
  if (fit.noise_known) evidence.chi2_per_dof = 2 * fit.fit.cost / evidence.dof;
  evidence.sigma_dof = fit.noise_dof;
  evidence.tests = settings.fitted;
  evidence.runs_p = fit.fit.runs_p;
  // Lack of fit widens what is reported; it doesn't turn a slope that is there into none.
  auto judged_gain = gain;
  if (uncertainty.lack.there()) {
    const double own = uncertainty.covariance(1, 1) - uncertainty.lack.covariance(1, 1);
    judged_gain.estimate.std = std::sqrt(std::max(0.0, own));
    judged_gain.estimate.dof = fit.dof();
  }
  const std::array candidates{threshold, judged_gain};
  auto judged = judge(candidates, evidence, fmt::format("tactel {}", fit.tactel));
  for (auto& warning : judged.warnings) {
    if (warning.code == "ID-07")
      report.descriptive_only = true;
    else
      report.warnings.push_back(std::move(warning));
  }
  if (const auto reason = not_a_line(fit, uncertainty); !reason.empty())
    for (auto& verdict : judged.verdicts) verdict = {false, reason};
  report.descriptive_only = report.descriptive_only || uncertainty.lack.there();
  response.press_gain = reported(gain, judged.verdicts[1], kFrom, gain_budget(fit, settings));
  if (has_code(response.press_gain.reason, "ID-02")) {
    if (uncertainty.lack.there())
      response.press_gain.reason +=
          " A line does not describe its readings: press less far, or look at its curve.";
    else if (rises_clearly(fit))
      response.press_gain.reason += " Too few presses show how they scatter: repeat some.";
    else
      response.press_gain.reason = fmt::format(
          "RS-03 Tactel {} does not respond monotonically: its slope may be zero.", fit.tactel);
  }
  if (offset_known)
    response.press_threshold =
        reported(threshold, judged.verdicts[0], kFrom, threshold_budget(fit, settings));
  else
    response.press_threshold = unidentifiable(
        "N",
        "OF-01 the offset is unknown, so only offset - threshold/gain is determined: record "
        "readings in free air",
        kFrom);
  if (!response.press_gain.identified()) return;
  if (!offset_known)
    fill_rest(fit, uncertainty, report);
  else if (!response.press_threshold.usable() && !threshold.location && !fit.fit.threshold_at_top)
    fill_without_dead_zone(fit, uncertainty, settings, job, report);
  else if (response.press_threshold.identified())
    report.covariance = covariance_of(fit, uncertainty.covariance);
}

/// Readings under load lie far below those at rest, and none as far above: the other way round, it
/// would answer.
bool falls(const TactelFit& fit) {
  if (fit.limits.floor == Clip::kNone) return false;
  const double rest = fit.limits.offset.value, fall = rest - fit.lowest_counts;
  return fall > kFarBelow * std::max(fit.limits.noise, fit.limits.step) &&
         fit.highest_counts - rest < fall / kFallsAlone;
}

void report_falling(const TactelFit& fit, TactelReport& report) {
  const auto reason = fmt::format(
      "FALLS Tactel {} reads up to {:.4g} less while it is pressed than at rest: its readings "
      "fall. Say \"falling\": true in the sensor of its map or description.",
      fit.tactel, fit.limits.offset.value - fit.lowest_counts);
  fill_all(report.response, reason);
  fill_air(fit, report.response);
  report.response.status = TactelStatus::kNotPressed;
  report.warnings.push_back(warning_of(reason, fmt::format("tactel {}", fit.tactel)));
}

/// A pressed tactel that kept its offset: dead when others would have answered, or when none does,
/// else undecided.
void report_silent(const TactelFit& fit, const ReportSettings& settings, TactelReport& report) {
  const bool well_above = settings.largest_threshold_N > 0 &&
                          fit.peak_force_N > kWellAbove * settings.largest_threshold_N;
  const bool none = !(settings.largest_threshold_N > 0);
  const auto reason = fmt::format(
      "RS-01 Tactel {} stayed at its offset up to {:.3g} N: {}", fit.tactel, fit.peak_force_N,
      none ? "no tactel answered to any press. The sensor or its wire is dead, or all forces "
             "lie below its trigger: look at its readings while you press hard"
      : well_above ? "dead, or the tip missed it."
                   : "the force may lie below its trigger, or the tip missed it. Press harder");
  fill_all(report.response, reason);
  fill_air(fit, report.response);
  report.response.status = well_above || none ? TactelStatus::kDead : TactelStatus::kNotPressed;
  report.warnings.push_back(warning_of(reason, fmt::format("tactel {}", fit.tactel)));
}

void report_stuck(const TactelFit& fit, double recorded, TactelReport& report) {
  const auto reason =
      fmt::format("STUCK Tactel {} reads {:.6g} whatever presses it: stuck or at its limit",
                  fit.tactel, recorded);
  fill_all(report.response, reason);
  report.response.gain = unidentifiable("N/count", reason, "response");
  report.response.threshold = unidentifiable("N", reason, "response");
  report.response.status = TactelStatus::kStuck;
  report.warnings.push_back(warning_of(reason, fmt::format("tactel {}", fit.tactel)));
}

/// Its numbers would be those of another place.
void report_misplaced(const TactelFit& fit, const Misplaced& found, TactelReport& report) {
  fill_all(report.response, found.reason);
  fill_air(fit, report.response);
  const bool first_of_ring = !found.swapped || found.ring.front() == fit.tactel;
  if (first_of_ring)
    report.warnings.push_back(warning_of(found.reason, fmt::format("tactel {}", fit.tactel)));
}

}  // namespace

ReportSettings report_settings(std::span<const TactelFit> fits, const SensorDescription& sensor) {
  ReportSettings settings;
  settings.sensor = &sensor;
  settings.scatter = pool_scatter(fits);
  std::vector<double> offsets;
  for (const auto& fit : fits) {
    if (fit.limits.floor != Clip::kNone) offsets.push_back(fit.limits.offset.value);
    if (fit.fitted())
      settings.largest_threshold_N = std::max(settings.largest_threshold_N, fit.fit.threshold_N);
  }
  std::vector<TouchAnswer> answers;
  for (const auto& fit : fits)
    if (fit.touch) answers.push_back(*fit.touch);
  settings.misplaced = find_misplaced(answers, sensor);
  settings.fitted =
      std::max(1, static_cast<int>(std::count_if(fits.begin(), fits.end(),
                                                 [](const auto& f) { return f.fitted(); })));
  // Even a threshold of zero is one that forces can exceed.
  if (std::any_of(fits.begin(), fits.end(), [](const auto& f) { return f.fitted(); }))
    settings.largest_threshold_N = std::max(settings.largest_threshold_N, 1e-9);
  if (!offsets.empty()) {
    settings.median_offset = median(offsets);
    settings.offset_spread = mad_sigma(offsets);
  }
  return settings;
}

TactelReport report_tactel(const TactelFit& fit, const ReportSettings& settings, const Job& job) {
  TactelReport report;
  report.response.index = fit.tactel;
  const auto& sensor = *settings.sensor;
  using Outcome = TactelFit::Outcome;
  if (const auto found = settings.misplaced.find(fit.tactel); found != settings.misplaced.end()) {
    report_misplaced(fit, found->second, report);
    return report;
  }
  const bool constant_air = fit.outcome == Outcome::kNotPressed &&
                            fit.limits.floor != Clip::kNone && fit.limits.constant_air;
  if (fit.outcome == Outcome::kConstant && is_stuck(fit, fit.highest_counts, settings)) {
    report_stuck(fit, turned_reading(sensor, fit.highest_counts), report);
    return report;
  }
  if (constant_air && is_stuck(fit, fit.limits.offset.value, settings)) {
    report_stuck(fit, turned_reading(sensor, fit.limits.offset.value), report);
    return report;
  }
  switch (fit.outcome) {
    case Outcome::kNotPressed:
      fill_all(report.response, fmt::format("NOT-PRESSED no usable press on tactel {}: press its "
                                            "centre (protocol P2)",
                                            fit.tactel));
      fill_air(fit, report.response);
      break;
    case Outcome::kSilent:
    case Outcome::kConstant:
      falls(fit) ? report_falling(fit, report) : report_silent(fit, settings, report);
      break;
    case Outcome::kRefused:
      fill_all(report.response, fit.refusal);
      fill_air(fit, report.response);
      fill_saturation(fit, *settings.sensor, report.response);
      report.warnings.push_back(warning_of(fit.refusal, fmt::format("tactel {}", fit.tactel)));
      break;
    case Outcome::kFitted:
      fill_all(report.response, "");
      fill_air(fit, report.response);
      fill_saturation(fit, *settings.sensor, report.response);
      fill_figures(fit.figures, report.response);
      fill_line(fit, settings, job, report);
      if (report.response.press_gain.identified())
        report.response.status = TactelStatus::kIdentified;
      break;
  }
  return report;
}

}  // namespace tactelier
