// simulate --shards on a Slurm of one node, held against shards made on this machine.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "libcalib/json_check.hpp"
#include "libcalib/text_file.hpp"
#include "tests/app/support/cli.hpp"
#include "tests/app/support/session_folder.hpp"
#include "tests/app/support/slurm_node.hpp"
#include "tests/paths/paths.hpp"

namespace tactelier::test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::HasSubstr;

/// A raster for the spread, a plate for the foundation.
constexpr const char* kSpreadProtocol = R"({
  "format": "tactelier/protocol", "version": 1, "name": "calibrate", "max_minutes": 60,
  "indenter": {"id": "pin1", "shape": "cylinder", "diameter_mm": 1.0},
  "steps": [
    {"do": "zero", "time_s": 5},
    {"do": "scan", "tactels": "all", "speed_mm_s": 0.8, "order": "rows",
     "until": {"saturated": true, "force_N": 3, "depth_mm": 1.5}},
    {"do": "raster", "area_mm": [-1.7, -1.7, 1.7, 1.7], "step_mm": 0.85, "depth_mm": 0.65},
    {"do": "area", "force_N": [1, 2, 4, 6, 9, 12, 15], "dwell_s": 3},
    {"do": "zero", "time_s": 5}]})";

class SlurmShards : public testing::Test {
 protected:
  void SetUp() override {
    if (!node_.missing().empty()) GTEST_SKIP() << node_.missing();
    folder_.write("calibrate.json", kSpreadProtocol);
    folder_.write("my poses.csv", "x_mm,force_N\n-3,1\n-1,2\n0,3\n1,4\n3,5\n");
    folder_.write("ball.json", R"({"id": "ball", "shape": "sphere", "diameter_mm": 6})");
    must({"synth", "--protocol", "calibrate.json", "-o", "pad.tact", "--seed", "7"});
    must({"fit", "pad.tact", "-o", "model.json", "--stages", "psf,stiffness"});
  }
  CliResult simulate(const std::string& output, const std::vector<std::string>& more) const {
    std::vector<std::string> words{
        "simulate", "--model", "model.json", "--batch", "my poses.csv", "--indenter", "ball.json",
        "--counts", "--noise", "--seed",     "5",       "-o",           output};
    words.insert(words.end(), more.begin(), more.end());
    return run_cli(folder_.path(), words);
  }
  json submit(std::vector<std::string> more = {}) const {
    more.insert(more.begin(), {"--shards", "3", "--slurm", "--memory", "500M", "--json"});
    const auto result = simulate("set.npz", more);
    const auto document = parse_json(result.out, "simulate --json");
    EXPECT_TRUE(document) << result.err;
    if (!document) return {};
    const auto valid = check_schema(*document, "cli-simulate", "simulate --json");
    EXPECT_TRUE(valid) << valid.error().message;
    return document->at("result");
  }
  void must(const std::vector<std::string>& arguments) const {
    const auto result = run_cli(folder_.path(), arguments);
    ASSERT_EQ(result.status, 0) << result.err;
  }

  TestFolder folder_;
  SlurmNode node_;
};

TEST_F(SlurmShards, ThoseThatAreNotThereAreSubmittedAndGiveWhatThisMachineGives) {
  const auto crash =
      fmt::format("[ $SLURM_ARRAY_TASK_ID != 2 ] || [ -e {0} ] || {{ touch {0}; kill -9 $$; }}",
                  (folder_ / "crashed").string());
  const auto first = submit({"--prepare", crash});
  EXPECT_EQ(first["submitted"], 3);
  const auto meanwhile = simulate("set.npz", {"--shards", "3", "--slurm"});
  EXPECT_EQ(meanwhile.status, 2);
  EXPECT_THAT(meanwhile.err, HasSubstr("shards are there"));
  node_.wait_until_idle();
  const auto second = submit();
  EXPECT_EQ(second["done"], 2);
  EXPECT_EQ(second["submitted"], 1);
  EXPECT_THAT(folder_.read("set.slurm/array.sh"), HasSubstr("#SBATCH --array=2\n"));
  node_.wait_until_idle();
  EXPECT_EQ(submit()["done"], 3);
  for (const auto* shard : {"1", "2", "3"}) {
    must({"simulate", "--model", "model.json", "--batch", "my poses.csv", "--indenter",
          folder_ / "ball.json", "--counts", "--noise", "--seed", "5", "-o", "here.npz", "--shard",
          fmt::format("{}/3", shard)});
    const auto made = folder_.read(fmt::format("set-{}-of-3.npz", shard));
    EXPECT_GT(made.size(), 500U);
    EXPECT_EQ(made == folder_.read(fmt::format("here-{}-of-3.npz", shard)), true) << shard;
  }
}

/// What stands between the first fences behind these words, as a program for the shell or for
/// Python.
std::string block_of(const std::string& text, const std::string& section, const std::string& kind) {
  const auto title = text.find(section);
  const auto fence = text.find("```" + kind + "\n", title);
  const auto begin = text.find('\n', fence) + 1;
  return text.substr(begin, text.find("```\n", begin) - begin);
}

TEST_F(SlurmShards, TheCommandsOfTheDocumentationDoWhatItSays) {
  const auto documentation =
      read_text_file(fs::path(paths::source_dir()) / "docs/cluster.md", 1U << 20U);
  ASSERT_TRUE(documentation) << documentation.error().message;
  const auto type = [&](const std::string& program, const std::string& interpreter = "bash -eu") {
    folder_.write("typed", program);
    const auto command =
        fmt::format("cd {} && PATH={}:$PATH {} typed >said 2>&1", folder_.path().string(),
                    fs::path(paths::cli()).parent_path().string(), interpreter);
    ASSERT_EQ(std::system(command.c_str()), 0) << program << folder_.read("said");
  };
  for (int i = 1; i <= 2; ++i) {
    PlainSession session;
    session.seed = static_cast<unsigned>(i);
    session.extra_json = fmt::format(R"("sensor_serial": "S{}",)", i);
    for (int press = 1; press <= 3; ++press) session.presses.push_back({press, 4, 2.2});
    session.write(folder_, fmt::format("recordings/s{}", i));
  }
  folder_.write("poses.csv",
                "x_mm,force_N,indenter\n-3,1,ball.json\n0,3,ball.json\n1,4,ball.json\n");
  type(block_of(*documentation, "## 1.", "sh"));
  EXPECT_THAT(folder_.read("said"), HasSubstr("2 sensors: 2 identified"));
  fs::remove_all(folder_ / "fleet.results");
  fs::remove_all(folder_ / "fleet.slurm");
  type(block_of(*documentation, "## 3.", "sh"));
  node_.wait_until_idle();
  EXPECT_TRUE(fs::exists(folder_ / "fleet.results/S2/model.json")) << folder_.read("said");
  type(block_of(*documentation, "## 4.", "sh"));
  node_.wait_until_idle();
  type(block_of(*documentation, "Given again", "sh"));
  type(block_of(*documentation, "## 4.", "python") + "assert images.shape == (3, 14, 6)\n",
       "/usr/bin/python3");  // that which Debian's packages are for
}

}  // namespace
}  // namespace tactelier::test
