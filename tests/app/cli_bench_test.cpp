// The virtual bench and its devices as users meet them: two programs and real wires between them.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "libcalib/json_check.hpp"
#include "tests/app/support/cli.hpp"
#include "tests/app/support/cli_process.hpp"

namespace tactelier::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;

/// A bench that runs, its device file on disk.
class BenchCommand : public testing::Test {
 protected:
  void start(std::vector<std::string> more = {}) {
    more.insert(more.begin(), {"bench", "--json"});
    bench_ = std::make_unique<CliProcess>(folder_.path(), more);
    const auto line = bench_->read_line();
    const auto announced = parse_json(line, "bench --json");
    ASSERT_TRUE(announced) << announced.error().message << '\n' << line;
    const auto valid = check_schema(*announced, "cli-bench", "bench --json");
    ASSERT_TRUE(valid) << valid.error().message;
    result_ = announced->at("result");
    folder_.write("devices.json", result_["devices"].dump());
  }
  /// By role.
  std::map<std::string, json> test_devices(int expected_status, const char* seconds = "1") {
    const auto tested = run_cli(
        folder_.path(), {"devices", "test", "devices.json", "--seconds", seconds, "--json"});
    EXPECT_EQ(tested.status, expected_status) << tested.out << tested.err;
    const auto document = json::parse(tested.out);
    const auto valid = check_schema(document, "cli-devices", "devices test --json");
    EXPECT_TRUE(valid) << valid.error().message;
    std::map<std::string, json> health;
    for (const auto& device : document["result"]["health"])
      health[device["role"].get<std::string>()] = device;
    return health;
  }
  std::string say(const std::string& line) {
    return ask_over_tcp(result_["endpoints"]["bench_control"].get<std::string>(), line);
  }

  TestFolder folder_;
  std::unique_ptr<CliProcess> bench_;
  json result_;
};

TEST_F(BenchCommand, TellsOnOneLineHowEachOfItsDevicesIsOpened) {
  ASSERT_NO_FATAL_FAILURE(start());
  const auto health = test_devices(0);
  ASSERT_EQ(health.size(), 3U);
  for (const auto& [role, device] : health) {
    EXPECT_EQ(device["words"], "good") << role;
    EXPECT_GT(device["samples"].get<int>(), 5) << role;
    EXPECT_EQ(device["lost"], 0) << role;
  }
  EXPECT_EQ(health.at("tactile")["detail"], "14 x 6 tactels");
  EXPECT_EQ(health.at("stage")["position_trusted"], false);  // nobody homed it, nothing moved
  EXPECT_EQ(bench_->interrupt(), 0);
}

TEST_F(BenchCommand, HasAnotherForceSensorThanTheNetFTWhenAsked) {
  ASSERT_NO_FATAL_FAILURE(start({"--force-sensor", "bota-serial"}));
  EXPECT_FALSE(result_["endpoints"].contains("force_web"));
  EXPECT_EQ(result_["devices"]["force"]["driver"], "framed-wrench");
  auto health = test_devices(0, "2");
  EXPECT_EQ(health.at("force")["driver"], "framed-wrench");
  EXPECT_EQ(health.at("force")["words"], "good");
  EXPECT_EQ(health.at("force")["stated_hz"], 1000);
  EXPECT_EQ(say(R"({"fault": {"device": "force", "kind": "alarm"}})"), R"({"ok":true})");
  health = test_devices(4);
  EXPECT_THAT(health.at("force")["words"].get<std::string>(),
              HasSubstr("measurements are invalid, the sensor may be damaged"));
  EXPECT_EQ(bench_->interrupt(), 0);
}

TEST_F(BenchCommand, HasAnotherArrayThanTheWtsWhenAsked) {
  ASSERT_NO_FATAL_FAILURE(start({"--array", "weiss-dsa"}));
  EXPECT_EQ(result_["devices"]["tactile"]["driver"], "weiss-dsa");
  EXPECT_EQ(say(R"({"fault": {"device": "tactile", "kind": "drop", "count": 3, "after_s": 2}})"),
            R"({"ok":true})");
  const auto health = test_devices(0, "3");
  EXPECT_EQ(health.at("tactile")["driver"], "weiss-dsa");
  EXPECT_EQ(health.at("tactile")["detail"], "14 x 6 tactels");
  EXPECT_EQ(health.at("tactile")["stated_hz"], 30);
  EXPECT_EQ(health.at("tactile")["rate_as_stated"], true);
  EXPECT_EQ(health.at("tactile")["lost"], 3);
  EXPECT_EQ(bench_->interrupt(), 0);
}

TEST_F(BenchCommand, RefusesAnArrayThatItHasNot) {
  const auto refused = run_cli(folder_.path(), {"bench", "--array", "weiss-dsb"});
  EXPECT_NE(refused.status, 0);
  EXPECT_THAT(refused.err, HasSubstr("no array 'weiss-dsb' (did you mean 'weiss-dsa'?)"));
}

TEST_F(BenchCommand, RefusesAForceSensorThatIsNone) {
  const auto refused = run_cli(folder_.path(), {"bench", "--force-sensor", "reskin-5"});
  EXPECT_NE(refused.status, 0);
  EXPECT_THAT(refused.err, HasSubstr("'reskin-5' describes no six-axis force sensor"));
}

TEST_F(BenchCommand, LosesExactlyWhatTheOperatorsHandsDrop) {
  ASSERT_NO_FATAL_FAILURE(start());
  // A second from now the force streams; the stage, which waits for a banner, is not open yet.
  EXPECT_EQ(say(R"({"fault": {"device": "force", "kind": "drop", "count": 40, "after_s": 1.5}})"),
            R"({"ok":true})");
  const auto health = test_devices(0, "2");
  EXPECT_EQ(health.at("force")["lost"], 40);
  EXPECT_EQ(health.at("force")["state"], "look");
  EXPECT_THAT(health.at("force")["words"].get<std::string>(), HasSubstr("40 lost"));
  EXPECT_EQ(health.at("tactile")["state"], "good");
}

TEST_F(BenchCommand, DoesNotCallAForceSensorGoodThatWasSaturatedInBetween) {
  ASSERT_NO_FATAL_FAILURE(start());
  const auto fault =
      R"({"fault": {"device": "force", "kind": "saturate", "after_s": 1.5, "for_s": 0.02}})";
  EXPECT_EQ(say(fault), R"({"ok":true})");
  const auto force = test_devices(4, "2").at("force");
  EXPECT_EQ(force["state"], "look");
  EXPECT_THAT(force["words"].get<std::string>(),
              testing::AllOf(HasSubstr("records can't be used"), HasSubstr("saturation"),
                             HasSubstr("largest axis Fz")));
  EXPECT_NEAR(force["unusable"]["count"].get<double>(), 20, 1);  // 20 ms at 1000 records/s
  EXPECT_EQ(force["unusable"]["axis"], "Fz");
  EXPECT_GT(force["unusable"]["first_s"].get<double>(), 0);
  EXPECT_EQ(force["lost"], 0);
}

TEST_F(BenchCommand, DoesNotCallAForceSensorGoodThatSendsAtAnotherRateThanItsFileStates) {
  ASSERT_NO_FATAL_FAILURE(start());
  auto file = result_["devices"];
  file["force"]["rate_hz"] = 2000;  // the box is set to 1000; to look changes no setting
  folder_.write("devices.json", file.dump());
  const auto health = test_devices(4, "2");
  const auto& force = health.at("force");
  EXPECT_EQ(force["state"], "look");
  EXPECT_EQ(force["stated_hz"], 2000);
  EXPECT_EQ(force["rate_as_stated"], false);
  EXPECT_THAT(force["words"].get<std::string>(),
              testing::AllOf(HasSubstr("the device file states 2000"), HasSubstr("allowed")));
  EXPECT_EQ(health.at("tactile")["state"], "good");
}

TEST_F(BenchCommand, TellsADeviceThatNeverWasThereFromOneThatIsGone) {
  ASSERT_NO_FATAL_FAILURE(start());
  EXPECT_EQ(bench_->interrupt(), 0);
  const auto health = test_devices(4, "0.5");
  EXPECT_THAT(health.at("force")["words"].get<std::string>(),
              testing::AllOf(HasSubstr("nothing answers at"), HasSubstr("check power")));
}

TEST_F(BenchCommand, ReportsADeviceThatFellSilentAndOneThatIsUnplugged) {
  ASSERT_NO_FATAL_FAILURE(start());
  EXPECT_EQ(say(R"({"fault": {"device": "force", "kind": "freeze", "after_s": 1}})"),
            R"({"ok":true})");
  EXPECT_EQ(say(R"({"fault": {"device": "tactile", "kind": "hang-up", "after_s": 1}})"),
            R"({"ok":true})");
  const auto health = test_devices(4, "2");
  EXPECT_EQ(health.at("force")["state"], "bad");
  EXPECT_THAT(health.at("force")["words"].get<std::string>(), HasSubstr("no record"));
  EXPECT_EQ(health.at("tactile")["state"], "bad");
  EXPECT_THAT(health.at("tactile")["words"].get<std::string>(), HasSubstr("gone"));
  EXPECT_EQ(health.at("stage")["state"], "good");
}

TEST_F(BenchCommand, LivesFasterAndItsDeviceFileSaysSo) {
  ASSERT_NO_FATAL_FAILURE(start({"--speed", "4", "--preset", "lab", "--seed", "7"}));
  EXPECT_EQ(result_["devices"]["time_scale"], 4);
  const auto health = test_devices(0);
  for (const auto& [role, device] : health) EXPECT_NE(device["state"], "bad") << role;
  // In the bench's own time: a second of ours is four of the bench's, at 1000 records each.
  EXPECT_NEAR(health.at("force")["rate_hz"].get<double>(), 1000, 20);
}

TEST_F(BenchCommand, WritesTheTruthThatItSimulates) {
  ASSERT_NO_FATAL_FAILURE(
      start({"--seed", "5", "--write-truth", "pad.truth.json", "--write-devices", "d.json"}));
  EXPECT_EQ(bench_->interrupt(), 0);
  EXPECT_TRUE(check_schema(json::parse(folder_.read("pad.truth.json")), "sensor-model", "truth"));
  EXPECT_TRUE(check_schema(json::parse(folder_.read("pad.rig-truth.json")), "rig", "rig"));
  EXPECT_EQ(json::parse(folder_.read("d.json")), result_["devices"]);
  // The same seed draws the same pad for a recording without wires.
  ASSERT_EQ(run_cli(folder_.path(), {"synth", "--protocol", "study", "-o", "s.tact", "--seed", "5"})
                .status,
            0);
  EXPECT_EQ(json::parse(folder_.read("pad.truth.json"))["stiffness"]["k_punch"],
            json::parse(folder_.read("s.truth.json"))["stiffness"]["k_punch"]);
}

TEST(BenchCommandLine, TakesTheUsualPortsAndNamesTheOneThatIsTaken) {
  const TestFolder folder;
  CliProcess first(folder.path(), {"bench", "--usual-ports", "--json"});
  const auto line = first.read_line();
  if (line.empty()) GTEST_SKIP() << "another program has one of the ports at the moment";
  const auto at = json::parse(line)["result"]["endpoints"];
  EXPECT_EQ(at["force"], "udp:127.0.0.1:49152");
  EXPECT_EQ(at["force_command"], "tcp:127.0.0.1:49151");
  EXPECT_EQ(at["force_web"], "http://127.0.0.1:8080");
  const auto second = run_cli(folder.path(), {"bench", "--usual-ports"});
  EXPECT_EQ(second.status, 3);
  EXPECT_THAT(second.err, HasSubstr("UDP port 49152 of the loopback is taken by another program"));
}

TEST(BenchCommandLine, SaysWhatIsWrong) {
  const TestFolder folder;
  const auto preset = run_cli(folder.path(), {"bench", "--preset", "dirty"});
  EXPECT_EQ(preset.status, 2);
  EXPECT_THAT(preset.err, HasSubstr("'clean', 'lab' and 'rough'"));
  EXPECT_EQ(run_cli(folder.path(), {"bench", "--speed", "1000"}).status, 2);
  EXPECT_EQ(run_cli(folder.path(), {"bench", "--rig", "none.json"}).status, 3);
}

TEST(DevicesCommand, ListsPortsDriversAndDescriptionsWithoutOpeningAnything) {
  const TestFolder folder;
  const auto listed = run_cli(folder.path(), {"devices", "list", "--json"});
  EXPECT_EQ(listed.status, 0) << listed.err;
  const auto valid = check_schema(json::parse(listed.out), "cli-devices", "devices list");
  EXPECT_TRUE(valid) << valid.error().message;
  const auto text = run_cli(folder.path(), {"devices", "list", "-v"}).out;
  EXPECT_THAT(text, HasSubstr("net-ft"));
  EXPECT_THAT(text, HasSubstr("machine_zero_mm"));
  EXPECT_THAT(text, HasSubstr("myrmex-16x16"));
}

TEST(DevicesCommand, SaysWhatIsWrongWithADeviceFile) {
  const TestFolder folder;
  folder.write("a.json", R"({"format": "tactelier/devices", "version": 1,
    "stage": {"driver": "grbl", "url": "serial:/dev/nothing", "pol_hz": 10}})");
  const auto misspelt = run_cli(folder.path(), {"devices", "test", "a.json"});
  EXPECT_EQ(misspelt.status, 3);
  EXPECT_THAT(misspelt.err, HasSubstr("a.json: stage: pol_hz"));
  EXPECT_THAT(misspelt.err, HasSubstr("did you mean 'poll_hz'?"));
  folder.write("b.json", R"({"format": "tactelier/devices", "version": 1,
    "stage": {"driver": "grbl", "url": "serial:/dev/nothing"}})");
  const auto missing = run_cli(folder.path(), {"devices", "test", "b.json", "--seconds", "0.5"});
  EXPECT_EQ(missing.status, 4);
  EXPECT_THAT(missing.out, HasSubstr("is it plugged in?"));
}

}  // namespace
}  // namespace tactelier::test
