#pragma once
// The virtual bench on simulated time, and one of its devices behind its driver: what a test of
// faults begins with.

#include <gtest/gtest.h>

#include "devices/ati/netft.hpp"
#include "devices/bench/bench_control.hpp"
#include "devices/bench/bench_of_rig.hpp"
#include "devices/emulator/simulated_world.hpp"
#include "devices/grbl/grbl_stage.hpp"
#include "devices/weiss/wts_array.hpp"
#include "libcalib/pad/draw_truth.hpp"
#include "libcalib/sensor/sensor_description.hpp"

namespace tactelier::devices {

/// Preset clean over the rig file virtual-bench.
struct BenchWorld {
  BenchWorld() {
    world.add("pty:stage", bench->stage(), false);
    world.add("udp:force:49152", bench->force(), true);
    world.add("tcp:force:80", bench->force_web(), false);
    world.add("pty:tactile", bench->tactile(), false);
  }
  /// What bench_control is told, its answer "" when it obeyed.
  std::string fault(std::string_view device, std::string_view kind, std::string_view more = "") {
    const auto line =
        fmt::format(R"({{"fault": {{"device": "{}", "kind": "{}"{}}}}})", device, kind, more);
    const auto done = control_bench(*bench, line, world.now_ns());
    return done ? "" : done.error().message;
  }
  /// Until then, or until `read` fails.
  template <class Read>
  Result<void> repeat_for(double time_s, Read read) {
    const auto end_ns = world.now_ns() + static_cast<std::int64_t>(time_s * 1e9);
    Result<void> got{};
    while (got && world.now_ns() < end_ns) got = read();
    return got;
  }

  SimulatedWorld world;
  BenchSetup setup =
      bench_setup_of(virtual_bench_rig(),
                     pad::draw_truth(load_sensor("weiss-wts0614").value(), 3).value(), pad::clean(),
                     3)
          .value();
  std::unique_ptr<VirtualBench> bench = VirtualBench::create(setup, world.now_ns()).value();
};

/// Streaming. A device that doesn't open throws, which fails the test.
struct ForceOnBench : BenchWorld {
  ForceOnBench() {
    EXPECT_TRUE(force->start());
    EXPECT_TRUE(read_for(0.05));
  }
  Result<void> read_for(double time_s) {
    samples.clear();
    return repeat_for(time_s, [&] { return force->read(samples, Timeout(100)); });
  }
  std::string inject(std::string_view kind, std::string_view more = "") {
    return fault("force", kind, more);
  }
  std::unique_ptr<NetFt> force =
      NetFt::open({"udp:force:49152", "http://force", {}}, world.connector()).value();
  std::vector<ForceSample> samples;
};

struct ArrayOnBench : BenchWorld {
  ArrayOnBench() {
    EXPECT_TRUE(array->start());
    EXPECT_TRUE(read_for(0.3));
  }
  Result<void> read_for(double time_s) {
    frames.clear();
    return repeat_for(time_s, [&] { return array->read(frames, Timeout(200)); });
  }
  std::string inject(std::string_view kind, std::string_view more = "") {
    return fault("tactile", kind, more);
  }
  std::unique_ptr<WtsArray> array =
      WtsArray::open({"pty:tactile", 20, false}, world.connector()).value();
  std::vector<TactileFrame> frames;
};

/// Homed.
struct StageOnBench : BenchWorld {
  StageOnBench() {
    GrblOptions options;
    options.url = "pty:stage";
    options.machine_zero_m = setup.machine_zero_m;
    stage = GrblStage::open(options, world.connector()).value();
    EXPECT_TRUE(stage->home());
    EXPECT_TRUE(poll_for(0.5));
  }
  Result<void> poll_for(double time_s) {
    places.clear();
    return stage->poll(places, Timeout(static_cast<int>(1e3 * time_s)));
  }
  std::string inject(std::string_view kind, std::string_view more = "") {
    return fault("stage", kind, more);
  }
  std::unique_ptr<GrblStage> stage;
  std::vector<StageSample> places;
};

}  // namespace tactelier::devices
