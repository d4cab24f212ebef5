// Does the fit find the truth, and are its intervals as wide as they should be?

#include <gtest/gtest.h>

#include <numeric>

#include "tests/app/support/accuracy.hpp"
#include "tests/app/support/cli.hpp"

namespace tactelier::test {
namespace {

std::vector<std::uint64_t> seeds(std::uint64_t first, std::size_t count) {
  std::vector<std::uint64_t> all(count);
  std::iota(all.begin(), all.end(), first);
  return all;
}

// Ten pads, ten tactels each. On `clean` the force sensor has no gain error, so what counts is the
// interval from repetition, without the certificate's share. Of 264 intervals of 95 % between 93
// and 98 % hold in most series of ten pads; 90 and 99 % are three standard deviations away.
TEST(Accuracy, ShortStudiesOfCleanPadsAreWithinTheirIntervals) {
  const TestFolder folder;
  const auto found = accuracy(folder.path(), "study", "clean", seeds(1, 10));
  ASSERT_EQ(found.size(), 8U);
  for (const auto* name : {"press_gain", "press_threshold"}) {
    const auto& coverage = found.at(name);
    EXPECT_GE(coverage.compared, 90) << name;
    EXPECT_GE(coverage.share(), 0.9) << name;
    EXPECT_LE(coverage.share(), 0.99) << name;
  }
  EXPECT_GE(found.at("saturation").compared, 50);
  EXPECT_GE(found.at("saturation").share(), 0.9);
  const auto all = of_tactels(found);
  EXPECT_GE(all.share(), 0.9);
  EXPECT_LE(all.share(), 0.99);
  EXPECT_GE(found.at("k_punch").held, 9);
  // Narrow enough to be of use: half a percent of the gain.
  EXPECT_LT(found.at("press_gain").mean_interval, 0.01);
  EXPECT_LT(std::abs(found.at("press_gain").mean_error), 0.001);
}

}  // namespace
}  // namespace tactelier::test
