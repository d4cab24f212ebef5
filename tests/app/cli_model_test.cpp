// fit, show, export, apply and --json, from the command line.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>

#include "libcalib/json_check.hpp"
#include "tests/app/support/cli.hpp"
#include "tests/app/support/session_folder.hpp"

namespace tactelier::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

/// A folder with a session of two tactels, five presses on one of them, and its model.
class ModelCommands : public testing::Test {
 protected:
  void SetUp() override {
    PlainSession session;
    session.pad.force_noise_N = 0.004;
    session.pad.count_noise = 5;
    for (int i = 0; i < 5; ++i) session.presses.push_back({i + 1, 4, 2.2, 1 + 0.004 * (i - 2)});
    session.presses.push_back({6, 1, 2.2});
    session.write(folder_, "s");
    ASSERT_EQ(run({"import", "s", "-o", "s.tact"}).status, 0);
    const auto fitted = run({"fit", "s.tact", "-o", "m.json"});
    ASSERT_EQ(fitted.status, 0) << fitted.err;
    model_ = json::parse(folder_.read("m.json"));
  }

  CliResult run(const std::vector<std::string>& arguments) const {
    return run_cli(folder_.path(), arguments);
  }
  json tactel(int i) const { return model_["response"]["tactels"][i]; }

  TestFolder folder_;
  json model_;
};

TEST_F(ModelCommands, TheIntervalsHoldTheTruth) {
  for (const auto& [name, truth] :
       {std::pair{"press_gain", 1 / 2400.0}, {"press_threshold", 0.2}}) {
    const auto parameter = tactel(4)[name];
    ASSERT_EQ(parameter["status"], "identified") << name << parameter;
    EXPECT_LT(parameter["ci95"][0].get<double>(), truth) << name;
    EXPECT_GT(parameter["ci95"][1].get<double>(), truth) << name;
    EXPECT_GE(parameter["u_total"].get<double>(), 1.9 * parameter["std"].get<double>()) << name;
  }
  EXPECT_LT(model_["stiffness"]["k_punch"]["ci95"][0].get<double>(), 2000);
  EXPECT_GT(model_["stiffness"]["k_punch"]["ci95"][1].get<double>(), 2000);
}

TEST_F(ModelCommands, TactelsThatWereNotPressedSaySoAndHaveNoNumbers) {
  EXPECT_EQ(tactel(0)["status"], "not_pressed");
  EXPECT_TRUE(tactel(0)["press_gain"]["value"].is_null());
  EXPECT_NE(tactel(0)["press_gain"]["reason"], "");
}

TEST_F(ModelCommands, TheModelNamesItsSessionsByContentAndTheEditsItUsed) {
  const auto provenance = model_["provenance"]["sessions"][0];
  EXPECT_EQ(provenance["file"], "s.tact");
  EXPECT_EQ(provenance["content_hash"].get<std::string>().size(), 64U);
  EXPECT_TRUE(provenance["edits"].empty());
  run({"edit", "s.tact", "--exclude", "2"});
  run({"fit", "s.tact", "-o", "n.json", "--exclude", "s.tact:3"});
  const auto other = json::parse(folder_.read("n.json"));
  EXPECT_EQ(other["provenance"]["sessions"][0]["content_hash"], provenance["content_hash"]);
  EXPECT_EQ(other["provenance"]["sessions"][0]["edits"].size(), 2U);
  for (const auto& press : other["presses"])
    EXPECT_EQ(press["used"].get<bool>(), press["number"] != 2 && press["number"] != 3) << press;
}

TEST_F(ModelCommands, AFitOfTheFolderEqualsAFitOfTheFile) {
  ASSERT_EQ(run({"fit", "s", "-o", "folder.json"}).status, 0);
  const auto other = json::parse(folder_.read("folder.json"));
  EXPECT_EQ(other["response"], model_["response"]);
  EXPECT_EQ(other["stiffness"], model_["stiffness"]);
}

TEST_F(ModelCommands, RequireIsExitStatusFiveWhenSomethingIsMissing) {
  EXPECT_EQ(
      run({"fit", "s.tact", "-o", "n.json", "--force", "--require", "response,stiffness"}).status,
      0);
  const auto unmet = run(
      {"fit", "s.tact", "-o", "n.json", "--force", "--exclude", "1-6", "--require", "response"});
  EXPECT_EQ(unmet.status, 5);
  EXPECT_THAT(unmet.err, HasSubstr("response"));
}

TEST_F(ModelCommands, ShowPrintsValueUncertaintyUnitAndWhatToRecordInstead) {
  const auto shown = run({"show", "m.json", "--tactels", "--presses"});
  EXPECT_EQ(shown.status, 0);
  EXPECT_THAT(shown.out, HasSubstr("±"));
  EXPECT_THAT(shown.out, HasSubstr("N/m"));
  EXPECT_THAT(shown.out, HasSubstr("PS-01"));
  EXPECT_THAT(shown.out, Not(HasSubstr("nan")));
}

TEST_F(ModelCommands, ExportLeavesOutWhatIsNotIdentifiedAndSaysSo) {
  ASSERT_EQ(run({"export", "m.json", "--to", "openrave", "-o", "m.xml"}).status, 0);
  const auto xml = folder_.read("m.xml");
  EXPECT_THAT(xml, HasSubstr("type=\"SimTactileSensor\""));
  EXPECT_THAT(xml, Not(HasSubstr("<mus>")));
  EXPECT_THAT(xml, HasSubstr("mu_s"));  // in the comment that lists what is missing
  ASSERT_EQ(run({"export", "m.json", "--to", "openrave", "-o", "n.xml", "--assume",
                 "friction.mu_s=0.6", "--assume", "friction.mu_d=0.5"})
                .status,
            0);
  const auto assumed = folder_.read("n.xml");
  EXPECT_THAT(assumed, HasSubstr("<mus>0.6</mus>"));
  EXPECT_THAT(assumed, HasSubstr("assumed"));
}

TEST_F(ModelCommands, ExportDrawsModelsFromTheFitsCovariance) {
  const std::vector<std::string> command{"export",      "m.json",
                                         "--to",        "mujoco",
                                         "-o",          "pad.xml",
                                         "--assume",    "stiffness.k=2000",
                                         "--assume",    "damping.c_n=2",
                                         "--assume",    "stiffness.max_penetration=2e-3",
                                         "--randomize", "12",
                                         "--seed",      "3"};
  const auto drawn = run(command);
  ASSERT_EQ(drawn.status, 0) << drawn.err;
  EXPECT_THAT(drawn.out, HasSubstr("pad_01.xml to pad_12.xml"));
  const auto second = folder_.read("pad_02.xml");
  EXPECT_THAT(second, HasSubstr("Drawn: draw 2 of 12, seed 3, from the model with sha256 "));
  EXPECT_NE(second, folder_.read("pad_03.xml"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "pad.xml"));
  const auto again = run(command);
  EXPECT_EQ(again.status, 2);
  EXPECT_THAT(again.err, HasSubstr("pad_01.xml"));
  EXPECT_EQ(run({"export", "m.json", "--to", "mujoco", "--loss", "--randomize", "2"}).status, 2);
}

TEST_F(ModelCommands, AFormatOfSeveralFilesWritesThemBesideEachOther) {
  std::vector<std::string> command{"export", "m.json", "--to", "mujoco", "-o", "pad.xml"};
  for (const auto* assumed :
       {"stiffness.k=2000", "damping.c_n=2", "stiffness.max_penetration=2e-3"})
    command.insert(command.end(), {"--assume", assumed});
  auto as_json = command;
  as_json.push_back("--json");
  const auto first = run(as_json);
  ASSERT_EQ(first.status, 0) << first.err;
  const auto files = json::parse(first.out)["result"]["files"];
  ASSERT_EQ(files.size(), 2U);
  EXPECT_EQ(files[0], "pad.xml");
  const auto beside = files[1].get<std::string>();
  EXPECT_THAT(beside, testing::EndsWith("_press.xml"));
  EXPECT_THAT(folder_.read(beside), HasSubstr("name=\"weight\""));

  // The second file is as precious as the first one.
  std::filesystem::remove(folder_ / "pad.xml");
  folder_.write(beside, "precious");
  const auto refused = run(command);
  EXPECT_EQ(refused.status, 2);
  EXPECT_THAT(refused.err, HasSubstr(beside));
  EXPECT_EQ(folder_.read(beside), "precious");
  EXPECT_FALSE(std::filesystem::exists(folder_ / "pad.xml"));
  command.push_back("--force");
  const auto replaced = run(command);
  EXPECT_EQ(replaced.status, 0);
  EXPECT_THAT(replaced.out, HasSubstr("pad.xml, " + beside));
  EXPECT_NE(folder_.read(beside), "precious");
  command[5] = beside;
  EXPECT_EQ(run(command).status, 2);  // both would have one name
}

TEST_F(ModelCommands, AnAssumptionThatMakesNoSenseIsRefused) {
  for (const auto* wrong : {"friction.mu_x=0.6", "friction.mu_s", "friction.mu_s=much"}) {
    const auto result =
        run({"export", "m.json", "--to", "openrave", "-o", "n.xml", "--assume", wrong});
    EXPECT_THAT((std::vector<int>{2, 3}), testing::Contains(result.status)) << wrong;
    EXPECT_FALSE(std::filesystem::exists(folder_ / "n.xml")) << wrong;
  }
}

TEST_F(ModelCommands, ExportedJsonIsTheModelAgain) {
  ASSERT_EQ(run({"export", "m.json", "--to", "json", "-o", "n.json"}).status, 0);
  EXPECT_EQ(json::parse(folder_.read("n.json")), model_);
}

TEST_F(ModelCommands, ApplyTurnsReadingsIntoTheForceThatWasMeasured) {
  const auto applied = run({"apply", "m.json", "s.tact", "-o", "f.csv"});
  ASSERT_EQ(applied.status, 0) << applied.err;
  std::istringstream table(folder_.read("f.csv"));
  std::string line;
  std::getline(table, line);
  EXPECT_THAT(line, testing::StartsWith("t[s],0[N],0.u95[N],0.flag,1[N]"));
  int ok = 0;
  int saturated = 0;
  for (int frame = 0; std::getline(table, line); ++frame) {
    std::vector<std::string> cells;
    std::istringstream row(line);
    for (std::string cell; std::getline(row, cell, ',');) cells.push_back(cell);
    const auto flag = cells.at(15);  // t, then three cells per tactel: tactel 4's flag
    // Frame 200 of a press (2 s after touch began at 1 s + travel of 1 mm) is on the way up.
    if (flag == "saturated") ++saturated;
    if (flag != "ok") continue;
    ++ok;
    const double t_s = std::stod(cells.at(0));
    if (t_s >= 50) continue;  // the sixth press is on another tactel
    // The generator's own force: a triangle of 4 s up and 4 s down, 1 mm of air, 2 N/mm.
    const double in_press_s = std::fmod(t_s, 10.0);
    const double up = (in_press_s - 1) / 4;
    const double depth_mm = std::min(up, 2 - up) * (1 + 1.1) - 1;
    EXPECT_NEAR(std::stod(cells.at(13)), 2 * depth_mm, 0.03) << line;
  }
  EXPECT_GT(ok, 1000);
  EXPECT_GT(saturated, 100);
}

TEST_F(ModelCommands, ApplyTakesAPlainTableToo) {
  ASSERT_EQ(run({"apply", "m.json", "s.tact", "-o", "f.csv"}).status, 0);
  ASSERT_EQ(run({"apply", "m.json", "s/tactile.csv", "-o", "g.csv"}).status, 0);
  EXPECT_EQ(folder_.read("f.csv"), folder_.read("g.csv"));
}

TEST_F(ModelCommands, ApplyRefusesAnotherSensor) {
  folder_.write("other.csv", "t[s],0,1\n0,1,2\n");
  const auto result = run({"apply", "m.json", "other.csv", "-o", "g.csv"});
  EXPECT_EQ(result.status, 3);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "g.csv"));
}

TEST_F(ModelCommands, EveryCommandPrintsJsonThatItsSchemaAllows) {
  const std::vector<std::pair<std::string, std::vector<std::string>>> commands{
      {"sensors", {"sensors", "list"}},
      {"sensors", {"sensors", "show", "weiss-wts0614"}},
      {"import", {"import", "s", "-o", "t.tact"}},
      {"info", {"info", "s.tact"}},
      {"info", {"info", "s.tact", "s"}},
      {"unpack", {"unpack", "s.tact", "u"}},
      {"edit", {"edit", "t.tact", "--note", "hello"}},
      {"fit", {"fit", "s.tact", "-o", "n.json"}},
      {"show", {"show", "m.json"}},
      {"apply", {"apply", "m.json", "s.tact", "-o", "f.csv"}},
      {"export", {"export", "m.json", "--to", "openrave", "-o", "m.xml"}},
      {"export", {"export", "m.json", "--to", "openrave", "--loss"}},
      {"export",
       {"export", "m.json", "--to", "mujoco", "-o", "j.xml", "--assume", "stiffness.k=2000",
        "--assume", "damping.c_n=2"}},
      {"export", {"export", "--list"}},
  };
  for (auto [name, arguments] : commands) {
    arguments.push_back("--json");
    const auto result = run(arguments);
    EXPECT_EQ(result.status, 0) << testing::PrintToString(arguments) << result.err;
    const auto document = parse_json(result.out, name);
    ASSERT_TRUE(document.has_value()) << name << ": " << document.error().message;
    const auto valid = check_schema(*document, "cli-" + name, name);
    EXPECT_TRUE(valid.has_value()) << valid.error().message;
    if (name != "fit" && name != "show") continue;
    const auto model = check_schema((*document)["result"], "sensor-model", name);
    EXPECT_TRUE(model.has_value()) << model.error().message;
  }
}

}  // namespace
}  // namespace tactelier::test
