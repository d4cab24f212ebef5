// The virtual bench of a rig file, in the rig's own frame.
#include "devices/bench/bench_of_rig.hpp"

#include <gmock/gmock.h>

#include "devices/bench/running_bench.hpp"
#include "devices/registry/device_file.hpp"
#include "tests/devices/support/bench_world.hpp"

namespace tactelier::devices {
namespace {

class RigFrame : public testing::Test {
 protected:
  void go_to_mm(double x, double y, double z) {
    const auto moved = rig_.stage->move_to({x * 1e-3, y * 1e-3, z * 1e-3}, 5e-3);
    ASSERT_TRUE(moved) << moved.error().message;
    ASSERT_TRUE(rig_.stage->wait_until_idle(Timeout(60'000)));
  }

  StageOnBench rig_;
};

TEST_F(RigFrame, PutsTheSurfaceWhereTheRigFileHasIt) {
  // virtual-bench.json: the array's centre is the origin, its surface z = 0.
  ASSERT_NO_FATAL_FAILURE(go_to_mm(0, 0, 0.5));
  EXPECT_NEAR(rig_.bench->pad().state().depth_m, -0.5e-3, 2e-6);
  EXPECT_EQ(rig_.bench->pad().state().force_N, 0);
  ASSERT_NO_FATAL_FAILURE(go_to_mm(0, 0, -0.8));
  EXPECT_NEAR(rig_.bench->pad().state().depth_m, 0.8e-3, 2e-6);
  EXPECT_GT(rig_.bench->pad().state().force_N, 0.05);
  ASSERT_TRUE(rig_.poll_for(0.3));
  EXPECT_NEAR(rig_.places.back().position_m[2], -0.8e-3, 2e-6);
}

TEST_F(RigFrame, ReachesEveryPlaceOfTheRigFile) {
  ASSERT_NO_FATAL_FAILURE(go_to_mm(0, 60, 10));  // park
  ASSERT_NO_FATAL_FAILURE(go_to_mm(60, 20, 5));  // above the reference pad
  const auto below = rig_.stage->move_to({60e-3, 20e-3, -20e-3}, 5e-3);
  ASSERT_FALSE(below);
  EXPECT_THAT(below.error().message, testing::HasSubstr("Z -20.000 mm is outside"));
}

TEST_F(RigFrame, PressesThePlateWhereThePlateIs) {
  ASSERT_NO_FATAL_FAILURE(go_to_mm(60, 0, 1));
  ASSERT_NO_FATAL_FAILURE(go_to_mm(60, 0, -0.002));
  EXPECT_GT(rig_.bench->pad().state().force_N, 5);  // 5 N/um stiff
  ASSERT_NO_FATAL_FAILURE(go_to_mm(60, 0, 1));
  ASSERT_NO_FATAL_FAILURE(go_to_mm(60, 20, 1));
  ASSERT_NO_FATAL_FAILURE(go_to_mm(60, 20, -0.1));
  EXPECT_NEAR(rig_.bench->pad().state().force_N, 1, 0.05);  // 10 N/mm: the reference pad
}

TEST_F(RigFrame, StopsAndRetractsInTheRigsFrame) {
  GrblOptions options;
  options.url = "pty:stage";
  options.machine_zero_m = rig_.setup.machine_zero_m;
  options.safe_z_m = 3e-3;
  rig_.stage = GrblStage::open(options, rig_.world.connector()).value();
  ASSERT_TRUE(rig_.stage->home());
  ASSERT_NO_FATAL_FAILURE(go_to_mm(5, 5, -1));
  ASSERT_TRUE(rig_.stage->stop());
  ASSERT_TRUE(rig_.poll_for(0.3));
  EXPECT_NEAR(rig_.places.back().position_m[2], 3e-3, 2e-6);
}

TEST(RunningBenchTest, AnnouncesADeviceFileThatOpensEverything) {
  const auto running = RunningBench::start(BenchWorld().setup);
  ASSERT_TRUE(running) << running.error().message;
  const auto file = parse_device_file((*running)->device_file(R"("weiss-wts0614")", 1e-3), "bench");
  ASSERT_TRUE(file) << file.error().message;
  const DeviceConnections connections(*file);
  auto force = connections.open_force();
  ASSERT_TRUE(force) << force.error().message;
  ASSERT_TRUE((*force)->start());
  std::vector<ForceSample> samples;
  ASSERT_TRUE((*force)->read(samples, Timeout(1000)));
  EXPECT_DOUBLE_EQ((*force)->scale().full_scale_SI[2], 35);  // SI-25-0.25
  auto array = connections.open_tactile();
  ASSERT_TRUE(array) << array.error().message;
  EXPECT_EQ((*array)->shape().rows, 14);
}

TEST(RunningBenchTest, IsNotTakenForAnotherSensor) {
  const auto running = RunningBench::start(BenchWorld().setup).value();
  const auto file = parse_device_file(
      running->device_file(
          R"({"vendor": "x", "model": "y", "rows": 4, "columns": 4, "pitch_x_mm": 2,
              "pitch_y_mm": 2, "channels": 1, "adc": {"bits": 12}})",
          1e-3),
      "bench");
  ASSERT_TRUE(file) << file.error().message;
  const auto array = DeviceConnections(*file).open_tactile();
  ASSERT_FALSE(array);
  EXPECT_THAT(array.error().message, testing::HasSubstr("14 x 6 tactels"));
}

}  // namespace
}  // namespace tactelier::devices
