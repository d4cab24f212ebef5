#include "fitting/response/curve_choice.hpp"

#include <cmath>

#include "fitting/statistics/criteria.hpp"

namespace tactelier {
namespace {

constexpr double kClearAicc = 2;        // docs/theory/statistics.md 4
constexpr double kLeastEffective = 16;  // readings: AICc of the monotone curve needs ten
constexpr double kClearHoldout = 0.95;  // of the line's rms in presses left out

struct Sums {
  std::array<double, kCurveShapes.size()> bic{}, aicc{}, holdout{};
  std::array<bool, kCurveShapes.size()> rising{true, true, true, true};
  bool tested = false;
};

void add(const TactelCurves& curves, Sums& sums) {
  const double n = curves.effective;
  const double reduced = n / curves.readings;  // RSS of the effective readings
  for (std::size_t i = 0; i < kCurveShapes.size(); ++i) {
    const auto& fit = curves.fits[i];
    const auto found = criteria(std::max(fit.rss, 1e-12) * reduced, fit.parameters, n);
    sums.bic[i] += found.bic;
    sums.aicc[i] += found.aicc;
    sums.rising[i] = sums.rising[i] && fit.rising;
    if (curves.held_out > 0) sums.holdout[i] += fit.holdout / curves.fits[0].rss * curves.readings;
  }
  sums.tested = sums.tested || curves.held_out > 0;
}

}  // namespace

CurveChoice choose_curve(std::span<const TactelFit> fits) {
  Sums sums;
  CurveChoice choice;
  for (const auto& fit : fits) {
    if (!fit.fitted() || !fit.curves || fit.curves->effective < kLeastEffective) continue;
    add(*fit.curves, sums);
    ++choice.tactels;
  }
  if (choice.tactels == 0) return choice;
  std::size_t best = 0;
  for (std::size_t i = 0; i < kCurveShapes.size(); ++i) {
    choice.delta_bic[i] = sums.bic[i] - sums.bic[0];
    choice.delta_aicc[i] = sums.aicc[i] - sums.aicc[0];
    if (sums.tested) choice.holdout[i] = std::sqrt(sums.holdout[i] / sums.holdout[0]);
    if (sums.rising[i] && sums.bic[i] < sums.bic[best]) best = i;
  }
  if (best == 0 || choice.delta_aicc[best] > -kClearAicc) return choice;
  if (!sums.tested)
    choice.untested = true;
  else if (choice.holdout[best] < kClearHoldout)
    choice.shape = kCurveShapes[best];
  return choice;
}

std::string_view model_name(CurveShape shape) {
  if (shape == CurveShape::kLine) return "affine";
  return shape == CurveShape::kMonotone ? "monotone" : "polynomial";
}

void write_curve(const TactelFit& fit, const CurveChoice& choice, TactelResponse& response) {
  response.coefficients.clear();
  response.knots.clear();
  if (choice.shape == CurveShape::kLine || !fit.fitted() || !fit.curves) return;
  const auto& curve = fit.curves->fits[choice.index()];
  if (choice.shape == CurveShape::kMonotone) {
    const auto& first = curve.knots[0];
    const auto& second = curve.knots[1];
    const double offset = fit.limits.floor == Clip::kNone ? first[1] : fit.limits.offset.value;
    const double slope = (second[1] - first[1]) / (second[0] - first[0]);
    const double start_N = slope > 0 ? first[0] - (first[1] - offset) / slope : first[0];
    if (first[1] > offset && start_N < first[0])
      response.knots.push_back({std::max(0.0, start_N), offset});
    response.knots.insert(response.knots.end(), curve.knots.begin(), curve.knots.end());
    return;
  }
  for (std::size_t power = 0; power < curve.coefficients.size(); ++power) {
    Parameter parameter;
    parameter.value = curve.coefficients[power];
    parameter.unit = power == 0   ? "counts"
                     : power == 1 ? "counts/N"
                                  : fmt::format("counts/N^{}", power);
    parameter.std = curve.u_coefficients[power];
    parameter.status = Status::kIdentified;
    parameter.from = "response";
    response.coefficients.push_back(std::move(parameter));
  }
}

}  // namespace tactelier
