// Plans over a flat surface, a stage over a tilted one.

#include "libcalib/protocol/pad_frame.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace tactelier {
namespace {

RigFile tilted_rig() {
  RigFile rig;
  rig.stage_to_sensor = {0.3e-3, -0.2e-3, 90 * std::numbers::pi / 180, false};
  rig.surface = {-5e-3, 0.01, -0.02};
  return rig;
}

TEST(PadFrame, FollowsTheTiltOverThePadAndStaysLevelBeyondIt) {
  const auto sensor = *load_sensor("weiss-wts0614");
  const auto rig = tilted_rig();
  const PadFrame frame(rig, sensor);
  // y of the outermost row: 6.5 rows of 3.4 mm.
  const double edge_m = 6.5 * 3.4e-3;
  EXPECT_NEAR(frame.stage_from_plan_m({0, 0, 1e-3})[2], -4e-3, 1e-12);
  EXPECT_NEAR(frame.stage_from_plan_m({0, 10e-3, 0})[2], -5e-3 + std::tan(0.01) * 10e-3, 1e-12);
  EXPECT_NEAR(frame.stage_from_plan_m({3e-3, 0, 0})[2], -5e-3 + std::tan(0.02) * 3e-3, 1e-12);
  EXPECT_NEAR(frame.stage_from_plan_m({0, 60e-3, 0})[2], -5e-3 + std::tan(0.01) * edge_m, 1e-12);
}

TEST(PadFrame, GoesThereAndBack) {
  const auto sensor = *load_sensor("weiss-wts0614");
  const auto rig = tilted_rig();
  const PadFrame frame(rig, sensor);
  const Vector3 at_m{4e-3, -7e-3, -0.5e-3};
  const auto back_m = frame.plan_from_stage_m(frame.stage_from_plan_m(at_m));
  for (std::size_t axis = 0; axis < 3; ++axis) EXPECT_NEAR(back_m[axis], at_m[axis], 1e-15);
}

}  // namespace
}  // namespace tactelier
