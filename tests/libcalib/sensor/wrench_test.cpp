#include "libcalib/sensor/wrench.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tactelier {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;

auto near(double a, double b, double c) {
  return ElementsAre(DoubleNear(a, 1e-15), DoubleNear(b, 1e-15), DoubleNear(c, 1e-15));
}

// docs/wire-formats.md 2: r = (0, 0, 25) mm, F = (0.2, -0.1, -5) N, T = (3, 2, 0.5) N mm.
TEST(Wrench, TorqueAtTheTipIsTheSensorsWithoutTheForcesLever) {
  EXPECT_THAT(cross({0, 0, 25e-3}, {0.2, -0.1, -5}), near(2.5e-3, 5e-3, 0));
  EXPECT_THAT(torque_about_Nm({0, 0, 25e-3}, {0.2, -0.1, -5}, {3e-3, 2e-3, 0.5e-3}),
              near(0.5e-3, -3e-3, 0.5e-3));
}

TEST(Wrench, MovedThereAndBackItIsWhatItWas) {
  const Vector3 r_m{0.01, -0.02, 0.03}, force_N{1, 2, -3}, torque_Nm{0.1, 0.2, 0.3};
  const auto there_Nm = torque_about_Nm(r_m, force_N, torque_Nm);
  EXPECT_THAT(torque_about_Nm({-0.01, 0.02, -0.03}, force_N, there_Nm), near(0.1, 0.2, 0.3));
}

// docs/wire-formats.md 2: a side load of 5 N on a 25 mm tip gives 125 N mm at the sensor.
TEST(Wrench, AForceAtTheTipIsATorqueAtTheSensor) {
  EXPECT_THAT(torque_about_Nm({0, 0, -25e-3}, {5, 0, 0}, {0, 0, 0}), near(0, 0.125, 0));
}

}  // namespace
}  // namespace tactelier
