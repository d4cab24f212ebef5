// Every fault that bench_control can inject, on every device, and the state that its driver is in
// afterwards. A fault that no driver can notice says so here, too.

#include <gmock/gmock.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "tests/devices/support/bench_world.hpp"

namespace tactelier::devices {
namespace {

using testing::HasSubstr;

ErrorCode code_of(const Result<void>& result) {
  return result ? ErrorCode{-1} : result.error().code;
}

TEST(ForceFaults, DroppedForceRecordsAreCountedAsLost) {
  ForceOnBench box;
  ASSERT_EQ(box.inject("drop", R"(, "count": 7)"), "");
  EXPECT_TRUE(box.read_for(0.1));
  EXPECT_EQ(box.force->counters().lost, 7);
}

TEST(ForceFaults, LateForceRecordsAreDroppedAndCounted) {
  ForceOnBench box;
  ASSERT_EQ(box.inject("late", R"(, "count": 3, "delay_s": 0.02)"), "");
  EXPECT_TRUE(box.read_for(0.1));
  EXPECT_EQ(box.force->counters().out_of_order, 3);
  EXPECT_EQ(box.force->counters().lost, 3);
}

TEST(ForceFaults, RepeatedForceRecordsAreTakenOnce) {
  ForceOnBench box;
  ASSERT_EQ(box.inject("repeat", R"(, "count": 4)"), "");
  EXPECT_TRUE(box.read_for(0.1));
  EXPECT_EQ(box.force->counters().duplicates, 4);
  EXPECT_EQ(box.force->counters().lost, 0);
}

TEST(ForceFaults, CorruptForceRecordsAreCountedAsDamagedAndLost) {
  ForceOnBench box;
  ASSERT_EQ(box.inject("corrupt", R"(, "count": 2)"), "");
  EXPECT_TRUE(box.read_for(0.1));
  EXPECT_EQ(box.force->counters().malformed, 2);
  EXPECT_EQ(box.force->counters().lost, 2);
}

TEST(ForceFaults, AFrozenOrUnpluggedBoxTimesOut) {
  for (const char* kind : {"freeze", "hang-up"}) {
    ForceOnBench box;
    ASSERT_EQ(box.inject(kind), "");
    EXPECT_EQ(code_of(box.read_for(1)), ErrorCode::kTimeout) << kind;
  }
}

TEST(ForceFaults, ASaturatedBoxSendsInvalidSamplesThatAreKept) {
  ForceOnBench box;
  ASSERT_EQ(box.inject("saturate"), "");
  EXPECT_TRUE(box.read_for(0.1));
  EXPECT_FALSE(box.samples.back().valid);
  EXPECT_EQ(box.samples.back().status, 0x80020000U);
  EXPECT_THAT(box.force->describe_status(box.samples.back().status), HasSubstr("saturat"));
}

TEST(ForceFaults, AnAlarmOfTheBoxIsALatchedConditionWithValidSamples) {
  ForceOnBench box;
  ASSERT_EQ(box.inject("alarm"), "");
  EXPECT_TRUE(box.read_for(0.1));
  EXPECT_TRUE(box.samples.back().valid);
  EXPECT_EQ(box.samples.back().status, 0x80010000U);
}

TEST(ForceFaults, ABoxThatRestartedFallsSilentUntilItIsAskedAgain) {
  ForceOnBench box;
  ASSERT_EQ(box.inject("reset"), "");
  EXPECT_EQ(code_of(box.read_for(1)), ErrorCode::kTimeout);
  EXPECT_TRUE(box.force->start());
  EXPECT_TRUE(box.read_for(0.1));
}

TEST(ForceFaults, ASlowBoxArrivesLaterButWhole) {
  ForceOnBench box;
  ASSERT_EQ(box.inject("slow", R"(, "delay_s": 0.03)"), "");
  EXPECT_TRUE(box.read_for(0.3));
  EXPECT_EQ(box.force->counters().lost, 0);
  EXPECT_EQ(box.force->counters().out_of_order, 0);
}

TEST(ForceFaults, ABoxThatSendsWithoutMeasuringIsADeviceFault) {
  ForceOnBench box;
  ASSERT_EQ(box.inject("wrong-data"), "");
  EXPECT_EQ(code_of(box.read_for(0.1)), ErrorCode::kDeviceFault);
}

TEST(ArrayFaults, DroppedFramesAreCountedAsLost) {
  ArrayOnBench board;
  ASSERT_EQ(board.inject("drop", R"(, "count": 3)"), "");
  EXPECT_TRUE(board.read_for(0.5));
  EXPECT_EQ(board.array->counters().lost, 3);
}

TEST(ArrayFaults, LateOrSlowFramesArriveLaterButWhole) {
  ArrayOnBench board;
  ASSERT_EQ(board.inject("late", R"(, "count": 2, "delay_s": 0.05)"), "");
  EXPECT_TRUE(board.read_for(0.5));
  ASSERT_EQ(board.inject("slow", R"(, "delay_s": 0.05, "for_s": 0.2)"), "");
  EXPECT_TRUE(board.read_for(0.5));
  EXPECT_EQ(board.array->counters().lost, 0);
  EXPECT_EQ(board.array->counters().malformed, 0);
}

TEST(ArrayFaults, RepeatedFramesAreTakenOnce) {
  ArrayOnBench board;
  ASSERT_EQ(board.inject("repeat", R"(, "count": 2)"), "");
  EXPECT_TRUE(board.read_for(0.5));
  EXPECT_EQ(board.array->counters().duplicates, 2);
  EXPECT_EQ(board.array->counters().lost, 0);
}

TEST(ArrayFaults, CorruptFramesAreCountedAsDamagedAndLost) {
  ArrayOnBench board;
  ASSERT_EQ(board.inject("corrupt", R"(, "count": 2)"), "");
  EXPECT_TRUE(board.read_for(0.5));
  EXPECT_EQ(board.array->counters().malformed, 2);
  EXPECT_EQ(board.array->counters().lost, 2);
}

TEST(ArrayFaults, AFrozenArrayTimesOut) {
  ArrayOnBench board;
  ASSERT_EQ(board.inject("freeze"), "");
  EXPECT_EQ(code_of(board.read_for(1)), ErrorCode::kTimeout);
}

TEST(ArrayFaults, ASaturatedArrayReadsItsEndEverywhere) {
  ArrayOnBench board;
  ASSERT_EQ(board.inject("saturate"), "");
  EXPECT_TRUE(board.read_for(0.3));
  EXPECT_TRUE(std::all_of(board.frames.back().counts.begin(), board.frames.back().counts.end(),
                          [](double count) { return count == 4095; }));
}

TEST(ArrayFaults, AnAlarmOfTheArrayIsARefusedCommand) {
  ArrayOnBench board;
  ASSERT_EQ(board.inject("alarm"), "");
  EXPECT_EQ(code_of(board.array->stop()), ErrorCode::kDeviceFault);
}

TEST(ArrayFaults, AnArrayThatRestartedFallsSilentUntilItIsAskedAgain) {
  ArrayOnBench board;
  ASSERT_EQ(board.inject("reset"), "");
  EXPECT_EQ(code_of(board.read_for(1)), ErrorCode::kTimeout);
  EXPECT_TRUE(board.array->start());
  EXPECT_TRUE(board.read_for(0.2));
}

TEST(ArrayFaults, AnUnpluggedArrayIsGoneAtOnce) {
  ArrayOnBench board;
  ASSERT_EQ(board.inject("hang-up"), "");
  EXPECT_EQ(code_of(board.read_for(1)), ErrorCode::kIo);
}

TEST(ArrayFaults, AFrameThatRepeatsTheLastReadingsLooksLikeAnyOther) {
  // Well-formed, in time, right check value: nothing on the wire tells. Its readings are the last
  // frame's, to the count, which noise of two counts on 84 tactels never gives.
  ArrayOnBench board;
  ASSERT_EQ(board.inject("wrong-data"), "");
  EXPECT_TRUE(board.read_for(0.3));
  EXPECT_EQ(board.array->counters().lost + board.array->counters().malformed, 0);
}

TEST(StageFaults, AStageWhoseAnswersAreDroppedLateRepeatedOrSlowIsAskedAgain) {
  StageOnBench rig;
  for (const char* kind : {"drop", "late", "repeat", "slow"}) {
    ASSERT_EQ(rig.inject(kind, R"(, "for_s": 0.3)"), "");
    EXPECT_TRUE(rig.poll_for(1)) << kind;
    EXPECT_GT(rig.places.size(), 3U) << kind;
    EXPECT_TRUE(rig.stage->position_trusted()) << kind;
  }
}

TEST(StageFaults, ACorruptReportIsCounted) {
  StageOnBench rig;
  ASSERT_EQ(rig.inject("corrupt"), "");
  EXPECT_TRUE(rig.poll_for(1));
  EXPECT_EQ(rig.stage->malformed(), 1);
  EXPECT_TRUE(rig.stage->position_trusted());
}

TEST(StageFaults, AFrozenStageIsSilentAndItsPositionVoid) {
  StageOnBench rig;
  ASSERT_EQ(rig.inject("freeze"), "");
  EXPECT_EQ(code_of(rig.poll_for(3)), ErrorCode::kTimeout);
  EXPECT_TRUE(rig.stage->silent());
  EXPECT_FALSE(rig.stage->position_trusted());
}

TEST(StageFaults, AStageHasNoReadingThatCouldSaturate) {
  StageOnBench rig;
  ASSERT_EQ(rig.inject("saturate"), "");
  EXPECT_TRUE(rig.poll_for(1));
  EXPECT_TRUE(rig.stage->position_trusted());
}

TEST(StageFaults, ALimitSwitchARestartAndAHangUpVoidThePosition) {
  const std::vector<std::tuple<const char*, ErrorCode, const char*>> cases{
      {"alarm", ErrorCode::kDeviceFault, "hard limit"},
      {"reset", ErrorCode::kDeviceFault, "restarted by itself"},
      {"hang-up", ErrorCode::kIo, "connection"}};
  for (const auto& [kind, code, doubt] : cases) {
    StageOnBench rig;
    ASSERT_EQ(rig.inject(kind), "");
    auto state = rig.poll_for(3);
    if (code_of(state) == ErrorCode::kTimeout) state = rig.poll_for(3);  // silent while it boots
    EXPECT_EQ(code_of(state), code) << kind;
    EXPECT_FALSE(rig.stage->position_trusted()) << kind;
    EXPECT_THAT(rig.stage->position_doubt(), HasSubstr(doubt)) << kind;
  }
}

TEST(StageFaults, LostStepsAreOnlyFoundByTouchingSomething) {
  // GRBL reports what it commanded; 40 steps of 1 um that the motor lost show nowhere on the wire.
  StageOnBench rig;
  ASSERT_EQ(rig.inject("wrong-data"), "");
  ASSERT_TRUE(rig.stage->move_to({0, 0, -0.5e-3}, 5e-3));
  ASSERT_TRUE(rig.stage->wait_until_idle(Timeout(60'000)));
  ASSERT_TRUE(rig.poll_for(0.3));
  EXPECT_TRUE(rig.stage->position_trusted());
  EXPECT_NEAR(rig.places.back().position_m[2], -0.5e-3, 2e-6);
  EXPECT_NEAR(std::abs(rig.bench->pad().state().depth_m - 0.5e-3), 40e-6, 3e-6);
}

TEST(BenchFaults, ThoseThatAreNotOverAreTold) {
  StageOnBench rig;
  const auto ask = [&](std::string_view line) {
    return control_bench(*rig.bench, line, rig.world.now_ns()).value();
  };
  EXPECT_TRUE(ask(R"({"get": "faults"})")["faults"].empty());
  ASSERT_EQ(rig.fault("force", "drop", R"(, "count": 1000000)"), "");
  ASSERT_EQ(rig.fault("tactile", "freeze", R"(, "after_s": 5, "for_s": 2)"), "");
  ASSERT_EQ(rig.fault("stage", "slow", R"(, "for_s": 0.2, "delay_s": 0.01)"), "");
  const auto faults = ask(R"({"get": "faults"})")["faults"];
  ASSERT_EQ(faults.size(), 3U) << faults.dump();
  EXPECT_EQ(faults[0]["device"], "stage");
  EXPECT_NEAR(faults[0]["for_s"].get<double>(), 0.2, 1e-6);
  EXPECT_EQ(faults[1]["count"], 1000000);
  EXPECT_NEAR(faults[2]["after_s"].get<double>(), 5, 1e-6);
  EXPECT_NEAR(faults[2]["for_s"].get<double>(), 7, 1e-6) << "from now";
  ASSERT_TRUE(rig.poll_for(0.5));
  EXPECT_EQ(ask(R"({"get": "faults"})")["faults"].size(), 2U) << "the stage is quick again";
  ask(R"({"do": "mend"})");
  EXPECT_TRUE(ask(R"({"get": "faults"})")["faults"].empty());
}

TEST(BenchFaults, EveryKindThatCanBeAskedForIsOneThatIsTaken) {
  BenchWorld bench;
  const auto kinds = control_bench(*bench.bench, R"({"get": "kinds"})", bench.world.now_ns());
  ASSERT_TRUE(kinds);
  EXPECT_EQ((*kinds)["kinds"].size(), 12U);
  for (const auto& kind : (*kinds)["kinds"]) {
    EXPECT_EQ(bench.fault("force", kind["kind"].get<std::string>()), "") << kind.dump();
    EXPECT_FALSE(kind["what"].get<std::string>().empty());
  }
}

}  // namespace
}  // namespace tactelier::devices
