// A protocol carried out by real drivers on the virtual bench's wires, ten times as fast.

#include "devices/rig/runner.hpp"

#include <gmock/gmock.h>
#include <sys/resource.h>

#include <csignal>

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

constexpr const char* kThreePresses = R"({
  "format": "tactelier/protocol", "version": 1, "name": "three",
  "indenter": {"shape": "cylinder", "diameter_mm": 1.0},
  "steps": [{"do": "scan", "tactels": [38, 39, 44], "speed_mm_s": 0.8,
             "until": {"force_N": 1, "depth_mm": 1.5}}]})";

TEST(Runner, AKnockIsNotedAskedAboutAndNoPressIsLostByIt) {
  Laboratory lab;
  lab.effects.operator_.bump_N = 2;
  ASSERT_NO_FATAL_FAILURE(lab.start(1, kSpeed));
  const auto protocol = parse_protocol(kThreePresses, "three");
  ASSERT_TRUE(protocol) << protocol.error().message;
  const auto plan = lab.plan_of(*protocol);
  const auto folder = fresh_folder("knock");
  ASSERT_TRUE(lab.record(*protocol, plan, folder / "knock.tact"));
  NobodyThere nobody;
  RunControl control;
  Runner runner(*lab.live, lab.rig, plan, nobody, control, {});
  bool knocked = false;
  int asked = 0;
  runner.on_progress = [&](const RunProgress& at) {
    // On the way to the second press.
    if (at.presses != 1 || knocked || plan.segments[at.segment].phase != Phase::kTravel) return;
    knocked = true;
    lab.bench->bump();
  };
  runner.on_bump = [&]() -> Result<void> { return ++asked, Result<void>{}; };
  const auto report = runner.run();
  ASSERT_TRUE(report) << report.error().message;
  ASSERT_TRUE(lab.live->end_recording());
  EXPECT_TRUE(knocked);
  EXPECT_GE(asked, 1);
  ASSERT_FALSE(report->warnings.empty());
  EXPECT_EQ(report->warnings[0].code, "BUMP");
  const auto session = Session::open(folder / "knock.tact");
  const auto found = presses(session->events(), {}, session->metadata());
  ASSERT_TRUE(found) << found.error().message;
  EXPECT_EQ(std::count_if(found->begin(), found->end(),
                          [](const Press& press) { return press.outcome == "ok"; }),
            3);
}

TEST(Runner, APauseRestsWithTheTipUpUntilItIsTakenBack) {
  Laboratory lab;
  ASSERT_NO_FATAL_FAILURE(lab.start(1, kSpeed));
  const auto protocol = parse_protocol(kThreePresses, "three");
  ASSERT_TRUE(protocol) << protocol.error().message;
  const auto plan = lab.plan_of(*protocol);
  ASSERT_TRUE(lab.record(*protocol, plan, fresh_folder("pause") / "p.tact"));
  NobodyThere nobody;
  RunControl control;
  Runner runner(*lab.live, lab.rig, plan, nobody, control, {});
  runner.on_progress = [&](const RunProgress& at) {
    if (at.presses == 1) control.pause = true;
  };
  double height_m = 0;
  std::jthread somebody([&](const std::stop_token& stop) {
    while (!control.resting && !stop.stop_requested()) std::this_thread::yield();
    height_m = lab.live->reading().stage.position_m[2];
    runner.on_progress = {};  // the run stands: nobody calls it
    control.pause = false;
  });
  const auto report = runner.run();
  somebody.request_stop();
  somebody.join();
  ASSERT_TRUE(report) << report.error().message;
  ASSERT_TRUE(lab.live->end_recording());
  EXPECT_EQ(report->presses, 3);
  EXPECT_FALSE(control.resting);
  EXPECT_GE(height_m, 0.99e-3);
}

/// Says yes, and remembers to what.
class Agreeing final : public OperatorDesk {
 public:
  Result<Answer> ask(const Question& question, const std::function<Result<void>()>&) override {
    asked.push_back(question.text);
    return Answer{};
  }
  Result<void> lay(const std::optional<ByHand>&) override { return {}; }
  std::vector<std::string> asked;
};

TEST(Runner, AReferencePadThatHasMovedMakesTheRunAsk) {
  for (const bool loses_steps : {false, true}) {
    Laboratory lab;
    if (loses_steps) {  // about one a second of motion along z, upwards
      lab.effects.stage.lost_steps_per_hour = 3600;
      lab.effects.stage.lost_steps_m = 40e-6;
    }
    ASSERT_NO_FATAL_FAILURE(lab.start(1, kSpeed));
    const auto protocol = parse_protocol(R"({
      "format": "tactelier/protocol", "version": 1, "name": "references",
      "indenter": {"shape": "cylinder", "diameter_mm": 1.0},
      "steps": [{"do": "reference", "what": "pad"}, {"do": "zero", "time_s": 2},
                {"do": "reference", "what": "pad"}, {"do": "zero", "time_s": 1}]})",
                                         "references");
    ASSERT_TRUE(protocol) << protocol.error().message;
    const auto plan = lab.plan_of(*protocol);
    ASSERT_TRUE(lab.record(*protocol, plan, fresh_folder("reference") / "r.tact"));
    Agreeing operator_;
    RunControl control;
    Runner runner(*lab.live, lab.rig, plan, operator_, control, {});
    const auto report = runner.run();
    ASSERT_TRUE(report) << report.error().message;
    ASSERT_TRUE(lab.live->end_recording());
    if (!loses_steps) {
      EXPECT_TRUE(operator_.asked.empty()) << operator_.asked.front();
    } else {
      ASSERT_EQ(operator_.asked.size(), 1U);
      EXPECT_THAT(operator_.asked[0], testing::HasSubstr("reference pad's height moved by -"));
    }
  }
}

TEST(Runner, ADiskThatTakesNoMoreStopsTheRigAndKeepsWhatItTook) {
  Laboratory lab;
  ASSERT_NO_FATAL_FAILURE(lab.start(1, kSpeed));
  const auto protocol = parse_protocol(kThreePresses, "three");
  ASSERT_TRUE(protocol) << protocol.error().message;
  const auto plan = lab.plan_of(*protocol);
  const auto file = fresh_folder("full") / "full.tact";
  ASSERT_TRUE(lab.record(*protocol, plan, file));
  NobodyThere nobody;
  RunControl control;
  Runner runner(*lab.live, lab.rig, plan, nobody, control, {});
  rlimit before{};
  ::getrlimit(RLIMIT_FSIZE, &before);
  const auto old_handler = std::signal(SIGXFSZ, SIG_IGN);
  runner.on_progress = [&](const RunProgress& at) {
    if (plan.segments[at.segment].phase != Phase::kHold &&
        plan.segments[at.segment].phase != Phase::kUnload)
      return;
    const rlimit small{64 << 10, before.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &small);
  };
  const auto report = runner.run();
  ::setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, old_handler);
  ASSERT_FALSE(report);
  EXPECT_THAT(report.error().message, testing::HasSubstr("full.tact"));
  EXPECT_FALSE(lab.live->end_recording());
  // The rig is safe: the tip is up, and the position is still known.
  EXPECT_TRUE(lab.live->stage().position_trusted());
  EXPECT_NEAR(lab.live->reading().force_N, 0, 0.05);
  const auto session = Session::open(file);
  ASSERT_TRUE(session) << session.error().message;
  EXPECT_FALSE(session->finished());
  EXPECT_TRUE(session->check());
  EXPECT_TRUE(session->damage().empty());
  EXPECT_GT(session->stream(StreamKind::kForce)->rows, 1000U);
}

}  // namespace
}  // namespace tactelier::rig
