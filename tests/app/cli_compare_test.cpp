// tactelier compare with images of another simulator, with a record that somebody requires, and by
// strata. The simulated pad itself is the model.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "libcalib/json_check.hpp"
#include "libcalib/model_file/model_file.hpp"
#include "libcalib/model_file/model_hash.hpp"
#include "tests/app/support/cli.hpp"

namespace tactelier::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;

/// A bar under two weights and a disc under one.
constexpr const char* kShapes = R"({
  "format": "tactelier/protocol", "version": 1, "name": "shapes", "max_minutes": 60,
  "indenter": {"id": "pin1", "shape": "cylinder", "diameter_mm": 1.0},
  "steps": [
    {"do": "zero", "time_s": 3},
    {"do": "images", "masses_g": [100, 500], "repeats": 2, "dwell_s": 2, "indenters": [
      {"id": "bar", "shape": "edge", "length_mm": 14, "width_mm": 3}]},
    {"do": "images", "masses_g": [500], "dwell_s": 2, "indenters": [
      {"id": "disc", "shape": "cylinder", "diameter_mm": 8}]},
    {"do": "zero", "time_s": 3}]})";

class CompareCommands : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = new TestFolder;
    folder_->write("shapes.json", kShapes);
    must({"synth", "--protocol", "shapes.json", "-o", "shapes.tact", "--seed", "7"});
  }
  static void TearDownTestSuite() { delete folder_; }

  static CliResult run(const std::vector<std::string>& arguments) {
    return run_cli(folder_->path(), arguments);
  }
  static CliResult must(const std::vector<std::string>& arguments) {
    const auto result = run(arguments);
    EXPECT_EQ(result.status, 0) << testing::PrintToString(arguments) << result.err;
    return result;
  }
  static json document(const CliResult& result) {
    auto found = json::parse(result.out);
    const auto valid = check_schema(found, "cli-compare", "compare");
    EXPECT_TRUE(valid) << valid.error().message;
    return found["result"];
  }
  /// With one map; 2 x 3 tactels of 2 mm in newtons: measured.
  static CliResult pair(const std::string& simulated, const json& map, const json& measured) {
    folder_->write("simulated.csv", simulated);
    json head{{"format", "tactelier/image-map"}, {"version", 1}};
    head.update(map);
    folder_->write("map.json", head.dump());
    folder_->write("measured.json", json{{"format", "tactelier/image"},
                                         {"version", 1},
                                         {"unit", "N"},
                                         {"pitch_x_mm", 2},
                                         {"pitch_y_mm", 2},
                                         {"values", measured}}
                                        .dump());
    return run({"compare", "--images", "simulated.csv", "measured.json", "--map", "map.json",
                "--full-scale", "10", "--json"});
  }
  static double rmse(const CliResult& result) {
    EXPECT_EQ(result.status, 0) << result.err;
    return document(result)["metrics"]["rmse"].get<double>();
  }

  static TestFolder* folder_;
};
TestFolder* CompareCommands::folder_ = nullptr;

const json kMeasured = {{1, 2, 3}, {4, 5, 6}};

TEST_F(CompareCommands, AMapPutsRowsColumnsAndUnitsInOrder) {
  // The same pad: rows from the top, in millinewtons; then columns from the right; then both as
  // columns of the file.
  EXPECT_NEAR(rmse(pair("4000,5000,6000\n1000,2000,3000\n", {{"unit", "mN"}, {"first_row", "top"}},
                        kMeasured)),
              0, 1e-12);
  EXPECT_NEAR(rmse(pair("3,2,1\n6,5,4\n", {{"unit", "N"}, {"first_column", "right"}}, kMeasured)),
              0, 1e-12);
  EXPECT_NEAR(rmse(pair("4,1\n5,2\n6,3\n",
                        {{"unit", "N"}, {"transposed", true}, {"first_row", "top"}}, kMeasured)),
              0, 1e-12);
  // Left as it is, four of six are wrong: rows in each other's place differ by 3.
  EXPECT_NEAR(rmse(pair("4,5,6\n1,2,3\n", {{"unit", "N"}}, kMeasured)), 3, 1e-12);
}

TEST_F(CompareCommands, AMapSaysWhichTactelIsWhich) {
  const json map{{"unit", "N"}, {"tactels", {{5, 4}, {3, nullptr}, {1, 0}}}};
  const auto result = pair("6,5\n4,99\n2,1\n", map, kMeasured);
  EXPECT_NEAR(rmse(result), 0, 1e-12);  // tactel 2 is in no cell and left out, as is 99
  const auto twice = pair("6,5\n", {{"unit", "N"}, {"tactels", {{5, 5}}}}, kMeasured);
  EXPECT_EQ(twice.status, 3);
  EXPECT_THAT(twice.err, HasSubstr("map.json: tactels names tactel 5 twice"));
  const auto none = pair("6,5\n", {{"unit", "N"}, {"tactels", {{5, 6}}}}, kMeasured);
  EXPECT_THAT(none.err, HasSubstr("no tactel 6"));
}

TEST_F(CompareCommands, AMapMovesAndTurnsTheSimulatedPad) {
  // One pitch to the right; half a pitch shares a reading among two; one pitch up; half a turn; a
  // quarter turn, where a tactel reads four cells, or two of the edge and nothing beside them.
  const json zero = {{0, 0, 0}, {0, 0, 0}};
  EXPECT_NEAR(rmse(pair("0,2,0\n0,0,0\n", {{"unit", "N"}, {"x_mm", 2}}, {{0, 0, 2}, {0, 0, 0}})), 0,
              1e-12);
  EXPECT_NEAR(rmse(pair("0,2,0\n0,0,0\n", {{"unit", "N"}, {"x_mm", 1}}, {{0, 1, 1}, {0, 0, 0}})), 0,
              1e-12);
  EXPECT_NEAR(rmse(pair("0,2,0\n0,0,0\n", {{"unit", "N"}, {"y_mm", 2}}, {{0, 0, 0}, {0, 2, 0}})), 0,
              1e-12);
  EXPECT_NEAR(
      rmse(pair("0,2,4\n0,0,0\n", {{"unit", "N"}, {"rz_deg", 180}}, {{0, 0, 0}, {4, 2, 0}})), 0,
      1e-12);
  EXPECT_NEAR(
      rmse(pair("0,2,4\n0,0,0\n", {{"unit", "N"}, {"rz_deg", 90}}, {{0, 0.5, 0.5}, {0, 1.5, 1.5}})),
      0, 1e-12);
  EXPECT_NEAR(rmse(pair("0,2,0\n0,0,0\n", {{"unit", "N"}, {"x_mm", 900}}, zero)), 0, 1e-12);
}

TEST_F(CompareCommands, AMapThatMakesNoSenseIsRefusedByName) {
  const auto refusal = [](const CliResult& result) {
    EXPECT_EQ(result.status, 3);
    return result.err;
  };
  EXPECT_THAT(refusal(pair("1,2,3\n4,5,6\n", {{"unit", "mm"}}, kMeasured)),
              HasSubstr("'mm' is no unit of an image"));
  EXPECT_THAT(refusal(pair("1,2,3\n4,5,6\n", {{"unit", "N"}, {"first_line", "top"}}, kMeasured)),
              HasSubstr("first_line"));
  EXPECT_THAT(refusal(pair("1,2\n3,4\n5,6\n", {{"unit", "N"}}, kMeasured)),
              HasSubstr("3 x 2 tactels, the recorded one has 2 x 3"));
  EXPECT_THAT(refusal(pair("1,2,3\n4,5,6\n",
                           {{"unit", "N"}, {"first_row", "top"}, {"tactels", {{0}}}}, kMeasured)),
              HasSubstr("not both"));
  EXPECT_THAT(refusal(pair("1,2,3\n4,5,6\n", {{"unit", "counts above rest"}}, kMeasured)),
              HasSubstr("--model"));
  folder_->write("bare.csv", "1,2,3\n4,5,6\n");
  EXPECT_THAT(
      refusal(run({"compare", "--images", "simulated.csv", "bare.csv", "--map", "map.json"})),
      HasSubstr("measured_unit"));
}

TEST_F(CompareCommands, NewtonsMeetKeptCountsByTheModelsResponse) {
  must({"compare", "--model", "shapes.truth.json", "shapes.tact", "--images", "kept"});
  must({"simulate", "--model", "shapes.truth.json", "--indenter",
        R"({"shape": "edge", "length_mm": 14, "width_mm": 3})", "--mass", "500", "-o",
        "newtons.csv"});
  folder_->write("newtons.map.json",
                 R"({"format": "tactelier/image-map", "version": 1, "unit": "N",
                     "measured_unit": "counts above rest"})");
  const auto compared = [&](const std::string& measured) {
    return document(must({"compare", "--images", "newtons.csv", measured, "--map",
                          "newtons.map.json", "--model", "shapes.truth.json", "--json"}));
  };
  // Image 2 is the bar under 500 g: the same press, once as newtons, once as predicted counts.
  EXPECT_LT(compared("kept/shapes-2-psf.csv")["metrics"]["rel_l1"].get<double>(), 1e-3);
  EXPECT_LT(compared("kept/shapes-2-measured.csv")["metrics"]["rel_l1"].get<double>(), 5);
  EXPECT_GT(compared("kept/shapes-1-psf.csv")["metrics"]["rel_l1"].get<double>(), 100);
}

TEST_F(CompareCommands, StrataHoldTheMediansOfWhatTheyHaveInCommon) {
  const auto result =
      document(must({"compare", "--model", "shapes.truth.json", "shapes.tact", "--json"}));
  const auto& strata = result["strata"]["psf"];
  ASSERT_EQ(strata.size(), 4U);  // two shapes, two weights; all stand level
  EXPECT_EQ(strata[0]["by"], "indenter");
  EXPECT_EQ(strata[0]["images"], 4);
  EXPECT_EQ(strata[2]["by"], "load");
  EXPECT_EQ(strata[2]["value"], "100 g");
  EXPECT_EQ(strata[3]["value"], "500 g");
  std::vector<double> light;
  for (const auto& image : result["images"])
    if (image["load_N"].get<double>() < 2) light.push_back(image["metrics"]["rel_l1"]);
  ASSERT_EQ(light.size(), 2U);
  EXPECT_NEAR(strata[2]["median"]["rel_l1"].get<double>(), (light[0] + light[1]) / 2, 1e-12);
  const auto text = must({"compare", "--model", "shapes.truth.json", "shapes.tact"}).out;
  EXPECT_THAT(text, HasSubstr("% of the counts measured"));
  EXPECT_THAT(text, HasSubstr("median of 5 images"));
}

/// A bar pressed by the stage, twice; its readings 30 ms late where the truth says so.
class PressesInTime : public CompareCommands {
 protected:
  static void SetUpTestSuite() {
    CompareCommands::SetUpTestSuite();
    folder_->write("pressed.json", R"({
      "format": "tactelier/protocol", "version": 1, "name": "pressed", "max_minutes": 60,
      "indenter": {"id": "bar", "shape": "edge", "length_mm": 14, "width_mm": 3},
      "steps": [
        {"do": "zero", "time_s": 3},
        {"do": "images", "force_N": [4], "repeats": 2, "dwell_s": 2, "indenters": [
          {"id": "bar", "shape": "edge", "length_mm": 14, "width_mm": 3}]},
        {"do": "zero", "time_s": 3}]})");
  }
  /// Records what `truth` says and compares it with `model`: the figures of its first press.
  static json course(const json& truth, const json& model) {
    static int recorded = 0;
    const auto recording = fmt::format("pressed-{}.tact", ++recorded);
    folder_->write("in-time.truth.json", truth.dump());
    folder_->write("in-time.model.json", model.dump());
    must({"synth", "--protocol", "pressed.json", "-o", recording, "--truth", "in-time.truth.json",
          "--seed", "3"});
    const auto result =
        document(must({"compare", "--model", "in-time.model.json", recording, "--json"}));
    EXPECT_EQ(result["images"].size(), 2U);
    EXPECT_EQ(result["median"]["psf"].contains("latency"), true);
    return result["images"][0]["course"];
  }
  static json truth() { return json::parse(folder_->read("shapes.truth.json")); }
  static json with_latency(double latency_s) {
    auto model = truth();
    model["timing"]["latency_s"]["value"] = latency_s;
    model["timing"]["latency_s"]["status"] = "assumed";
    return model;
  }
};

TEST_F(PressesInTime, ReadingsThatComeLateAreToldByHowMuchAndAModelThatKnowsTakesItOff) {
  EXPECT_NEAR(course(with_latency(0.03), with_latency(0))["latency_s"].get<double>(), 0.03, 1e-3);
  EXPECT_NEAR(course(with_latency(0.03), with_latency(0.03))["latency_s"].get<double>(), 0, 1e-3);
}

// The pad's play operators share no line with the prediction's.
TEST_F(PressesInTime, TheLoopIsAsLargeAsPlayOperatorsMakeIt) {
  auto slack = truth();
  const auto number = [](double value, const char* unit) {
    return json{{"value", value}, {"unit", unit}, {"status", "assumed"}, {"from", "test"}};
  };
  slack["response"]["hysteresis_model"]["thresholds"] = {number(0, "N"), number(0.1, "N")};
  slack["response"]["hysteresis_model"]["weights"] = {number(0.7, ""), number(0.35, "")};
  for (auto& tactel :
       slack["response"]["tactels"])  // else nobody knows a tactel's share of a press
    for (const char* name : {"gain", "press_gain"}) tactel[name]["status"] = "identified";
  const auto known = course(slack, slack);
  EXPECT_GT(known["measured_loop_percent"].get<double>(), 1);
  EXPECT_NEAR(known["loop_ratio"].get<double>(), 1, 0.05);
  const auto unknown = course(slack, truth());
  EXPECT_EQ(unknown["predicted_loop_percent"], 0);
  EXPECT_TRUE(unknown["loop_ratio"].is_null());
  EXPECT_NEAR(unknown["measured_loop_percent"].get<double>(),
              known["measured_loop_percent"].get<double>(), 0.2);
}

TEST_F(PressesInTime, WhatAHandLaysOnHasNoCourse) {
  const auto result =
      document(must({"compare", "--model", "shapes.truth.json", "shapes.tact", "--json"}));
  EXPECT_TRUE(result["images"][0]["course"].is_null());
  EXPECT_FALSE(result["median"]["psf"].contains("loop"));
}

TEST_F(CompareCommands, ACentreOfForceIsFoundOnAFingertip) {
  // 4 x 4 tactels bent by a right angle between the third and fourth column, 1 mm behind the third.
  SensorDescription sensor;
  sensor.vendor = "Test";
  sensor.model = "tip";
  auto& array = sensor.arrays.emplace_back();
  array.rows = array.columns = 4;
  array.pitch_x_m = array.pitch_y_m = 3e-3;
  const auto bent = [](double x_m, double y_m) {
    return x_m < 7e-3 ? Vector3{x_m, y_m, 0} : Vector3{7e-3, y_m, 7e-3 - x_m};
  };
  for (int i = 0; i < 16; ++i) {
    array.positions_m.push_back(bent(3e-3 * (i % 4), 3e-3 * (i / 4)));
    array.normals.push_back(i % 4 < 3 ? Vector3{0, 0, 1} : Vector3{1, 0, 0});
  }
  ASSERT_TRUE(write_model(empty_model(sensor), *folder_ / "tip.model.json"));
  std::string mesh;
  for (int i = 0; i < 10; ++i)
    for (int j = 0; j < 10; ++j) {
      const auto at = bent(1e-3 * j, 1e-3 * i);
      mesh += fmt::format("v {} {} {}\n", 1e3 * at[0], 1e3 * at[1], 1e3 * at[2]);
    }
  for (int i = 0; i < 9; ++i)
    for (int j = 1; j < 10; ++j) {
      const int at = 10 * i + j;
      mesh += fmt::format("f {} {} {}\nf {} {} {}\n", at, at + 1, at + 11, at, at + 11, at + 10);
    }
  folder_->write("tip.obj", mesh);
  // At (8.25, 3) mm of the array's plane.
  folder_->write("on-tip.json", R"({"format": "tactelier/image", "version": 1, "unit": "N",
    "pitch_x_mm": 3, "pitch_y_mm": 3,
    "values": [[0, 0, 0, 0], [0, 0, 1, 3], [0, 0, 0, 0], [0, 0, 0, 0]]})");
  const std::vector<std::string> words{
      "compare",        "--images",     "on-tip.json", "on-tip.json", "--model",
      "tip.model.json", "--full-scale", "4",           "--fingertip", "tip.obj"};
  EXPECT_THAT(must(words).out,
              HasSubstr("A: centre of force on the fingertip at (7.000, 3.000, -1.250) mm"));
  auto as_json = words;
  as_json.emplace_back("--json");
  const auto found = document(must(as_json))["features"]["b"]["fingertip"];
  EXPECT_NEAR(found["along_surface_miss_mm"].get<double>(), 0, 1e-6);
  EXPECT_GT(found["by_chords_miss_mm"].get<double>(), 0.05);
  auto beside = words;
  folder_->write("far.obj", "v 90 0 0\nv 99 0 0\nv 90 9 0\nf 1 2 3\n");
  beside.back() = "far.obj";
  const auto refused = run(beside);
  EXPECT_EQ(refused.status, 3);
  EXPECT_THAT(refused.err, HasSubstr("FW-15"));
}

/// As verify-export writes it.
std::string record_text(const std::string& name, const std::string& hash, bool passed) {
  return json{{"format", "tactelier/verification-record"},
              {"version", 1},
              {"name", name},
              {"created", "2026-11-20T10:00:00Z"},
              {"tool", "tactelier 0.1.0"},
              {"sensor", {{"vendor", "Acme"}, {"model", "Pad"}, {"serial", "7"}}},
              {"model_sha256", hash},
              {"assumed", ""},
              {"target",
               {{"format", "mujoco"},
                {"engine", "MuJoCo"},
                {"version", "2.2.2"},
                {"time_step_s", 1e-3},
                {"solver_tolerance", 0}}},
              {"force_N", {0.1, 1}},
              {"passed", passed},
              {"quantities", json::array()},
              {"left_out", json::array()}}
      .dump();
}

TEST_F(CompareCommands, ARequiredRecordIsOfThisModelAndPassed) {
  const auto hash = model_hash(read_model(*folder_ / "shapes.truth.json").value());
  const auto compare = [&](const std::string& name) {
    return run({"compare", "--model", "shapes.truth.json", "shapes.tact", "--json",
                "--require-record", name});
  };
  folder_->write("good.json", record_text("Pad.good", hash, true));
  folder_->write("failed.json", record_text("Pad.failed", hash, false));
  folder_->write("other.json", record_text("Pad.other", std::string(64, 'a'), true));
  const auto good = compare("Pad.good");
  ASSERT_EQ(good.status, 0) << good.err;
  EXPECT_EQ(document(good)["record"]["name"], "Pad.good");
  EXPECT_THAT(document(good)["record"]["file"].get<std::string>(), HasSubstr("good.json"));
  for (const auto& [name, why] : {std::pair{"Pad.failed", "did not pass"},
                                  {"Pad.other", "another model"},
                                  {"Pad.none", "there is Pad.failed, Pad.good, Pad.other"}}) {
    const auto refused = compare(name);
    EXPECT_EQ(refused.status, 5) << name;
    EXPECT_THAT(refused.err, HasSubstr(why));
  }
  const auto of_nothing = run(
      {"compare", "--images", "simulated.csv", "simulated.csv", "--require-record", "Pad.good"});
  EXPECT_EQ(of_nothing.status, 2);
}

}  // namespace
}  // namespace tactelier::test
