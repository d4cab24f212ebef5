#include "app/workflow/doctor.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "libcalib/json_check.hpp"
#include "tests/app/support/cli.hpp"
#include "tests/app/support/cli_process.hpp"

namespace tactelier::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;

/// The check of that name; a state that no check has when it isn't there.
SystemCheck named(const SystemChecks& checks, std::string_view what) {
  const auto found = std::find_if(checks.begin(), checks.end(),
                                  [&](const SystemCheck& check) { return check.what == what; });
  if (found != checks.end()) return *found;
  ADD_FAILURE() << what << " was not checked";
  return {};
}

TEST(Doctor, FindsServicesTimersAndBuffersAndSaysHowToMendThem) {
  const TestFolder root;
  root.write("proc/812/comm", "ModemManager\n");
  root.write("proc/sys/net/core/rmem_max", "212992\n");
  root.write("sys/bus/usb-serial/devices/ttyUSB0/latency_timer", "16\n");
  root.write("sys/bus/usb-serial/devices/ttyUSB1/latency_timer", "1\n");
  const auto checks = check_system(root.path());
  EXPECT_EQ(named(checks, "service ModemManager").state, CheckState::kLook);
  EXPECT_THAT(named(checks, "service ModemManager").remedy, HasSubstr("systemctl mask"));
  EXPECT_EQ(named(checks, "service brltty").state, CheckState::kGood);
  EXPECT_EQ(named(checks, "latency timer ttyUSB0").state, CheckState::kLook);
  EXPECT_THAT(named(checks, "latency timer ttyUSB0").remedy, HasSubstr("echo 1 | sudo tee"));
  EXPECT_EQ(named(checks, "latency timer ttyUSB1").state, CheckState::kGood);
  EXPECT_EQ(named(checks, "socket buffer").state, CheckState::kLook);
  EXPECT_THAT(named(checks, "socket buffer").remedy, HasSubstr("rmem_max=4194304"));
}

TEST(Doctor, FindsNothingToMendOnAComputerThatIsSetUp) {
  const TestFolder root;
  root.write("proc/1/comm", "systemd\n");
  root.write("proc/sys/net/core/rmem_max", "4194304\n");
  for (const auto& check : check_system(root.path()))
    if (!check.what.starts_with("permission")) {
      EXPECT_EQ(check.state, CheckState::kGood) << check.what << ": " << check.words;
      EXPECT_EQ(check.remedy, "") << check.what;
    }
}

TEST(Doctor, KnowsWhetherThisComputerSitsInTheBoxesNetwork) {
  EXPECT_EQ(check_network("127.0.0.1").state, CheckState::kGood);
  const auto elsewhere = check_network("203.0.113.7");  // documentation only (RFC 5737)
  EXPECT_EQ(elsewhere.state, CheckState::kBad);
  EXPECT_THAT(elsewhere.words, HasSubstr("203.0.113.0/24"));
  EXPECT_THAT(elsewhere.remedy, HasSubstr("203.0.113.100/24"));
}

TEST(Doctor, ReadsTheBoxesFilter) {
  devices::NetFtConfig config;
  config.rdt_rate_hz = 7000;
  config.filter = 0;
  EXPECT_EQ(check_netft(config, "http://box")[0].state, CheckState::kGood);
  config.rdt_rate_hz = 1000;
  EXPECT_THAT(check_netft(config, "http://box")[0].words, HasSubstr("folded"));
  config.filter = 2;  // 326 Hz
  EXPECT_EQ(check_netft(config, "http://box")[0].state, CheckState::kGood);
  config.filter = 8;  // 5 Hz: 1 / (2 pi 5) = 32 ms
  EXPECT_THAT(check_netft(config, "http://box")[0].words, HasSubstr("32 ms late"));
  config.tool_transform = true;
  EXPECT_EQ(named(check_netft(config, "http://box"), "Net F/T tool transform").state,
            CheckState::kLook);
}

TEST(Doctor, ReadsTheStagesSettings) {
  std::map<int, double> settings{{1, 255},   {13, 0},    {20, 1},   {22, 1},
                                 {100, 400}, {101, 400}, {102, 400}};
  for (const auto& check : check_grbl(settings, devices::GrblDialect::kGrbl))
    EXPECT_EQ(check.state, CheckState::kGood) << check.what;
  settings[1] = 25;
  settings[20] = 0;
  settings[100] = 250;
  settings[102] = 40;
  const auto checks = check_grbl(settings, devices::GrblDialect::kGrbl);
  EXPECT_THAT(named(checks, "stage $1").remedy, HasSubstr("$1=255"));
  EXPECT_THAT(named(checks, "stage soft limits").remedy, HasSubstr("$20=1"));
  EXPECT_THAT(named(checks, "steps per mm X").words, HasSubstr("firmware's own number"));
  EXPECT_THAT(named(checks, "steps per mm X").remedy, HasSubstr("dial gauge"));
  EXPECT_THAT(named(checks, "steps per mm Z").words, HasSubstr("25 um: too coarse"));
}

TEST(Doctor, ReadsGrblHalsHomingAsASumOfBits) {
  using devices::GrblDialect;
  const auto homing = [](double value, GrblDialect dialect = GrblDialect::kGrblHal) {
    return named(check_grbl({{22, value}}, dialect), "stage homing");
  };
  for (const int fine : {1, 3, 5, 7, 0x41, 0x85})
    EXPECT_EQ(homing(fine).state, CheckState::kGood) << fine;
  EXPECT_THAT(homing(4).words, HasSubstr("homing is off"));
  EXPECT_THAT(homing(4).remedy, HasSubstr("$22=5"));
  EXPECT_THAT(homing(13).words, HasSubstr("holds 8"));
  EXPECT_THAT(homing(13).remedy, HasSubstr("$22=5"));
  EXPECT_THAT(homing(33).words, HasSubstr("holds 32"));
  EXPECT_THAT(homing(33).remedy, HasSubstr("$22=1"));
  EXPECT_EQ(homing(0).state, CheckState::kLook);
  for (const int value : {0, 4, 13, 33}) EXPECT_FALSE(homing(value).fix) << value;
  EXPECT_EQ(homing(5, GrblDialect::kGrbl).state, CheckState::kLook);
}

TEST(Doctor, ReadsAPrintersFirmware) {
  const auto checks = check_marlin("Marlin 2.1.2.1 (Nov 27 2026)", {125, 40, 400});
  EXPECT_THAT(named(checks, "stage firmware").words, HasSubstr("Marlin 2.1.2.1"));
  EXPECT_EQ(named(checks, "steps per mm X").state, CheckState::kGood);
  EXPECT_THAT(named(checks, "steps per mm Y").words, HasSubstr("25 um: too coarse"));
  EXPECT_THAT(named(checks, "steps per mm Z").words, HasSubstr("2.5 um"));
}

TEST(Doctor, ReadsWhatZaberDevicesSayOfThemselves) {
  devices::StageTravel travel;
  travel.high_m = {0.1, 0.1, 0.05};
  const auto checks = check_zaber({{1, "30222", "60321", "7.34"}}, travel, {50e-9, 50e-9, 20e-6});
  EXPECT_THAT(named(checks, "stage device 1").words, HasSubstr("firmware 7.34"));
  EXPECT_THAT(named(checks, "travel Y").words, HasSubstr("100 mm by um_per_step 0.05"));
  EXPECT_EQ(named(checks, "travel Y").state, CheckState::kGood);
  EXPECT_THAT(named(checks, "travel Z").words, HasSubstr("too coarse"));
}

TEST(DoctorCommand, AsksTheDevicesOfABenchWithoutSettingThem) {
  const TestFolder folder;
  CliProcess bench(folder.path(), {"bench", "--json", "--write-devices", "d.json"});
  ASSERT_FALSE(bench.read_line().empty());
  const auto result = run_cli(folder.path(), {"doctor", "d.json", "--json"});
  EXPECT_EQ(result.status, 0) << result.err;
  const auto document = json::parse(result.out);
  const auto valid = check_schema(document, "cli-doctor", "doctor");
  EXPECT_TRUE(valid) << valid.error().message;
  // GRBL's own $1=25 is still there: asked, not mended behind the user's back.
  const auto text = run_cli(folder.path(), {"doctor", "d.json"}).out;
  EXPECT_THAT(text, HasSubstr("$1=25:"));
  EXPECT_THAT(text, HasSubstr("Net F/T filter"));
  EXPECT_THAT(text, HasSubstr("reached by lo"));
}

TEST(DoctorCommand, FixSendsWhatItRecommendsOnceSomebodyAgrees) {
  const TestFolder folder;
  CliProcess bench(folder.path(), {"bench", "--json", "--write-devices", "d.json"});
  ASSERT_FALSE(bench.read_line().empty());
  const auto refused = run_cli(folder.path(), {"doctor", "d.json", "--fix"});
  EXPECT_EQ(refused.status, 2);
  EXPECT_THAT(refused.err, HasSubstr("nothing was sent"));
  EXPECT_THAT(refused.err, HasSubstr("$1=255"));
  EXPECT_THAT(run_cli(folder.path(), {"doctor", "d.json"}).out, HasSubstr("$1=25:"));
  const auto fixed = run_cli(folder.path(), {"doctor", "d.json", "--fix", "--yes", "--json"});
  ASSERT_EQ(fixed.status, 0) << fixed.err;
  const auto valid = check_schema(json::parse(fixed.out), "cli-doctor", "doctor");
  EXPECT_TRUE(valid) << valid.error().message;
  // The controller keeps it: asked anew, by another connection.
  const auto after = run_cli(folder.path(), {"doctor", "d.json", "--json"}).out;
  const auto checks = json::parse(after)["result"]["checks"];
  for (const char* what : {"stage $1", "stage soft limits"}) {
    const auto found = std::find_if(checks.begin(), checks.end(),
                                    [&](const json& check) { return check["what"] == what; });
    ASSERT_NE(found, checks.end()) << after;
    EXPECT_EQ((*found)["state"], "good") << what;
  }
}

TEST(Doctor, NobodyIsSentHomingOrUnitsUnasked) {
  const std::map<int, double> settings{{1, 25},    {13, 1},    {20, 0},   {22, 0},
                                       {100, 400}, {101, 400}, {102, 400}};
  EXPECT_EQ(fix_words(stage_fixes(check_grbl(settings, devices::GrblDialect::kGrbl))),
            "$1=255, $20=1");
}

TEST(DevicesLearn, WritesADescriptionOfTheBenchesArray) {
  const TestFolder folder;
  CliProcess bench(folder.path(), {"bench", "--json", "--seed", "4"});
  const auto devices = json::parse(bench.read_line())["result"]["devices"];
  const auto port = devices["tactile"]["url"].get<std::string>();
  // Weiss: start periodic, raw, 20 ms (docs/wire-formats.md 4).
  const auto learned = run_cli(
      folder.path(), {"devices", "learn", port, "--send", "AA AA AA 21 03 00 00 14 00 D9 AB",
                      "--seconds", "2", "-o", "wts.json", "--json"});
  ASSERT_EQ(learned.status, 0) << learned.err << learned.out;
  const auto document = json::parse(learned.out);
  const auto valid = check_schema(document, "cli-devices", "devices learn");
  EXPECT_TRUE(valid) << valid.error().message;
  const auto& board = document["result"]["learned"]["description"];
  ASSERT_TRUE(board.contains("check")) << learned.out;
  EXPECT_EQ(board["frame"]["length"], 181) << learned.out;
  EXPECT_EQ(board["check"]["kind"], "crc16-weiss") << learned.out;
  EXPECT_EQ(board["cells"]["offset"], 11) << learned.out;
  // Nobody pressed it, and the command says that the shape is a guess.
  EXPECT_THAT(learned.out, HasSubstr("UNSURE"));
  EXPECT_EQ(json::parse(folder.read("wts.json")), board);
}

}  // namespace
}  // namespace tactelier::test
