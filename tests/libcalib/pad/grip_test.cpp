#include "libcalib/pad/grip.hpp"

#include <gtest/gtest.h>

namespace tactelier::pad {
namespace {

// By hand: 10 um behind 40 um/N are 0.25 N; a load of 5 N holds 1.1 N.
TEST(Grip, BendsTheRigUntilItSlips) {
  Grip grip(40e-6);
  EXPECT_NEAR(grip.step_N({0, 10e-6}, 5).y_m, 0.25, 1e-4);
  EXPECT_NEAR(grip.step_N({0, -20e-6}, 5).y_m, -0.25, 2e-4);
  EXPECT_NEAR(grip.step_N({0, 200e-6}, 5).y_m, 1.1, 1e-9);
  EXPECT_NEAR(grip.step_N({0, -10e-6}, 5).y_m, 0.85, 1e-4) << "it sticks again at once";
  EXPECT_EQ(grip.step_N({0, 10e-6}, 0).y_m, 0) << "in the air nothing holds it";
}

TEST(Grip, SlipsTowardsWhereItIsPulled) {
  Grip grip(40e-6);
  const auto force_N = grip.step_N({300e-6, 400e-6}, 5);
  EXPECT_NEAR(force_N.x_m, 0.6 * 1.1, 1e-9);
  EXPECT_NEAR(force_N.y_m, 0.8 * 1.1, 1e-9);
}

}  // namespace
}  // namespace tactelier::pad
