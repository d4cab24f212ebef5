#include "fitting/response/response.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "fitting/recording/array_temperature.hpp"
#include "fitting/recording/creep_correction.hpp"
#include "fitting/recording/force_certificate.hpp"
#include "fitting/recording/load_in_order.hpp"
#include "fitting/recording/press_data.hpp"
#include "fitting/recording/press_indenter.hpp"
#include "fitting/recording/reading_step.hpp"
#include "fitting/response/response_air.hpp"
#include "fitting/response/response_model.hpp"
#include "fitting/response/response_selection.hpp"
#include "fitting/response/weight_creep.hpp"
#include "fitting/statistics/robust.hpp"
#include "libcalib/reason.hpp"

namespace tactelier {
namespace {

constexpr std::size_t kMinBefore = 10;  // readings of free air that count as a window

void add_reason(PressRow& row, const std::string& reason) {
  if (row.why.find(reason) != std::string::npos) return;
  row.why += (row.why.empty() ? "" : "; ") + reason;
}

/// Which tactel answers to this press, half-way up.
Result<std::optional<TouchAnswer>> touch_of(const FitContext& context, const PressContact& contact,
                                            int tactel, const PressData& press,
                                            const BaselineSurvey& air) {
  constexpr double kHalfWay = 0.6;
  if (press.static_readings || air.windows.size() < 2) return std::nullopt;
  const double wanted_N = kHalfWay * (press.force_N[press.peak] - contact.force_bias_N);
  std::size_t row = 0;
  while (row < press.peak && press.force_N[row] - contact.force_bias_N < wanted_N) ++row;
  std::vector<double> offsets, noise;
  for (const auto& windows : air.windows) {
    offsets.push_back(windows.empty() ? std::nan("") : windows.front().mean);
    noise.push_back(windows.empty() ? 0 : std::sqrt(windows.front().variance));
  }
  return read_touch(context, contact, tactel, press.time_s[row], press.period_s, offsets, noise);
}

/// A stated rest counts only where none was recorded.
void prefer_measured(std::vector<BaselineWindow>& air) {
  const auto stated = [](const BaselineWindow& window) { return window.stated; };
  if (!std::all_of(air.begin(), air.end(), stated)) std::erase_if(air, stated);
}

/// Row of the model's list of presses, and why its press can't be used.
using LeftOut = std::vector<std::pair<std::size_t, std::string>>;

/// Presses of one tactel, loaded, on any thread. Presses that can't be used are left out with
/// their reason.
Result<TactelData> load_tactel(const FitContext& context, int tactel,
                               std::span<const SelectedPress> presses, const BaselineSurvey& air,
                               double step, LeftOut& left_out) {
  TactelData data;
  data.tactel = tactel;
  data.step = step;
  data.air = air.windows[static_cast<std::size_t>(tactel)];
  for (const auto& selected : presses) {
    if (context.job.stopped()) return Job::cancelled();
    const auto& contact = context.contacts[selected.row];
    auto loaded = load_press(context, contact.session, contact.press, std::array{tactel});
    if (!loaded) {
      if (loaded.error().code != ErrorCode::kUnidentifiable) return fail(loaded.error());
      left_out.emplace_back(selected.row, "response: " + loaded.error().message);
      continue;
    }
    if (loaded->counts.empty() || !loaded->has_force()) {
      left_out.emplace_back(selected.row, "response: force or tactile stream missing");
      continue;
    }
    correct_creep(context, contact, *loaded);
    auto press = split_press(*loaded, 0, contact);
    if (press.loading.counts.empty()) {
      left_out.emplace_back(selected.row, "response: RC-05 no reading between touch and peak");
      continue;
    }
    press.row = selected.row;
    press.session = contact.session;
    if (contact.session < context.clocks.size())
      press.u_latency_s = context.clocks[contact.session].u_latency_s;
    if (!data.touch) {
      auto touch = touch_of(context, contact, tactel, *loaded, air);
      if (!touch) return fail(touch.error());
      data.touch = *touch;
    }
    if (press.before.size() >= kMinBefore && !air.presses.contains(selected.row))
      data.air.push_back(air_window(press.before, reading_floor(context.model.sensor)));
    auto& target = selected.held_out ? data.held_out : data.presses;
    for (auto& round : split_rounds(std::move(press))) target.push_back(std::move(round));
  }
  prefer_measured(data.air);
  return data;
}

struct AllFits {
  std::vector<TactelFit> tactels;
  LeftOut left_out;
  double loading_s = 0;  // median, from touch to peak
};

Result<AllFits> fit_all(const FitContext& context,
                        std::span<const std::vector<SelectedPress>> selection,
                        const BaselineSurvey& air, double step) {
  struct Fitted {
    TactelFit fit;
    LeftOut left_out;
    std::vector<double> loading_s;
  };
  const auto load_and_fit = [&](std::size_t tactel) -> Result<Fitted> {
    Fitted fitted;
    const auto data = load_tactel(context, static_cast<int>(tactel), selection[tactel], air, step,
                                  fitted.left_out);
    if (!data) return fail(data.error());
    fitted.fit = fit_tactel(*data, context.model.sensor, context.job);
    for (const auto& press : data->presses)
      if (!press.loading_s.empty())
        fitted.loading_s.push_back(press.loading_s.back() - press.loading_s.front());
    if (context.job.stopped()) return Job::cancelled();
    return fitted;
  };
  AllFits all;
  std::vector<double> loading_s;
  const auto take = [&](std::size_t tactel, Result<Fitted> fitted) -> Result<void> {
    context.job.progress("response", static_cast<double>(tactel),
                         static_cast<double>(selection.size()));
    if (!fitted) return fail(fitted.error());
    all.tactels.push_back(std::move(fitted->fit));
    all.left_out.insert(all.left_out.end(), fitted->left_out.begin(), fitted->left_out.end());
    loading_s.insert(loading_s.end(), fitted->loading_s.begin(), fitted->loading_s.end());
    return {};
  };
  const auto done =
      load_in_order(thread_count(context.options.threads), selection.size(), load_and_fit, take);
  if (!done) return fail(done.error());
  if (!loading_s.empty()) all.loading_s = median(loading_s);
  return all;
}

double certificate_percent(const FitContext& context, Warnings& warnings) {
  const auto certificate = force_certificate(context);
  if (!certificate.complete)
    warnings.push_back({"NO-CERTIFICATE",
                        "The force sensor's gain uncertainty is not stated: u_total lacks it "
                        "(force_sensor.certificate.gain_u_percent).",
                        "session.json"});
  return certificate.gain_percent;
}

/// The model says which indenter its numbers belong to; several are worth a warning.
void choose_indenter(FitContext& context, Warnings& warnings) {
  const auto candidates = calibration_candidates(context);
  if (candidates.empty()) return;
  const auto& chosen = candidates[0];
  context.model.response.calibration_indenter = chosen.name;
  if (candidates.size() < 2) return;
  std::vector<std::string> others;
  for (std::size_t i = 1; i < candidates.size(); ++i) others.push_back(candidates[i].describe());
  const bool tie = candidates[1].tactels == chosen.tactels;
  warnings.push_back(
      {"INDENTERS",
       fmt::format("Tactels were pressed with {} and with {}: press_gain, press_threshold and "
                   "k_punch are those of {}, {}. Presses with another say nothing of them; fit "
                   "them on their own for theirs.",
                   chosen.describe(), fmt::join(others, ", "), chosen.name,
                   tie ? "though no more tactels were pressed with it"
                       : "with which more tactels were pressed"),
       "response.calibration_indenter"});
}

}  // namespace

namespace {

/// Where no press can be used, "not pressed" is not what its user has to mend.
void warn_unusable(const FitContext& context, Warnings& warnings) {
  const auto& presses = context.model.presses;
  const auto left_out = [](const PressRow& press) {
    return press.verdict == "unusable" && !press.why.empty();
  };
  if (presses.empty() || !std::ranges::all_of(presses, left_out)) return;
  const auto& first = presses.front();
  warnings.push_back(warning_of(
      first.why,
      fmt::format("{} press {}{}", first.session, first.number,
                  presses.size() > 1 ? fmt::format(" and {} more", presses.size() - 1) : "")));
}

/// Fills the model's part by these fits.
Result<void> write_fits(FitContext& context, std::vector<TactelFit> fits,
                        double certificate_percent, const StageQuality& quality) {
  auto settings = report_settings(fits, context.model.sensor);
  const auto temperature = temperature_u_percent(context);
  if (!temperature) return fail(temperature.error());
  const double creep = context.reading_creep ? 100 * context.reading_creep->u_gain : 0;
  settings.gain_u_percent = std::hypot(certificate_percent, *temperature, creep);
  settings.bootstrap_resamples = context.options.bootstrap_resamples;
  settings.seed = context.options.seed;
  context.response_fits =
      std::make_shared<ResponseFits>(ResponseFits{std::move(fits), std::move(settings), quality});
  return write_response(context);
}

}  // namespace

Result<void> run_response(FitContext& context) {
  StageQuality quality;
  quality.residual_unit = "counts";
  choose_indenter(context, quality.warnings);
  const auto selection = select_presses(context, quality.warnings);
  warn_unusable(context, quality.warnings);
  const auto air = survey_baseline(context);
  if (!air) return fail(air.error());
  const auto step = find_reading_step(context);
  if (!step) return fail(step.error());
  auto fits = fit_all(context, selection, *air, *step);
  if (!fits) return fail(fits.error());
  for (const auto& [row, why] : fits->left_out) add_reason(context.model.presses[row], why);
  const double certificate = certificate_percent(context, quality.warnings);
  if (const auto written = write_fits(context, std::move(fits->tactels), certificate, quality);
      !written)
    return fail(written.error());
  // Weights show creep once offsets and dead zones are known; presses are read again with it.
  auto creep = creep_under_weights(context);
  if (!creep) return fail(creep.error());
  if (!*creep) return {};
  (*creep)->u_gain = u_creep_correction(**creep, fits->loading_s);
  context.reading_creep = std::move(*creep);
  fits = fit_all(context, selection, *air, *step);
  if (!fits) return fail(fits.error());
  return write_fits(context, std::move(fits->tactels), certificate, quality);
}

}  // namespace tactelier
