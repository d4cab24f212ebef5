#include "fitting/response/response.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "fitting/press/press_data.hpp"
#include "fitting/response/response_air.hpp"
#include "fitting/response/response_report.hpp"
#include "fitting/response/response_selection.hpp"
#include "fitting/statistics/parallel.hpp"

namespace tactelier {
namespace {

constexpr std::size_t kBatchPerThread = 4;
constexpr std::size_t kLeastBefore = 10;  // readings of free air that count as a window

void add_reason(PressRow& row, const std::string& reason) {
  if (row.why.find(reason) != std::string::npos) return;
  row.why += (row.why.empty() ? "" : "; ") + reason;
}

/// Presses of one tactel, loaded. Presses that can't be used are left out with their reason in the
/// model's list.
Result<TactelData> load_tactel(FitContext& context, int tactel,
                               std::span<const SelectedPress> presses, const AirSurvey& air) {
  TactelData data;
  data.tactel = tactel;
  data.air = air.windows[static_cast<std::size_t>(tactel)];
  for (const auto& selected : presses) {
    if (context.job.stopped()) return Job::cancelled();
    const auto& contact = context.contacts[selected.row];
    const auto loaded = load_press(context, contact.session, contact.press, std::array{tactel});
    if (!loaded) {
      if (loaded.error().code != ErrorCode::kUnidentifiable) return fail(loaded.error());
      add_reason(context.model.presses[selected.row], "response: " + loaded.error().message);
      continue;
    }
    if (loaded->counts.empty() || !loaded->has_force()) {
      add_reason(context.model.presses[selected.row], "response: force or tactile stream missing");
      continue;
    }
    auto press = split_press(*loaded, 0, contact);
    press.row = selected.row;
    if (press.before.size() >= kLeastBefore && !air.presses.contains(selected.row))
      data.air.push_back(air_window(press.before, reading_floor(context.model.sensor)));
    (selected.held_out ? data.held_out : data.presses).push_back(std::move(press));
  }
  return data;
}

Result<std::vector<TactelFit>> fit_all(FitContext& context,
                                       std::span<const std::vector<SelectedPress>> selection,
                                       const AirSurvey& air) {
  const int threads = thread_count(context.options.threads);
  const auto batch_size = kBatchPerThread * static_cast<std::size_t>(threads);
  std::vector<TactelFit> fits(selection.size());
  for (std::size_t begin = 0; begin < selection.size(); begin += batch_size) {
    const std::size_t count = std::min(batch_size, selection.size() - begin);
    std::vector<TactelData> data(count);
    for (std::size_t i = 0; i < count; ++i) {
      auto loaded = load_tactel(context, static_cast<int>(begin + i), selection[begin + i], air);
      if (!loaded) return fail(loaded.error());
      data[i] = std::move(*loaded);
      context.job.progress("response", static_cast<double>(begin + i),
                           static_cast<double>(selection.size()));
    }
    parallel_for(threads, count, [&](std::size_t i) {
      fits[begin + i] = fit_tactel(data[i], context.model.sensor, context.job);
    });
    if (context.job.stopped()) return Job::cancelled();
  }
  return fits;
}

double certificate_percent(const FitContext& context, Warnings& warnings) {
  double largest = 0;
  bool missing = false;
  for (const auto& session : context.sessions) {
    const auto& sensor = session.session->metadata().force_sensor;
    if (sensor && sensor->gain_u_percent)
      largest = std::max(largest, *sensor->gain_u_percent);
    else
      missing = true;
  }
  if (missing)
    warnings.push_back({"NO-CERTIFICATE",
                        "The force sensor's gain uncertainty is not stated: u_total lacks it "
                        "(force_sensor.certificate.gain_u_percent).",
                        "session.json"});
  return largest;
}

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
    if (parameter->reason.starts_with("NOT-PRESSED")) parameter->reason += added;
  if (any_readings(context)) return;
  for (auto* parameter : {&response.offset, &response.noise})
    if (parameter->reason.starts_with("OF-01"))
      parameter->reason = "OF-01 the sessions hold no tactile stream: record the array's readings";
}

std::set<std::string> mounts_of(const FitContext& context) {
  std::set<std::string> mounts;
  for (const auto& session : context.sessions) mounts.insert(session.session->metadata().mount);
  return mounts;
}

void sum_up(std::span<const TactelFit> fits, StageQuality& quality) {
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
    squares += fit.sum_squares;
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
              const PressScatter& scatter, StageQuality& quality) {
  const auto count = [&](TactelStatus status) {
    return static_cast<double>(
        std::count_if(tactels.begin(), tactels.end(),
                      [&](const TactelResponse& tactel) { return tactel.status == status; }));
  };
  quality.figures["tactels_identified"] = count(TactelStatus::kIdentified);
  quality.figures["tactels_dead"] = count(TactelStatus::kDead);
  quality.figures["tactels_stuck"] = count(TactelStatus::kStuck);
  quality.figures["tactels_not_pressed"] = count(TactelStatus::kNotPressed);
  std::size_t pressed = 0, repeated = 0;
  for (const auto& fit : fits) {
    pressed += fit.presses > 0 ? 1 : 0;
    repeated += fit.presses > 1 ? 1 : 0;
  }
  quality.figures["tactels_pressed"] = static_cast<double>(pressed);
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
  if (!singles || scatter.dof > 0) return;
  quality.warnings.push_back(
      {"NO-REPEATS",
       "Every tactel was pressed once: the intervals hold what varies within a press, not the "
       "scatter between presses. Repeat five tactels five times (protocol P2).",
       ""});
}

void warn_descriptive(std::span<const int> tactels, StageQuality& quality) {
  if (tactels.empty()) return;
  const auto chi2 = quality.chi2_per_dof
                        ? fmt::format("chi2/nu = {:.3g} over all tactels", *quality.chi2_per_dof)
                        : std::string("run test p < 0.001");
  const std::size_t shown = std::min<std::size_t>(tactels.size(), 10);
  quality.warnings.push_back(
      {"ID-07",
       fmt::format("Model does not describe the data ({}); numbers are descriptive only.", chi2),
       fmt::format("{} of the tactels: {}{}", tactels.size(), fmt::join(tactels.first(shown), ", "),
                   tactels.size() > shown ? ", ..." : "")});
}

}  // namespace

Result<void> run_response(FitContext& context) {
  StageQuality quality;
  quality.residual_unit = "counts";
  const auto selection = select_presses(context, quality.warnings);
  const auto air = survey_free_air(context);
  if (!air) return fail(air.error());
  const auto fits = fit_all(context, selection, *air);
  if (!fits) return fail(fits.error());
  auto settings = report_settings(*fits, context.model.sensor);
  settings.gain_u_percent = certificate_percent(context, quality.warnings);
  settings.bootstrap_resamples = context.options.bootstrap_resamples;
  settings.seed = context.options.seed;
  std::vector<TactelReport> reports(fits->size());
  parallel_for(thread_count(context.options.threads), fits->size(), [&](std::size_t i) {
    reports[i] = report_tactel((*fits)[i], settings, context.job);
  });
  if (context.job.stopped()) return Job::cancelled();
  std::vector<int> descriptive;
  std::set<std::string> methods;
  context.model.response.model = "affine";
  for (std::size_t i = 0; i < reports.size(); ++i) {
    auto& report = reports[i];
    if (report.descriptive_only) descriptive.push_back((*fits)[i].tactel);
    if (!report.method.empty()) methods.insert(report.method);
    if (report.covariance) context.model.covariance.push_back(std::move(*report.covariance));
    quality.warnings.insert(quality.warnings.end(), report.warnings.begin(), report.warnings.end());
    explain_unpressed(context, report.response);
    const auto& before = context.model.response.tactels[i];  // other stages' parameters
    report.response.creep = before.creep;
    report.response.gain = before.gain;
    report.response.threshold = before.threshold;
    context.model.response.tactels[i] = std::move(report.response);
  }
  sum_up(*fits, quality);
  count_up(*fits, context.model.response.tactels, settings.scatter, quality);
  warn_scatter(*fits, settings.scatter, quality);
  warn_descriptive(descriptive, quality);
  quality.interval_method = fmt::format("{}", fmt::join(methods, "; "));
  quality.remounting_included = mounts_of(context).size() >= 3;
  context.model.quality["response"] = std::move(quality);
  return {};
}

}  // namespace tactelier
