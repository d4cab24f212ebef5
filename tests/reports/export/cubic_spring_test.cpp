#include "reports/export/cubic_spring.hpp"

#include <gtest/gtest.h>

namespace tactelier {
namespace {

TEST(CubicSpring, FindsACubicItself) {
  const auto law_N = [](double d) { return 58.5 * d + 2e3 * d * d + 3e6 * d * d * d; };
  const auto fitted = fit_cubic_spring(law_N, 4e-3);
  EXPECT_NEAR(fitted.spring.k_N_per_m, 58.5, 1e-8);
  EXPECT_NEAR(fitted.spring.k2_N_per_m2, 2e3, 1e-5);
  EXPECT_NEAR(fitted.spring.k3_N_per_m3, 3e6, 1e-2);
  EXPECT_LT(fitted.worst_share, 1e-12);
}

TEST(CubicSpring, CarriesAForceAtOneDepth) {
  const CubicSpring spring{58.5, 2e3, 3e6};
  // 58.5 * 2e-3 + 2e3 * 4e-6 + 3e6 * 8e-9 = 0.117 + 0.008 + 0.024; slope 58.5 + 8 + 36
  EXPECT_DOUBLE_EQ(spring.force_N(2e-3), 0.149);
  EXPECT_DOUBLE_EQ(spring.tangent_N_per_m(2e-3), 102.5);
  EXPECT_NEAR(spring.depth_m(0.149), 2e-3, 1e-12);
}

TEST(CubicSpring, NeverSoftensAndSaysHowFarOffItIs) {
  // d - 10 d^2 on 0 .. 0.02 asks for a negative square: the best line there is 0.85 d, since
  // int x (x - 10 x^2) / int x^2 = 1 - 7.5 * 0.02; at the end 0.017 for 0.016 N: 6.25 %.
  const auto fitted = fit_cubic_spring([](double d) { return d - 10 * d * d; }, 0.02);
  EXPECT_NEAR(fitted.spring.k_N_per_m, 0.85, 2e-3);
  EXPECT_EQ(fitted.spring.k2_N_per_m2, 0);
  EXPECT_EQ(fitted.spring.k3_N_per_m3, 0);
  EXPECT_NEAR(fitted.worst_share, 0.0625, 3e-3);
}

}  // namespace
}  // namespace tactelier
