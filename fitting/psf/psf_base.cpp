#include "fitting/psf/psf_base.hpp"

#include <algorithm>
#include <cmath>

#include "fitting/response/response_model.hpp"
#include "fitting/statistics/identified.hpp"
#include "fitting/statistics/moderated_variance.hpp"
#include "fitting/statistics/robust.hpp"

namespace tactelier {
namespace {

/// Ceiling of tactels whose own is not known: a little below all that are. Taking it too low only
/// says less (the reading is at least so much).
std::optional<double> lowest_saturation(const FitContext& context) {
  constexpr double kBelowOthers = 0.03;  // of their range
  const auto& adc = context.model.sensor.adc;
  auto lowest = adc.max;
  for (const auto& response : context.model.response.tactels) {
    if (!response.saturation.value) continue;
    const double own = *response.saturation.value;
    const double rest = response.offset.value.value_or(adc.min.value_or(0));
    const double below = own - kBelowOthers * std::max(0.0, own - rest);
    lowest = lowest ? std::min(*lowest, below) : below;
  }
  return lowest;
}

/// Counts above the offset at the highest force of the fit; 0 where the gain is not known.
double highest_rise(const FitContext& context, const TactelResponse& response) {
  if (!context.model.validity.force_N || !response.press_gain.value) return 0;
  return (*context.model.validity.force_N)[1] / *response.press_gain.value;
}

/// Of a reading that a converter rounds; of readings without a step a trifle, so that none is
/// exact.
double least_noise(const FitContext& context) {
  constexpr double kTrifle = 1e-6;
  if (const auto& step = context.model.response.resolution.value) return u_resolution(*step);
  double largest = 0;
  for (const auto& response : context.model.response.tactels)
    largest = std::max({largest, std::abs(response.offset.value.value_or(0)),
                        std::abs(response.saturation.value.value_or(0)),
                        highest_rise(context, response)});
  return largest > 0 ? kTrifle * largest : kTrifle;
}

struct Noise {
  std::optional<double> counts;
  double dof = 0;
};

/// By tactel. Of few readings at rest a tactel's own is off by far, and chi^2, which divides by it,
/// by more: those that don't differ by more than that are one (moderated_variance.hpp).
std::vector<Noise> noises_of(const FitContext& context, double least_counts) {
  const auto& tactels = context.model.response.tactels;
  std::vector<Noise> noise(tactels.size());
  std::vector<double> variances, dof;
  std::vector<std::size_t> which;
  for (std::size_t t = 0; t < tactels.size(); ++t) {
    const auto& own = tactels[t].noise;
    if (!own.value) continue;
    noise[t].counts = own.value;
    if (!(*own.value > least_counts) || !(own.std.value_or(0) > 0)) continue;
    which.push_back(t);
    variances.push_back(*own.value * *own.value);
    dof.push_back(std::max(1.0, variances.back() / (2 * *own.std * *own.std)));
  }
  const auto all = moderated(variances, dof);
  for (std::size_t i = 0; i < which.size(); ++i)
    noise[which[i]] = {std::sqrt(all.variances[i]), dof[i]};
  return noise;
}

}  // namespace

std::vector<PsfTactelBase> psf_tactel_bases(const FitContext& context) {
  std::vector<PsfTactelBase> bases;
  std::vector<double> noises;
  for (const auto& response : context.model.response.tactels)
    if (response.noise.value && *response.noise.value > 0) noises.push_back(*response.noise.value);
  const double least = least_noise(context);
  const double usual = noises.empty() ? least * std::sqrt(12.0) : median(noises);
  const auto lowest = lowest_saturation(context);
  const auto noise = noises_of(context, least);
  for (const auto& response : context.model.response.tactels) {
    PsfTactelBase base;
    base.live = trusted(response);
    base.offset_known = response.offset.value.has_value() && context.model.response.zero != "rows";
    base.offset_counts = response.offset.value.value_or(0);
    base.u_offset_counts = response.offset.std.value_or(0);
    const auto& own = noise[bases.size()];
    base.noise_counts = std::max(own.counts.value_or(usual), least);
    base.noise_dof = own.dof;
    base.ceiling_counts = response.saturation.value ? response.saturation.value : lowest;
    bases.push_back(base);
  }
  return bases;
}

}  // namespace tactelier
