// The virtual bench with a described six-axis sensor in the place of the Net F/T box.

#include <gmock/gmock.h>

#include "devices/gauge/framed_force.hpp"
#include "tests/devices/support/bench_world.hpp"

namespace tactelier::devices {
namespace {

using testing::HasSubstr;

struct WrenchOnBench {
  explicit WrenchOnBench(const std::string& device)
      : description(load_device_description(device).value()) {
    setup.force_device = device;
    bench = VirtualBench::create(setup, world.now_ns()).value();
    world.add(fmt::format("pty:force?baud={}", *description.baud), *bench->device("force"), false);
    force = FramedForce::open({"pty:force",
                               bench->framed_force()->rate_hz(),
                               wrench_readings(description, setup.force_ratings_SI).value(),
                               {},
                               {}},
                              description, world.connector())
                .value();
    EXPECT_TRUE(force->start());
  }
  std::string fault(std::string_view kind, std::string_view more) {
    const auto line =
        fmt::format(R"({{"fault": {{"device": "force", "kind": "{}"{}}}}})", kind, more);
    const auto done = control_bench(*bench, line, world.now_ns());
    return done ? "" : done.error().message;
  }
  Result<void> read_for(double time_s) {
    samples.clear();
    const auto end_ns = world.now_ns() + static_cast<std::int64_t>(time_s * 1e9);
    while (world.now_ns() < end_ns)
      if (auto got = force->read(samples, Timeout(200)); !got) return got;
    return {};
  }
  double mean_z_N() const {
    double sum_N = 0;
    for (const auto& sample : samples) sum_N += force->scale().wrench_SI(sample)[2];
    return sum_N / static_cast<double>(samples.size());
  }

  SimulatedWorld world;
  BenchSetup setup = BenchWorld().setup;
  DeviceDescription description;
  std::unique_ptr<VirtualBench> bench;
  std::unique_ptr<FramedForce> force;
  std::vector<ForceSample> samples;
};

TEST(FramedWrenchOnBench, FeelsAWeightAsEveryShippedMakeTellsIt) {
  for (const auto& [device, rate_hz] :
       {std::pair{"bota-serial", 1000.0}, {"robotiq-ft300", 100.0}, {"resense-hex", 1000 / 3.0}}) {
    WrenchOnBench rig(device);
    EXPECT_EQ(rig.bench->framed_force()->rate_hz(), rate_hz);
    ASSERT_TRUE(rig.read_for(1));
    EXPECT_NEAR(static_cast<double>(rig.samples.size()), rate_hz, 0.02 * rate_hz) << device;
    const double before_N = rig.mean_z_N();
    rig.bench->pad().hang(2);
    ASSERT_TRUE(rig.read_for(0.2));
    ASSERT_TRUE(rig.read_for(1));
    EXPECT_NEAR(std::abs(rig.mean_z_N() - before_N), 2, 0.02) << device;
    EXPECT_EQ(rig.force->counters().malformed + rig.force->counters().lost, 0) << device;
  }
}

TEST(FramedWrenchOnBench, TakesFaultsOfTheForceSensor) {
  WrenchOnBench rig("bota-serial");
  ASSERT_EQ(rig.fault("saturate", R"(, "for_s": 0.1)"), "");
  ASSERT_TRUE(rig.read_for(0.05));
  EXPECT_FALSE(rig.samples.back().valid);
  ASSERT_TRUE(rig.read_for(0.2));
  EXPECT_TRUE(rig.samples.back().valid);
  ASSERT_EQ(rig.fault("drop", R"(, "count": 6)"), "");
  ASSERT_TRUE(rig.read_for(0.2));
  EXPECT_EQ(rig.force->counters().lost, 6);
}

TEST(FramedWrenchOnBench, RefusesWhatIsNoSixAxisSensor) {
  BenchWorld rig;
  rig.setup.force_device = "reskin-5";
  const auto bench = VirtualBench::create(rig.setup, 0);
  ASSERT_FALSE(bench);
  EXPECT_THAT(bench.error().message, HasSubstr("describes no six-axis force sensor"));
}

}  // namespace
}  // namespace tactelier::devices
