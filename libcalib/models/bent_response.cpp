#include "libcalib/models/bent_response.hpp"

#include <algorithm>

namespace tactelier {
namespace {

constexpr int kSamples = 257;  // of a polynomial: straight lines are then off by 1e-5 of its bend

double polynomial(std::span<const double> coefficients, double x) {
  double sum = 0;
  for (auto c = coefficients.rbegin(); c != coefficients.rend(); ++c) sum = sum * x + *c;
  return sum;
}

}  // namespace

std::optional<BentResponse> BentResponse::from_knots(std::span<const std::array<double, 2>> knots) {
  std::vector<std::array<double, 2>> rising;
  for (const auto& knot : knots)
    if (rising.empty() || (knot[0] > rising.back()[0] && knot[1] > rising.back()[1]))
      rising.push_back(knot);
  if (rising.size() < 2) return std::nullopt;
  return BentResponse(std::move(rising));
}

std::optional<BentResponse> BentResponse::from_powers(std::span<const double> coefficients,
                                                      double floor_counts, double high_N) {
  std::vector<std::array<double, 2>> stretch, longest;
  for (int i = 0; i < kSamples; ++i) {
    const double force_N = high_N * i / (kSamples - 1);
    const double counts = polynomial(coefficients, force_N);
    if (counts < floor_counts || (!stretch.empty() && counts <= stretch.back()[1])) stretch.clear();
    if (counts >= floor_counts) stretch.push_back({force_N, counts});
    if (stretch.size() > longest.size()) longest = stretch;
  }
  return from_knots(longest);
}

double BentResponse::counts(double force_N) const {
  if (force_N <= low_N()) return knots_.front()[1];
  if (force_N >= high_N()) return highest_counts();
  const auto right = std::upper_bound(knots_.begin(), knots_.end(), force_N,
                                      [](double f, const auto& knot) { return f < knot[0]; });
  const auto left = right - 1;
  const double part = (force_N - (*left)[0]) / ((*right)[0] - (*left)[0]);
  return (*left)[1] + part * ((*right)[1] - (*left)[1]);
}

BentResponse::Inverse BentResponse::inverse(double counts) const {
  const double inside = std::clamp(counts, knots_.front()[1], highest_counts());
  auto right = std::upper_bound(knots_.begin() + 1, knots_.end() - 1, inside,
                                [](double c, const auto& knot) { return c < knot[1]; });
  const auto left = right - 1;
  const double gain = ((*right)[0] - (*left)[0]) / ((*right)[1] - (*left)[1]);
  return {(*left)[0] + gain * (inside - (*left)[1]), gain};
}

}  // namespace tactelier
