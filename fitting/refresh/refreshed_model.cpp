#include "fitting/refresh/refreshed_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "fitting/statistics/quantiles.hpp"

namespace tactelier::refresh {
namespace {

/// Relative half-width of the 95 % interval from repetition.
double half_width(const Parameter& parameter) {
  if (parameter.ci95)
    return ((*parameter.ci95)[1] - (*parameter.ci95)[0]) / 2 / std::abs(*parameter.value);
  return parameter.std ? coverage_95(kManyDegrees) * *parameter.std / std::abs(*parameter.value)
                       : 0;
}

/// `u`: standard, relative.
void move(Parameter& gain, double log_ratio, double u) {
  if (!gain.usable()) return;
  const double before = half_width(gain);
  const double whole = gain.u_total ? *gain.u_total / std::abs(*gain.value) : before;
  const double apart = std::sqrt(std::max(0.0, whole * whole - before * before));
  gain.value = *gain.value * std::exp(log_ratio);
  const double size = std::abs(*gain.value), now = coverage_95(kManyDegrees) * u;
  gain.std = u * size;
  gain.ci95 = {*gain.value - now * size, *gain.value + now * size};
  gain.u_total = std::hypot(now, apart) * size;
}

double half_width_std(const Parameter& parameter) {
  return half_width(parameter) / coverage_95(kManyDegrees);
}

}  // namespace

SensorModel refreshed(const SensorModel& earlier, const GainChanges& changes) {
  auto model = earlier;
  for (const auto& change : changes.tactels) {
    const auto found =
        std::find_if(model.response.tactels.begin(), model.response.tactels.end(),
                     [&](const TactelResponse& one) { return one.index == change.tactel; });
    if (found == model.response.tactels.end()) continue;
    for (auto* gain : {&found->gain, &found->press_gain}) {
      if (change.silent)
        *gain = unidentifiable(gain->unit, change.broken, "response");
      else if (change.changed)
        move(*gain, change.log_ratio, change.u_ratio);
      else if (changes.all_changed && gain->usable())
        move(*gain, changes.log_common, std::hypot(half_width_std(*gain), changes.u_common));
    }
  }
  return model;
}

std::string words_of(const GainChanges& changes) {
  const auto percent = [](double log_ratio) { return 100 * std::expm1(log_ratio); };
  double low = HUGE_VAL, high = -HUGE_VAL;
  for (const auto& one : changes.tactels) {
    if (!one.changed) continue;
    low = std::min(low, percent(one.log_ratio));
    high = std::max(high, percent(one.log_ratio));
  }
  const auto count = changes.changed().size();
  std::string words;
  if (changes.all_changed)
    words = fmt::format("all gains changed by {:+.1f} ± {:.1f} %", percent(changes.log_common),
                        200 * changes.u_common);
  if (count > 0)
    words += fmt::format("{}gain{} of {} of {} tactels changed by {}", words.empty() ? "" : "; ",
                         count == 1 ? "" : "s", count, changes.tactels.size(),
                         count == 1 ? fmt::format("{:+.1f} %", low)
                                    : fmt::format("{:+.1f} to {:+.1f} %", low, high));
  if (words.empty())
    words = "no gain has changed";
  else if (!changes.all_changed)
    words += ", the others hold";
  if (const auto broken = changes.broken(); !broken.empty())
    words += fmt::format("; tactel{} {} no longer answer{} as {}", broken.size() == 1 ? "" : "s",
                         fmt::join(broken, ", "), broken.size() == 1 ? "s" : "",
                         broken.size() == 1 ? "it did" : "they did");
  return words;
}

}  // namespace tactelier::refresh
