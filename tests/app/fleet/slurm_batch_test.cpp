// batch submit and collect on a Slurm of one node, held against batch run on this machine.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "app/workflow/catalogue/catalogue.hpp"
#include "libcalib/json_check.hpp"
#include "tests/app/support/cli.hpp"
#include "tests/app/support/session_folder.hpp"
#include "tests/app/support/slurm_node.hpp"

namespace tactelier::test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr int kSensors = 20;

class SlurmBatch : public testing::Test {
 protected:
  void SetUp() override {
    if (!node_.missing().empty()) GTEST_SKIP() << node_.missing();
    for (int i = 1; i <= kSensors; ++i) {
      PlainSession session;
      session.seed = static_cast<unsigned>(i);
      session.pad.force_noise_N = 0.004;
      session.extra_json = fmt::format(R"("sensor_serial": "S{:02}",)", i);
      for (int press = 1; press <= 3; ++press) session.presses.push_back({press, 4, 2.2});
      session.write(folder_, fmt::format("rec/s{:02}", i));
    }
    folder_.write("rec/s13/force.csv", "nonsense\n");
    ASSERT_EQ(run({"batch", "plan", "rec", "-o", "fleet.json"}).status, 0);
    ASSERT_EQ(run({"batch", "plan", "rec", "-o", "local.json"}).status, 0);
  }
  CliResult run(const std::vector<std::string>& arguments) const {
    return run_cli(folder_.path(), arguments);
  }
  json run_json(std::vector<std::string> arguments) const {
    arguments.emplace_back("--json");
    const auto result = run(arguments);
    const auto document = parse_json(result.out, "batch --json");
    EXPECT_TRUE(document) << result.err;
    if (!document) return {};
    const auto valid = check_schema(*document, "cli-batch", "batch --json");
    EXPECT_TRUE(valid) << valid.error().message;
    return document->at("result");
  }
  json submit(const std::vector<std::string>& more = {}) const {
    std::vector<std::string> words{"batch", "submit", "fleet.json", "--slurm", "--memory", "500M"};
    words.insert(words.end(), more.begin(), more.end());
    return run_json(words);
  }
  json collect() const { return run_json({"batch", "collect", "fleet.json", "--wait"}); }
  /// The rows of a plan's catalogue, in whatever order they came into it.
  std::multiset<std::string> catalogue_of(const std::string& plan) const {
    const auto table = plan + ".csv";
    EXPECT_EQ(run({"catalogue", "export", plan + ".results/catalogue.sqlite", "--history", "-o",
                   table, "--force"})
                  .status,
              0);
    std::multiset<std::string> rows;
    std::istringstream lines(folder_.read(table));
    for (std::string line; std::getline(lines, line);) rows.insert(line);
    const auto catalogue = Catalogue::read(folder_ / (plan + ".results/catalogue.sqlite"));
    EXPECT_TRUE(catalogue) << catalogue.error().message;
    const auto known = catalogue->for_each_fit([&](const CatalogueFit& fit) {
      rows.insert(fit.key + ' ' + fit.state + ' ' + fit.reason + ' ' + fit.found);
    });
    EXPECT_TRUE(known) << known.error().message;
    return rows;
  }

  TestFolder folder_;
  SlurmNode node_;
};

TEST_F(SlurmBatch, AnArrayWithOneCrashRetriedGivesTheCatalogueOfTheLocalRun) {
  // Element 7 dies the first time, as for want of memory.
  const auto crash = fmt::format(
      "[ $SLURM_ARRAY_TASK_ID != 7 ] || [ -e {0} ] || {{ touch {0}; echo no more memory; kill -9 "
      "$$; }}",
      (folder_ / "crashed").string());
  const auto first = submit({"--prepare", crash});
  EXPECT_EQ(first["elements"], kSensors);
  EXPECT_NE(first["job"], "");
  const auto meanwhile = run({"batch", "submit", "fleet.json", "--slurm"});
  EXPECT_EQ(meanwhile.status, 2);
  EXPECT_THAT(meanwhile.err, HasSubstr("job " + first["job"].get<std::string>()));
  const auto collected = collect();
  EXPECT_EQ(collected["sensors"].size(), kSensors - 1U);
  ASSERT_EQ(collected["lost"].size(), 1U) << collected.dump(1);
  EXPECT_EQ(collected["lost"][0]["id"], "S07");
  EXPECT_THAT(collected["lost"][0]["words"].get<std::string>(), HasSubstr("no more memory"));

  const auto second = submit();
  EXPECT_EQ(second["elements"], 1);
  EXPECT_EQ(second["up_to_date"], kSensors - 1);
  EXPECT_EQ(folder_.read("fleet.slurm/2/elements.txt"), "S07\n");
  const auto whole = collect();
  EXPECT_EQ(whole["sensors"].size(), static_cast<std::size_t>(kSensors));
  EXPECT_EQ(whole["catalogued"], 1);
  EXPECT_EQ(submit()["script"], "");  // the damaged one waits for --retry

  ASSERT_EQ(run({"batch", "run", "local.json", "--jobs", "2"}).status, 5);
  const auto of_cluster = catalogue_of("fleet");
  EXPECT_GT(of_cluster.size(), 19U * 10U);
  EXPECT_EQ(of_cluster, catalogue_of("local"));

  EXPECT_EQ(submit({"--retry"})["elements"], 1);
  EXPECT_EQ(folder_.read("fleet.slurm/3/elements.txt"), "s13\n");
  collect();

  // A session that changed since: what was found of it before is no result any more.
  PlainSession changed;
  changed.seed = 99;
  changed.extra_json = R"("sensor_serial": "S05",)";
  for (int press = 1; press <= 3; ++press) changed.presses.push_back({press, 4, 2.2});
  fs::remove_all(folder_ / "rec/s05");
  changed.write(folder_, "rec/s05");
  fs::remove(folder_ / "fleet.results/catalogue.sqlite");
  const auto stale = collect();
  EXPECT_EQ(stale["sensors"].size(), kSensors - 1U);
  EXPECT_EQ(stale["waiting"], json({"S05"}));
  EXPECT_EQ(stale["catalogued"], kSensors - 1);
}

TEST_F(SlurmBatch, GroupsShareAnElementAndADryRunSubmitsNothing) {
  const auto dry = submit({"--group", "6", "--dry-run"});
  EXPECT_EQ(dry["elements"], 4);
  EXPECT_EQ(dry["job"], "");
  EXPECT_THAT(folder_.read("fleet.slurm/1/elements.txt"),
              HasSubstr("S01 S02 S03 S04 S05 S06\nS07 "));
  EXPECT_THAT(folder_.read("fleet.slurm/1/array.sh"), HasSubstr("#SBATCH --array=1-4\n"));
  const auto none = run_json({"batch", "collect", "fleet.json"});
  EXPECT_EQ(none["waiting"].size(), static_cast<std::size_t>(kSensors));
  EXPECT_EQ(submit({"--group", "6", "--at-once", "1"})["elements"], 4);
  const auto collected = collect();
  EXPECT_EQ(collected["sensors"].size(), static_cast<std::size_t>(kSensors));
  EXPECT_EQ(collected["lost"].size(), 0U);
}

TEST_F(SlurmBatch, WhatSbatchRefusesIsToldInItsOwnWords) {
  const auto refused = run({"batch", "submit", "fleet.json", "--slurm", "--partition", "nowhere"});
  EXPECT_EQ(refused.status, 3);
  EXPECT_THAT(refused.err, HasSubstr("invalid partition specified: nowhere"));
}

}  // namespace
}  // namespace tactelier::test
