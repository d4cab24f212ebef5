// tactelier simulate and compare: a pad is recorded and fitted, then pressed with shapes that the
// fit never saw.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>
#include <numeric>
#include <sstream>

#include "libcalib/json_check.hpp"
#include "tests/app/support/cli.hpp"

namespace tactelier::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;

/// Every tactel once, a raster for the spread, a plate for the foundation.
constexpr const char* kCalibration = R"({
  "format": "tactelier/protocol", "version": 1, "name": "calibrate", "max_minutes": 60,
  "indenter": {"id": "pin1", "shape": "cylinder", "diameter_mm": 1.0},
  "steps": [
    {"do": "zero", "time_s": 5},
    {"do": "scan", "tactels": "all", "speed_mm_s": 0.8, "order": "rows",
     "until": {"saturated": true, "force_N": 3, "depth_mm": 1.5}},
    {"do": "raster", "area_mm": [-1.7, -1.7, 1.7, 1.7], "step_mm": 0.85, "depth_mm": 0.65},
    {"do": "area", "force_N": [1, 2, 4, 6, 9, 12, 15], "dwell_s": 3},
    {"do": "zero", "time_s": 5}]})";

/// A bar and a roller, each twice.
constexpr const char* kShapes = R"({
  "format": "tactelier/protocol", "version": 1, "name": "shapes", "max_minutes": 60,
  "indenter": {"id": "pin1", "shape": "cylinder", "diameter_mm": 1.0},
  "steps": [
    {"do": "zero", "time_s": 5},
    {"do": "images", "rz_deg": [45], "masses_g": [500], "repeats": 2, "dwell_s": 3, "indenters": [
      {"id": "bar", "shape": "edge", "length_mm": 14, "width_mm": 3},
      {"id": "roller", "shape": "lying_cylinder", "diameter_mm": 8, "length_mm": 14}]},
    {"do": "zero", "time_s": 5}]})";

class ForwardCommands : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = new TestFolder;
    folder_->write("calibrate.json", kCalibration);
    folder_->write("shapes.json", kShapes);
    must({"synth", "--protocol", "calibrate.json", "-o", "pad.tact", "--seed", "7"});
    must({"fit", "pad.tact", "-o", "model.json", "--stages", "psf,stiffness"});
    must({"synth", "--protocol", "shapes.json", "-o", "shapes.tact", "--truth", "pad.truth.json",
          "--seed", "8"});
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
  static json document(const CliResult& result, const std::string& schema) {
    auto found = json::parse(result.out);
    const auto valid = check_schema(found, schema, schema);
    EXPECT_TRUE(valid) << valid.error().message;
    return found["result"];
  }

  static void write_model_without_plate() {
    auto model = json::parse(folder_->read("model.json"));
    for (const auto& [group, name] :
         {std::pair{"stiffness", "foundation_modulus"}, {"hydroelastic", "modulus"}}) {
      model[group][name]["value"] = nullptr;
      model[group][name]["status"] = "unidentifiable";
      model[group][name]["reason"] = "ST-01 no plate";
    }
    folder_->write("no-plate.json", model.dump());
  }

  static TestFolder* folder_;
};
TestFolder* ForwardCommands::folder_ = nullptr;

const std::string kHexagon = R"({"shape": "hexagon", "across_flats_mm": 12})";

TEST_F(ForwardCommands, SimulateSharesTheWholeForceOut) {
  const auto result = document(must({"simulate", "--model", "model.json", "--indenter", kHexagon,
                                     "--force", "5", "--rz", "30", "-o", "hexagon.csv", "--json"}),
                               "cli-simulate");
  EXPECT_EQ(result["unit"], "N");
  EXPECT_NEAR(result["total_N"].get<double>(), 5, 0.01);
  std::istringstream lines(folder_->read("hexagon.csv"));
  double sum = 0;
  int rows = 0;
  for (std::string line; std::getline(lines, line); ++rows) {
    std::istringstream cells(line);
    for (std::string cell; std::getline(cells, cell, ',');) sum += std::stod(cell);
  }
  EXPECT_EQ(rows, 14);
  EXPECT_NEAR(sum, 5, 0.01);
}

TEST_F(ForwardCommands, AMassPressesWithItsWeight) {
  const auto result = document(must({"simulate", "--model", "model.json", "--indenter", kHexagon,
                                     "--mass", "500", "-o", "mass.json", "--json"}),
                               "cli-simulate");
  EXPECT_NEAR(result["load_N"].get<double>(), 0.5 * 9.80665, 1e-9);
  EXPECT_GT(result["depth_m"].get<double>(), 0);
}

TEST_F(ForwardCommands, AnImagesFeaturesAndContoursAreTold) {
  const auto result = run({"simulate", "--model", "model.json", "--indenter",
                           R"({"shape": "box", "x_mm": 16, "y_mm": 8})", "--force", "5", "--rz",
                           "90", "--contours", "50,10", "-o", "box.json"});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("contour at 50 % of the largest: 1 line, 1 closed"));
  const auto features =
      document(must({"simulate", "--model", "model.json", "--indenter",
                     R"({"shape": "box", "x_mm": 16, "y_mm": 8})", "--force", "5", "--rz", "90",
                     "--contours", "50,10", "-o", "box.json", "--overwrite", "--json"}),
               "cli-simulate")["features"];
  EXPECT_NEAR(features["total"].get<double>(), 5, 0.01);
  EXPECT_NEAR(features["orientation_deg"].get<double>(), 90, 0.1);
  EXPECT_TRUE(features["hough_deg"].is_number());  // of a compact shape any: the baseline is binary
  ASSERT_EQ(features["contours"].size(), 2U);
  // Half of the largest lies about on the outline of what presses: 128 mm2.
  EXPECT_NEAR(features["contours"][0]["area_mm2"].get<double>(), 128, 25);
  EXPECT_GT(features["contours"][1]["area_mm2"].get<double>(), 140);
  const auto flat = run({"simulate", "--model", "model.json", "--indenter", kHexagon, "--force",
                         "5", "--fingertip", "tip.stl", "-o", "tip.csv"});
  EXPECT_EQ(flat.status, 2);
  EXPECT_THAT(flat.err, HasSubstr("positions_mm"));
}

TEST_F(ForwardCommands, NoiseIsTheSameForTheSameSeedAndAnExistingFileIsKept) {
  const std::vector<std::string> noisy{"simulate", "--model", "model.json", "--indenter", kHexagon,
                                       "--force",  "5",       "--counts",   "--noise",    "-o"};
  const auto image = [&](const std::string& name, const std::string& seed) {
    auto arguments = noisy;
    arguments.insert(arguments.end(), {name, "--seed", seed});
    must(arguments);
    return folder_->read(name);
  };
  const auto first = image("n1.csv", "3");
  EXPECT_EQ(first, image("n2.csv", "3"));
  EXPECT_NE(first, image("n3.csv", "4"));
  EXPECT_EQ(first.find('.'), first.npos);  // a converter's steps
  auto again = noisy;
  again.push_back("n1.csv");
  const auto refused = run(again);
  EXPECT_EQ(refused.status, 2);
  EXPECT_THAT(refused.err, HasSubstr("--overwrite"));
}

TEST_F(ForwardCommands, SimulateSaysWhatItCanNotDo) {
  const auto refusal = [&](const std::vector<std::string>& more, int status) {
    std::vector<std::string> arguments{"simulate", "--model", "model.json", "-o", "refused.csv"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const auto result = run(arguments);
    EXPECT_EQ(result.status, status) << result.err;
    return result.err;
  };
  EXPECT_THAT(refusal({"--indenter", kHexagon, "--force", "5", "--x", "90"}, 3),
              HasSubstr("FW-01"));
  EXPECT_THAT(refusal({"--indenter", kHexagon, "--force", "-5"}, 3), HasSubstr("positive"));
  EXPECT_THAT(refusal({"--indenter", "nothing.json", "--force", "5"}, 3),
              HasSubstr("nothing.json"));
  EXPECT_THAT(refusal({"--indenter", kHexagon, "--force", "5", "--method", "magic"}, 2),
              HasSubstr("there is psf, soft-contact, hydroelastic"));
  for (const char* method : {"psf", "soft-contact"})
    EXPECT_THAT(refusal({"--indenter", kHexagon, "--force", "5e6", "--method", method}, 3),
                HasSubstr("FW-06"));
  EXPECT_THAT(
      refusal({"--indenter", kHexagon, "--force", "5", "--x", "nan", "--method", "soft-contact"},
              3),
      HasSubstr("FW-07"));
}

// Two pins' worth of difference: psf spreads what one spring under one tactel keeps to itself.
TEST_F(ForwardCommands, SoftContactKeepsAPinsForceOnTheTactelUnderIt) {
  const auto image = [&](const std::string& method) {
    return document(
        must({"simulate", "--model", "model.json", "--indenter",
              R"({"shape": "cylinder", "diameter_mm": 2})", "--force", "2", "--x", "1.7", "--y",
              "-1.7", "--method", method, "-o", method + ".json", "--json"}),
        "cli-simulate");
  };
  const auto soft = image("soft-contact");
  EXPECT_EQ(soft["method"], "soft-contact");
  EXPECT_NEAR(soft["total_N"].get<double>(), 2, 1e-9);
  EXPECT_NEAR(soft["torque_Nm"][0].get<double>(), 1.7e-3 * 2, 1e-9);
  EXPECT_NEAR(soft["torque_Nm"][1].get<double>(), 1.7e-3 * 2, 1e-9);
  const auto values = json::parse(folder_->read("soft-contact.json"))["values"];
  EXPECT_NEAR(values[6][3].get<double>(), 2, 1e-9);
  EXPECT_TRUE(image("psf")["torque_Nm"].is_null());
  EXPECT_LT(json::parse(folder_->read("psf.json"))["values"][6][3].get<double>(), 1.9);
}

constexpr const char* kPoses =
    "x_mm,y_mm,rz_deg,force_N\n0,0,0,5\n1.5,-2,30,3\n0,6.8,90,1\n-2,1,45,2\n0.5,0.5,10,4\n";

TEST_F(ForwardCommands, ABatchHoldsTheImagesThatItsRowsGiveOneByOne) {
  folder_->write("poses.csv", kPoses);
  const std::vector<std::string> batch{"simulate",   "--model", "model.json", "--batch",
                                       "poses.csv",  "-o",      "set.npz",    "--json",
                                       "--indenter", kHexagon};
  const auto whole = document(must(batch), "cli-simulate");
  EXPECT_EQ(whole["count"], 5);
  EXPECT_EQ(whole["model_sha256"].get<std::string>().size(), 64U);
  EXPECT_EQ(whole["done_before"], false);
  must({"simulate", "--model", "model.json", "--indenter", kHexagon, "--force", "3", "--x", "1.5",
        "--y", "-2", "--rz", "30", "-o", "one.json"});
  const auto one = json::parse(folder_->read("one.json"));
  // Stored as it lies: the second image of 14 x 6 floats stands behind the first.
  const auto bytes = folder_->read("set.npz");
  const auto header = bytes.find("'shape': (5,14,6,)");
  ASSERT_NE(header, bytes.npos);
  const auto data = bytes.find('\n', header) + 1;
  double total_N = 0;
  for (std::size_t i = 0; i < 84; ++i) {
    float value = 0;
    std::memcpy(&value, bytes.data() + data + (84 + i) * sizeof value, sizeof value);
    EXPECT_NEAR(value, one["values"][i / 6][i % 6].get<double>(), 5e-4) << i;
    total_N += value;
  }
  EXPECT_NEAR(total_N, 3, 0.02);
  EXPECT_THAT(folder_->read("set.csv"), HasSubstr("\n1,1.5,-2,30,0,0,3,"));
}

TEST_F(ForwardCommands, ABatchIsResumedAndNeverMixed) {
  folder_->write("poses.csv", kPoses);
  const auto shard = [&](const std::string& which, const std::string& load = "poses.csv") {
    return std::vector<std::string>{"simulate", "--model",    "model.json", "--batch",  load,
                                    "--shard",  which,        "-o",         "part.npz", "--json",
                                    "--counts", "--indenter", kHexagon};
  };
  const auto first = document(must(shard("1/2")), "cli-simulate");
  const auto second = document(must(shard("2/2")), "cli-simulate");
  EXPECT_EQ(first["first_row"], 0);
  EXPECT_EQ(first["count"], 2);
  EXPECT_EQ(second["first_row"], 2);
  EXPECT_EQ(second["count"], 3);
  EXPECT_EQ(second["images"], "part-2-of-2.npz");
  const auto before = folder_->read("part-2-of-2.npz");
  EXPECT_EQ(document(must(shard("2/2")), "cli-simulate")["done_before"], true);
  folder_->write("other.csv", "x_mm,force_N\n0,1\n1,1\n2,1\n");
  const auto mixed = run(shard("2/2", "other.csv"));
  EXPECT_EQ(mixed.status, 2);
  EXPECT_THAT(mixed.err, HasSubstr("--overwrite"));
  EXPECT_EQ(folder_->read("part-2-of-2.npz"), before);
}

TEST_F(ForwardCommands, JoinedShardsAreTheFileThatOneMachineMakes) {
  folder_->write("poses.csv", kPoses);
  const auto make = [&](const std::string& output, const std::vector<std::string>& more) {
    std::vector<std::string> words{"simulate", "--model", "model.json", "--batch", "poses.csv",
                                   "-o",       output,    "--counts",   "--noise", "--seed",
                                   "3",        "--json",  "--indenter", kHexagon};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  };
  must(make("alone.npz", {}));
  must(make("joined.npz", {"--shard", "1/3"}));
  must(make("joined.npz", {"--shard", "3/3"}));
  const auto early = run(make("joined.npz", {"--shards", "3", "--join"}));
  EXPECT_EQ(early.status, 2);
  EXPECT_THAT(early.err, HasSubstr("1 of 3 shards are not there: 2"));
  EXPECT_FALSE(std::filesystem::exists(*folder_ / "joined.npz"));
  must(make("joined.npz", {"--shard", "2/3"}));
  const auto joined =
      document(must(make("joined.npz", {"--shards", "3", "--join"})), "cli-simulate");
  EXPECT_EQ(joined["count"], 5);
  EXPECT_TRUE(folder_->read("joined.npz") == folder_->read("alone.npz"));
  EXPECT_EQ(folder_->read("joined.csv"), folder_->read("alone.csv"));
  EXPECT_EQ(document(must(make("joined.npz", {"--shards", "3", "--join"})),
                     "cli-simulate")["done_before"],
            true);
  // A row of a shard's table got lost.
  const auto poses = folder_->read("joined-2-of-3.csv");
  folder_->write("joined-2-of-3.csv", poses.substr(0, poses.find('\n') + 1));
  const auto damaged = run(make("joined.npz", {"--shards", "3", "--join", "--overwrite"}));
  EXPECT_NE(damaged.status, 0);
}

TEST_F(ForwardCommands, ABatchNamesTheRowThatCanNotBe) {
  const auto refusal = [&](const std::string& table, const std::string& shard = "1/1") {
    folder_->write("bad.csv", table);
    const auto result = run({"simulate", "--model", "model.json", "--batch", "bad.csv", "--shard",
                             shard, "-o", "bad.npz", "--indenter", kHexagon});
    EXPECT_NE(result.status, 0);
    return result.err;
  };
  EXPECT_THAT(refusal("x_mm,force_N\n0,1\n90,1\n"),
              testing::AllOf(HasSubstr("bad.csv:3"), HasSubstr("FW-01")));
  EXPECT_THAT(refusal("x_mm,force_N\n0,1\nnan,1\n"), HasSubstr("bad.csv:3"));
  EXPECT_THAT(refusal("x_mm,force_N\n0,ten\n"), HasSubstr("'ten' is no number"));
  EXPECT_THAT(refusal("x_mm,force\n0,1\n"), HasSubstr("column 'force'"));
  EXPECT_THAT(refusal("x_mm,force_N,mass_g\n0,1,1\n"), HasSubstr("2 columns with a load"));
  EXPECT_THAT(refusal("x_mm,force_N\n0,1\n", "3/2"), HasSubstr("I/N"));
  EXPECT_FALSE(std::filesystem::exists(*folder_ / "bad-1-of-1.npz"));
}

/// Of the poses written beside a batch: column `column` of each row.
std::vector<double> column_of(const std::string& csv, int column) {
  std::istringstream lines(csv);
  std::string line;
  std::getline(lines, line);
  std::vector<double> values;
  while (std::getline(lines, line)) {
    std::istringstream cells(line);
    std::string cell;
    for (int i = 0; i <= column; ++i) std::getline(cells, cell, ',');
    values.push_back(std::stod(cell));
  }
  return values;
}

TEST_F(ForwardCommands, ABatchDrawsItsPressesFromRanges) {
  const auto ranges = [](int presses) {
    return json{
        {"format", "tactelier/press-ranges"},
        {"version", 1},
        {"presses", presses},
        {"seed", 3},
        {"x_mm", {-2, 6}},
        {"rz_deg", 30},
        {"mass_g", {100, 300}},
        {"indenters",
         {json::parse(kHexagon), json::parse(R"({"shape": "sphere", "diameter_mm": 10})")}}};
  };
  const auto make = [&](int presses, const std::string& output, const std::string& shard) {
    folder_->write("ranges.json", ranges(presses).dump());
    must({"simulate", "--model", "model.json", "--batch", "ranges.json", "--shard", shard, "-o",
          output, "--json"});
    const auto of = shard.substr(2);
    return folder_->read(output.substr(0, 4) + "-" + shard[0] + "-of-" + of + ".csv");
  };
  const auto all = make(200, "many.npz", "1/1");
  const auto x_mm = column_of(all, 1), load_N = column_of(all, 6);
  ASSERT_EQ(x_mm.size(), 200U);
  // Even: the mean of 200 is within 4 standard errors, 8/sqrt(12 * 200) mm each.
  EXPECT_NEAR(std::accumulate(x_mm.begin(), x_mm.end(), 0.0) / 200, 2, 4 * 0.163);
  EXPECT_LT(*std::min_element(x_mm.begin(), x_mm.end()), -1.5);
  EXPECT_GT(*std::max_element(x_mm.begin(), x_mm.end()), 5.5);
  EXPECT_GT(*std::min_element(load_N.begin(), load_N.end()), 0.1 * 9.80665);
  EXPECT_LT(*std::max_element(load_N.begin(), load_N.end()), 0.3 * 9.80665);
  const auto of_shape = [&](const char* name) {
    std::size_t count = 0;
    for (auto at = all.find(name); at != all.npos; at = all.find(name, at + 1)) ++count;
    return count;
  };
  EXPECT_NEAR(static_cast<double>(of_shape("sphere")), 100, 30);
  EXPECT_EQ(of_shape("sphere") + of_shape("hexagon"), 200U);
  // Fewer are the first of more, and a shard is a part of the same.
  const auto few = make(20, "some.npz", "2/2");
  EXPECT_NE(few.find("\n10,"), few.npos);
  EXPECT_EQ(few.substr(few.find("\n10,"), 40), all.substr(all.find("\n10,"), 40));
}

TEST_F(ForwardCommands, RangesSayWhatIsWrongWithThem) {
  const auto refusal = [&](const std::string& changes) {
    auto ranges = json::parse(
        R"({"format": "tactelier/press-ranges", "version": 1, "presses": 5, "force_N": 1})");
    ranges.merge_patch(json::parse(changes));
    folder_->write("ranges.json", ranges.dump());
    const auto result = run({"simulate", "--model", "model.json", "--batch", "ranges.json", "-o",
                             "bad.npz", "--indenter", kHexagon});
    EXPECT_NE(result.status, 0);
    return result.err;
  };
  EXPECT_THAT(refusal(R"({"x_mm": [3, -3]})"), HasSubstr("x_mm: 3 lies above -3"));
  EXPECT_THAT(refusal(R"({"mass_g": 100})"), HasSubstr("2 loads"));
  EXPECT_THAT(refusal(R"({"force_N": null})"), HasSubstr("0 loads"));
  EXPECT_THAT(refusal(R"({"indenters": ["hexagon.json"]})"), HasSubstr("give one"));
  EXPECT_THAT(refusal(R"({"rx_deg": 3})"), HasSubstr("rx_deg"));
  EXPECT_THAT(refusal(R"({"x_mm": [40, 60]})"),
              testing::AllOf(HasSubstr("ranges.json:1"), HasSubstr("FW-01")));
}

TEST_F(ForwardCommands, CompareFindsShapesThatTheFitNeverSaw) {
  const auto result = document(
      must({"compare", "--model", "model.json", "shapes.tact", "--json", "--images", "kept"}),
      "cli-compare");
  ASSERT_EQ(result["images"].size(), 4u);
  const auto& median = result["median"]["psf"];
  EXPECT_LT(median["rel_l1"].get<double>(), 3);
  EXPECT_LT(median["total"].get<double>(), 1);
  EXPECT_LT(median["centroid"].get<double>(), 0.05 * 3.4e-3);
  EXPECT_LT(median["emd"].get<double>(), 0.05 * 3.4e-3);
  EXPECT_GT(median["iou"].get<double>(), 0.97);
  EXPECT_LT(median["orientation"].get<double>(), 0.5 * 3.14159 / 180);
  EXPECT_GT(result["floor"]["rel_l1"].get<double>(), 0);
  EXPECT_GT(median["rho"].get<double>(), 0);
  const auto pair =
      document(must({"compare", "--images", "kept/shapes-1-psf.csv", "kept/shapes-1-measured.csv",
                     "--full-scale", "3000", "--pitch", "3.4", "--json"}),
               "cli-compare");
  EXPECT_NEAR(pair["metrics"]["emd"].get<double>(),
              result["images"][0]["metrics"]["emd"].get<double>(), 1e-7);
}

TEST_F(ForwardCommands, AnApproachStiffensAndPsfKnowsNone) {
  const auto force_N = [&](const std::string& speed) {
    const auto result = document(must({"simulate", "--model", "damped.json", "--indenter", kHexagon,
                                       "--depth", "0.2", "--approach", speed, "--method",
                                       "hydroelastic", "-o", "field.csv", "--overwrite", "--json"}),
                                 "cli-simulate");
    return result["load_N"].get<double>();
  };
  auto model = json::parse(folder_->read("model.json"));
  for (const auto& [name, value] : {std::pair{"modulus", 2e6},
                                    {"thickness", 4e-3},
                                    {"dissipation", 20.0},
                                    {"receptive_radius", 4e-3}}) {
    model["hydroelastic"][name]["value"] = value;
    model["hydroelastic"][name]["status"] = "assumed";
    model["hydroelastic"][name].erase("reason");
  }
  folder_->write("damped.json", model.dump());
  EXPECT_NEAR(force_N("10") / force_N("0"), 1.2, 1e-9);
  const auto refused = run({"simulate", "--model", "model.json", "--indenter", kHexagon, "--depth",
                            "0.2", "--approach", "10", "-o", "no.csv"});
  EXPECT_EQ(refused.status, 2);
  EXPECT_THAT(refused.err, HasSubstr("no speed"));
}

TEST_F(ForwardCommands, CompareSetsMethodsSideBySide) {
  const auto result = document(must({"compare", "--model", "model.json", "shapes.tact", "--json",
                                     "--method", "psf,soft-contact", "--images", "both"}),
                               "cli-compare");
  ASSERT_EQ(result["images"].size(), 8U);
  EXPECT_EQ(result["images"][0]["method"], "psf");
  EXPECT_EQ(result["images"][7]["method"], "soft-contact");
  const auto& psf = result["median"]["psf"];
  const auto& soft = result["median"]["soft-contact"];
  EXPECT_GT(soft["rel_l1"].get<double>(), psf["rel_l1"].get<double>());
  EXPECT_TRUE(psf.contains("coverage"));
  EXPECT_FALSE(soft.contains("coverage"));
  EXPECT_NE(folder_->read("both/shapes-1-psf.csv"),
            folder_->read("both/shapes-1-soft-contact.csv"));
  const auto alone =
      document(must({"compare", "--model", "model.json", "shapes.tact", "--json"}), "cli-compare");
  EXPECT_EQ(alone["median"]["psf"], psf);
  EXPECT_EQ(alone["floor"], result["floor"]);
  const auto text =
      must({"compare", "--model", "model.json", "shapes.tact", "--method", "psf,soft-contact"});
  EXPECT_THAT(text.out, testing::AllOf(HasSubstr("Method psf"), HasSubstr("Method soft-contact")));
}

TEST_F(ForwardCommands, PressesThatTheModelCanNotPredictAreLeftOutAndNamed) {
  write_model_without_plate();
  const auto compared = run({"compare", "--model", "no-plate.json", "shapes.tact", "--json"});
  ASSERT_EQ(compared.status, 0) << compared.err;
  const auto document = json::parse(compared.out);
  EXPECT_EQ(document["result"]["images"].size(), 2U);
  ASSERT_EQ(document["warnings"].size(), 2U);
  EXPECT_EQ(document["warnings"][0]["code"], "FW-05");
  EXPECT_THAT(document["warnings"][0]["where"].get<std::string>(), HasSubstr("image 3"));
}

TEST_F(ForwardCommands, AnotherShapeThanTheOnePressedIsFarOff) {
  auto events = json::parse(folder_->read("shapes.json"));
  auto& bar = events["steps"][1]["indenters"][0];
  must({"simulate", "--model", "model.json", "--indenter", bar.dump(), "--mass", "500", "--rz",
        "45", "--counts", "-o", "turned.json", "--overwrite"});
  must({"simulate", "--model", "model.json", "--indenter", bar.dump(), "--mass", "500", "--rz",
        "25", "--counts", "-o", "other.json", "--overwrite"});
  const auto pair = document(
      must({"compare", "--images", "other.json", "turned.json", "--model", "model.json", "--json"}),
      "cli-compare");
  EXPECT_NEAR(pair["metrics"]["orientation"].get<double>(), 20 * 3.14159 / 180, 0.05);
  EXPECT_GT(pair["metrics"]["rel_l1"].get<double>(), 10);
}

TEST_F(ForwardCommands, FailAboveIsExitStatusFive) {
  const std::vector<std::string> compare{"compare", "--model", "model.json", "shapes.tact",
                                         "--fail-above"};
  auto strict = compare, wide = compare;
  strict.emplace_back("rel_l1=0.0001");
  wide.emplace_back("rel_l1=50");
  const auto failed = run(strict);
  EXPECT_EQ(failed.status, 5);
  EXPECT_THAT(failed.err, HasSubstr("rel_l1 of psf"));
  EXPECT_THAT(failed.out, HasSubstr("median"));
  EXPECT_EQ(run(wide).status, 0);
}

// The layer's thickness is not known; the field needs no more than K_f, which the plate told.
TEST_F(ForwardCommands, HydroelasticNeedsTheFoundationModulusAlone) {
  auto model = json::parse(folder_->read("model.json"));
  model["hydroelastic"]["receptive_radius"] = {
      {"value", 4e-3}, {"unit", "m"}, {"status", "assumed"}, {"from", "sensor"}};
  folder_->write("seeing.json", model.dump());
  const auto found = document(must({"compare", "--model", "seeing.json", "shapes.tact", "--json",
                                    "--method", "psf,hydroelastic"}),
                              "cli-compare");
  EXPECT_EQ(found["images"].size(), 8U);
  EXPECT_TRUE(found["median"].contains("hydroelastic"));
}

// Without it there is no field: the comparison goes on, and a limit on all fails.
TEST_F(ForwardCommands, AMethodThatTheModelCanNotServeIsLeftOutAndNamed) {
  write_model_without_plate();
  const std::vector<std::string> both{"compare", "--model",  "no-plate.json",   "shapes.tact",
                                      "--json",  "--method", "psf,hydroelastic"};
  const auto result = must(both);
  const auto found = document(result, "cli-compare");
  EXPECT_TRUE(found["median"].contains("psf"));
  EXPECT_FALSE(found["median"].contains("hydroelastic"));
  EXPECT_THAT(json::parse(result.out)["warnings"].dump(), HasSubstr("FW-10"));
  auto limited = both;
  limited.insert(limited.end(), {"--fail-above", "rel_l1=50"});
  EXPECT_EQ(run(limited).status, 5);
}

TEST_F(ForwardCommands, RegisteredImagesStandBesideThoseAsRecorded) {
  const auto found =
      document(must({"compare", "--model", "model.json", "shapes.tact", "--json", "--registered"}),
               "cli-compare");
  EXPECT_LE(found["median"]["psf registered"]["rel_l1"].get<double>(),
            found["median"]["psf"]["rel_l1"].get<double>() + 0.01);
  for (const auto& image : found["images"]) {
    const bool registered = image["method"] == "psf registered";
    EXPECT_EQ(image["shift"].is_null(), !registered);
    if (registered) {
      EXPECT_LT(std::abs(image["shift"]["x_mm"].get<double>()), 0.1);
    }
  }
}

/// A cube of 12 mm, open where `faces` are missing.
std::string cube_obj(std::size_t faces) {
  const std::vector<std::string> all{"1 3 2", "2 3 4", "5 6 7", "6 8 7", "1 2 5", "2 6 5",
                                     "3 7 4", "4 7 8", "1 5 3", "3 5 7", "2 4 6", "4 8 6"};
  std::string text =
      "v -6 -6 0\nv 6 -6 0\nv -6 6 0\nv 6 6 0\n"
      "v -6 -6 12\nv 6 -6 12\nv -6 6 12\nv 6 6 12\n";
  for (std::size_t i = 0; i < faces; ++i) text += "f " + all[i] + "\n";
  return text;
}

TEST_F(ForwardCommands, AMeshBesideItsIndenterFilePressesAndAnOpenOneIsRefused) {
  std::filesystem::create_directories(folder_->path() / "tips");
  folder_->write("tips/cube.obj", cube_obj(12));
  folder_->write("tips/open.obj", cube_obj(11));
  for (const std::string name : {"cube", "open"})
    folder_->write("tips/" + name + ".json",
                   R"({"shape": "mesh", "file": ")" + name + R"(.obj", "scale_mm": 1})");
  const auto press = [&](const std::string& indenter, const std::string& output) {
    return run({"simulate", "--model", "model.json", "--indenter", indenter, "--force", "5",
                "--json", "-o", output});
  };
  const auto mesh = document(press("tips/cube.json", "mesh.csv"), "cli-simulate");
  const auto box =
      document(press(R"({"shape": "box", "x_mm": 12, "y_mm": 12})", "box.csv"), "cli-simulate");
  EXPECT_NEAR(mesh["total_N"].get<double>(), box["total_N"].get<double>(), 1e-5);
  // Without its file it is named, with where it was looked for.
  folder_->write("tips/gone.json", R"({"shape": "mesh", "file": "gone.stl", "scale_mm": 1})");
  const auto gone = press("tips/gone.json", "gone.csv");
  EXPECT_EQ(gone.status, 3);
  EXPECT_THAT(gone.err, testing::AllOf(HasSubstr("FW-13"), HasSubstr("tips/gone.stl")));
  EXPECT_FALSE(std::filesystem::exists(*folder_ / "gone.csv"));
  const auto open = press("tips/open.json", "open.csv");
  EXPECT_EQ(open.status, 3);
  EXPECT_THAT(open.err, HasSubstr("FW-08 open.obj"));
}

TEST_F(ForwardCommands, AHoldOutPredictsTheImagesAsCompareDoes) {
  const auto fit = [](const std::string& holdout) {
    return must({"fit", "pad.tact", "shapes.tact", "-o", "held.json", "--stages", "psf,stiffness",
                 "--holdout", holdout, "--force", "--json"});
  };
  const auto fitted = json::parse(fit("0.2").out);
  const auto with = fitted["result"]["quality"]["psf"]["figures"];
  const auto compared =
      document(must({"compare", "--model", "held.json", "shapes.tact", "--json"}), "cli-compare");
  EXPECT_EQ(with["prediction_images"], compared["images"].size());
  // The roller needs the plate's presses, which are held out, too: it is left out, and named.
  EXPECT_EQ(compared["images"].size(), 2U);
  EXPECT_THAT(fitted["warnings"].dump(), HasSubstr("shapes.tact: image 3"));
  EXPECT_DOUBLE_EQ(with["prediction_rel_l1_percent"].get<double>(),
                   compared["median"]["psf"]["rel_l1"].get<double>());
  EXPECT_DOUBLE_EQ(with["prediction_floor_emd_m"].get<double>(),
                   compared["floor"]["emd"].get<double>());
  const auto without = json::parse(fit("0").out)["result"]["quality"]["psf"]["figures"];
  EXPECT_FALSE(without.contains("prediction_images"));
}

TEST_F(ForwardCommands, ASessionWithoutImagesSaysWhatToRecord) {
  const auto none = run({"compare", "--model", "model.json", "pad.tact"});
  EXPECT_EQ(none.status, 3);
  EXPECT_THAT(none.err, HasSubstr("images"));
}

}  // namespace
}  // namespace tactelier::test
