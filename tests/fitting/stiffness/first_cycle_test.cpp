#include "fitting/stiffness/first_cycle.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fitting/stiffness/stiffness_branch.hpp"

namespace tactelier {
namespace {

using ::testing::StartsWith;

StiffnessPress press(const char* site, double k_N_per_m, bool first, double depth_m = 1e-3) {
  StiffnessPress result;
  result.site = site;
  result.first = first;
  result.loading.emplace();
  result.loading->k_punch = Estimate{k_N_per_m, 2, 20};
  result.loading->k_affine = {1.1 * k_N_per_m, 2, 20};
  result.loading->max_depth_m = depth_m;
  result.curve = {{depth_m, k_N_per_m * depth_m}};
  return result;
}

// Ratios 0.90, 0.91, 0.92: mean 0.91, s 0.01, standard error 0.01/sqrt(3).
std::vector<StiffnessPress> softened() {
  return {press("a", 1000, true), press("b", 1000, true), press("c", 1000, true),
          press("d", 1200, true), press("a", 890, false), press("a", 910, false),
          press("b", 910, false), press("c", 920, false)};
}

TEST(FirstCycle, IsTheMeanRatioOfPlacesPressedAgain) {
  const auto ratio = first_cycle_ratio(softened());
  ASSERT_TRUE(ratio);
  EXPECT_NEAR(ratio->value, 0.91, 1e-12);
  EXPECT_NEAR(ratio->std, 0.01 / std::sqrt(3.0), 1e-12);
  EXPECT_TRUE(softens(*ratio));
  EXPECT_EQ(pressed_once(softened()), 1U);
}

TEST(FirstCycle, LaterPressesCountAndSinglePressesAreBroughtToThem) {
  auto presses = softened();
  take_first_cycle_out({0.91, 0.005, 2}, presses);
  EXPECT_FALSE(presses[0].loading);
  EXPECT_THAT(presses[0].no_loading, StartsWith("FIRST-PRESS"));
  EXPECT_NEAR(presses[3].loading->k_punch->value, 1200 * 0.91, 1e-9);
  EXPECT_NEAR(presses[3].loading->k_affine.value, 1320 * 0.91, 1e-9);
  EXPECT_NEAR(presses[3].curve[0][1], 1.2 * 0.91, 1e-12);
  EXPECT_NEAR(presses[3].shared, 0.005 / 0.91, 1e-12);
  EXPECT_EQ(presses[4].loading->k_punch->value, 890);
  EXPECT_EQ(presses[4].shared, 0);
}

TEST(FirstCycle, TwoPlacesAreTooFew) {
  EXPECT_FALSE(
      first_cycle_ratio({press("a", 1000, true), press("a", 900, false), press("b", 1000, true),
                         press("b", 900, false), press("c", 1000, true)}));
}

TEST(FirstCycle, ScatterIsNotTakenForSoftening) {
  const auto ratio =
      first_cycle_ratio({press("a", 1000, true), press("a", 980, false), press("b", 1000, true),
                         press("b", 1010, false), press("c", 1000, true), press("c", 1000, false)});
  ASSERT_TRUE(ratio);
  EXPECT_FALSE(softens(*ratio));
}

TEST(FirstCycle, PressesThatEndedEarlyAreLeftOut) {
  std::vector presses{press("a", 1000, true), press("b", 1000, true),
                      press("stuck", 5000, true, 66e-6)};
  leave_out_shallow(presses);
  EXPECT_TRUE(presses[1].loading);
  EXPECT_FALSE(presses[2].loading);
  EXPECT_EQ(presses[2].no_loading,
            "ST-01 Pressed to 0.07 mm only, others to 1.00 mm: too shallow for a stiffness.");
}

TEST(FirstCycle, ABranchEndsWhereThePlaceWasNeverPressedBefore) {
  const LoadingBranch branch{{0, 1e-3, 2e-3, 1.5e-3}, {0, 1, 2, 1.5}, true, false};
  const auto kept = down_to(1.2e-3, branch);
  EXPECT_EQ(kept.force_N, (std::vector<double>{0, 1}));
  EXPECT_TRUE(kept.from_contact);
}

}  // namespace
}  // namespace tactelier
