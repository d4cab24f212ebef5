// What happens to a batch when a worker crashes, or somebody stops it.

#include "app/workflow/batch/run_batch.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <thread>

#include "tests/app/support/cli.hpp"
#include "tests/app/support/cli_process.hpp"
#include "tests/app/support/session_folder.hpp"
#include "tests/paths/paths.hpp"

namespace tactelier::test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class RunningBatch : public testing::Test {
 protected:
  void SetUp() override {
    for (int i = 0; i < kSensors; ++i) {
      PlainSession session;
      session.seed = static_cast<unsigned>(i + 1);
      session.pad.force_noise_N = 0.004;
      session.extra_json = fmt::format(R"("sensor_serial": "A{}",)", i);
      for (int press = 1; press <= 3; ++press) session.presses.push_back({press, 4, 2.2});
      session.write(folder_, fmt::format("rec/s{}", i));
    }
    const auto planned = run_cli(folder_.path(), {"batch", "plan", "rec", "-o", "fleet.json"});
    ASSERT_EQ(planned.status, 0) << planned.err;
  }
  /// A program that does `when_A1` for sensor A1 and is tactelier for all others.
  fs::path program_that(const std::string& when_A1) const {
    folder_.write("worker", fmt::format("#!/bin/sh\ncase \"$5\" in A1) {};; esac\nexec {} \"$@\"\n",
                                        when_A1, paths::cli()));
    fs::permissions(folder_ / "worker", fs::perms::owner_all);
    return folder_ / "worker";
  }
  RunOutcome run_with(const fs::path& program) const {
    const auto plan = read_plan(folder_ / "fleet.json");
    EXPECT_TRUE(plan) << plan.error().message;
    RunRequest request;
    request.jobs = 2;
    request.program = program.empty() ? fs::path(paths::cli()) : program;
    const auto outcome = run_batch(*plan, request, {});
    EXPECT_TRUE(outcome) << outcome.error().message;
    return outcome ? *outcome : RunOutcome{};
  }

  static constexpr int kSensors = 4;
  TestFolder folder_;
};

TEST_F(RunningBatch, AWorkerThatCrashesFailsItsSensorAlone) {
  const auto outcome = run_with(program_that("kill -SEGV $$"));
  ASSERT_EQ(outcome.results.size(), 4U);
  EXPECT_EQ(outcome.results[0].state, SensorState::kIdentified);
  EXPECT_EQ(outcome.results[1].state, SensorState::kFailed);
  EXPECT_THAT(outcome.results[1].reason, HasSubstr("BA-05 the fit was ended by signal 11"));
  EXPECT_EQ(outcome.results[2].state, SensorState::kIdentified);
  EXPECT_EQ(outcome.results[3].state, SensorState::kIdentified);
  EXPECT_EQ(run_with({}).fitted, 0);
}

TEST_F(RunningBatch, AWorkerThatEndsWithoutAResultIsToldWithItsLastWords) {
  const auto outcome = run_with(program_that("echo no more memory >&2; exit 3"));
  ASSERT_EQ(outcome.results.size(), 4U);
  EXPECT_EQ(outcome.results[1].reason,
            "BA-05 the fit ended with status 3 and no result; no more memory");
}

TEST_F(RunningBatch, AWorkerReadsAPlanOfItsSensorAlone) {
  folder_.write("worker", fmt::format("#!/bin/sh\ncp \"$3\" {}/given-$5.json\nexec {} \"$@\"\n",
                                      folder_.path().string(), paths::cli()));
  fs::permissions(folder_ / "worker", fs::perms::owner_all);
  const auto outcome = run_with(folder_ / "worker");
  ASSERT_EQ(outcome.results.size(), 4U);
  for (const auto& result : outcome.results) {
    EXPECT_EQ(result.state, SensorState::kIdentified) << result.reason;
    const auto given = read_plan(folder_ / ("given-" + result.id + ".json"));
    ASSERT_TRUE(given) << given.error().message;
    ASSERT_EQ(given->sensors.size(), 1U);
    EXPECT_EQ(given->sensors[0].id, result.id);
    EXPECT_FALSE(fs::exists(folder_ / ("fleet.results/.work/" + result.id + ".json")));
  }
  EXPECT_EQ(run_with({}).fitted, 0) << "the key is that of the whole plan";
}

TEST_F(RunningBatch, AStopKeepsWhatIsDoneAndTheNextRunGoesOn) {
  CliProcess run(folder_.path(), {"batch", "run", "fleet.json", "--jobs", "1"});
  while (!fs::exists(folder_ / "fleet.results/A0/result.json")) std::this_thread::yield();
  EXPECT_EQ(run.interrupt(), 130);
  const auto rest = run_with({});
  EXPECT_LE(rest.fitted, 3);
  EXPECT_GE(rest.fitted, 1);
  ASSERT_EQ(rest.results.size(), 4U);
  for (const auto& result : rest.results) EXPECT_EQ(result.state, SensorState::kIdentified);
}

TEST_F(RunningBatch, TwoRunsOfOnePlanAtOnceAreRefused) {
  CliProcess first(folder_.path(), {"batch", "run", "fleet.json", "--jobs", "1"});
  while (!fs::exists(folder_ / "fleet.results/A0/result.json")) std::this_thread::yield();
  const auto second = run_cli(folder_.path(), {"batch", "run", "fleet.json"});
  EXPECT_EQ(second.status, 3);
  EXPECT_THAT(second.err, HasSubstr("another 'batch run' has this plan"));
  first.interrupt();
}

}  // namespace
}  // namespace tactelier::test
