// The warm-up gate and the leaf spring, carried out by real drivers on the virtual bench's wires.

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "devices/motion/runner.hpp"
#include "libcalib/protocol/rig_findings.hpp"
#include "tests/devices/support/bench_speed.hpp"
#include "tests/devices/support/laboratory.hpp"

namespace tactelier::rig {
namespace {

using nlohmann::json;
using testing::HasSubstr;

struct CheckRun {
  Laboratory lab;
  Result<RunReport> report;
  std::vector<RigFinding> findings;
  std::vector<std::string> details;  // of the progress
  std::vector<std::string> notes;    // of the recording
  NobodyThere nobody;
  OperatorInterface* hands = &nobody;
  std::optional<Phase> begins_at;  // the first segment of this phase, all ways before it left out

  void go(const std::string& steps) {
    ASSERT_NO_FATAL_FAILURE(lab.start(1, kBenchSpeed));
    const auto protocol = parse_protocol(
        R"({"format": "tactelier/protocol", "version": 1, "name": "check", "indenter":
            {"shape": "cylinder", "diameter_mm": 1.0}, "steps": [)" +
            steps + "]}",
        "protocol");
    ASSERT_TRUE(protocol) << protocol.error().message;
    const auto plan = lab.plan_of(*protocol);
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    const auto folder = std::filesystem::path(testing::TempDir()) / "checks" / test->name();
    std::filesystem::remove_all(folder);
    std::filesystem::create_directories(folder);
    ASSERT_TRUE(lab.record(*protocol, plan, folder / "run.tact"));
    RunControl control;
    Runner runner(*lab.live, lab.rig, plan, *hands, control, {});
    runner.on_progress = [&](const RunProgress& at) {
      if (!at.detail.empty()) details.push_back(at.detail);
    };
    const auto from =
        std::find_if(plan.segments.begin(), plan.segments.end(),
                     [&](const Segment& each) { return !begins_at || each.phase == *begins_at; });
    report = runner.run(static_cast<std::size_t>(from - plan.segments.begin()), 0);
    ASSERT_TRUE(lab.live->end_recording());
    const auto session = Session::open(folder / "run.tact");
    ASSERT_TRUE(session);
    for (const auto& event : session->events())
      if (event.name == "note") notes.push_back(json::parse(event.data).value("text", ""));
    findings = rig_findings(session->events()).value();
  }
  std::string told() const {
    std::string text;
    for (const auto& warning : report->warnings) text += warning.code + " " + warning.text + "\n";
    return text;
  }
};

TEST(RunnerChecks, AStillRigPassesTheGateAndTheDriftIsTold) {
  CheckRun run;
  ASSERT_NO_FATAL_FAILURE(run.go(R"({"do": "warm_up", "at_most_s": 300})"));
  ASSERT_TRUE(run.report) << run.report.error().message;
  EXPECT_EQ(run.told(), "");
  ASSERT_EQ(run.findings.size(), 1U);
  EXPECT_TRUE(run.findings[0].good) << run.findings[0].text;
  ASSERT_FALSE(run.details.empty());
  EXPECT_THAT(run.details.front(), HasSubstr("watching the force's zero for 60 s first"));
}

TEST(RunnerChecks, AZeroThatGoesOnDriftingEndsTheRunWhereItIsRequired) {
  CheckRun run;
  run.lab.effects.force.drift_N_per_s = 10e-3 / 60;
  ASSERT_NO_FATAL_FAILURE(run.go(R"({"do": "warm_up", "at_most_s": 90, "required": true})"));
  ASSERT_FALSE(run.report);
  EXPECT_THAT(run.report.error().message, HasSubstr("NOT-WARM force zero drifts"));
  ASSERT_EQ(run.findings.size(), 1U);
  EXPECT_FALSE(run.findings[0].good);
}

/// A descent goes straight down from where the tip stands.
TEST(RunnerChecks, NothingGoesDownBesideThePlaceThatIsPressed) {
  CheckRun run;
  run.begins_at = Phase::kLoad;
  ASSERT_NO_FATAL_FAILURE(run.go(R"({"do": "scan", "tactels": [0], "speed_mm_s": 0.8,
                                     "until": {"force_N": 1, "depth_mm": 1.5}})"));
  ASSERT_FALSE(run.report);
  EXPECT_THAT(run.report.error().message, HasSubstr("beside the place that is pressed next"));
  EXPECT_LT(run.lab.bench->take_peak_N(), 0.01);
}

/// 12 um/N of frame, as the rig file says.
void lay_spring(Laboratory& lab, double true_N_per_mm) {
  lab.rig = changed_rig(
      lab.rig,
      {{"compliance_um_per_N", 12},
       {"leaf_spring",
        {{"top_mm", {60, 40, 0}}, {"stiffness_N_per_mm", 2}, {"u_percent", 1}, {"max_force_N", 5}}},
       {"truth", {{"leaf_spring_N_per_mm", true_N_per_mm}}}});
}

constexpr const char* kSpring =
    R"({"do": "zero", "time_s": 2},
       {"do": "spring", "force_N": 2, "speed_mm_s": 0.4, "repeats": 2})";

TEST(RunnerChecks, TheLeafSpringIsPressedInStepsAndAgrees) {
  CheckRun run;
  lay_spring(run.lab, 2);
  ASSERT_NO_FATAL_FAILURE(run.go(kSpring));
  ASSERT_TRUE(run.report) << run.report.error().message;
  EXPECT_EQ(run.told(), "");
  ASSERT_EQ(run.findings.size(), 1U);
  const auto data = json::parse(run.findings[0].data);
  EXPECT_NEAR(data["stiffness_N_per_mm"].get<double>(), 2, 0.03) << run.findings[0].text;
  EXPECT_EQ(data["points"], 10);
  EXPECT_LT(run.lab.bench->take_peak_N(), 2.5);
}

TEST(RunnerChecks, ALeafSpringOfAnotherStiffnessIsTold) {
  CheckRun run;
  lay_spring(run.lab, 1.8);
  ASSERT_NO_FATAL_FAILURE(run.go(kSpring));
  ASSERT_TRUE(run.report) << run.report.error().message;
  EXPECT_THAT(run.told(), HasSubstr("SPRING-OFF leaf spring"));
  ASSERT_EQ(run.findings.size(), 1U);
  const auto data = json::parse(run.findings[0].data);
  EXPECT_NEAR(data["stiffness_N_per_mm"].get<double>(), 1.8, 0.03) << run.findings[0].text;
}

/// Half a second of what hangs on the tip.
void feel(Laboratory& lab, double hung_N) {
  lab.bench->hang(hung_N);
  ASSERT_TRUE(lab.live->quiet_mean(0.5, false));
}

TEST(RawZero, AJumpIsRefusedAndWhatWasProvedOfTheSensorIsVoid) {
  Laboratory lab;
  ASSERT_NO_FATAL_FAILURE(lab.start(1, kBenchSpeed));
  ASSERT_TRUE(lab.live->tare_at_top());
  // A heavier tip: 20 g.
  lab.live->forget_zero();
  ASSERT_NO_FATAL_FAILURE(feel(lab, 0.2));
  ASSERT_TRUE(lab.live->tare_at_top());
  const int proved = lab.live->force_connections();
  lab.live->forget_zero();
  ASSERT_NO_FATAL_FAILURE(feel(lab, 3));
  const auto refused = lab.live->tare_at_top();
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kDeviceFault);
  EXPECT_THAT(refused.error().message, HasSubstr("ZERO-SHIFT the force sensor's raw zero of Fz"));
  EXPECT_NE(lab.live->force_connections(), proved) << "pushed and weighed again";
}

/// Tightens a chuck: 2 N on the tip until that has been told.
class Tightens final : public OperatorInterface {
 public:
  Tightens(Laboratory& lab, const std::vector<std::string>& told) : lab_(lab), told_(told) {}
  Result<Answer> ask(const Question&, const std::function<Result<void>()>& waiting) override {
    lab_.bench->hang(2);
    for (int i = 0; i < 3000 && told_.empty(); ++i)
      if (auto waited = waiting(); !waited) return fail(waited.error());
    lab_.bench->hang(0);
    return Answer{};
  }
  Result<void> place_object(const std::optional<ByHand>&) override { return {}; }

 private:
  Laboratory& lab_;
  const std::vector<std::string>& told_;
};

TEST(RawZero, TheForceStaysLiveWhileATipIsChangedAndItsMostIsRecorded) {
  CheckRun run;
  Tightens hands(run.lab, run.details);
  run.hands = &hands;
  ASSERT_NO_FATAL_FAILURE(
      run.go(R"({"do": "zero", "time_s": 1}, {"do": "prompt", "text": "Mount the ball.",
                "indenter": {"shape": "sphere", "diameter_mm": 6}}, {"do": "zero", "time_s": 1})"));
  ASSERT_TRUE(run.report) << run.report.error().message;
  ASSERT_FALSE(run.details.empty());
  EXPECT_THAT(run.details.back(), HasSubstr("force sensor at "));
  const auto note = std::find_if(run.notes.begin(), run.notes.end(), [](const std::string& text) {
    return text.find("of its range at most while the tip was changed") != std::string::npos;
  });
  ASSERT_NE(note, run.notes.end());
  EXPECT_THAT(*note, testing::Not(HasSubstr("bore 0 %")));
}

}  // namespace
}  // namespace tactelier::rig
