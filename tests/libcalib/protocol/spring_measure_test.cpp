// The leaf spring's stiffness from heights and forces, worked by hand.

#include "libcalib/protocol/spring_measure.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace tactelier {
namespace {

constexpr double kRig_m_per_N = 10e-6;

/// Five forces on a spring of 2 N/mm behind the rig: 0.51 mm per newton.
SpringMeasure five_steps(double z_error_m = 0) {
  SpringMeasure measure;
  for (int i = 1; i <= 5; ++i)
    measure.add(3e-3 - 0.51e-3 * 0.4 * i + (i % 2 == 0 ? z_error_m : -z_error_m), 0.4 * i);
  return measure;
}

TEST(SpringMeasure, TakesTheRigsComplianceOff) {
  const auto found = five_steps().find({{{}, 2000, 1, {}}, kRig_m_per_N, {}});
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->stiffness_N_per_m, 2000, 1e-6);
  EXPECT_EQ(found->points, 5);
  // 5 % of 10 um/N are 0.5 um/N: 2000^2 * 0.5e-6 = 2 N/m.
  EXPECT_NEAR(found->u_N_per_m, 2, 1e-6);
  EXPECT_NEAR(found->stated_u_N_per_m, 10, 1e-9);
  EXPECT_TRUE(found->agrees());
  const auto total = five_steps().find({{{}, 2000, 1, {}}, 0, {}});
  EXPECT_NEAR(total->stiffness_N_per_m, 1 / 0.51e-3, 1e-6);
}

TEST(SpringMeasure, ScatterOfHeightsAndTheCertificateAreInItsUncertainty) {
  const auto found = five_steps(2e-6).find({{{}, 2000, 1, {}}, kRig_m_per_N, {}});
  ASSERT_TRUE(found);
  // Errors -2 +2 -2 +2 -2 um: mean -0.4, residuals -1.6 2.4 -1.6 2.4 -1.6 (slope 0 by symmetry):
  // 19.2e-12 / 3 over sff = 0.16 * 10 = 1.6 N^2.
  const double u_slope = std::sqrt(19.2e-12 / 3 / 1.6);
  EXPECT_NEAR(found->u_N_per_m, 2000 * 2000 * std::hypot(u_slope, 0.5e-6), 1e-3);
  const auto gained = five_steps().find({{{}, 2000, 1, {}}, kRig_m_per_N, 1.0});
  EXPECT_NEAR(gained->u_N_per_m, std::hypot(2.0, 2000 * 0.01), 1e-6);
}

TEST(SpringMeasure, ADeviationBeyondBothUncertaintiesDoesNotAgree) {
  // Stated 2100 N/m +- 1 %: 100 N/m over the root of 4^2 + 21^2.
  const auto found = five_steps().find({{{}, 2100, 1, {}}, kRig_m_per_N, {}});
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->en, 100 / std::hypot(4, 21), 1e-6);
  EXPECT_FALSE(found->agrees());
  EXPECT_THAT(found->describe(), testing::HasSubstr("-4.8 %"));
  EXPECT_THAT(found->describe(), testing::HasSubstr("they DON'T agree"));
  const auto data = nlohmann::json::parse(found->event_data());
  EXPECT_EQ(data["agrees"], false);
  EXPECT_NEAR(data["stiffness_N_per_mm"].get<double>(), 2, 1e-6);
}

TEST(SpringMeasure, TooFewPointsOrNoForceTellNothing) {
  SpringMeasure few;
  for (int i = 0; i < 3; ++i) few.add(1e-3 * i, i);
  EXPECT_FALSE(few.find({{{}, 2000, 1, {}}, 0, {}}));
  SpringMeasure still;
  for (int i = 0; i < 9; ++i) still.add(-1e-3 * i, 0);
  EXPECT_FALSE(still.find({{{}, 2000, 1, {}}, 0, {}}));
}

}  // namespace
}  // namespace tactelier
