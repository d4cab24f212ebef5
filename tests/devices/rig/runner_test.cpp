// A protocol carried out by real drivers on the virtual bench's wires, twenty times as fast.

#include "devices/rig/runner.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "devices/bench/bench_of_rig.hpp"
#include "devices/bench/running_bench.hpp"
#include "devices/rig/session_document.hpp"
#include "libcalib/pad/draw_truth.hpp"
#include "libcalib/sensor/sensor_document.hpp"
#include "libcalib/session/session.hpp"

namespace tactelier::rig {
namespace {

using devices::RunningBench;

#ifdef __SANITIZE_THREAD__
constexpr double kSpeed = 2;  // timeouts are the emulated world's
#else
constexpr double kSpeed = 10;
#endif

class NobodyThere final : public OperatorDesk {
 public:
  Result<Answer> ask(const Question& question, const std::function<Result<void>()>&) override {
    return fail(ErrorCode::kUsage, "nobody is there to '{}'", question.text);
  }
  Result<void> lay(const std::optional<ByHand>&) override { return {}; }
};

struct Laboratory {
  RigFile rig = virtual_bench_rig();
  std::unique_ptr<RunningBench> bench;
  std::unique_ptr<LiveRig> live;

  void start(std::uint64_t seed) {
    const auto sensor = *load_sensor("weiss-wts0614");
    pad::DrawOptions draw;
    draw.relaxation = false;
    const auto truth = pad::draw_truth(sensor, seed, draw);
    auto setup = devices::bench_setup_of(rig, *truth, pad::clean(), seed);
    ASSERT_TRUE(setup) << setup.error().message;
    auto started = RunningBench::start(*setup, kSpeed);
    ASSERT_TRUE(started) << started.error().message;
    bench = std::move(*started);
    auto file = devices::parse_device_file(
        bench->device_file(sensor_document(sensor).dump(), rig.stage.safe_height_m), "bench");
    ASSERT_TRUE(file) << file.error().message;
    auto opened = LiveRig::open(std::move(*file), rig);
    ASSERT_TRUE(opened) << opened.error().message;
    live = std::move(*opened);
  }
};

TEST(Runner, CarriesOutAScanAndRecordsIt) {
  Laboratory lab;
  lab.start(1);
  ASSERT_TRUE(lab.live);
  auto& live = *lab.live;
  ASSERT_TRUE(live.stage().home());
  const auto protocol = parse_protocol(R"({
    "format": "tactelier/protocol", "version": 1, "name": "three",
    "indenter": {"shape": "cylinder", "diameter_mm": 1.0},
    "steps": [{"do": "zero", "time_s": 2},
              {"do": "scan", "tactels": [38, 39, 44], "speed_mm_s": 0.8,
               "until": {"force_N": 2, "depth_mm": 1.5}}]})",
                                       "three");
  ASSERT_TRUE(protocol) << protocol.error().message;
  const auto plan = plan_protocol(*protocol, live.sensor(), setup_for(lab.rig, bench_setup()));
  ASSERT_TRUE(plan) << plan.error().message;
  const auto folder = std::filesystem::path(testing::TempDir()) / "runner";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  const auto metadata = live_metadata(lab.rig, live.sensor(), *plan, *protocol, live.shapes(), {},
                                      "2026-11-20T10:00:00Z");
  ASSERT_TRUE(metadata) << metadata.error().message;
  ASSERT_TRUE(live.record_to(folder / "three.tact", *metadata));
  NobodyThere nobody;
  RunControl control;
  Runner runner(live, lab.rig, *plan, nobody, control, {});
  const auto report = runner.run();
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(report->presses, 3);
  EXPECT_EQ(report->aborted, 0);
  ASSERT_TRUE(live.end_recording());
  EXPECT_GT(report->peak_force_N, 1.9);
  EXPECT_LT(report->peak_force_N, 3.0);

  const auto session = Session::open(folder / "three.tact");
  ASSERT_TRUE(session) << session.error().message;
  const auto found = presses(session->events(), {}, session->metadata());
  ASSERT_TRUE(found) << found.error().message;
  ASSERT_EQ(found->size(), 3U);
  for (const auto& press : *found) EXPECT_EQ(press.outcome, "ok");
}

}  // namespace
}  // namespace tactelier::rig
