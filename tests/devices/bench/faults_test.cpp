// Every fault that bench_control can inject, on every device, and the state that its driver is in
// afterwards. A fault that no driver can notice says so here, too.

#include <gmock/gmock.h>

#include <algorithm>

#include "devices/ati/netft.hpp"
#include "devices/bench/bench_control.hpp"
#include "devices/bench/bench_of_rig.hpp"
#include "devices/emulator/simulated_world.hpp"
#include "devices/stage/grbl_stage.hpp"
#include "devices/tactile/wts_array.hpp"
#include "libcalib/pad/draw_truth.hpp"
#include "libcalib/sensor/sensor_description.hpp"

namespace tactelier::devices {
namespace {

using testing::HasSubstr;

class Faults : public testing::Test {
 protected:
  void SetUp() override {
    const auto truth = pad::draw_truth(load_sensor("weiss-wts0614").value(), 3).value();
    setup_ = bench_setup_of(virtual_bench_rig(), truth, pad::clean(), 3).value();
    bench_ = VirtualBench::create(setup_, world_.now_ns()).value();
    world_.add("pty:stage", bench_->stage(), false);
    world_.add("udp:force:49152", bench_->force(), true);
    world_.add("tcp:force:80", bench_->force_web(), false);
    world_.add("pty:tactile", bench_->tactile(), false);
  }
  void connect_force() {
    force_ = NetFt::open({"udp:force:49152", "http://force", {}}, world_.connector()).value();
    ASSERT_TRUE(force_->start());
    ASSERT_TRUE(read_force(0.05));
  }
  void connect_tactile() {
    array_ = WtsArray::open({"pty:tactile", 20, false}, world_.connector()).value();
    ASSERT_TRUE(array_->start());
    ASSERT_TRUE(read_tactile(0.3));
  }
  void connect_stage() {
    GrblOptions options;
    options.url = "pty:stage";
    options.machine_zero_m = setup_.machine_zero_m;
    stage_ = GrblStage::open(options, world_.connector()).value();
    ASSERT_TRUE(stage_->home());
    ASSERT_TRUE(poll(0.5));
  }
  void inject(const char* device, const char* kind, const char* more = "") {
    const auto line =
        fmt::format(R"({{"fault": {{"device": "{}", "kind": "{}"{}}}}})", device, kind, more);
    const auto done = control_bench(*bench_, line, world_.now_ns());
    ASSERT_TRUE(done) << done.error().message;
  }
  /// Until then, or until the driver fails.
  Result<void> read_force(double time_s) {
    samples_.clear();
    const auto end_ns = world_.now_ns() + static_cast<std::int64_t>(time_s * 1e9);
    Result<void> got{};
    while (got && world_.now_ns() < end_ns) got = force_->read(samples_, Timeout(100));
    return got;
  }
  Result<void> read_tactile(double time_s) {
    frames_.clear();
    const auto end_ns = world_.now_ns() + static_cast<std::int64_t>(time_s * 1e9);
    Result<void> got{};
    while (got && world_.now_ns() < end_ns) got = array_->read(frames_, Timeout(200));
    return got;
  }
  Result<void> poll(double time_s) {
    places_.clear();
    return stage_->poll(places_, Timeout(static_cast<int>(1e3 * time_s)));
  }

  SimulatedWorld world_;
  BenchSetup setup_;
  std::unique_ptr<VirtualBench> bench_;
  std::unique_ptr<NetFt> force_;
  std::unique_ptr<WtsArray> array_;
  std::unique_ptr<GrblStage> stage_;
  std::vector<ForceSample> samples_;
  std::vector<TactileFrame> frames_;
  std::vector<StageSample> places_;
};

ErrorCode code_of(const Result<void>& result) {
  return result ? ErrorCode{-1} : result.error().code;
}

TEST_F(Faults, DroppedForceRecordsAreCountedAsLost) {
  ASSERT_NO_FATAL_FAILURE(connect_force());
  inject("force", "drop", R"(, "count": 7)");
  EXPECT_TRUE(read_force(0.1));
  EXPECT_EQ(force_->counters().lost, 7);
}

TEST_F(Faults, LateForceRecordsAreDroppedAndCounted) {
  ASSERT_NO_FATAL_FAILURE(connect_force());
  inject("force", "late", R"(, "count": 3, "delay_s": 0.02)");
  EXPECT_TRUE(read_force(0.1));
  EXPECT_EQ(force_->counters().out_of_order, 3);
  EXPECT_EQ(force_->counters().lost, 3);
}

TEST_F(Faults, RepeatedForceRecordsAreTakenOnce) {
  ASSERT_NO_FATAL_FAILURE(connect_force());
  inject("force", "repeat", R"(, "count": 4)");
  EXPECT_TRUE(read_force(0.1));
  EXPECT_EQ(force_->counters().duplicates, 4);
  EXPECT_EQ(force_->counters().lost, 0);
}

TEST_F(Faults, CorruptForceRecordsAreCountedAsDamagedAndLost) {
  ASSERT_NO_FATAL_FAILURE(connect_force());
  inject("force", "corrupt", R"(, "count": 2)");
  EXPECT_TRUE(read_force(0.1));
  EXPECT_EQ(force_->counters().malformed, 2);
  EXPECT_EQ(force_->counters().lost, 2);
}

TEST_F(Faults, AFrozenOrUnpluggedBoxTimesOut) {
  for (const char* kind : {"freeze", "hang-up"}) {
    force_.reset();
    world_ = SimulatedWorld();
    SetUp();
    ASSERT_NO_FATAL_FAILURE(connect_force());
    inject("force", kind);
    EXPECT_EQ(code_of(read_force(1)), ErrorCode::kTimeout) << kind;
  }
}

TEST_F(Faults, ASaturatedBoxSendsInvalidSamplesThatAreKept) {
  ASSERT_NO_FATAL_FAILURE(connect_force());
  inject("force", "saturate");
  EXPECT_TRUE(read_force(0.1));
  EXPECT_FALSE(samples_.back().valid);
  EXPECT_EQ(samples_.back().status, 0x80020000U);
  EXPECT_THAT(force_->describe_status(samples_.back().status), HasSubstr("saturat"));
}

TEST_F(Faults, AnAlarmOfTheBoxIsALatchedConditionWithValidSamples) {
  ASSERT_NO_FATAL_FAILURE(connect_force());
  inject("force", "alarm");
  EXPECT_TRUE(read_force(0.1));
  EXPECT_TRUE(samples_.back().valid);
  EXPECT_EQ(samples_.back().status, 0x80010000U);
}

TEST_F(Faults, ABoxThatRestartedFallsSilentUntilItIsAskedAgain) {
  ASSERT_NO_FATAL_FAILURE(connect_force());
  inject("force", "reset");
  EXPECT_EQ(code_of(read_force(1)), ErrorCode::kTimeout);
  EXPECT_TRUE(force_->start());
  EXPECT_TRUE(read_force(0.1));
}

TEST_F(Faults, ASlowBoxArrivesLaterButWhole) {
  ASSERT_NO_FATAL_FAILURE(connect_force());
  inject("force", "slow", R"(, "delay_s": 0.03)");
  EXPECT_TRUE(read_force(0.3));
  EXPECT_EQ(force_->counters().lost, 0);
  EXPECT_EQ(force_->counters().out_of_order, 0);
}

TEST_F(Faults, ABoxThatSendsWithoutMeasuringIsADeviceFault) {
  ASSERT_NO_FATAL_FAILURE(connect_force());
  inject("force", "wrong-data");
  EXPECT_EQ(code_of(read_force(0.1)), ErrorCode::kDeviceFault);
}

TEST_F(Faults, DroppedFramesAreCountedAsLost) {
  ASSERT_NO_FATAL_FAILURE(connect_tactile());
  inject("tactile", "drop", R"(, "count": 3)");
  EXPECT_TRUE(read_tactile(0.5));
  EXPECT_EQ(array_->counters().lost, 3);
}

TEST_F(Faults, LateOrSlowFramesArriveLaterButWhole) {
  ASSERT_NO_FATAL_FAILURE(connect_tactile());
  inject("tactile", "late", R"(, "count": 2, "delay_s": 0.05)");
  EXPECT_TRUE(read_tactile(0.5));
  inject("tactile", "slow", R"(, "delay_s": 0.05, "for_s": 0.2)");
  EXPECT_TRUE(read_tactile(0.5));
  EXPECT_EQ(array_->counters().lost, 0);
  EXPECT_EQ(array_->counters().malformed, 0);
}

TEST_F(Faults, RepeatedFramesAreTakenOnce) {
  ASSERT_NO_FATAL_FAILURE(connect_tactile());
  inject("tactile", "repeat", R"(, "count": 2)");
  EXPECT_TRUE(read_tactile(0.5));
  EXPECT_EQ(array_->counters().duplicates, 2);
  EXPECT_EQ(array_->counters().lost, 0);
}

TEST_F(Faults, CorruptFramesAreCountedAsDamagedAndLost) {
  ASSERT_NO_FATAL_FAILURE(connect_tactile());
  inject("tactile", "corrupt", R"(, "count": 2)");
  EXPECT_TRUE(read_tactile(0.5));
  EXPECT_EQ(array_->counters().malformed, 2);
  EXPECT_EQ(array_->counters().lost, 2);
}

TEST_F(Faults, AFrozenArrayTimesOut) {
  ASSERT_NO_FATAL_FAILURE(connect_tactile());
  inject("tactile", "freeze");
  EXPECT_EQ(code_of(read_tactile(1)), ErrorCode::kTimeout);
}

TEST_F(Faults, ASaturatedArrayReadsItsEndEverywhere) {
  ASSERT_NO_FATAL_FAILURE(connect_tactile());
  inject("tactile", "saturate");
  EXPECT_TRUE(read_tactile(0.3));
  EXPECT_TRUE(std::all_of(frames_.back().counts.begin(), frames_.back().counts.end(),
                          [](double count) { return count == 4095; }));
}

TEST_F(Faults, AnAlarmOfTheArrayIsARefusedCommand) {
  ASSERT_NO_FATAL_FAILURE(connect_tactile());
  inject("tactile", "alarm");
  EXPECT_EQ(code_of(array_->stop()), ErrorCode::kDeviceFault);
}

TEST_F(Faults, AnArrayThatRestartedFallsSilentUntilItIsAskedAgain) {
  ASSERT_NO_FATAL_FAILURE(connect_tactile());
  inject("tactile", "reset");
  EXPECT_EQ(code_of(read_tactile(1)), ErrorCode::kTimeout);
  EXPECT_TRUE(array_->start());
  EXPECT_TRUE(read_tactile(0.2));
}

TEST_F(Faults, AnUnpluggedArrayIsGoneAtOnce) {
  ASSERT_NO_FATAL_FAILURE(connect_tactile());
  inject("tactile", "hang-up");
  EXPECT_EQ(code_of(read_tactile(1)), ErrorCode::kIo);
}

TEST_F(Faults, AFrameThatRepeatsTheLastReadingsLooksLikeAnyOther) {
  // Well-formed, in time, right check value: nothing on the wire tells. Its readings are the last
  // frame's, to the count, which noise of two counts on 84 tactels never gives.
  ASSERT_NO_FATAL_FAILURE(connect_tactile());
  inject("tactile", "wrong-data");
  EXPECT_TRUE(read_tactile(0.3));
  EXPECT_EQ(array_->counters().lost + array_->counters().malformed, 0);
}

TEST_F(Faults, AStageWhoseAnswersAreDroppedLateRepeatedOrSlowIsAskedAgain) {
  ASSERT_NO_FATAL_FAILURE(connect_stage());
  for (const char* kind : {"drop", "late", "repeat", "slow"}) {
    inject("stage", kind, R"(, "for_s": 0.3)");
    EXPECT_TRUE(poll(1)) << kind;
    EXPECT_GT(places_.size(), 3U) << kind;
    EXPECT_TRUE(stage_->position_trusted()) << kind;
  }
}

TEST_F(Faults, ACorruptReportIsCounted) {
  ASSERT_NO_FATAL_FAILURE(connect_stage());
  inject("stage", "corrupt");
  EXPECT_TRUE(poll(1));
  EXPECT_EQ(stage_->malformed(), 1);
  EXPECT_TRUE(stage_->position_trusted());
}

TEST_F(Faults, AFrozenStageIsSilentAndItsPositionVoid) {
  ASSERT_NO_FATAL_FAILURE(connect_stage());
  inject("stage", "freeze");
  EXPECT_EQ(code_of(poll(3)), ErrorCode::kTimeout);
  EXPECT_TRUE(stage_->silent());
  EXPECT_FALSE(stage_->position_trusted());
}

TEST_F(Faults, AStageHasNoReadingThatCouldSaturate) {
  ASSERT_NO_FATAL_FAILURE(connect_stage());
  inject("stage", "saturate");
  EXPECT_TRUE(poll(1));
  EXPECT_TRUE(stage_->position_trusted());
}

TEST_F(Faults, ALimitSwitchARestartAndAHangUpVoidThePosition) {
  const std::vector<std::tuple<const char*, ErrorCode, const char*>> cases{
      {"alarm", ErrorCode::kDeviceFault, "hard limit"},
      {"reset", ErrorCode::kDeviceFault, "restarted by itself"},
      {"hang-up", ErrorCode::kIo, "connection"}};
  for (const auto& [kind, code, doubt] : cases) {
    stage_.reset();
    world_ = SimulatedWorld();
    SetUp();
    ASSERT_NO_FATAL_FAILURE(connect_stage());
    inject("stage", kind);
    auto state = poll(3);
    if (code_of(state) == ErrorCode::kTimeout) state = poll(3);  // silent while it boots
    EXPECT_EQ(code_of(state), code) << kind;
    EXPECT_FALSE(stage_->position_trusted()) << kind;
    EXPECT_THAT(stage_->position_doubt(), HasSubstr(doubt)) << kind;
  }
}

TEST_F(Faults, LostStepsAreOnlyFoundByTouchingSomething) {
  // GRBL reports what it commanded; 40 steps of 1 um that the motor lost show nowhere on the wire.
  ASSERT_NO_FATAL_FAILURE(connect_stage());
  inject("stage", "wrong-data");
  ASSERT_TRUE(stage_->move_to({0, 0, -0.5e-3}, 5e-3));
  ASSERT_TRUE(stage_->wait_until_idle(Timeout(60'000)));
  ASSERT_TRUE(poll(0.3));
  EXPECT_TRUE(stage_->position_trusted());
  EXPECT_NEAR(places_.back().position_m[2], -0.5e-3, 2e-6);
  EXPECT_NEAR(std::abs(bench_->pad().state().depth_m - 0.5e-3), 40e-6, 3e-6);
}

}  // namespace
}  // namespace tactelier::devices
