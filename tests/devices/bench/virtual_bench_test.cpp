// The laboratory in one process: real drivers press the simulated pad.
#include "devices/bench/virtual_bench.hpp"

#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "devices/ati/netft.hpp"
#include "devices/bench/bench_control.hpp"
#include "devices/emulator/simulated_world.hpp"
#include "devices/grbl/grbl_stage.hpp"
#include "devices/weiss/dsa_array.hpp"
#include "devices/weiss/wts_array.hpp"
#include "libcalib/pad/draw_truth.hpp"

namespace tactelier::devices {
namespace {

using testing::HasSubstr;

/// The array's centre lies 25 mm right and behind of the machine's zero, 20 mm below it.
BenchSetup setup_of(const pad::Effects& effects) {
  const auto sensor = load_sensor("weiss-wts0614").value();
  BenchSetup setup;
  setup.truth = pad::draw_truth(sensor, 3).value();
  setup.effects = effects;
  setup.mount.x_m = setup.mount.y_m = 25e-3;
  setup.mount.z0_m = -20e-3;
  setup.mount.press_sign = -1;
  return setup;
}

class VirtualBenchTest : public testing::Test {
 protected:
  void open(const pad::Effects& effects = pad::clean()) {
    auto made = VirtualBench::create(setup_of(effects), world_.now_ns());
    ASSERT_TRUE(made) << made.error().message;
    bench_ = std::move(*made);
    control_ = std::make_unique<BenchControl>(*bench_);
    world_.add("pty:stage", bench_->stage(), false);
    world_.add("udp:force:49152", bench_->force(), true);
    world_.add("tcp:force:80", bench_->force_web(), false);
    world_.add("pty:tactile", bench_->tactile(), false);
    world_.add("tcp:control:1", *control_, false);
    const auto connect = world_.connector();
    auto stage = GrblStage::open({"pty:stage", 10, true, -5e-3, 5e-3, 5e-3}, connect);
    ASSERT_TRUE(stage) << stage.error().message;
    stage_ = std::move(*stage);
    auto force = NetFt::open({"udp:force:49152", "http://force", std::nullopt}, connect);
    ASSERT_TRUE(force) << force.error().message;
    force_ = std::move(*force);
    auto array = WtsArray::open({"pty:tactile", 20, false}, connect);
    ASSERT_TRUE(array) << array.error().message;
    array_ = std::move(*array);
    ASSERT_TRUE(stage_->home());
    ASSERT_TRUE(force_->start());
    ASSERT_TRUE(array_->start());
  }
  void go_to(double x_mm, double y_mm, double z_mm) {
    const auto moved = stage_->move_to({x_mm * 1e-3, y_mm * 1e-3, z_mm * 1e-3}, 5e-3);
    ASSERT_TRUE(moved) << moved.error().message;
    const auto idle = stage_->wait_until_idle(Timeout(60'000));
    ASSERT_TRUE(idle) << idle.error().message;
    ASSERT_TRUE(stage_->poll(places_, Timeout(500)));
  }
  /// The last force and frame that have arrived by now.
  std::array<double, 6> wrench() {
    std::vector<ForceSample> samples;
    while (samples.empty() || world_.now_ns() - samples.back().host_time_ns > 5'000'000)
      if (!force_->read(samples, Timeout(100))) break;
    return force_->scale().wrench_SI(samples.back());
  }
  std::vector<double> counts() {
    std::vector<TactileFrame> frames;
    while (array_->read(frames, Timeout(0))) {  // what has piled up meanwhile
    }
    EXPECT_TRUE(array_->read(frames, Timeout(100)));
    return frames.back().counts;
  }
  std::string say(std::string_view line) {
    const auto done = control_bench(*bench_, line, world_.now_ns());
    return done ? "ok" : done.error().message;
  }

  SimulatedWorld world_;
  std::unique_ptr<VirtualBench> bench_;
  std::unique_ptr<BenchControl> control_;
  std::unique_ptr<GrblStage> stage_;
  std::unique_ptr<NetFt> force_;
  std::unique_ptr<WtsArray> array_;
  std::vector<StageSample> places_;
};

/// Thirty frames; the last one.
std::vector<double> last_of_thirty(TactileArray& array) {
  EXPECT_TRUE(array.start());
  std::vector<TactileFrame> frames;
  while (frames.size() < 30 && array.read(frames, Timeout(200))) {
  }
  EXPECT_EQ(frames.size(), 30U);
  return frames.back().counts;
}

TEST(DsaOnBench, ReadsThePadAsTheWtsDoes) {
  auto setup = setup_of(pad::clean());
  SimulatedWorld world;
  auto with_wts = VirtualBench::create(setup, world.now_ns());
  setup.array = "weiss-dsa";
  auto with_dsa = VirtualBench::create(setup, world.now_ns());
  ASSERT_TRUE(with_wts && with_dsa);
  world.add("pty:wts", (*with_wts)->tactile(), false);
  world.add("pty:dsa", (*with_dsa)->tactile(), false);
  DsaOptions options;
  options.url = "pty:dsa";
  auto dsa = DsaArray::open(options, world.connector());
  auto wts = WtsArray::open({"pty:wts", 20, false}, world.connector());
  ASSERT_TRUE(dsa && wts);
  EXPECT_EQ((*dsa)->shape().rows, 14);
  EXPECT_EQ((*dsa)->shape().columns, 6);
  EXPECT_NEAR((*dsa)->matrices()[0].texel_width_m, 3.4e-3, 1e-9);
  const auto counts = last_of_thirty(**dsa), others = last_of_thirty(**wts);
  ASSERT_EQ(counts.size(), 84U);
  // Two readings with 2 counts of noise each: 15 are five standard deviations.
  for (std::size_t i = 0; i < 84; ++i) EXPECT_NEAR(counts[i], others[i], 15) << i;
  setup.array = "weiss";
  EXPECT_EQ(VirtualBench::create(setup, 0).error().code, ErrorCode::kUsage);
}

TEST_F(VirtualBenchTest, FeelsThePadThroughItsDevices) {
  ASSERT_NO_FATAL_FAILURE(open());
  // Tactel 44 (row 7, column 2) lies at (-1.7, 1.7) mm of the array's centre.
  ASSERT_NO_FATAL_FAILURE(go_to(-25 - 1.7, -25 + 1.7, -19));
  const auto free_wrench = wrench();
  const auto free_counts = counts();
  EXPECT_NEAR(free_wrench[2], 0, 0.05);
  ASSERT_NO_FATAL_FAILURE(go_to(-25 - 1.7, -25 + 1.7, -21.2));
  const auto& truth = bench_->pad().state();
  EXPECT_NEAR(truth.depth_m, 1.2e-3, 5e-6);
  EXPECT_GT(truth.force_N, 0.05);
  EXPECT_NEAR(wrench()[2], -truth.force_N, 0.03);  // 5 mN of noise; presses read negative
  const auto pressed = counts();
  std::size_t most = 0;
  for (std::size_t i = 0; i < pressed.size(); ++i)
    if (pressed[i] - free_counts[i] > pressed[most] - free_counts[most]) most = i;
  EXPECT_EQ(most, 44U) << truth.force_N << " N, " << pressed[44] - free_counts[44] << " counts";
  EXPECT_GT(pressed[44] - free_counts[44], 50);
  ASSERT_TRUE(stage_->stop());
  EXPECT_LT(bench_->pad().state().depth_m, 0);
}

TEST_F(VirtualBenchTest, RunsTheSameWayOnEveryRun) {
  std::array<double, 6> first{};
  for (int run = 0; run < 2; ++run) {
    world_ = SimulatedWorld();
    ASSERT_NO_FATAL_FAILURE(open(pad::lab()));
    ASSERT_NO_FATAL_FAILURE(go_to(-25, -25, -21));
    const auto now = wrench();
    if (run == 1) {
      EXPECT_EQ(now, first);
    }
    first = now;
    array_.reset();
    force_.reset();
    stage_.reset();
  }
}

TEST_F(VirtualBenchTest, ObeysTheOperatorsHands) {
  ASSERT_NO_FATAL_FAILURE(open());
  EXPECT_EQ(say(R"({"set": "weight", "mass_g": 100})"), "ok");
  ASSERT_TRUE(stage_->poll(places_, Timeout(300)));
  EXPECT_NEAR(wrench()[2], 0.980665, 0.03);
  EXPECT_EQ(say(R"({"set": "weight", "mass_g": 0})"), "ok");
  EXPECT_EQ(say(R"({"set": "indenter", "indenter": {"shape": "sphere", "diameter_mm": 8}})"), "ok");
  EXPECT_EQ(say(R"({"set": "target", "target": "plate", "top_mm": -10})"), "ok");
  ASSERT_NO_FATAL_FAILURE(go_to(-25, -25, -10.001));
  EXPECT_GT(-wrench()[2], 1);  // 5 N/um stiff
  EXPECT_EQ(say(R"({"do": "bump"})"), "ok");
  EXPECT_EQ(say(R"({"do": "remount"})"), "ok");
  EXPECT_EQ(say(R"({"fault": {"device": "force", "kind": "freeze", "after_s": 0.5}})"), "ok");
  std::vector<ForceSample> samples;
  Result<void> got{};
  while (got && samples.size() < 5000) got = force_->read(samples, Timeout(100));
  ASSERT_FALSE(got);
  EXPECT_EQ(got.error().code, ErrorCode::kTimeout);
}

TEST_F(VirtualBenchTest, SaysWhatItDidNotUnderstand) {
  ASSERT_NO_FATAL_FAILURE(open());
  EXPECT_THAT(say("hello"), HasSubstr("line 1"));
  EXPECT_THAT(say("[]"), HasSubstr("an object expected"));
  EXPECT_THAT(say(R"({"do": "bumb"})"), HasSubstr("did you mean 'bump'?"));
  EXPECT_THAT(say(R"({"set": "wieght"})"), HasSubstr("did you mean 'weight'?"));
  EXPECT_THAT(say(R"({"set": "weight", "mass_g": -1})"), HasSubstr("outside 0"));
  EXPECT_THAT(say(R"({"fault": {"device": "stage", "kind": "frees"}})"), HasSubstr("freeze"));
  EXPECT_THAT(say(R"({"fault": {"device": "table", "kind": "freeze"}})"), HasSubstr("tactile"));
  EXPECT_THAT(say(R"({"fault": {"device": "stage", "kind": "freeze", "after": 1}})"),
              HasSubstr("after_s"));
  EXPECT_THAT(say(R"({"set": "indenter", "indenter": {"shape": "spere"}})"), HasSubstr("sphere"));
}

TEST_F(VirtualBenchTest, AnswersOverItsOwnWire) {
  ASSERT_NO_FATAL_FAILURE(open());
  auto hands = world_.open("tcp:control:1");
  ASSERT_TRUE((*hands)->send(view_of("{\"do\": \"bump\"}\n{\"do\": 1}\n"), Timeout(10)));
  std::string text;
  Bytes bytes(1000);
  while (const auto got = (*hands)->receive(bytes, Timeout(20)))
    text.append(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(got->size));
  EXPECT_EQ(text, "{\"ok\":true}\n{\"error\":\"do: a word expected\"}\n");
}

RC_GTEST_PROP(BenchControlGarbage, SurvivesAnyLine, (const std::string& text)) {
  static const auto bench = VirtualBench::create(setup_of(pad::clean()), 0).value();
  control_bench(*bench, text, 0);
  control_bench(*bench, "{\"set\": \"" + text + "\"}", 0);
}

TEST(VirtualBenchSetup, RefusesWhatItCantEmulate) {
  auto setup = setup_of(pad::clean());
  setup.truth.sensor.arrays.push_back(setup.truth.sensor.arrays.front());
  EXPECT_FALSE(VirtualBench::create(setup, 0));
}

}  // namespace
}  // namespace tactelier::devices
