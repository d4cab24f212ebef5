#include "fitting/response/response_model.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "fitting/response/curve_choice.hpp"
#include "fitting/response/play_report.hpp"
#include "fitting/statistics/parallel.hpp"
#include "libcalib/model_file/turned_counts.hpp"
#include "libcalib/reason.hpp"

namespace tactelier {
namespace {

constexpr double kEnoughRepeats = 10;  // degrees of freedom that need no help by the joint fit
constexpr double kMisfit = 2;          // times their scatter: a misfit of the spread

bool any_readings(const FitContext& context) {
  return std::any_of(context.sessions.begin(), context.sessions.end(), [](const auto& session) {
    return session.session->stream(StreamKind::kTactile) != nullptr;
  });
}

/// Why the presses that were made on a tactel did not serve: " (demo.tact press 3: RC-01 ...)".
std::string first_objection(const SensorModel& model, int tactel) {
  for (const auto& press : model.presses)
    if (press.tactel == tactel && !press.why.empty())
      return fmt::format(" ({} press {}: {})", press.session, press.number, press.why);
  return {};
}

void explain_unpressed(const FitContext& context, TactelResponse& response) {
  const std::string added = any_readings(context) ? first_objection(context.model, response.index)
                                                  : " (the sessions hold no tactile stream)";
  for (auto* parameter : {&response.press_threshold, &response.press_gain, &response.saturation,
                          &response.hysteresis, &response.repeatability, &response.reversibility,
                          &response.zero_return, &response.nonlinearity})
    if (has_code(parameter->reason, "NOT-PRESSED")) parameter->reason += added;
  if (any_readings(context)) return;
  for (auto* parameter : {&response.offset, &response.noise})
    if (has_code(parameter->reason, "OF-01"))
      parameter->reason = "OF-01 the sessions hold no tactile stream: record the array's readings";
}

std::set<std::string> mounts_of(const FitContext& context) {
  std::set<std::string> mounts;
  for (const auto& session : context.sessions) mounts.insert(session.session->metadata().mount);
  return mounts;
}

/// Readings about the law that the model takes; the same number of them as on the line.
double squares_about(const TactelFit& fit, const CurveChoice& choice) {
  if (!choice.law().curved() || !fit.curves) return fit.sum_squares;
  return fit.curves->fits[choice.index].rss / fit.curves->readings * fit.line_samples;
}

void sum_up(std::span<const TactelFit> fits, const CurveChoice& choice, StageQuality& quality) {
  double chi2 = 0, dof = 0, squares = 0, total = 0, samples = 0, train = 0, train_n = 0;
  double held = 0, held_n = 0;
  int iterations = 0;
  for (const auto& fit : fits) {
    if (!fit.fitted()) continue;
    quality.samples_used += fit.fit.samples - fit.rejected;
    quality.samples_rejected += fit.rejected;
    iterations += fit.fit.iterations;
    quality.cost = quality.cost.value_or(0) + fit.fit.cost;
    if (fit.noise_known) {
      chi2 += 2 * fit.fit.cost;
      dof += fit.dof();
    }
    squares += squares_about(fit, choice);
    total += fit.total_squares;
    samples += fit.line_samples;
    if (fit.holdout_samples > 0) {
      train += 2 * fit.fit.cost;
      train_n += fit.fit.samples;
      held += fit.holdout_squares;
      held_n += fit.holdout_samples;
    }
  }
  if (samples == 0) return;
  quality.iterations = iterations;
  quality.residual_rms = std::sqrt(squares / samples);
  if (dof > 0) quality.chi2_per_dof = chi2 / dof;
  if (total > 0) quality.r2 = 1 - squares / total;
  if (held_n > 0 && train > 0)
    quality.holdout_ratio = std::sqrt((held / held_n) / (train / train_n));
}

void count_up(std::span<const TactelFit> fits, std::span<const TactelResponse> tactels,
              const ReportSettings& settings, StageQuality& quality) {
  const auto& scatter = settings.scatter;
  const auto count = [&](TactelStatus status) {
    return static_cast<double>(
        std::count_if(tactels.begin(), tactels.end(),
                      [&](const TactelResponse& tactel) { return tactel.status == status; }));
  };
  quality.figures["tactels_identified"] = count(TactelStatus::kIdentified);
  quality.figures["tactels_dead"] = count(TactelStatus::kDead);
  quality.figures["tactels_stuck"] = count(TactelStatus::kStuck);
  quality.figures["tactels_swapped"] = static_cast<double>(settings.misplaced.size());
  quality.figures["tactels_not_pressed"] = count(TactelStatus::kNotPressed);
  std::size_t pressed = 0, repeated = 0;
  double spikes = 0, downweighted = 0, samples = 0;
  for (const auto& fit : fits) {
    pressed += fit.presses > 0 ? 1 : 0;
    repeated += fit.presses > 1 ? 1 : 0;
    spikes += fit.spikes;
    downweighted += fit.downweighted;
    samples += fit.fit.samples;
  }
  quality.figures["tactels_pressed"] = static_cast<double>(pressed);
  quality.figures["spikes_removed"] = spikes;
  if (samples > 0) quality.figures["weight_below_half_percent"] = 100 * downweighted / samples;
  quality.figures["tactels_pressed_again"] = static_cast<double>(repeated);
  if (scatter.dof > 0)
    quality.figures["gain_scatter_between_presses_percent"] =
        100 * std::sqrt(scatter.gain_relative);
}

void warn_scatter(std::span<const TactelFit> fits, const PressScatter& scatter,
                  StageQuality& quality) {
  const bool singles = std::any_of(fits.begin(), fits.end(), [](const TactelFit& fit) {
    return fit.fitted() && fit.fit.presses.size() == 1;
  });
  if (!singles || !scatter.few()) return;
  if (scatter.dof <= 0) {
    quality.warnings.push_back(
        {"NO-REPEATS",
         "Every tactel was pressed once: the intervals hold what varies within a press, not the "
         "scatter between presses. Repeat five tactels five times (protocol P2).",
         ""});
    return;
  }
  quality.warnings.push_back(
      {"FEW-REPEATS",
       fmt::format("The scatter between presses is known from {:.0f} repeat{} only, so the "
                   "intervals are wide. Repeat five tactels five times (protocol P2).",
                   scatter.dof, scatter.dof > 1 ? "s" : ""),
       ""});
}

/// Floors that nobody described, found in the readings.
void warn_floors(std::span<const TactelFit> fits, const SensorDescription& sensor,
                 StageQuality& quality) {
  std::vector<std::string> found;
  double at_floor = 0, at_ceiling = 0;
  for (const auto& fit : fits) {
    at_floor += fit.limits.at_floor;
    at_ceiling += fit.limits.saturated;
    if (fit.limits.at_floor > 0)
      found.push_back(fmt::format("{}: {} of {} at {:.6g}", fit.tactel, fit.limits.at_floor,
                                  fit.readings, turned_reading(sensor, fit.limits.offset.value)));
  }
  if (at_ceiling > 0) quality.figures["readings_at_saturation"] = at_ceiling;
  if (found.empty()) return;
  quality.figures["readings_at_floor"] = at_floor;
  const std::size_t shown = std::min<std::size_t>(found.size(), 10);
  quality.warnings.push_back(
      {"FLOOR",
       fmt::format("Readings of {} tactel{} stay at one level at the lightest forces: taken for "
                   "where readings end (offset), and left out of the gain.",
                   found.size(), found.size() > 1 ? "s" : ""),
       fmt::format("tactels {}{}", fmt::join(std::span(found).first(shown), ", "),
                   found.size() > shown ? ", ..." : "")});
}

void warn_descriptive(std::span<const int> tactels, StageQuality& quality) {
  if (tactels.empty()) return;
  const auto chi2 = quality.chi2_per_dof
                        ? fmt::format("chi2/nu = {:.3g} over all tactels", *quality.chi2_per_dof)
                        : std::string("p < 0.001");
  const std::size_t shown = std::min<std::size_t>(tactels.size(), 10);
  quality.warnings.push_back(
      {"ID-07",
       fmt::format("Model does not describe the data ({}); numbers are descriptive only: gain and "
                   "threshold are widened until forces left out of the fit agree.",
                   chi2),
       fmt::format("{} of the tactels: {}{}", tactels.size(), fmt::join(tactels.first(shown), ", "),
                   tactels.size() > shown ? ", ..." : "")});
}

/// Readings at rest far off their line, of which no curve could be tried: what it would take.
void warn_untried(std::span<const TactelFit> fits, StageQuality& quality) {
  constexpr double kFarOff = 0.02;  // of the range, rms
  std::vector<int> bent;
  std::size_t loads = kCurveLoads, presses = 0;
  for (const auto& fit : fits) {
    const bool tried = fit.curves && fit.curves->effective >= kCurveReadings;
    const double rms = std::sqrt(fit.sum_squares / std::max(1.0, fit.line_samples));
    if (!fit.fitted() || !fit.static_readings || fit.curve_loads == 0 || tried ||
        rms < kFarOff * (fit.highest_counts - fit.lowest_counts))
      continue;
    if (bent.empty()) loads = fit.curve_loads, presses = fit.presses;
    bent.push_back(fit.tactel);
  }
  if (bent.empty()) return;
  quality.warnings.push_back(
      {"CURVED",
       fmt::format(
           "The readings lie more than 2 % of their range off a line, and no curve can be "
           "tried: tactel {} has {} load{} above rest in {} round{}. Record {} loads or "
           "more, from light to heavy, in two rounds or more, or {} in one; until then the line "
           "stays, and forces read off it are off by as much as it misses the rows.",
           bent.front(), loads, loads > 1 ? "s" : "", presses, presses > 1 ? "s" : "", kCurveLoads,
           kCurveReadings),
       fmt::format("{} tactel{}", bent.size(), bent.size() > 1 ? "s" : "")});
}

void note_curve(const CurveChoice& choice, StageQuality& quality) {
  if (choice.tactels == 0) return;
  for (std::size_t i = 1; i < response_laws().size(); ++i) {
    const std::string name(response_laws()[i]->title());
    quality.figures["delta_bic_" + name] = choice.delta_bic[i];
    quality.figures["delta_aicc_" + name] = choice.delta_aicc[i];
    if (choice.holdout[0] > 0) quality.figures["holdout_to_line_" + name] = choice.holdout[i];
  }
  if (choice.law().curved())
    quality.warnings.push_back(
        {"CURVED",
         fmt::format("The readings bend: a {} curve predicts {} left out with {:.2g} of a "
                     "line's error and is what apply uses; press_gain and press_threshold are "
                     "those of the best line.{}",
                     choice.law().title(), choice.one_round ? "loads" : "presses",
                     choice.holdout[choice.index],
                     choice.one_round ? " One round of loads tells nothing of how rounds differ: "
                                        "that is in no interval."
                                      : ""),
         ""});
  if (choice.untested)
    quality.warnings.push_back(
        {"CURVED",
         "The readings seem to bend, but without a second press on any tactel no curve can be "
         "tested: the line stays. Repeat five tactels (protocol P2).",
         ""});
}

std::string rest_of(const Response& response, bool from_rows, bool stated) {
  if (from_rows) return "rows";
  if (stated) return "stated";
  const bool any = std::any_of(response.tactels.begin(), response.tactels.end(),
                               [](const TactelResponse& t) { return t.offset.usable(); });
  return any ? "free_air" : "";
}

/// Of the converter, which all tactels share.
Parameter resolution_of(std::span<const TactelFit> fits) {
  double step = 0;
  for (const auto& fit : fits)
    if (fit.limits.step > 0) step = step > 0 ? std::min(step, fit.limits.step) : fit.limits.step;
  if (step > 0) return identified({step, 0, 0}, "counts", "response");
  return unidentifiable("counts", "NO-STEP no two readings differ by a step of a converter",
                        "response");
}

/// Blocks of an earlier report.
void drop_covariance(SensorModel& model) {
  std::erase_if(model.covariance, [](const CovarianceBlock& block) {
    return !block.parameters.empty() && block.parameters.front().ends_with(".press_threshold");
  });
}

/// The line through bent readings meets force 0 far from where the sensor rests. Laws of which the
/// first coefficient is the reading there say it themselves.
void rest_on_curve(const ResponseLaw& law, TactelReport& report) {
  auto& response = report.response;
  if (!report.rest_from_rows || (response.coefficients.empty() && response.knots.empty())) return;
  report.covariance.reset();  // of the line's offset
  if (law.name() == "polynomial" || law.name() == "conductance" || law.name() == "power")
    response.offset = response.coefficients.front();
  else
    response.offset = unidentifiable(
        "counts",
        "OF-01 No row is without a load, and the readings bend: state what the tactel reads "
        "unloaded (import --rest), or record rows without a load.",
        "response");
  if (response.offset.usable()) response.offset.unit = "counts";
}

/// Puts a tactel's report into the model, beside what other stages found.
void take_over(const FitContext& context, TactelReport& report, TactelResponse& target) {
  explain_unpressed(context, report.response);
  report.response.creep = target.creep;
  if (report.response.status != TactelStatus::kStuck) {
    report.response.gain = target.gain;
    report.response.threshold = target.threshold;
  }
  target = std::move(report.response);
}

void adopt_joint_lines(const ResponseFits& fitted, std::span<TactelReport> reports,
                       StageQuality& quality) {
  if (fitted.joint_lines.empty()) return;
  const auto agreement = compare_lines(fitted.joint_lines, reports);
  quality.figures["tactels_by_joint_fit"] = static_cast<double>(
      take_joint_lines(fitted.joint_lines, fitted.fits, fitted.settings, agreement, reports));
  if (agreement.tactels == 0) return;
  quality.figures["own_presses_to_joint_fit_gain_percent"] = 100 * agreement.difference;
  quality.figures["own_presses_to_joint_fit_gain_percent_std"] = 100 * agreement.u;
  quality.figures["own_presses_to_joint_fit_scatter_percent"] = 100 * agreement.scatter;
  quality.figures["own_presses_to_joint_fit_threshold_percent"] =
      100 * agreement.threshold_difference;
}

/// Repeats that know their scatter badly believe the joint fit. It also holds what repeats of one
/// tactel have in common, which they don't see.
bool alike(const PressScatter& repeats, const JointFindings& joint) {
  return repeats.dof < kEnoughRepeats || joint.scatter < kMisfit * std::sqrt(repeats.gain_relative);
}

}  // namespace

bool trusted(const TactelResponse& response) {
  return response.status != TactelStatus::kDead && response.status != TactelStatus::kStuck &&
         !has_code(response.press_gain.reason, "SWAPPED");
}

Result<void> write_response(FitContext& context) {
  auto& [fits, settings, before, joint_lines] = *context.response_fits;
  settings.sensor = &context.model.sensor;
  std::vector<TactelReport> reports(fits.size());
  parallel_for(thread_count(context.options.threads), fits.size(),
               [&](std::size_t i) { reports[i] = report_tactel(fits[i], settings, context.job); });
  if (context.job.stopped()) return Job::cancelled();
  StageQuality quality = before;
  std::vector<int> descriptive;
  std::set<std::string> methods;
  bool from_rows = false;
  const auto curve = choose_curve(fits);
  context.model.response.model = curve.law().name();
  CurveSettings curve_settings{{}, settings.gain_u_percent};
  if (curve.law().curved()) curve_settings.scatter = curve_scatter(fits, curve.index);
  if (!curve.law().curved()) adopt_joint_lines(*context.response_fits, reports, quality);
  drop_covariance(context.model);
  for (std::size_t i = 0; i < reports.size(); ++i) {
    auto& report = reports[i];
    from_rows = from_rows || report.rest_from_rows;
    if (report.descriptive_only) descriptive.push_back(fits[i].tactel);
    if (!report.method.empty()) methods.insert(report.method);
    quality.warnings.insert(quality.warnings.end(), report.warnings.begin(), report.warnings.end());
    write_curve(fits[i], curve, curve_settings, report.response);
    rest_on_curve(curve.law(), report);
    if (report.covariance) context.model.covariance.push_back(std::move(*report.covariance));
    take_over(context, report, context.model.response.tactels[i]);
  }
  const bool stated = std::any_of(fits.begin(), fits.end(),
                                  [](const TactelFit& fit) { return fit.limits.rest_stated; });
  context.model.response.zero = rest_of(context.model.response, from_rows, stated);
  context.model.response.resolution = resolution_of(fits);
  sum_up(fits, curve, quality);
  count_up(fits, context.model.response.tactels, settings, quality);
  warn_scatter(fits, settings.scatter, quality);
  warn_floors(fits, context.model.sensor, quality);
  warn_descriptive(descriptive, quality);
  note_curve(curve, quality);
  warn_untried(fits, quality);
  write_play(fits, context.model.response, quality);
  quality.interval_method = fmt::format("{}", fmt::join(methods, "; "));
  quality.remounting_included = mounts_of(context).size() >= 3;
  context.model.quality["response"] = std::move(quality);
  return {};
}

Result<void> add_joint_findings(FitContext& context, const JointFindings& findings) {
  if (!context.response_fits) return {};
  auto& settings = context.response_fits->settings;
  settings.force_offset_N = findings.force_offset_N;
  settings.u_force_offset_N = findings.u_force_offset_N;
  auto& scatter = settings.scatter;
  if (findings.dof > 0 && std::isfinite(findings.scatter) && alike(scatter, findings)) {
    const double total = scatter.dof + findings.dof;
    const double variance = findings.scatter * findings.scatter;
    scatter.gain_relative = (scatter.dof * scatter.gain_relative + findings.dof * variance) / total;
    scatter.threshold_N2 *= scatter.dof / total;
    scatter.threshold_relative = findings.dof * variance / total;
    scatter.dof = total;
    scatter.joint = true;
  } else if (!(findings.u_force_offset_N > 0) && findings.lines.empty() &&
             !(findings.u_gain_percent > 0)) {
    return {};
  }
  settings.gain_u_percent = std::hypot(settings.gain_u_percent, findings.u_gain_percent);
  context.response_fits->joint_lines = findings.lines;
  return write_response(context);
}

}  // namespace tactelier
