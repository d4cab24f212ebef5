#include "devices/motion/rig_motion.hpp"

#include <gmock/gmock.h>

#include "devices/emulator/stage_dialect.hpp"
#include "tests/devices/support/bench_speed.hpp"
#include "tests/devices/support/laboratory.hpp"

namespace tactelier::rig {
namespace {

/// Homed axes stand at the top of their travel; over a pad that is tilted the same height lies
/// higher on one side, where the stage can't go.
TEST(RigMotion, AWayFromTheTopOverATiltedPadStaysInTheTravel) {
  for (const double tilt_deg : {1.0, -1.0}) {
    Laboratory lab;
    lab.dialect = devices::StageDialect::of_zaber();
    lab.believed = changed_rig(lab.rig, {{"surface", {{"tilt_x_deg", tilt_deg}}}});
    ASSERT_NO_FATAL_FAILURE(lab.start(3, kBenchSpeed));
    const double top_m = lab.live->stage().travel().high_m[2];
    RigMotion motion(*lab.live, lab.rig, lab.live->sensor(), {});
    ASSERT_TRUE(motion.retreat());
    const auto here_m = motion.at_m();
    const auto gone = motion.go({0, 0, here_m[2]}, 20e-3);
    ASSERT_TRUE(gone) << tilt_deg << ": " << gone.error().message;
    EXPECT_LE(lab.live->reading().stage.position_m[2], top_m + 1e-9);
    // Higher than it stood is refused as ever.
    const auto higher = motion.go({0, 0, here_m[2] + 5e-3}, 20e-3);
    ASSERT_FALSE(higher) << tilt_deg;
    EXPECT_THAT(higher.error().message, testing::HasSubstr("stage's travel"));
  }
}

}  // namespace
}  // namespace tactelier::rig
