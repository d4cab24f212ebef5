// Tables of sensors that nobody here made: cut at either end, falling, or of another law than a
// line. What is read off them must be what a plain regression over the rows that are not cut says,
// in the counts that were recorded, or be refused.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>
#include <random>

#include "tests/app/support/cli.hpp"

namespace tactelier::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

struct Row {
  double force_N, counts;
};

struct Table {
  std::function<double(double)> law;    // counts at a force in N
  double lowest = -1e9, highest = 1e9;  // where readings are cut, noise and all
  int presses = 1;
  double scatter = 0;            // between presses, relative, of the force
  bool at_rest = true;           // each row a reading at rest, else a time series with free air
  json sensor = json::object();  // further members of its description
  std::uint64_t seed = 1;
};

struct Made {
  std::vector<Row> rows;
  std::string csv;
};

/// 50 rows from 0.1 to 10 N, or ramps up and down in 8 s at 100 rows per second.
Made make(const Table& table) {
  std::mt19937_64 random(table.seed);
  std::normal_distribution<double> normal;
  Made made{{}, table.at_rest ? "p,F,c\n" : "t,F,c\n"};
  double t_s = 0;
  for (int p = 0; p < table.presses; ++p) {
    const double factor = 1 + table.scatter * normal(random);
    const auto add = [&](double place, double force_N) {
      const double counts = std::round(std::clamp(table.law(factor * force_N) + 3 * normal(random),
                                                  table.lowest, table.highest));
      const double read_N = force_N + 0.005 * normal(random);
      made.csv += std::to_string(place) + "," + std::to_string(read_N) + "," +
                  std::to_string(counts) + "\n";
      made.rows.push_back({read_N, counts});
    };
    for (int i = 0; table.at_rest && i < 50; ++i) add(p, 0.1 + 9.9 * i / 49);
    for (int i = 0; !table.at_rest && i < 1000; ++i, t_s += 0.01)
      add(t_s, 2.5 * std::max(0.0, 4 - std::abs(0.01 * i - 5)));
  }
  return made;
}

/// Newtons per count of the rows whose reading is not cut.
double regression(const Made& made, const std::function<bool(const Row&)>& counts_in) {
  double n = 0, mf = 0, mc = 0, sff = 0, sfc = 0;
  for (const auto& row : made.rows) {
    if (!counts_in(row)) continue;
    n += 1;
    const double df = row.force_N - mf;
    mf += df / n;
    mc += (row.counts - mc) / n;
    sff += df * (row.force_N - mf);
    sfc += df * (row.counts - mc);
  }
  return sff / std::abs(sfc);
}

struct Fitted {
  int status = 0;
  json model;
  std::string shown;
  json tactel() const { return model["response"]["tactels"][0]; }
  std::vector<std::string> codes() const {
    std::vector<std::string> all;
    for (const auto& warning : model["quality"]["response"]["warnings"])
      all.push_back(warning["code"]);
    return all;
  }
};

void import_table(const TestFolder& folder, const Table& table, const Made& made) {
  json sensor = {{"vendor", "x"},   {"model", "y"},    {"rows", 1},       {"columns", 1},
                 {"pitch_x_mm", 5}, {"pitch_y_mm", 5}, {"source", "made"}};
  sensor.update(table.sensor);
  json map = {{"format", "tactelier/map"},
              {"version", 1},
              {"sensor", sensor},
              {"row_is", table.at_rest ? "press" : "sample"},
              {"columns", {{"F", "force"}, {"c", "tactel 0"}}},
              {"units", {{"F", "N"}}},
              {"constants", {{"x", "0 mm"}, {"y", "0 mm"}}},
              {"indenter", {{"shape", "cylinder"}, {"diameter_mm", 5}}}};
  map["columns"][table.at_rest ? "p" : "t"] = table.at_rest ? "ignore" : "t";
  if (table.at_rest)
    map["press_by"] = json::array({"p"});
  else {
    map["units"]["t"] = "s";
    map["press_by"] = {{"threshold_N", 0.1}};
  }
  folder.write("table.csv", made.csv);
  folder.write("map.json", map.dump());
  const auto imported =
      run_cli(folder.path(), {"import", "table.csv", "--map", "map.json", "-o", "s.tact"});
  ASSERT_EQ(imported.status, 0) << imported.err;
}

Fitted fit_table(const TestFolder& folder, const Table& table, const Made& made) {
  import_table(folder, table, made);
  const auto fitted =
      run_cli(folder.path(), {"fit", "s.tact", "-o", "m.json", "--stages", "response"});
  Fitted result{fitted.status, json::parse(folder.read("m.json")), ""};
  result.shown = run_cli(folder.path(), {"show", "m.json"}).out;
  return result;
}

Fitted fit_table(const Table& table, const Made& made) {
  const TestFolder folder;
  return fit_table(folder, table, made);
}

bool holds(const json& parameter, double value) {
  return parameter["status"] == "identified" && parameter["ci95"][0].get<double>() <= value &&
         value <= parameter["ci95"][1].get<double>();
}

bool refused(const json& parameter) { return parameter["value"].is_null(); }

double rising(double force_N) { return 100 + 300 * force_N; }
double falling(double force_N) { return 4000 - 300 * force_N; }

TEST(ForeignTables, AFloorThatNobodyDescribedIsFoundAndLeftOut) {
  for (const int presses : {1, 5}) {
    Table table{rising, 760};
    table.presses = presses;
    table.scatter = 0.005;
    const auto made = make(table);
    const auto at_floor = std::count_if(made.rows.begin(), made.rows.end(),
                                        [](const Row& row) { return row.counts == 760; });
    ASSERT_GT(static_cast<double>(at_floor), 0.2 * static_cast<double>(made.rows.size()));
    const auto fitted = fit_table(table, made);
    const double gain = regression(made, [](const Row& row) { return row.counts > 760; });
    const json found = fitted.tactel()["press_gain"];
    ASSERT_EQ(found["status"], "identified") << found;
    EXPECT_NEAR(found["value"].get<double>(), gain, 0.004 * gain) << presses;
    EXPECT_TRUE(holds(found, gain)) << found << gain;
    EXPECT_EQ(fitted.tactel()["offset"]["value"], 760);
    EXPECT_THAT(fitted.codes(), testing::Contains("FLOOR"));
  }
}

TEST(ForeignTables, ACellThatFallsIsNotCalledDeadWhereNobodySaidSo) {
  Table table{falling};
  table.at_rest = false;
  table.presses = 3;
  const auto fitted = fit_table(table, make(table));
  const std::string reason = fitted.tactel()["press_gain"]["reason"];
  EXPECT_THAT(reason, testing::StartsWith("FALLS Tactel 0 reads up to 30"));  // 300 a newton, to 10
  EXPECT_EQ(fitted.tactel()["status"], "not_pressed");
}

TEST(ForeignTables, ACeilingThatNobodyDescribedIsFoundAndLeftOut) {
  for (const int presses : {1, 5}) {
    Table table{rising, -1e9, 2400};
    table.presses = presses;
    table.scatter = 0.005;
    const auto made = make(table);
    const auto fitted = fit_table(table, made);
    const double gain = regression(made, [](const Row& row) { return row.counts < 2400; });
    const json found = fitted.tactel()["press_gain"];
    ASSERT_EQ(found["status"], "identified") << found;
    EXPECT_NEAR(found["value"].get<double>(), gain, 0.004 * gain) << presses;
    EXPECT_EQ(fitted.tactel()["saturation"]["value"], 2400);
  }
}

TEST(ForeignTables, AFloorThatOnlyFreeAirShowsKeepsItsNoiseOffTheLine) {
  Table table{rising, 760};
  table.at_rest = false;
  table.presses = 3;
  const auto made = make(table);
  const auto fitted = fit_table(table, made);
  EXPECT_NEAR(fitted.tactel()["press_gain"]["value"].get<double>(), 1.0 / 300, 2e-5);
  EXPECT_NEAR(fitted.tactel()["press_threshold"]["value"].get<double>(), 2.2, 0.02);
  EXPECT_THAT(fitted.codes(), Not(testing::Contains("ID-07")));
}

TEST(ForeignTables, FallingReadingsKeepTheCountsThatWereRecorded) {
  for (const json& sensor :
       {json{{"falling", true}}, json{{"falling", true}, {"adc", {{"min", 0}, {"max", 4095}}}}}) {
    Table table{falling, 1500};
    table.sensor = sensor;
    table.at_rest = false;
    const auto fitted = fit_table(table, make(table));
    const auto& tactel = fitted.tactel();
    EXPECT_NEAR(tactel["offset"]["value"].get<double>(), 4000, 1);
    EXPECT_TRUE(holds(tactel["offset"], 4000)) << tactel["offset"];
    EXPECT_NEAR(tactel["saturation"]["value"].get<double>(), 1500, 1);
    EXPECT_NEAR(tactel["press_gain"]["value"].get<double>(), 1.0 / 300, 1e-5);
    EXPECT_THAT(fitted.shown, HasSubstr("1500"));
    EXPECT_THAT(fitted.shown, Not(HasSubstr("-1500")));
  }
}

TEST(ForeignTables, FallingReadingsBecomeTheirNewtonsAgain) {
  const TestFolder folder;
  Table table{[](double f) { return f > 0.2 ? 4060 - 300 * f : 4000; }};
  table.sensor = {{"falling", true}};
  table.at_rest = false;
  table.presses = 2;
  fit_table(folder, table, make(table));
  folder.write("readings.csv", "t[s],0\n0,2860\n0.1,1960\n");
  const auto applied =
      run_cli(folder.path(), {"apply", "m.json", "readings.csv", "-o", "forces.csv"});
  ASSERT_EQ(applied.status, 0) << applied.err;
  const auto text = folder.read("forces.csv");
  EXPECT_THAT(text, HasSubstr("\n0,4.0")) << text;
  EXPECT_THAT(text, testing::AnyOf(HasSubstr("\n0.1,7.0"), HasSubstr("\n0.1,6.99"))) << text;
}

/// Either no gain, or an interval that reaches to what a plain regression says.
void expect_refused_or_wide(
    const char* name, Table table,
    const std::function<bool(const Row&)>& in = [](const Row& row) { return row.force_N > 0.3; }) {
  int tight_and_wrong = 0;
  std::string example;
  for (const bool at_rest : {true, false})
    for (const int presses : {1, 5})
      for (std::uint64_t seed = 1; seed <= 3; ++seed) {
        table.at_rest = at_rest;
        table.presses = presses;
        table.scatter = presses > 1 ? 0.01 : 0;
        table.seed = seed;
        const auto made = make(table);
        const auto fitted = fit_table(table, made);
        const auto gain = fitted.tactel()["press_gain"];
        const bool fine = refused(gain) || holds(gain, regression(made, in));
        tight_and_wrong += fine ? 0 : 1;
        if (!fine) example = gain.dump() + " against " + std::to_string(regression(made, in));
        EXPECT_NE(gain["reason"], "") << gain;
      }
  EXPECT_EQ(tight_and_wrong, 0) << name << ": " << example;
}

TEST(ForeignTables, AForceSensitiveResistorGetsNoTightLine) {
  Table table{[](double f) { return 2000 / std::max(f, 1e-3) + 200; }, 0, 4095};
  table.sensor = {{"falling", true}, {"adc", {{"min", 0}, {"max", 4095}}}};
  expect_refused_or_wide("a/F + b", table,
                         [](const Row& row) { return row.force_N > 0.3 && row.counts < 4095; });
}

TEST(ForeignTables, APowerLawGetsNoTightLine) {
  expect_refused_or_wide("F^0.6",
                         {[](double f) { return 100 + 800 * std::pow(std::max(f, 0.0), 0.6); }});
}

TEST(ForeignTables, AConductanceGetsNoTightLine) {
  expect_refused_or_wide("F/(F + b)", {[](double f) { return 100 + 4000 * f / (f + 3); }});
}

TEST(ForeignTables, ALawThatSteepensGetsNoTightLine) {
  expect_refused_or_wide("F^1.5",
                         {[](double f) { return 100 + 80 * std::pow(std::max(f, 0.0), 1.5); }});
}

}  // namespace
}  // namespace tactelier::test
