// A protocol carried out by real drivers on the virtual bench's wires, ten times as fast.

#include "devices/rig/runner.hpp"

#include <gmock/gmock.h>

#include "tests/devices/support/laboratory.hpp"

namespace tactelier::rig {
namespace {

#ifdef __SANITIZE_THREAD__
constexpr double kSpeed = 2;  // timeouts are the emulated world's
#else
constexpr double kSpeed = 10;
#endif

std::filesystem::path fresh_folder(const char* name) {
  const auto folder = std::filesystem::path(testing::TempDir()) / name;
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  return folder;
}

TEST(Runner, CarriesOutAScanAndRecordsIt) {
  Laboratory lab;
  ASSERT_NO_FATAL_FAILURE(lab.start(1, kSpeed));
  auto& live = *lab.live;
  const auto protocol = parse_protocol(R"({
    "format": "tactelier/protocol", "version": 1, "name": "three",
    "indenter": {"shape": "cylinder", "diameter_mm": 1.0},
    "steps": [{"do": "zero", "time_s": 2},
              {"do": "scan", "tactels": [38, 39, 44], "speed_mm_s": 0.8,
               "until": {"force_N": 2, "depth_mm": 1.5}}]})",
                                       "three");
  ASSERT_TRUE(protocol) << protocol.error().message;
  const auto plan = lab.plan_of(*protocol);
  const auto folder = fresh_folder("runner");
  ASSERT_TRUE(lab.record(*protocol, plan, folder / "three.tact"));
  NobodyThere nobody;
  RunControl control;
  Runner runner(live, lab.rig, plan, nobody, control, {});
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

TEST(Runner, APadForceBeyondTheLimitAbortsThePressAndTheNextOneFollows) {
  Laboratory lab;
  lab.rig.limits.max_force_N = 1.5;
  ASSERT_NO_FATAL_FAILURE(lab.start(1, kSpeed));
  lab.rig.limits.max_force_N = 4;  // the plan may want more than the supervisor allows
  const auto protocol = parse_protocol(R"({
    "format": "tactelier/protocol", "version": 1, "name": "two",
    "indenter": {"shape": "cylinder", "diameter_mm": 1.0},
    "steps": [{"do": "scan", "tactels": [38], "speed_mm_s": 0.5,
               "until": {"force_N": 3, "depth_mm": 1.5}},
              {"do": "scan", "tactels": [44], "speed_mm_s": 0.5,
               "until": {"force_N": 1, "depth_mm": 1.5}}]})",
                                       "two");
  ASSERT_TRUE(protocol) << protocol.error().message;
  const auto plan = lab.plan_of(*protocol);
  const auto folder = fresh_folder("limit");
  ASSERT_TRUE(lab.record(*protocol, plan, folder / "two.tact"));
  NobodyThere nobody;
  RunControl control;
  Runner runner(*lab.live, lab.rig, plan, nobody, control, {});
  const auto report = runner.run();
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(report->aborted, 1);
  // First descents go in steps of 20 um: at 4 N/mm, twice that until the rig has stopped, 0.2 N.
  EXPECT_LT(lab.bench->take_peak_N(), 1.8);
  ASSERT_TRUE(lab.live->end_recording());
  const auto session = Session::open(folder / "two.tact");
  ASSERT_TRUE(session) << session.error().message;
  const auto found = presses(session->events(), {}, session->metadata());
  ASSERT_TRUE(found) << found.error().message;
  ASSERT_EQ(found->size(), 2U);
  EXPECT_EQ((*found)[0].outcome, "aborted");
  EXPECT_EQ((*found)[1].outcome, "ok");
  EXPECT_TRUE(std::any_of(session->events().begin(), session->events().end(),
                          [](const Event& event) { return event.name == "limit"; }));
}

}  // namespace
}  // namespace tactelier::rig
