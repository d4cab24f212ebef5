#include "fitting/recording/spikes.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "fitting/statistics/random.hpp"

namespace tactelier {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// A press at 1 kHz with 10 mN of noise: free air, up to 2 N in 0.5 s, and down again.
std::vector<double> press() {
  RandomSource random(4);
  std::vector<double> force_N;
  for (int i = 0; i < 2000; ++i) {
    const double depth = std::max(0.0, 500.0 - std::abs(i - 1000.0)) / 500;
    force_N.push_back(2 * depth + 0.01 * random.normal());
  }
  return force_N;
}

TEST(Spikes, APressHasNone) { EXPECT_THAT(find_spikes(press()), IsEmpty()); }

TEST(Spikes, SamplesThatStandAloneAreFoundOnEverySlope) {
  auto force_N = press();
  force_N[100] += 2;
  force_N[800] -= 0.5;
  force_N[1000] += 0.4;
  force_N[1300] += 1;
  force_N[1301] += 1;
  EXPECT_THAT(find_spikes(force_N), ElementsAre(100, 800, 1000, 1300, 1301));
}

TEST(Spikes, AStepIsNone) {
  auto force_N = press();
  for (std::size_t i = 300; i < force_N.size(); ++i) force_N[i] += 1;
  EXPECT_THAT(find_spikes(force_N), IsEmpty());
}

TEST(Spikes, StepsOfTheStageOnAHardPadAreNone) {
  RandomSource random(4);
  std::vector<double> force_N;
  for (const double per_sample : {0.2, 1.0, 4.0})  // micrometres; 0.1 N each
    for (int i = -1500; i < 1500; ++i) {
      const double depth_um = std::max(0.0, 400 - std::abs(i * per_sample));
      force_N.push_back(0.1 * std::floor(depth_um) + 0.005 * random.normal());
    }
  EXPECT_THAT(find_spikes(force_N), IsEmpty());
}

TEST(Spikes, WithoutNoiseNothingCanBeSaid) {
  std::vector<double> force_N(100, 0.0);
  force_N[50] = 1;
  EXPECT_THAT(find_spikes(force_N), IsEmpty());
}

}  // namespace
}  // namespace tactelier
