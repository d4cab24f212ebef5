// What tactelier compare says of its figures. The simulated pad itself is the model.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "libcalib/json_check.hpp"
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
  static TestFolder* folder_;
};
TestFolder* CompareCommands::folder_ = nullptr;

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

}  // namespace
}  // namespace tactelier::test
