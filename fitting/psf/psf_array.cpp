// The array's mean and spread, and what they say of tactels that no press reached.

#include <algorithm>
#include <cmath>

#include "fitting/psf/centre_lines.hpp"
#include "fitting/psf/psf_report.hpp"
#include "fitting/response/response_model.hpp"
#include "fitting/statistics/identified.hpp"
#include "fitting/statistics/quantiles.hpp"
#include "fitting/statistics/robust.hpp"
#include "libcalib/reason.hpp"

namespace tactelier {
namespace {

constexpr std::size_t kMinTactels = 5;  // fewer say nothing of how tactels differ
constexpr double kOutlier = 5;          // sigma of the others: not part of the mean

struct Population {
  double mean = 0, spread = 0;  // of logarithms
  double n = 0;
};

/// Mean and spread of logarithms, without what lies far from all others.
std::optional<Population> population(std::vector<double> values) {
  std::erase_if(values, [](double v) { return !(v > 0); });
  for (double& v : values) v = std::log(v);
  if (values.size() < kMinTactels) return {};
  const double middle = median(values), scale = std::max(mad_sigma(values), 1e-6);
  std::erase_if(values, [&](double v) { return std::abs(v - middle) > kOutlier * scale; });
  Population result;
  result.n = static_cast<double>(values.size());
  for (const double v : values) result.mean += v / result.n;
  for (const double v : values) result.spread += (v - result.mean) * (v - result.mean);
  result.spread = std::sqrt(result.spread / (result.n - 1));
  return result;
}

/// A further tactel of the population: its interval holds how tactels differ.
Parameter predicted(const Population& of, double factor, const char* unit,
                    const std::string& from) {
  const double u = of.spread * std::sqrt(1 + 1 / of.n);
  const double half = coverage_95(of.n - 1) * u;
  Parameter parameter;
  const double value = factor * std::exp(of.mean);
  parameter.value = value;
  parameter.unit = unit;
  if (u < 0.2) parameter.std = value * u;
  parameter.ci95 = {value * std::exp(-half), value * std::exp(half)};
  parameter.u_total = value * std::expm1(half);
  parameter.status = Status::kPredicted;
  parameter.from = from;
  return parameter;
}

/// What a press on the centre would find of a tactel that was reached from beside it only.
void over_centre(const Parameter& own, double share, Parameter& press) {
  if (press.usable() || !own.determined()) return;
  press = own;
  if (own.identified()) press.status = Status::kPredicted;
  press.from = "psf";
  *press.value /= share;
  if (press.std) *press.std /= share;
  if (press.u_total) *press.u_total /= share;
  if (press.ci95)
    for (double& limit : *press.ci95) limit /= share;
}

void set_figures(const std::string& name, const Population& of, StageQuality& quality) {
  quality.figures["array_mean_" + name] = std::exp(of.mean);
  quality.figures["array_spread_" + name.substr(0, name.find('_')) + "_percent"] = 100 * of.spread;
}

}  // namespace

void predict_tactels(FitContext& context, const PsfData& data, const PsfFit& fit,
                     StageQuality& quality) {
  std::vector<double> gains, thresholds;
  std::size_t not_shown = 0;
  for (const auto& response : context.model.response.tactels) {
    if (response.gain.identified()) gains.push_back(*response.gain.value);
    if (response.threshold.identified()) thresholds.push_back(*response.threshold.value);
    not_shown += response.threshold.status == Status::kNotSeen ? 1 : 0;
  }
  quality.figures["tactels_fitted"] = static_cast<double>(gains.size());
  // Where most tactels show no dead zone the others are expected to have none.
  const bool none_shows = not_shown >= kMinTactels && not_shown > thresholds.size();
  const auto gain = population(gains), threshold = population(thresholds);
  if (gain) set_figures("gain_N_per_count", *gain, quality);
  if (threshold) set_figures("threshold_N", *threshold, quality);
  const auto shares = centre_shares(context, data, fit, fit.state.spread);
  const std::string from = "psf, array mean";
  double count = 0;
  for (auto& response : context.model.response.tactels) {
    if (!trusted(response)) {
      const bool known = has_code(response.press_gain.reason, "SWAPPED") ||
                         response.status == TactelStatus::kStuck;
      const auto reason = known ? response.press_gain.reason
                                : fmt::format("RS-01 Tactel {} does not answer", response.index);
      response.gain = unidentifiable("N/count", reason, "psf");
      response.threshold = unidentifiable("N", reason, "psf");
      continue;
    }
    const double share = shares[static_cast<std::size_t>(response.index)];
    const auto fill = [&](Parameter& parameter, const std::optional<Population>& of, double factor,
                          const char* unit) {
      if (parameter.usable()) return;
      if (of)
        parameter = predicted(*of, factor, unit, from);
      else if (has_code(parameter.reason, "NOT-FITTED"))
        parameter = unidentifiable(
            unit,
            fmt::format("NOT-PRESSED no press reached tactel {} and fewer than {} others were "
                        "fitted, too few for an array mean",
                        response.index, kMinTactels),
            "psf");
    };
    const auto fill_threshold = [&](Parameter& parameter, double factor) {
      if (none_shows && !parameter.usable())
        parameter = not_seen({0, 0, 0}, "N", from);
      else
        fill(parameter, threshold, factor, "N");
    };
    const bool untouched = !response.gain.usable();
    fill(response.gain, gain, 1, "N/count");
    fill_threshold(response.threshold, 1);
    if (response.status != TactelStatus::kNotPressed || !(share > 0)) continue;
    if (!untouched) {
      over_centre(response.gain, share, response.press_gain);
      over_centre(response.threshold, share, response.press_threshold);
      response.status = TactelStatus::kIdentified;
    }
    fill(response.press_gain, gain, 1 / share, "N/count");
    fill_threshold(response.press_threshold, 1 / share);
    if (!untouched || !gain) continue;
    response.status = TactelStatus::kPredicted;
    ++count;
  }
  quality.figures["tactels_predicted"] = count;
}

}  // namespace tactelier
