// The sums must say what all readings one by one say, wherever the corners lie.
#include "fitting/response/affine_sums.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "fitting/statistics/random.hpp"

namespace tactelier {
namespace {

/// Two ramps with different offsets, cut at 0 and 1500 counts where the settings say so.
std::vector<ResponsePress> ramps(const AffineSettings& settings) {
  RandomSource random(21);
  std::vector<ResponsePress> presses(2);
  for (auto& press : presses) {
    press.offset_counts = settings.floor == Clip::kCensored ? 0 : 40 + 3 * random.normal();
    for (int i = 0; i < 3000; ++i) {
      const double force_N = 1.2 * i / 3000;
      double c = press.offset_counts + 1600 * std::max(0.0, force_N - 0.2);
      if (settings.ceiling == Clip::kVisible) c = std::min(c, 1500.0);
      c += 6 * random.normal();
      if (settings.ceiling == Clip::kCensored) c = std::min(c, 1500.0);
      if (settings.floor == Clip::kCensored) c = std::max(c, 0.0);
      press.force_N.push_back(force_N + settings.sigma_force_N * random.normal());
      press.counts.push_back(c);
    }
  }
  return presses;
}

double one_by_one(std::span<const ResponsePress> presses, const AffineSettings& settings, double t,
                  double g) {
  double cost = 0;
  for (const auto& press : presses)
    for (const double r : affine_residuals(press, settings, t, g)) cost += 0.5 * r * r;
  return cost;
}

TEST(AffineSums, AgreeWithReadingsTakenOneByOneForEveryKindOfEnd) {
  for (const auto floor : {Clip::kNone, Clip::kCensored, Clip::kVisible})
    for (const auto ceiling : {Clip::kNone, Clip::kCensored, Clip::kVisible})
      for (const double sigma_force_N : {0.0, 0.02}) {
        const AffineSettings settings{floor, ceiling, 1500, 6, sigma_force_N, 1.0};
        const auto presses = ramps(settings);
        AffineSums sums(presses, settings, 0.21, 1 / 1550.0);
        for (const double t : {0.0, 0.1993, 0.2, 0.55})
          for (const double g : {1 / 1600.0, 1 / 1400.0, 1 / 9000.0}) {
            const auto at = sums.exactly(t, g);
            const double cost = one_by_one(presses, settings, t, g);
            EXPECT_NEAR(at.cost, cost, 1e-9 * cost);
            // A reading that passes to a visible ceiling changes its weight: the cost has a step.
            if (ceiling == Clip::kVisible && sigma_force_N > 0) continue;
            const double dg = 1e-6 * g;
            const double slope = (one_by_one(presses, settings, t, g + dg) -
                                  one_by_one(presses, settings, t, g - dg)) /
                                 (2 * dg);
            const double scale = std::sqrt(2 * cost * at.information(1, 1));
            EXPECT_NEAR(-at.score(1), slope, 1e-4 * scale) << t << ' ' << g;
          }
      }
}

TEST(AffineSums, OfPressesAddUpToTheWhole) {
  const AffineSettings settings{Clip::kVisible, Clip::kCensored, 1500, 6, 0, 1.0};
  const auto presses = ramps(settings);
  AffineSums sums(presses, settings, 0.21, 1 / 1550.0);
  const auto whole = sums.exactly(0.2, 1 / 1600.0);
  const auto first = sums.exactly(0, 0.2, 1 / 1600.0);
  const auto second = sums.exactly(1, 0.2, 1 / 1600.0);
  EXPECT_NEAR(first.cost + second.cost, whole.cost, 1e-12 * whole.cost);
  EXPECT_NEAR(first.information(0, 1) + second.information(0, 1), whole.information(0, 1),
              1e-12 * std::abs(whole.information(0, 1)));
}

TEST(AffineSums, SteerByIntervalsToTheSameCostWithinAPartOfIt) {
  const AffineSettings settings{Clip::kVisible, Clip::kCensored, 1500, 6, 0, 1.0};
  const auto presses = ramps(settings);
  AffineSums sums(presses, settings, 0.21, 1 / 1550.0);
  const double exact = sums.exactly(0.2, 1 / 1600.0).cost;
  EXPECT_NEAR(sums.roughly(0.2, 1 / 1600.0).cost, exact, 0.05 * exact);
}

}  // namespace
}  // namespace tactelier
