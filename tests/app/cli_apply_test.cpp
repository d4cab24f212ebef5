// tactelier apply where a model has gains but no dead zone: newtons for every reading that gain and
// offset reach, and a reason for the rest.

#include <fmt/format.h>
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

struct Cell {
  double t_s = 0;
  std::string force, u95, flag;
};

/// Of one tactel, row by row.
std::vector<Cell> applied(const TestFolder& folder, const std::string& file, std::size_t tactel) {
  std::vector<Cell> cells;
  std::istringstream table(folder.read(file));
  std::string line;
  std::getline(table, line);
  while (std::getline(table, line)) {
    std::vector<std::string> all;
    std::istringstream row(line);
    for (std::string cell; std::getline(row, cell, ',');) all.push_back(cell);
    all.resize(4 + 3 * tactel);
    cells.push_back(
        {std::stod(all[0]), all[1 + 3 * tactel], all[2 + 3 * tactel], all[3 + 3 * tactel]});
  }
  return cells;
}

json apply_json(const TestFolder& folder, const std::vector<std::string>& arguments, int status) {
  auto all = arguments;
  all.emplace_back("--json");
  const auto result = run_cli(folder.path(), all);
  EXPECT_EQ(result.status, status) << result.err;
  const auto document = parse_json(result.out, "apply");
  EXPECT_TRUE(document) << result.out;
  if (!document) return {};
  const auto valid = check_schema(*document, "cli-apply", "apply");
  EXPECT_TRUE(valid) << valid.error().message;
  return *document;
}

/// Three of six tactels pressed.
PlainSession pressed_session(double trigger_N, double offset_counts) {
  PlainSession session;
  session.pad.trigger_N = trigger_N;
  session.pad.offset_counts = offset_counts;
  session.pad.saturation_counts = 4095;
  session.pad.counts_per_N = 1500;
  session.pad.force_noise_N = 0.002;
  session.pad.count_noise = 4;
  int number = 1;
  for (const int tactel : {0, 1, 2})
    for (int i = 0; i < 5; ++i)
      session.presses.push_back({number++, tactel, 2.0, 1 + 0.004 * (i - 2)});
  return session;
}

TEST(Apply, GivesNewtonsOfASensorWithoutADeadZone) {
  const TestFolder folder;
  pressed_session(0, 200).write(folder, "s");
  ASSERT_EQ(run_cli(folder.path(), {"fit", "s", "-o", "m.json", "--stages", "response"}).status, 0);
  const auto tactel = json::parse(folder.read("m.json"))["response"]["tactels"][1];
  EXPECT_EQ(tactel["press_threshold"]["status"], "not_seen") << tactel["press_threshold"];
  EXPECT_EQ(tactel["press_threshold"]["value"], 0.0);
  EXPECT_LT(tactel["press_threshold"]["ci95"][1].get<double>(), 0.02);
  EXPECT_LT(tactel["press_gain"]["ci95"][0].get<double>(), 1 / 1500.0);
  EXPECT_GT(tactel["press_gain"]["ci95"][1].get<double>(), 1 / 1500.0);

  const auto document = apply_json(folder, {"apply", "m.json", "s", "-o", "f.csv"}, 0);
  const auto& result = document["result"];
  EXPECT_EQ(result["uncalibrated_percent"], 50.0);  // three of six were not pressed
  ASSERT_EQ(result["uncalibrated_tactels"].size(), 1U) << result;
  EXPECT_EQ(result["uncalibrated_tactels"][0]["tactels"], json({3, 4, 5}));
  EXPECT_THAT(result["uncalibrated_tactels"][0]["reason"].get<std::string>(),
              testing::StartsWith("NOT-PRESSED"));
  const auto cells = applied(folder, "f.csv", 1);
  int away = 0;
  for (std::size_t i = 5000; i < 10000; ++i) {  // the presses on tactel 1
    ASSERT_FALSE(cells[i].force.empty()) << i << cells[i].flag;
    const double up = (std::fmod(cells[i].t_s, 10.0) - 1) / 4;
    const double truth_N = 2 * std::max(0.0, std::min(up, 2 - up) * 2 - 1);
    const double off_N = std::abs(std::stod(cells[i].force) - truth_N);
    EXPECT_LT(off_N, 0.03) << i;
    away += off_N > std::stod(cells[i].u95) ? 1 : 0;
  }
  EXPECT_LT(away, 500);  // 95 % of the readings lie within what is stated
}

TEST(Apply, KeepsADeadZoneThatShows) {
  const TestFolder folder;
  pressed_session(0.2, 200).write(folder, "s");
  ASSERT_EQ(run_cli(folder.path(), {"fit", "s", "-o", "m.json", "--stages", "response"}).status, 0);
  const auto tactel = json::parse(folder.read("m.json"))["response"]["tactels"][1];
  EXPECT_EQ(tactel["press_threshold"]["status"], "identified") << tactel["press_threshold"];
  EXPECT_NEAR(tactel["press_threshold"]["value"].get<double>(), 0.2, 0.01);
  const auto result = apply_json(folder, {"apply", "m.json", "s", "-o", "f.csv"}, 0)["result"];
  EXPECT_GT(result["below"].get<int>(), 1000);
}

/// Rows of a table from elsewhere: three load cells, each reading a + s F and scatter.
std::string foreign_table(double sign) {
  std::string text = "place,F,c0,c1,c2\n";
  unsigned state = 7;
  const auto noise = [&] {
    state = state * 1664525U + 1013904223U;
    return (static_cast<double>(state >> 8U) / (1 << 24) - 0.5) * 6;
  };
  for (int place = 0; place < 3; ++place)
    for (int i = 0; i < 40; ++i) {
      const double force_N = 0.5 + 0.2 * i;
      std::string cells;
      for (int c = 0; c < 3; ++c)
        cells += fmt::format(
            ",{:.1f}",
            sign * (120 + 10 * c + (c == place ? (200 + 20 * c) * force_N : 0) + noise()));
      text += fmt::format("{},{:.3f}{}\n", place, force_N, cells);
    }
  return text;
}

constexpr const char* kMap = R"({"format": "tactelier/map", "version": 1,
  "sensor": {"rows": 1, "columns": 3, "pitch_x_mm": 10, "pitch_y_mm": 10, "falling": FALLING},
  "row_is": "press",
  "columns": {"place": "x", "F": "force", "c0": "tactel 0", "c1": "tactel 1", "c2": "tactel 2"},
  "units": {"place": "mm", "F": "N"}, "constants": {"y": "0 mm"}, "press_by": ["place"],
  "indenter": {"shape": "cylinder", "diameter_mm": 8}})";

struct Line {
  double intercept = 0, slope = 0;
};

/// Of tactel `c` over the rows of its own place.
Line plain_regression(const std::string& table, int c) {
  std::istringstream rows(table);
  std::string line;
  std::getline(rows, line);
  double n = 0, x = 0, y = 0, xx = 0, xy = 0;
  while (std::getline(rows, line)) {
    std::vector<double> cells;
    std::istringstream row(line);
    for (std::string cell; std::getline(row, cell, ',');) cells.push_back(std::stod(cell));
    if (static_cast<int>(cells[0]) != c) continue;
    const double force_N = cells[1], counts = cells[static_cast<std::size_t>(2 + c)];
    ++n;
    x += force_N;
    y += counts;
    xx += force_N * force_N;
    xy += force_N * counts;
  }
  const double slope = (n * xy - x * y) / (n * xx - x * x);
  return {(y - slope * x) / n, slope};
}

class ForeignTable : public testing::TestWithParam<double> {};

TEST_P(ForeignTable, GivesTheNewtonsOfAPlainRegression) {
  const TestFolder folder;
  auto text = foreign_table(GetParam());
  // Places 0, 1, 2 lie at -10, 0, 10 mm: the array's centre is its origin.
  std::string centred, line;
  std::istringstream rows(text);
  std::getline(rows, line);
  centred = line + "\n";
  while (std::getline(rows, line))
    centred += std::to_string(10 * (line[0] - '1')) + line.substr(1) + "\n";
  folder.write("t.csv", centred);
  std::string map = kMap;
  map.replace(map.find("FALLING"), 7, GetParam() < 0 ? "true" : "false");
  folder.write("map.json", map);
  const auto made =
      run_cli(folder.path(), {"import", "t.csv", "--map", "map.json", "-o", "t.tact"});
  ASSERT_EQ(made.status, 0) << made.err;
  const auto fitted = run_cli(folder.path(), {"fit", "t.tact", "-o", "m.json"});
  ASSERT_EQ(fitted.status, 0) << fitted.err;
  const auto response = json::parse(folder.read("m.json"))["response"];
  EXPECT_EQ(response["zero"], "rows");
  const auto result = apply_json(folder, {"apply", "m.json", "t.tact", "-o", "f.csv"}, 0)["result"];
  EXPECT_EQ(result["uncalibrated_percent"], 0.0);
  for (int c = 0; c < 3; ++c) {
    const auto truth = plain_regression(text, c);
    const auto& tactel = response["tactels"][static_cast<std::size_t>(c)];
    EXPECT_NEAR(tactel["press_gain"]["value"].get<double>() * std::abs(truth.slope), 1, 0.003) << c;
    const auto cells = applied(folder, "f.csv", static_cast<std::size_t>(c));
    for (std::size_t i = 0; i < 40; ++i) {
      const auto& cell = cells[static_cast<std::size_t>(40 * c) + i];
      ASSERT_FALSE(cell.force.empty()) << c << ' ' << i << ' ' << cell.flag;
      EXPECT_NEAR(std::stod(cell.force), 0.5 + 0.2 * static_cast<double>(i), 0.05) << c << ' ' << i;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(RisingAndFalling, ForeignTable, testing::Values(1.0, -1.0));

TEST(Apply, EndsWithFiveWhenNothingBecomesNewtons) {
  const TestFolder folder;
  pressed_session(0.2, 200).write(folder, "s");
  run_cli(folder.path(), {"fit", "s", "-o", "m.json", "--exclude", "1-15", "--stages", "response"});
  const auto result = run_cli(folder.path(), {"apply", "m.json", "s", "-o", "f.csv"});
  EXPECT_EQ(result.status, 5);
  EXPECT_THAT(result.out, HasSubstr("100.0 %"));
  EXPECT_THAT(result.err, HasSubstr("no reading became newtons"));
  EXPECT_THAT(result.err, HasSubstr("3 of 6 tactels get no newtons: NOT-PRESSED"));
}

}  // namespace
}  // namespace tactelier::test
