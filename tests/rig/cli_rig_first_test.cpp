// rig new, rig setup, record: as separate programs over real wires.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "libcalib/json_check.hpp"
#include "tests/app/support/cli.hpp"
#include "tests/app/support/cli_process.hpp"

namespace tactelier::test {
namespace {

using nlohmann::json;

constexpr const char* kTwoPresses = R"({
  "format": "tactelier/protocol", "version": 1, "name": "two",
  "indenter": {"shape": "cylinder", "diameter_mm": 1.0},
  "steps": [{"do": "zero", "time_s": 1},
            {"do": "scan", "tactels": [38, 45], "speed_mm_s": 0.8,
             "until": {"force_N": 1.5, "depth_mm": 1.5}}]})";

/// From a device file alone: docs/first-rig.md.
TEST(FirstRig, AFirstRigIsWrittenAndSetUpStepByStep) {
  const TestFolder folder;
  folder.write("two.json", kTwoPresses);
  CliProcess bench(folder.path(),
                   {"bench", "--json", "--speed", "5", "--write-devices", "devices.json"});
  ASSERT_FALSE(bench.read_line().empty());
  const auto made = run_cli(folder.path(), {"rig",
                                            "new",
                                            "--devices",
                                            "devices.json",
                                            "-o",
                                            "rig.json",
                                            "--emergency-stop",
                                            "no",
                                            "--max-force",
                                            "25",
                                            "--tip-length",
                                            "25",
                                            "--indenter",
                                            "cylinder 1",
                                            "--pad",
                                            "0,0,0",
                                            "--plate",
                                            "60,0,0",
                                            "--park",
                                            "0,60,10"});
  ASSERT_EQ(made.status, 0) << made.err;
  const auto before = folder.read("rig.json");
  const auto refused =
      run_cli(folder.path(), {"rig", "setup", "--devices", "devices.json", "--rig", "rig.json"});
  EXPECT_EQ(refused.status, 2);
  const auto ready = run_cli(folder.path(), {"rig", "setup", "--devices", "devices.json", "--rig",
                                             "rig.json", "--plate-force", "15", "--yes", "--json"});
  ASSERT_EQ(ready.status, 0) << ready.err;
  const auto valid = check_schema(json::parse(ready.out), "cli-rig", "rig setup");
  EXPECT_TRUE(valid) << valid.error().message << ready.out;
  const auto steps = json::parse(ready.out)["result"]["set_up"];
  ASSERT_EQ(steps.size(), 8U) << ready.out;
  EXPECT_NEAR(steps[4]["found"]["compliance_um_per_N"].get<double>(), 0.2, 0.1)
      << "the plate's own";
  EXPECT_NEAR(steps[5]["found"]["z0_mm"].get<double>(), 0, 0.01);
  EXPECT_NEAR(steps[6]["found"]["rz_deg"].get<double>(), 0, 1);
  EXPECT_TRUE(steps[7]["left_out"].get<bool>());
  // What was found is in the file, in its order, and the file as it was is beside it.
  EXPECT_EQ(folder.read("rig.json.bak"), before);
  const auto after = folder.read("rig.json");
  EXPECT_LT(after.find("\"emergency_stop\""), after.find("\"acceleration_mm_s2\""));
  EXPECT_TRUE(json::parse(after).contains("registration_date"));
  EXPECT_EQ(json::parse(after)["set_up_left_out"], json({"ground"}));
  // Ready means: record finds all that it needs.
  const auto recorded =
      run_cli(folder.path(), {"record", "--devices", "devices.json", "--rig", "rig.json",
                              "--protocol", "two.json", "-o", "two.tact", "--yes", "--json"});
  EXPECT_EQ(recorded.status, 0) << recorded.err;
  run_cli(folder.path(), {"rig", "quit", "--devices", "devices.json"});
}

}  // namespace
}  // namespace tactelier::test
