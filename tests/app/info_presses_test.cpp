// What `info` says of presses is what a fit of them does.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/app/support/cli.hpp"

namespace tactelier::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;

/// Three presses up and down within 2 s each, 100 rows per second; the table begins when the first
/// has begun, so that its rows hold no free air.
std::string begun_late() {
  std::string table = "t_s,force_N,counts\n";
  for (int i = 60; i < 1200; ++i) {
    const int in_press = i % 400;
    const double force_N = in_press < 200 ? 0.03 * std::min(in_press, 200 - in_press) : 0;
    table += std::to_string(0.01 * i) + "," + std::to_string(force_N + 0.001 * (i * 7 % 5)) + "," +
             std::to_string(300 + 100 * force_N + i * 3 % 4) + "\n";
  }
  return table;
}

TEST(InfoOfPresses, CountsThoseThatAFitCanUseAndSaysWhyItCannot) {
  const TestFolder folder;
  folder.write("table.csv", begun_late());
  folder.write("map.json",
               json{{"format", "tactelier/map"},
                    {"version", 1},
                    {"sensor",
                     {{"vendor", "x"},
                      {"model", "y"},
                      {"rows", 1},
                      {"columns", 1},
                      {"pitch_x_mm", 5},
                      {"pitch_y_mm", 5},
                      {"source", "made"}}},
                    {"row_is", "sample"},
                    {"columns", {{"t_s", "t"}, {"force_N", "force"}, {"counts", "tactel 0"}}},
                    {"units", {{"t_s", "s"}, {"force_N", "N"}}},
                    {"constants", {{"x", "0 mm"}, {"y", "0 mm"}}},
                    {"press_by", {{"threshold_N", 0.3}}},
                    {"indenter", {{"shape", "cylinder"}, {"diameter_mm", 5}}}}
                   .dump());
  const auto imported =
      run_cli(folder.path(), {"import", "table.csv", "--map", "map.json", "-o", "s.tact"});
  ASSERT_EQ(imported.status, 0) << imported.err;
  run_cli(folder.path(), {"fit", "s.tact", "-o", "m.json", "--stages", "response"});
  const auto presses = json::parse(folder.read("m.json"))["presses"];
  ASSERT_EQ(presses.size(), 3U);
  ASSERT_EQ(presses[0]["verdict"], "unusable") << presses[0].dump();
  const auto shown = run_cli(folder.path(), {"info", "s.tact"}).out;
  EXPECT_THAT(shown, HasSubstr("3, 2 usable"));
  EXPECT_THAT(shown, HasSubstr("press 1: " + std::string(presses[0]["why"])));
  const auto report = json::parse(
      run_cli(folder.path(), {"info", "s.tact", "--json"}).out)["result"]["sessions"][0];
  EXPECT_EQ(report["presses_usable"], 2);
  EXPECT_EQ(report["presses_refused"],
            json::array({{{"presses", {1}}, {"why", presses[0]["why"]}}}));
}

}  // namespace
}  // namespace tactelier::test
