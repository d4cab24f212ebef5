#pragma once
// The virtual bench on real wires in this process, and the rig's devices opened on it.

#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "devices/bench/bench_of_rig.hpp"
#include "devices/bench/running_bench.hpp"
#include "devices/rig/runner.hpp"
#include "devices/rig/session_document.hpp"
#include "libcalib/pad/draw_truth.hpp"
#include "libcalib/sensor/sensor_document.hpp"
#include "libcalib/session/session.hpp"

namespace tactelier::rig {

class NobodyThere final : public OperatorDesk {
 public:
  Result<Answer> ask(const Question& question, const std::function<Result<void>()>&) override {
    return fail(ErrorCode::kUsage, "nobody is there to '{}'", question.text);
  }
  Result<void> lay(const std::optional<ByHand>&) override { return {}; }
};

/// Preset clean: the surface is where the rig file says.
struct Laboratory {
  RigFile rig = virtual_bench_rig();
  pad::Effects effects = pad::clean();
  std::unique_ptr<devices::RunningBench> bench;
  std::unique_ptr<LiveRig> live;

  void start(std::uint64_t seed, double speed) {
    const auto sensor = *load_sensor("weiss-wts0614");
    pad::DrawOptions draw;
    draw.relaxation = false;
    const auto truth = pad::draw_truth(sensor, seed, draw);
    ASSERT_TRUE(truth);
    auto setup = devices::bench_setup_of(rig, *truth, effects, seed);
    ASSERT_TRUE(setup) << setup.error().message;
    auto started = devices::RunningBench::start(*setup, speed);
    ASSERT_TRUE(started) << started.error().message;
    bench = std::move(*started);
    auto file = devices::parse_device_file(
        bench->device_file(sensor_document(sensor).dump(), rig.stage.safe_height_m), "bench");
    ASSERT_TRUE(file) << file.error().message;
    auto opened = LiveRig::open(std::move(*file), rig);
    ASSERT_TRUE(opened) << opened.error().message;
    live = std::move(*opened);
    const auto homed = live->stage().home();
    ASSERT_TRUE(homed) << homed.error().message;
  }

  Plan plan_of(const Protocol& protocol) const {
    auto plan = plan_protocol(protocol, live->sensor(), setup_for(rig, bench_setup()));
    EXPECT_TRUE(plan) << plan.error().message;
    return std::move(*plan);
  }
  Result<void> record(const Protocol& protocol, const Plan& plan,
                      const std::filesystem::path& file) {
    const auto metadata = live_metadata(rig, live->sensor(), plan, protocol, live->shapes(), {},
                                        utc_now());
    if (!metadata) return fail(metadata.error());
    return live->record_to(file, *metadata);
  }
};

}  // namespace tactelier::rig
