#include "libcalib/models/response/calibration_curve.hpp"

#include <algorithm>

namespace tactelier {
namespace {

constexpr int kSamples = 257;  // of a polynomial: straight lines are then off by 1e-5 of its bend
constexpr double kSlopeStep = 1e-6;  // of the highest force

}  // namespace

std::optional<CalibrationCurve> CalibrationCurve::through(
    std::span<const std::array<double, 2>> knots) {
  std::vector<std::array<double, 2>> rising;
  for (const auto& knot : knots)
    if (rising.empty() || (knot[0] > rising.back()[0] && knot[1] > rising.back()[1]))
      rising.push_back(knot);
  if (rising.size() < 2) return std::nullopt;
  return CalibrationCurve(std::move(rising));
}

std::optional<CalibrationCurve> CalibrationCurve::of(const ResponseLaw& law,
                                                     const ResponseSlots& terms,
                                                     double floor_counts, double high_N) {
  if (!law.curved()) return std::nullopt;
  if (!terms.knots.empty()) return through(terms.knots);
  if (terms.coefficients.empty()) return std::nullopt;
  std::vector<std::array<double, 2>> stretch, longest;
  for (int i = 0; i < kSamples; ++i) {
    const double force_N = high_N * i / (kSamples - 1);
    const double counts = law.counts(terms, force_N);
    if (counts < floor_counts || (!stretch.empty() && counts <= stretch.back()[1])) stretch.clear();
    if (counts >= floor_counts) stretch.push_back({force_N, counts});
    if (stretch.size() > longest.size()) longest = stretch;
  }
  if (longest.empty()) return std::nullopt;
  const auto start_N = law.force_N(terms, floor_counts);
  if (start_N && *start_N > 0 && *start_N < longest.front()[0])
    longest.insert(longest.begin(), {*start_N, floor_counts});
  auto curve = through(longest);
  if (!curve || !start_N) return curve;
  curve->exact_ = &law;
  curve->slots_ = terms;
  return curve;
}

double CalibrationCurve::counts(double force_N) const {
  if (force_N <= low_N()) return knots_.front()[1];
  if (force_N >= high_N()) return highest_counts();
  if (exact_) return exact_->counts(slots_, force_N);
  const auto right = std::upper_bound(knots_.begin(), knots_.end(), force_N,
                                      [](double f, const auto& knot) { return f < knot[0]; });
  const auto left = right - 1;
  const double part = (force_N - (*left)[0]) / ((*right)[0] - (*left)[0]);
  return (*left)[1] + part * ((*right)[1] - (*left)[1]);
}

CalibrationCurve::Inverse CalibrationCurve::inverse(double counts) const {
  const double inside = std::clamp(counts, knots_.front()[1], highest_counts());
  if (exact_) return exact_inverse(inside);
  auto right = std::upper_bound(knots_.begin() + 1, knots_.end() - 1, inside,
                                [](double c, const auto& knot) { return c < knot[1]; });
  const auto left = right - 1;
  const double gain = ((*right)[0] - (*left)[0]) / ((*right)[1] - (*left)[1]);
  return {(*left)[0] + gain * (inside - (*left)[1]), gain};
}

CalibrationCurve::Inverse CalibrationCurve::exact_inverse(double counts) const {
  const double force_N = exact_->force_N(slots_, counts).value_or(0);
  const double step_N = kSlopeStep * high_N();
  const double below_N = std::max(force_N - step_N, low_N());
  const double above_N = std::min(force_N + step_N, high_N());
  return {force_N, (above_N - below_N) /
                       (exact_->counts(slots_, above_N) - exact_->counts(slots_, below_N))};
}

}  // namespace tactelier
