#include "fitting/response/curve_choice.hpp"

#include <algorithm>
#include <cmath>

#include "fitting/statistics/criteria.hpp"

namespace tactelier {
namespace {

constexpr double kClearAicc = 2;        // docs/theory/statistics.md 4
constexpr double kClearHoldout = 0.95;  // of the line's rms in presses left out

struct Sums {
  explicit Sums(std::size_t laws) : bic(laws), aicc(laws), holdout(laws), rising(laws, true) {}
  std::vector<double> bic, aicc, holdout;
  std::vector<bool> rising;
  bool tested = false;
};

void add(const TactelCurves& curves, Sums& sums) {
  const double n = curves.effective;
  const double reduced = n / curves.readings;  // RSS of the effective readings
  for (std::size_t i = 0; i < curves.fits.size(); ++i) {
    const auto& fit = curves.fits[i];
    const auto found = criteria(std::max(fit.rss, curves.least_rss) * reduced, fit.parameters, n);
    sums.bic[i] += found.bic;
    sums.aicc[i] += found.aicc;
    sums.rising[i] = sums.rising[i] && fit.rising;
    if (curves.held_out > 0)
      sums.holdout[i] +=
          fit.holdout / std::max(curves.fits[0].rss, curves.least_rss) * curves.readings;
  }
  sums.tested = sums.tested || curves.held_out > 0;
}

}  // namespace

CurveChoice choose_curve(std::span<const TactelFit> fits) {
  const std::size_t laws = response_laws().size();
  Sums sums(laws);
  CurveChoice choice;
  choice.delta_bic = choice.delta_aicc = choice.holdout = std::vector<double>(laws);
  for (const auto& fit : fits) {
    if (!fit.fitted() || !fit.curves || fit.curves->effective < kCurveReadings) continue;
    add(*fit.curves, sums);
    choice.one_round = choice.one_round && fit.curves->data.presses.size() == 1;
    ++choice.tactels;
  }
  if (choice.tactels == 0) return choice;
  std::size_t best = 0;
  for (std::size_t i = 0; i < laws; ++i) {
    choice.delta_bic[i] = sums.bic[i] - sums.bic[0];
    choice.delta_aicc[i] = sums.aicc[i] - sums.aicc[0];
    if (sums.tested && sums.holdout[0] > 0)
      choice.holdout[i] = std::sqrt(sums.holdout[i] / sums.holdout[0]);
    const bool clear = choice.delta_aicc[i] <= -kClearAicc;
    if (sums.rising[i] && clear && sums.bic[i] < sums.bic[best]) best = i;
  }
  if (best == 0) return choice;
  if (!sums.tested)
    choice.untested = true;
  else if (sums.holdout[best] < kClearHoldout * kClearHoldout * sums.holdout[0])
    choice.index = best;
  return choice;
}

void write_curve(const TactelFit& fit, const CurveChoice& choice, const CurveSettings& settings,
                 TactelResponse& response) {
  response.coefficients.clear();
  response.knots.clear();
  response.curve_u95.clear();
  if (!choice.law().curved() || !fit.fitted() || !fit.curves) return;
  response.knots = fit.curves->fits[choice.index].terms.knots;
  response.coefficients = curve_coefficients(fit, choice.index, settings);
  response.curve_u95 = curve_u95(fit, choice.index, settings);
}

}  // namespace tactelier
