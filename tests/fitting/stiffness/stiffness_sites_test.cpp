#include "fitting/stiffness/stiffness_sites.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace tactelier {
namespace {

PressValue press(const char* site, double value, const char* mount = "") {
  return {site, mount, {value, 0.5, 20}};
}

TEST(Sites, EachSiteCountsOnceHoweverOftenItWasPressed) {
  const auto result = mean_over_sites(std::vector{press("a", 10), press("a", 12), press("b", 21)});
  EXPECT_EQ(result.sites.at("a").value, 11);
  EXPECT_EQ(result.mean.value, 16);
}

TEST(Sites, RepeatsGiveTheErrorWhenThereAreEnough) {
  // a: 9 10 11 (squares 2), b: 19 20 21 (squares 2): pooled s = sqrt(4/4) = 1, dof 4
  const auto result = mean_over_sites(std::vector{press("a", 9), press("a", 10), press("a", 11),
                                                  press("b", 19), press("b", 20), press("b", 21)});
  EXPECT_NEAR(*result.repeat_sd, 1, 1e-12);
  EXPECT_EQ(result.mean.dof, 4);
  EXPECT_NEAR(result.mean.std, std::sqrt(1.0 / 3 + 1.0 / 3) / 2, 1e-12);
  EXPECT_NEAR(result.sites.at("b").std, 1 / std::sqrt(3.0), 1e-12);
  EXPECT_FALSE(result.remounting_included);
}

TEST(Sites, WithoutRepeatsTheSpreadOverPlacesGivesTheError) {
  const auto result = mean_over_sites(std::vector{press("a", 9), press("b", 10), press("c", 11)});
  EXPECT_NEAR(result.mean.std, 1 / std::sqrt(3.0), 1e-12);
  EXPECT_EQ(result.mean.dof, 2);
  EXPECT_NEAR(*result.spread, 1, 1e-12);
  EXPECT_EQ(result.sites.at("a").std, 0.5);  // all that is known of one press
  EXPECT_EQ(result.method, "scatter from place to place (3 places)");
}

TEST(Sites, OnePressKnowsOnlyItsOwnError) {
  const auto result = mean_over_sites(std::vector{press("a", 9)});
  EXPECT_EQ(result.mean.value, 9);
  EXPECT_EQ(result.mean.std, 0.5);
  EXPECT_EQ(result.mean.dof, 20);
  EXPECT_FALSE(result.spread);
}

TEST(Sites, ThreeMountsBringRemountingIntoTheInterval) {
  const auto result = mean_over_sites(std::vector{press("a", 9, "M1"), press("a", 9, "M1"),
                                                  press("a", 10, "M2"), press("a", 10, "M2"),
                                                  press("a", 11, "M3"), press("a", 11, "M3")});
  EXPECT_TRUE(result.remounting_included);
  EXPECT_NEAR(result.mean.std, 1 / std::sqrt(3.0), 1e-12);
  EXPECT_EQ(result.mean.dof, 2);
}

TEST(Sites, ACommonCorrectionDoesNotAverageOut) {
  auto presses = std::vector{press("a", 9),  press("a", 10), press("a", 11),
                             press("b", 19), press("b", 20), press("b", 21)};
  for (auto& value : presses) value.shared = 2;
  const auto result = mean_over_sites(presses);
  EXPECT_NEAR(result.mean.std, std::sqrt((1.0 / 3 + 1.0 / 3) / 4 + 4), 1e-12);
  EXPECT_NEAR(result.sites.at("b").std, std::sqrt(1.0 / 3 + 4), 1e-12);
  for (auto& value : presses) value.shared = value.site == "a" ? 2 : 0;  // half of the mean
  EXPECT_NEAR(mean_over_sites(presses).mean.std, std::sqrt((1.0 / 3 + 1.0 / 3) / 4 + 1), 1e-12);
}

}  // namespace
}  // namespace tactelier
