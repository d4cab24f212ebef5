// batch plan, run, status, retry, from the command line: small sensors, each of a few presses.

#include <fcntl.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <thread>

#include "libcalib/json_check.hpp"
#include "tests/app/support/cli.hpp"
#include "tests/app/support/session_folder.hpp"
#include "tests/paths/paths.hpp"

namespace tactelier::test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

/// Sessions "rec/NAME.tact", as many as are written.
class Batch : public testing::Test {
 protected:
  void record(const std::string& name, const std::string& serial, unsigned seed) const {
    PlainSession session;
    session.seed = seed;
    session.pad.force_noise_N = 0.004;
    session.pad.count_noise = 5;
    session.extra_json = fmt::format(R"("sensor_serial": "{}",)", serial);
    for (int i = 0; i < 3; ++i) session.presses.push_back({i + 1, 4, 2.2, 1 + 0.004 * (i - 1)});
    session.write(folder_, "raw");
    fs::create_directories(folder_ / "rec");
    ASSERT_EQ(run({"import", "raw", "-o", "rec/" + name + ".tact"}).status, 0);
    fs::remove_all(folder_ / "raw");
  }
  void plan(const std::vector<std::string>& more = {}) const {
    std::vector<std::string> words{"batch", "plan", "rec", "-o", "fleet.json", "--force"};
    words.insert(words.end(), more.begin(), more.end());
    const auto planned = run(words);
    ASSERT_EQ(planned.status, 0) << planned.err;
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
  json result_of(const std::string& id) const {
    return json::parse(folder_.read("fleet.results/" + id + "/result.json"));
  }

  TestFolder folder_;
};

TEST_F(Batch, SessionsOfOneSerialNumberGoTogetherAndOthersApart) {
  record("monday", "A1", 1);
  record("tuesday", "A1", 2);
  record("other", "A2", 3);
  record("unnamed", "", 4);
  const auto planned = run_json({"batch", "plan", "rec", "-o", "fleet.json"});
  std::map<std::string, std::size_t> sessions;
  for (const auto& sensor : planned["sensors"]) sessions[sensor["id"]] = sensor["sessions"].size();
  EXPECT_EQ(sessions, (std::map<std::string, std::size_t>{{"A1", 2}, {"A2", 1}, {"unnamed", 1}}));
  const auto valid = check_schema(json::parse(folder_.read("fleet.json")), "batch-plan", "plan");
  EXPECT_TRUE(valid) << valid.error().message;
}

TEST_F(Batch, APlanSaysWhatThePressesAreForAndWhatToRecordForTheRest) {
  record("monday", "A1", 1);
  const auto sensor = run_json({"batch", "plan", "rec", "-o", "fleet.json"})["sensors"][0];
  EXPECT_THAT(sensor["stages"].get<std::vector<std::string>>(),
              ElementsAre("response", "array", "stiffness"));
  std::map<std::string, std::string> missing;
  for (const auto& lack : sensor["missing"]) missing[lack["stage"]] = lack["protocol"];
  EXPECT_FALSE(missing.contains("layer"));
  EXPECT_EQ(missing["psf"], "P8");
  EXPECT_EQ(missing["relaxation"], "P6");
  EXPECT_EQ(missing["damping"], "P5");
}

TEST_F(Batch, ATableNamesSessionsAndTheirSensors) {
  record("monday", "", 1);
  record("tuesday", "", 2);
  folder_.write("rec/list.csv", "session, sensor\nmonday.tact, left pad\ntuesday.tact, left pad\n");
  const auto planned = run_json({"batch", "plan", "rec/list.csv", "-o", "fleet.json"});
  ASSERT_EQ(planned["sensors"].size(), 1U);
  EXPECT_EQ(planned["sensors"][0]["id"], "left_pad");
  folder_.write("rec/bad.csv", "file\nmonday.tact\n");
  const auto refused = run({"batch", "plan", "rec/bad.csv", "-o", "bad.json"});
  EXPECT_EQ(refused.status, 3);
  EXPECT_THAT(refused.err, HasSubstr("bad.csv:1: no column 'session'"));
}

TEST_F(Batch, AFitOfABatchIsTheFitOfTheSameSession) {
  record("monday", "A1", 1);
  plan({"--export", "openrave"});
  ASSERT_EQ(run({"batch", "run", "fleet.json", "--jobs", "2"}).status, 0);
  ASSERT_EQ(run({"fit", "rec/monday.tact", "-o", "alone.json"}).status, 0);
  auto together = json::parse(folder_.read("fleet.results/A1/model.json"));
  auto alone = json::parse(folder_.read("alone.json"));
  EXPECT_EQ(together["response"], alone["response"]);
  EXPECT_EQ(together["stiffness"], alone["stiffness"]);
  EXPECT_THAT(folder_.read("fleet.results/A1/openrave.xml"), HasSubstr("SimTactileSensor"));
  const auto valid = check_schema(result_of("A1"), "batch-result", "result.json");
  EXPECT_TRUE(valid) << valid.error().message;
}

TEST_F(Batch, ASecondRunDoesNothingUntilASessionIsEdited) {
  record("monday", "A1", 1);
  record("tuesday", "A2", 2);
  plan();
  EXPECT_EQ(run_json({"batch", "run", "fleet.json"})["fitted"], 2);
  const auto first = folder_.read("fleet.results/A1/model.json");
  EXPECT_EQ(run_json({"batch", "run", "fleet.json"})["fitted"], 0);
  EXPECT_EQ(folder_.read("fleet.results/A1/model.json"), first);
  ASSERT_EQ(run({"edit", "rec/monday.tact", "--exclude", "2"}).status, 0);
  const auto status = run_json({"batch", "status", "fleet.json"});
  EXPECT_EQ(status["due"], 1);
  EXPECT_EQ(status["sensors"][0]["standing"], "stale");
  EXPECT_EQ(status["sensors"][1]["standing"], "up to date");
  EXPECT_EQ(run_json({"batch", "run", "fleet.json"})["fitted"], 1);
  plan({"--seed", "2"});
  EXPECT_EQ(run_json({"batch", "run", "fleet.json"})["fitted"], 2);
}

TEST_F(Batch, ABadSensorFailsAloneWithItsReasonAndIsTriedAgainOnRequest) {
  record("good", "A1", 1);
  folder_.write("rec/bad.tact",
                "no recording at all, but more than a hundred bytes of text: "
                "0123456789 0123456789 0123456789 0123456789 0123456789");
  const auto planned = run_json({"batch", "plan", "rec", "-o", "fleet.json"});
  EXPECT_NE(planned["sensors"][1]["problem"], "");
  const auto ran = run({"batch", "run", "fleet.json"});
  EXPECT_EQ(ran.status, 5);
  EXPECT_THAT(ran.out, HasSubstr("bad: failed: BA-0"));
  EXPECT_EQ(result_of("A1")["state"], "identified");
  EXPECT_EQ(result_of("bad")["state"], "failed");
  EXPECT_FALSE(fs::exists(folder_ / "fleet.results/bad/model.json"));
  EXPECT_EQ(run_json({"batch", "run", "fleet.json"})["fitted"], 0);
  EXPECT_EQ(run_json({"batch", "retry", "fleet.json"})["fitted"], 1);
  fs::copy_file(folder_ / "rec/good.tact", folder_ / "rec/bad.tact",
                fs::copy_options::overwrite_existing);
  EXPECT_EQ(run_json({"batch", "run", "fleet.json"})["fitted"], 1);
  EXPECT_EQ(result_of("bad")["state"], "identified");
}

TEST_F(Batch, AResultThatReplacesAModelByAFailureTakesTheModelAway) {
  record("monday", "A1", 1);
  plan();
  ASSERT_EQ(run({"batch", "run", "fleet.json"}).status, 0);
  fs::remove(folder_ / "rec/monday.tact");
  EXPECT_EQ(run({"batch", "run", "fleet.json"}).status, 5);
  EXPECT_THAT(result_of("A1")["reason"].get<std::string>(), HasSubstr("BA-01"));
  EXPECT_FALSE(fs::exists(folder_ / "fleet.results/A1/model.json"));
}

TEST_F(Batch, WhatIsRequiredAndMissingMakesASensorIncomplete) {
  record("monday", "A1", 1);
  plan({"--require", "psf"});
  const auto ran = run({"batch", "run", "fleet.json"});
  EXPECT_EQ(ran.status, 5);
  EXPECT_THAT(ran.out, HasSubstr("A1: incomplete: BA-06 required, but missing: psf"));
  EXPECT_TRUE(fs::exists(folder_ / "fleet.results/A1/model.json"));
}

TEST_F(Batch, OneSensorCanBeFittedByItselfAndTheRunTakesItsResult) {
  record("monday", "A1", 1);
  record("tuesday", "A2", 2);
  plan();
  EXPECT_EQ(run({"batch", "run", "fleet.json", "--only", "A2"}).status, 0);
  EXPECT_FALSE(fs::exists(folder_ / "fleet.results/A1"));
  EXPECT_EQ(run_json({"batch", "run", "fleet.json"})["fitted"], 1);
  const auto unknown = run({"batch", "run", "fleet.json", "--only", "A3"});
  EXPECT_EQ(unknown.status, 2);
  EXPECT_THAT(unknown.err, HasSubstr("did you mean"));
}

TEST_F(Batch, APlanThatMakesNoSenseIsRefused) {
  record("monday", "A1", 1);
  EXPECT_EQ(run({"batch", "plan", "rec", "-o", "p.json", "--stages", "astrology"}).status, 2);
  EXPECT_EQ(run({"batch", "plan", "rec", "-o", "p.json", "--export", "astrology"}).status, 2);
  EXPECT_EQ(run({"batch", "plan", "none", "-o", "p.json"}).status, 3);
  EXPECT_FALSE(fs::exists(folder_ / "p.json"));
  folder_.write("p.json", R"({"format": "tactelier/batch-plan", "version": 1, "sensors":
    [{"id": "../x", "sessions": ["a.tact"]}]})");
  EXPECT_EQ(run({"batch", "run", "p.json"}).status, 3);
  folder_.write("p.json", R"({"format": "tactelier/batch-plan", "version": 1, "sensors":
    [{"id": "x", "sessions": ["a.tact"]}, {"id": "x", "sessions": ["b.tact"]}]})");
  EXPECT_THAT(run({"batch", "run", "p.json"}).err, HasSubstr("two sensors are called 'x'"));
}

/// A run of its own program, killed as a power cut would.
class KilledRun {
 public:
  explicit KilledRun(const TestFolder& folder) : child_(::fork()) {
    if (child_ != 0) return;
    const int nowhere = ::open("/dev/null", O_RDWR);
    for (const int stream : {0, 1, 2}) ::dup2(nowhere, stream);
    if (::chdir(folder.path().c_str()) == 0)
      ::execl(paths::cli().c_str(), "tactelier", "batch", "run", "fleet.json", "--jobs", "2",
              nullptr);
    ::_exit(127);
  }
  /// Once `reached` is true, or it has ended by itself.
  template <class Reached>
  void kill_when(const Reached& reached) {
    while (!reached() && ::waitpid(child_, nullptr, WNOHANG) == 0) std::this_thread::yield();
    ::kill(child_, SIGKILL);
    ::waitpid(child_, nullptr, 0);
  }

 private:
  pid_t child_;
};

TEST_F(Batch, ARunThatIsKilledLeavesWholeResultsAndTheNextGoesOn) {
  for (unsigned i = 0; i < 6; ++i) record(fmt::format("s{}", i), fmt::format("A{}", i), i + 1);
  plan();
  const auto results = folder_ / "fleet.results";
  const auto whole = [&] {
    int count = 0;
    for (int i = 0; i < 6; ++i) count += fs::exists(results / fmt::format("A{}", i)) ? 1 : 0;
    return count;
  };
  // In the midst of a sensor: beside its place, or, were that how it is done, in it.
  const auto in_between = [&] {
    for (int i = 0; i < 6; ++i) {
      const auto id = fmt::format("A{}", i);
      if (fs::exists(results / ".work" / (id + ".new") / "model.json")) return true;
      if (fs::exists(results / id) && !fs::exists(results / id / "result.json")) return true;
    }
    return false;
  };
  for (int done = 0; done < 5; done += 2) {
    KilledRun(folder_).kill_when([&] { return whole() > done && in_between(); });
    for (int i = 0; i < 6; ++i) {
      const auto id = fmt::format("A{}", i);
      if (!fs::exists(results / id)) continue;
      for (const auto& file : result_of(id)["files"])
        EXPECT_TRUE(fs::exists(results / id / file.get<std::string>())) << id << file;
      EXPECT_TRUE(json::accept(folder_.read("fleet.results/" + id + "/model.json"))) << id;
    }
  }
  EXPECT_LE(run_json({"batch", "run", "fleet.json"})["fitted"], 6 - 5);
  const auto rows = json::parse(run({"catalogue", "query", "fleet.results/catalogue.sqlite",
                                     "--parameter", "stiffness.k_punch", "--json", "--history"})
                                    .out)["result"]["rows"];
  std::set<std::string> serials;
  for (const auto& row : rows) serials.insert(row["serial"].get<std::string>());
  EXPECT_EQ(rows.size(), 6U);
  EXPECT_EQ(serials.size(), 6U);
}

TEST_F(Batch, TheCatalogueHoldsEachFitOnceAndEditedOnesAsHistory) {
  record("monday", "A1", 1);
  record("tuesday", "A2", 2);
  plan();
  EXPECT_EQ(run_json({"batch", "run", "fleet.json"})["catalogued"], 2);
  EXPECT_EQ(run_json({"batch", "run", "fleet.json"})["catalogued"], 0);
  run({"edit", "rec/monday.tact", "--exclude", "2"});
  EXPECT_EQ(run_json({"batch", "run", "fleet.json"})["catalogued"], 1);
  const auto catalogue = "fleet.results/catalogue.sqlite";
  const auto query = [&](std::vector<std::string> more) {
    std::vector<std::string> words{"catalogue", "query",       catalogue,
                                   "--json",    "--parameter", "stiffness.k_punch"};
    words.insert(words.end(), more.begin(), more.end());
    const auto result = run(words);
    const auto document = json::parse(result.out);
    const auto valid = check_schema(document, "cli-catalogue", "catalogue --json");
    EXPECT_TRUE(valid) << valid.error().message;
    return document["result"]["rows"];
  };
  EXPECT_EQ(query({}).size(), 2U);
  EXPECT_EQ(query({"--history"}).size(), 3U);
  const auto row = query({"--serial", "A2"})[0];
  const auto model = json::parse(folder_.read("fleet.results/A2/model.json"));
  EXPECT_EQ(row["value"], model["stiffness"]["k_punch"]["value"]);
  EXPECT_EQ(row["recorded"], "2026-11-20T10:00:00Z");
  ASSERT_EQ(run({"catalogue", "export", catalogue, "-o", "t.csv"}).status, 0);
  EXPECT_THAT(folder_.read("t.csv"), HasSubstr("A2,2026-11-20T10:00:00Z,stiffness.k_punch,"));
  const auto report = json::parse(run({"catalogue", "report", catalogue, "--json"}).out);
  const auto valid = check_schema(report, "cli-catalogue", "catalogue --json");
  EXPECT_TRUE(valid) << valid.error().message;
  EXPECT_EQ(report["result"]["sensors"], 2);
  EXPECT_EQ(report["result"]["fits"], 3);
}

TEST_F(Batch, WatchingFitsWhatHasComeSinceTheLastRound) {
  const std::vector<std::string> once{"batch", "watch", "rec", "--plan", "fleet.json", "--once"};
  EXPECT_EQ(run(once).status, 3);  // no such folder
  fs::create_directories(folder_ / "rec");
  EXPECT_EQ(run_json(once)["fitted"], 0);
  record("monday", "A1", 1);
  EXPECT_EQ(run_json(once)["fitted"], 1);
  EXPECT_EQ(run_json(once)["fitted"], 0);
  record("tuesday", "A1", 2);  // the same sensor: fitted again, with both
  record("wednesday", "A2", 3);
  EXPECT_EQ(run_json(once)["fitted"], 2);
  const auto model = json::parse(folder_.read("fleet.results/A1/model.json"));
  EXPECT_EQ(model["provenance"]["sessions"].size(), 2U);
}

TEST_F(Batch, MergingCataloguesTwiceOrInAnotherOrderGivesTheSame) {
  record("monday", "A1", 1);
  plan();
  ASSERT_EQ(run({"batch", "run", "fleet.json", "--catalogue", "one.sqlite"}).status, 0);
  record("tuesday", "A2", 2);
  plan();
  ASSERT_EQ(run({"batch", "run", "fleet.json", "--catalogue", "two.sqlite"}).status, 0);
  const auto first = run_json({"batch", "merge", "one.sqlite", "two.sqlite", "--into", "a.sqlite"});
  EXPECT_EQ(first["added"], 2);  // the fit of A1 is in both
  const auto again = run_json({"batch", "merge", "two.sqlite", "one.sqlite", "--into", "a.sqlite"});
  EXPECT_EQ(again["added"], 0);
  EXPECT_EQ(again["fits"], 2);
  run_json({"batch", "merge", "two.sqlite", "one.sqlite", "--into", "b.sqlite"});
  for (const std::string name : {"a", "b", "two"})
    ASSERT_EQ(run({"catalogue", "export", name + ".sqlite", "-o", name + ".csv"}).status, 0);
  const auto lines = [&](const std::string& file) {
    std::istringstream text(folder_.read(file));
    std::multiset<std::string> all;
    for (std::string line; std::getline(text, line);) all.insert(line);
    return all;
  };
  EXPECT_EQ(lines("a.csv"), lines("two.csv"));
  EXPECT_EQ(lines("b.csv"), lines("two.csv"));
  EXPECT_EQ(run({"batch", "merge", "none.sqlite", "--into", "c.sqlite"}).status, 3);
  EXPECT_FALSE(fs::exists(folder_ / "c.sqlite"));
}

}  // namespace
}  // namespace tactelier::test
