// rig new: of what a person says and the devices of a bench tell.

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "libcalib/json_check.hpp"
#include "libcalib/protocol/rig.hpp"
#include "tests/app/support/cli.hpp"
#include "tests/app/support/cli_process.hpp"

namespace tactelier::test {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;

class RigNew : public testing::Test {
 protected:
  RigNew() : bench_(folder_.path(), {"bench", "--json", "--write-devices", "d.json"}) {
    EXPECT_FALSE(bench_.read_line().empty());
  }
  CliResult make(std::vector<std::string> more) {
    more.insert(more.begin(), {"rig", "new", "--devices", "d.json", "-o", "rig.json"});
    return run_cli(folder_.path(), more);
  }
  TestFolder folder_;
  CliProcess bench_;
};

TEST_F(RigNew, ReadsFromTheDevicesWhatTheyKnowAndExplainsEachKey) {
  const auto made = make({"--emergency-stop", "no", "--max-force", "10", "--tip-length", "25",
                          "--indenter", "cylinder 1", "--gain-u", "1", "--pad", "0.5,-0.25,0.1",
                          "--plate", "60,0,0", "--json"});
  ASSERT_EQ(made.status, 0) << made.err;
  const auto document = json::parse(made.out);
  const auto valid = check_schema(document, "cli-rig", "rig new");
  EXPECT_TRUE(valid) << valid.error().message;
  const auto text = folder_.read("rig.json");
  const auto rig = parse_rig(text, "rig.json");
  ASSERT_TRUE(rig) << rig.error().message;
  // What the bench's stage is set to (data/rigs/virtual-bench.json), and the Nano17's SI-25-0.25.
  EXPECT_NEAR(rig->stage.acceleration_m_per_s2, 0.1, 1e-9);
  EXPECT_NEAR(rig->stage.xy_speed_m_per_s, 25e-3, 1e-9);
  EXPECT_NEAR(rig->stage.z_speed_m_per_s, 8e-3, 1e-9);
  EXPECT_NEAR(*rig->limits.max_torque_Nm, 0.25, 1e-9);
  EXPECT_NEAR(*rig->step_z_m, 1e-6, 1e-9);
  // As somebody said; p_S = p_G + (x, y), so that the pad's middle is the sensor's origin.
  EXPECT_EQ(*rig->emergency_stop, false);
  EXPECT_NEAR(rig->stage_to_sensor.x_m, -0.5e-3, 1e-12);
  EXPECT_NEAR(rig->stage_to_sensor.y_m, 0.25e-3, 1e-12);
  EXPECT_NEAR(rig->surface.z0_m, 0.1e-3, 1e-12);
  // 5 mN of noise on each axis.
  EXPECT_NEAR(json::parse(text)["performance"]["force_noise_mN"].get<double>(), 5, 1.5);
  // In the order in which people read, not the alphabet's.
  EXPECT_LT(text.find("\"format\""), text.find("\"emergency_stop\""));
  EXPECT_LT(text.find("\"stage\""), text.find("\"limits\""));
  const auto notes = folder_.read("rig.notes.md");
  for (const auto& [key, value] : json::parse(text)["stage"].items())
    EXPECT_THAT(notes, HasSubstr("`stage." + key));
}

TEST_F(RigNew, SaysWhichNumbersNobodyStated) {
  const auto made = make({"--emergency-stop", "no", "--max-force", "10"});
  ASSERT_EQ(made.status, 0) << made.err;
  const auto notes = folder_.read("rig.notes.md");
  EXPECT_THAT(notes, HasSubstr("| `limits.max_force_N` | `10.0` | you |"));
  for (const auto* key : {"limits.max_depth_mm", "stage.safe_height_mm", "force_sensor.press_axis"})
    EXPECT_THAT(notes, testing::ContainsRegex(std::string("`") + key +
                                              "` \\| `[^`]+` \\| usual, nobody said otherwise"));
}

TEST_F(RigNew, NamesAllThatNobodyCanGuessAndAllThatMakesNoSenseAtOnce) {
  const auto refused = make({"--max-force", "much", "--press-axis", "w", "--plate", "1,2"});
  EXPECT_EQ(refused.status, 2);
  EXPECT_THAT(refused.err,
              AllOf(HasSubstr("--emergency-stop is missing"), HasSubstr("'much': a number"),
                    HasSubstr("'w': one of x"), HasSubstr("'1,2': x, y, z in mm")));
  EXPECT_THAT(folder_.files(), testing::Not(testing::Contains("rig.json")));
}

TEST_F(RigNew, AnAnswerThatTheDevicesCannotBearIsRefused) {
  // The Nano17 SI-25-0.25 bears 35 N along z.
  const auto refused = make({"--emergency-stop", "yes", "--max-force", "90"});
  EXPECT_EQ(refused.status, 3);
  EXPECT_THAT(refused.err, HasSubstr("range of 35 N"));
  EXPECT_THAT(folder_.files(), testing::Not(testing::Contains("rig.json")));
}

TEST_F(RigNew, LeavesARigFileThatIsThereAlone) {
  folder_.write("rig.json", "mine");
  EXPECT_EQ(make({"--emergency-stop", "yes"}).status, 2);
  EXPECT_EQ(folder_.read("rig.json"), "mine");
}

}  // namespace
}  // namespace tactelier::test
