// What a map can say about events: by column, by line, by file name, by detection.

#include <string>
#include <vector>

#include "libcalib/import/cycle_finder.hpp"
#include "libcalib/import/level_finder.hpp"
#include "libcalib/import/table_files.hpp"
#include "libcalib/session/stated_rest.hpp"
#include "tests/libcalib/import/brought_tables.hpp"
#include "tests/libcalib/import/import_fixture.hpp"

namespace tactelier {
namespace {

using test_support::column;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// A map of one tactel: the members given, after format, version and sensor.
std::string map_of(const std::string& members, int tactels = 1) {
  return fmt::format(R"({{"format": "tactelier/map", "version": 1, "sensor": {{"rows": 1,
    "columns": {}, "pitch_x_mm": 10, "pitch_y_mm": 10}}, {}}})",
                     tactels, members);
}

class MapEvents : public ::testing::Test {
 protected:
  Result<ImportReport> import(const std::string& members, const ImportOptions& options = {}) {
    return import_table(scratch_ / source_, scratch_.write("map.json", map_of(members, tactels_)),
                        scratch_ / "out.tact", options, {});
  }

  Session imported(const std::string& members) {
    const auto report = import(members, {.overwrite = true});
    EXPECT_TRUE(report.has_value()) << (report ? "" : report.error().message);
    warnings_ = report ? report->warnings : Warnings{};
    return std::move(Session::open(scratch_ / "out.tact").value());
  }

  std::string refusal(const std::string& members) {
    const auto report = import(members, {.overwrite = true});
    EXPECT_FALSE(report.has_value());
    return report ? "" : report.error().message;
  }

  /// "press_begin 0.5 {...}" of each event.
  static std::vector<std::string> told(const Session& session) {
    std::vector<std::string> all;
    for (const auto& event : session.events())
      all.push_back(fmt::format("{} {} {}", event.name, event.t_s.text(), event.data));
    return all;
  }

  void give(const std::string& name, std::string_view text) { scratch_.write(name, text); }

  test_support::ScratchFolder scratch_;
  std::string source_ = "table.csv";
  int tactels_ = 1;
  Warnings warnings_;
};

constexpr const char* kWeightRows =
    R"("row_is": "press", "columns": {"run": "ignore", "what": "ignore",
  "g": "mass", "c": "tactel 0"}, "units": {"g": "g"})";
constexpr const char* kTwoRuns =
    "run,what,g,c\n1,rest,0,5\n1,on,100,50\n1,on,200,95\n"
    "2,rest,0,6\n2,on,500,230\n";

TEST_F(MapEvents, ByColumnsRunsOfEqualCellsAreAnEventEach) {
  give("table.csv", kTwoRuns);
  const auto session = imported(std::string(kWeightRows) + R"(, "rest": {"where": {"what": "rest"}},
        "events": [{"event": "press", "by": ["run"], "where": {"what": "on"},
                    "data": {"site": "{run}", "kind": "repeat"}}])");
  EXPECT_THAT(told(session),
              ElementsAre("zero_begin -0.5 {}", "zero_end 0.5 {}",
                          R"(press_begin 0.5 {"kind":"repeat","press":1,"site":1,"tactel":0})",
                          R"(press_end 2.5 {"outcome":"ok","press":1})", "zero_begin 2.5 {}",
                          "zero_end 3.5 {}",
                          R"(press_begin 3.5 {"kind":"repeat","press":2,"site":2,"tactel":0})",
                          R"(press_end 4.5 {"outcome":"ok","press":2})"));
}

TEST_F(MapEvents, AMassIsTheForceOfItsWeightInTheDigitsWritten) {
  give("table.csv", kTwoRuns);
  const auto session = imported(kWeightRows);
  EXPECT_EQ(session.stream(StreamKind::kForce)->info.columns[1].unit, "gf");
  EXPECT_THAT(column(session, StreamKind::kForce, "Fz"),
              ElementsAre(0, ::testing::DoubleEq(0.980665), ::testing::DoubleEq(1.96133), 0,
                          ::testing::DoubleEq(4.903325)));
}

TEST_F(MapEvents, LinesAreCountedAsAnEditorDoesAndConditionsMayBeLimits) {
  give("table.csv", kTwoRuns);
  const auto session = imported(std::string(kWeightRows) +
                                R"(, "rest": [{"where": {"g": {"below": 1}}}],
        "events": [{"event": "press", "rows": [[3, 4]]}, {"event": "press", "rows": [6, 6]},
                   {"event": "weight", "where": {"g": {"above": 150, "below": 600}}, "by": ["g"],
                    "data": {"mass_g": "{g}", "area_mm2": 40}}])");
  EXPECT_THAT(
      told(session),
      ElementsAre("zero_begin -0.5 {}", "zero_end 0.5 {}",
                  R"(press_begin 0.5 {"kind":"staircase","press":1,"tactel":0})",
                  R"(weight 1.5 {"area_mm2":40,"mass_g":200})",
                  R"(press_end 2.5 {"outcome":"ok","press":1})", "zero_begin 2.5 {}",
                  "zero_end 3.5 {}", R"(press_begin 3.5 {"kind":"staircase","press":2,"tactel":0})",
                  R"(weight 3.5 {"area_mm2":40,"mass_g":500})",
                  R"(press_end 4.5 {"outcome":"ok","press":2})"));
}

TEST_F(MapEvents, AFolderOfTablesIsReadByTheNamesOfItsFiles) {
  give("weights/700g_2.csv", "c\n71\n72\n");
  give("weights/700g_10.csv", "c\n73\n");
  give("weights/50g_1.csv", "c\n5\n");
  give("weights/notes.txt", "not a table");
  source_ = "weights";
  const auto session = imported(R"("row_is": "press", "columns": {"c": "tactel 0"},
    "files": "{grams}g_{run}.csv", "constants": {"mass": "{grams} g"},
    "events": [{"event": "press", "data": {"site": "{run}"}}])");
  EXPECT_THAT(column(session, StreamKind::kTactile, "0"), ElementsAre(5, 71, 72, 73));
  EXPECT_THAT(column(session, StreamKind::kForce, "Fz"),
              ElementsAre(50 * 9.80665e-3, 700 * 9.80665e-3, 700 * 9.80665e-3, 700 * 9.80665e-3));
  EXPECT_EQ(session.metadata().imported->file, "weights/ (3 tables)");
  const auto found = presses(session.events(), {}, session.metadata()).value();
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found[0].site, 1);
  EXPECT_EQ(found[1].site, 2);  // 2 before 10
  EXPECT_EQ(found[2].site, 10);
  EXPECT_TRUE(warnings_.empty());
}

TEST_F(MapEvents, TablesWhoseTimesBeginAgainAreLaidOneAfterTheOther) {
  give("runs/a.csv", "ms,c\n0,1\n10.5,2\n");
  give("runs/b.csv", "ms,c\n0,3\n10.25,4\n");
  give("runs/zero.csv", "ms,c\n5000,5\n6000,6\n");
  source_ = "runs";
  const auto session = imported(R"("row_is": "sample", "columns": {"ms": "t", "c": "tactel 0"},
    "units": {"ms": "ms"}, "rest": {"files": "zero*.csv"}, "events": [{"event": "press",
    "files": "{run}.csv", "where": {"c": {"below": 4.5}}}])");
  EXPECT_THAT(column(session, StreamKind::kTactile, "t"), ElementsAre(0, 0.0105, 2, 2.01025, 5, 6));
  ASSERT_EQ(warnings_.size(), 1U);
  EXPECT_EQ(warnings_[0].text,
            "the times of 1 of 3 tables begin again; they were laid one after the other, about 1 s "
            "apart");
}

TEST_F(MapEvents, PlateausOfWeightsAreFoundAndTakeTheirMassesInOrder) {
  give("table.csv", test_support::plateaus_of_weights({0, 100, 500, 200, 0}, 5));
  const auto session = imported(R"("row_is": "sample", "columns": {"t": "t", "counts": "tactel 0"},
    "units": {"t": "s"}, "events": [{"event": "weight", "find": "plateaus",
    "data": {"mass_g": [0, 100, 500, 200, 0], "area_mm2": 40}}])");
  const auto found = weights(session.events()).value();
  ASSERT_EQ(found.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(found[i].t_s, 7 + 6.0 * static_cast<double>(i), 0.2);
    EXPECT_DOUBLE_EQ(found[i].mass_kg, (std::vector{0.1, 0.5, 0.2})[i]);
  }
  const auto zeros = intervals(session.events(), "zero").value();
  ASSERT_EQ(zeros.size(), 2U);  // no weight is rest
  EXPECT_NEAR(zeros[0].end_s, 6, 0.15);
  EXPECT_NEAR(zeros[1].begin_s, 25, 0.15);
  EXPECT_EQ(refusal(R"("row_is": "sample", "columns": {"t": "t", "counts": "tactel 0"},
    "units": {"t": "s"}, "events": [{"event": "weight", "find": "plateaus",
    "data": {"mass_g": [0, 100], "area_mm2": 40}}])"),
            "events[0] (weight): data.mass_g: 2 values for 5 events; give one for each, in order "
            "of time");
}

/// Two rows of the ramp before it fit into a level's window, and then not the noise of its 43rd
/// row.
TEST(FindLevels, KeepsALevelWholeThatBeginsWithSomeOfItsRamp) {
  std::vector<double> time_s, signal;
  const auto add = [&](double value) {
    time_s.push_back(0.05 * static_cast<double>(signal.size()));
    signal.push_back(value);
  };
  for (int i = 0; i < 1000; ++i) add(0);
  for (const double value : {800.0, 965.0, 985.0}) add(value);
  for (int i = 0; i < 70; ++i) add(i == 42 ? 1008 : 1000);
  for (int i = 0; i < 900; ++i) add(0);
  const auto levels = find_levels(time_s, signal, {0.02, 2.12});
  ASSERT_EQ(levels.size(), 3U);
  EXPECT_EQ(levels[1].last - levels[1].first + 1, 71U);  // 985 lies within the tolerance
}

TEST_F(MapEvents, StatedLoadsAreTheForceWhereNoColumnIs) {
  give("table.csv", "run,c\n0,5\n0,6\n1,50\n2,0\n3,230\n");
  const std::string rows = R"("row_is": "press", "columns": {"run": "ignore", "c": "tactel 0"},)";
  const auto session = imported(rows + R"("rest": {"rows": [2, 3]}, "events": [
    {"event": "load", "where": {"run": [1, 3]}, "by": ["run"], "data": {"force_N": [1.5, 7]}}])");
  EXPECT_THAT(column(session, StreamKind::kForce, "t"), ElementsAre(0, 1, 2, 4));
  EXPECT_THAT(column(session, StreamKind::kForce, "Fz"), ElementsAre(0, 0, 1.5, 7));
  EXPECT_EQ(session.metadata().force_sensor->press_axis, PressAxis{});
  ASSERT_TRUE(unpack_to_folder(scratch_ / "out.tact", scratch_ / "folder", {}).has_value());
  ASSERT_TRUE(import_folder(scratch_ / "folder", scratch_ / "2.tact", {}, {}).has_value());
  EXPECT_EQ(Session::open(scratch_ / "2.tact")->content_hash().value(),
            session.content_hash().value());
  EXPECT_EQ(refusal(rows + R"("events": [{"event": "load", "data": {"mass": 5}}])"),
            "events[0] (load) from table.csv:2: data of a load is \"mass_g\" or \"force_N\", a "
            "number from 0 on");
  EXPECT_EQ(refusal(R"("row_is": "press", "columns": {"run": "mass", "c": "tactel 0"},
    "units": {"run": "g"}, "events": [{"event": "load", "data": {"mass_g": 5}}])"),
            "map.json: events: 'run' gives the force already; leave it or the loads out");
}

TEST_F(MapEvents, AHoldIsFoundUnderUnequalSampling) {
  give("table.csv", test_support::log_spaced_hold(1800, 400));
  const auto session = imported(R"("row_is": "sample", "columns": {"t": "t", "depth": "depth",
    "force": "force"}, "units": {"t": "s", "depth": "mm", "force": "N"},
    "events": [{"event": "press"}, {"event": "hold", "where": {"depth": {"above": 0.9999}},
                                    "data": {"depth_mm": "{depth}"}}])");
  const auto found = presses(session.events(), {}, session.metadata()).value();
  ASSERT_EQ(found.size(), 1U);
  ASSERT_EQ(found[0].holds.size(), 1U);
  EXPECT_NEAR(found[0].holds[0].begin_s, 2, 0.02);
  EXPECT_GT(found[0].holds[0].end_s, 1800);
  EXPECT_DOUBLE_EQ(*found[0].holds[0].depth_m, 1e-3);
}

TEST_F(MapEvents, HoldsAreFoundByTheForceAndSayIt) {
  std::string table = "t,F\n";
  for (int i = 0; i < 1000; ++i) {
    const double t_s = 0.01 * i;
    const double force_N = t_s < 1 ? 0 : t_s < 2 ? t_s - 1 : t_s < 6 ? 1.0 : std::max(0.0, 7 - t_s);
    table += fmt::format("{:.2f},{:.4f}\n", t_s, force_N + 0.001 * (i * 37 % 11 - 5));
  }
  give("table.csv", table);
  const auto session = imported(R"("row_is": "sample", "columns": {"t": "t", "F": "force"},
    "units": {"t": "s", "F": "N"}, "events": [{"event": "press"},
    {"event": "hold", "find": "holds"}])");
  const auto found = presses(session.events(), {}, session.metadata()).value();
  ASSERT_EQ(found[0].holds.size(), 1U);
  EXPECT_NEAR(found[0].holds[0].begin_s, 2, 0.05);
  EXPECT_NEAR(found[0].holds[0].end_s, 6, 0.05);
  EXPECT_NEAR(*found[0].holds[0].force_N, 1, 0.002);
}

/// 0.5 to 2 N and back, four times, after a second of nothing: three whole cycles, for the fourth
/// never falls.
TEST_F(MapEvents, CyclesAreFoundFromValleyToValley) {
  std::string table = "t,F\n";
  for (int i = 0; i <= 450; ++i) {
    const double up = 0.5 * (1 - std::cos(2 * 3.14159265358979 * (i - 100) / 100.0));
    table += fmt::format("{:.2f},{:.4f}\n", 0.01 * i, i < 100 ? 0.5 : 0.5 + 1.5 * up);
  }
  give("table.csv", table);
  const std::string columns = R"("row_is": "sample", "columns": {"t": "t", "F": "force"},
    "units": {"t": "s", "F": "N"}, "events": )";
  const auto session = imported(columns + R"([{"event": "press", "find": "cycles"}])");
  const auto found = presses(session.events(), {}, session.metadata()).value();
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found[0].begin_s, 0);
  EXPECT_NEAR(found[0].end_s, 2, 0.06);
  EXPECT_NEAR(found[1].begin_s, 2, 0.06);
  EXPECT_NEAR(found[1].end_s, 3, 0.06);
  EXPECT_THAT(refusal(columns + R"([{"event": "slide", "find": "cycles"}])"),
              HasSubstr("\"cycles\" finds presses"));
}

/// A hold that nobody pointed at is no mistake of the map.
TEST_F(MapEvents, AStandstillOutsidePressesIsSaidAndNoHold) {
  std::string table = "t,F\n";
  for (int i = 0; i < 1000; ++i)
    table += fmt::format("{:.2f},{:.1f}\n", 0.01 * i, i < 500 ? 0.0 : 1.0);
  give("table.csv", table);
  const auto session = imported(R"("row_is": "sample", "columns": {"t": "t", "F": "force"},
    "units": {"t": "s", "F": "N"}, "events": [{"event": "press", "rows": [2, 100]},
    {"event": "hold", "find": "holds"}])");
  EXPECT_TRUE(presses(session.events(), {}, session.metadata()).value()[0].holds.empty());
  ASSERT_FALSE(warnings_.empty());
  EXPECT_EQ(warnings_.back().code, "hold-in-no-press");
}

TEST_F(MapEvents, ARateStandsForTheTimeColumn) {
  give("table.csv", "F,c\n0,1\n1,2\n2,3\n");
  const std::string columns = R"("columns": {"F": "force", "c": "tactel 0"}, "units": {"F": "N"},)";
  const auto session = imported(columns + R"("row_is": "sample", "rate_hz": 3)");
  EXPECT_THAT(
      column(session, StreamKind::kForce, "t"),
      ElementsAre(0, ::testing::DoubleNear(1 / 3.0, 1e-9), ::testing::DoubleNear(2 / 3.0, 1e-9)));
  EXPECT_THAT(refusal(columns + R"("row_is": "press", "rate_hz": 3)"), HasSubstr("rate_hz"));
  EXPECT_THAT(refusal(columns + R"("row_is": "sample")"), HasSubstr("state it as rate_hz"));
}

TEST_F(MapEvents, RestAsANumberIsForAllTactelsOrForEach) {
  give("table.csv", "F,c\n0,1\n1,2\n2,3\n");
  const std::string rows =
      R"("row_is": "press", "columns": {"F": "force", "c": "tactel 0"}, "units": {"F": "N"},)";
  EXPECT_EQ(stated_rest(imported(rows + R"("rest": {"reads": 1})").metadata()),
            std::vector<double>{1});
  EXPECT_THAT(refusal(rows + R"("rest": {"reads": [1, 2]})"),
              HasSubstr("2 numbers of what tactels read unloaded, the sensor has 1 tactels"));
}

TEST_F(MapEvents, SlidesAreFoundByTheStageAndSayTheirSpeed) {
  give("table.csv", test_support::one_sled(2));
  const auto session = imported(R"("row_is": "sample", "columns": {"t": "t", "x": "x",
    "load": "force", "shear": "Fx"}, "units": {"t": "s", "x": "mm", "load": "N", "shear": "N"},
    "events": [{"event": "slide", "find": "slides", "data": {"load_N": "{load}"}}])");
  const auto found = intervals(session.events(), "slide").value();
  ASSERT_EQ(found.size(), 4U);
  EXPECT_NEAR(found[0].begin_s, 0.5, 0.15);
  EXPECT_NEAR(found[0].end_s, 4.5, 0.15);
  EXPECT_NEAR(found[1].begin_s, 5, 0.25);
  EXPECT_NEAR(found[1].end_s, 15, 0.25);
  EXPECT_THAT(told(session)[0], HasSubstr(R"("load_N":1.5)"));
  EXPECT_THAT(told(session)[0], HasSubstr(R"("vx_mm_s":5)"));
  EXPECT_THAT(told(session)[2], HasSubstr(R"("vx_mm_s":-2)"));
}

TEST_F(MapEvents, OscillationsAndImagesAreEventsToo) {
  give("table.csv", "run,what,g,c\n1,rest,0,5\n1,shake,100,50\n1,cross,500,95\n");
  const auto session = imported(std::string(kWeightRows) + R"(, "events": [
    {"event": "oscillation", "where": {"what": "shake"},
     "data": {"amplitude_mm": 0.05, "frequency_Hz": 0.5}},
    {"event": "image", "where": {"what": "cross"}, "data": {"mass_g": "{g}",
     "indenter": {"shape": "cylinder", "diameter_mm": 20}}}])");
  const auto all = told(session);
  EXPECT_THAT(all[1], HasSubstr(R"("frequency_Hz":0.5,"profile":"sine","slide":1})"));
  EXPECT_THAT(all[3], HasSubstr(R"("image":1,)"));
  EXPECT_THAT(all[3], HasSubstr(R"("mass_g":500)"));
}

TEST_F(MapEvents, RefusalsNameRuleKeyAndRow) {
  give("table.csv", kTwoRuns);
  const std::string rows = kWeightRows;
  EXPECT_EQ(refusal(rows + R"(, "events": [{"event": "press", "by": ["runn"]}])"),
            "map.json: events[0] (press): by: 'runn' is no column of the map (did you mean "
            "'run'?)");
  EXPECT_EQ(refusal(rows + R"(, "events": [{"event": "press", "rows": [5, 2]}])"),
            "map.json: events[0] (press): rows: [5, 2] is no range of lines; line 1 is the header, "
            "and the first stands before the last");
  EXPECT_EQ(refusal(rows + R"(, "events": [{"event": "press", "data": {"site": "{rum}"}}])"),
            "table.csv:2: events[0] (press): data: nothing is called '{rum}' (did you mean "
            "'run'?); there are the columns of the table and the words in braces of 'files'");
  EXPECT_EQ(refusal(rows + R"(, "events": [{"event": "press", "rows": [2, 2]},
                                          {"event": "hold", "rows": [4, 5]}])"),
            "events[1] (hold) from table.csv:4: the hold from 1.5 to 3.5 s lies in no press; add a "
            "press to 'events', {\"event\": \"press\"} makes the whole table one");
  EXPECT_THAT(refusal(rows + R"(, "events": [{"event": "press", "rows": [2, 4]},
                                            {"event": "press", "rows": [4, 5]}])"),
              HasSubstr("events[1] (press) from table.csv:4: the press from 1.5 to 3.5 s overlaps "
                        "the one before, which ends at 2.5 s"));
  EXPECT_THAT(
      refusal(rows + R"(, "events": [{"event": "weight", "rows": [3, 3],
                                              "data": {"mass_g": "{what}", "area_mm2": 1}}])"),
      ::testing::AllOf(HasSubstr("events[0] (weight) from table.csv:3"), HasSubstr("mass_g")));
  EXPECT_EQ(refusal(rows + R"(, "press_by": ["run"], "events": [{"event": "press"}])"),
            "map.json: press_by: an event of 'events' is a press too; say it once");
  EXPECT_EQ(refusal(rows + R"(, "events": [{"event": "press", "find": "plateaus"}])"),
            "map.json: events[0] (press): 'find' needs row_is 'sample'; name rows or columns "
            "instead");
  EXPECT_EQ(refusal(rows + R"(, "files": "{g}.tsv")"),
            "'table.csv' does not fit the map's files '{g}.tsv'");
}

/// Three rounds of three weights, each put on within 15 rows and left for 80.
TEST(CycleFinder, CyclesOfStepsMeetInTheMiddleOfTheirRests) {
  std::vector<double> load;
  double before = 0;
  for (const double step : {0, 66, 183, 228, 0, 66, 183, 228, 0, 66, 183, 228, 0}) {
    for (int i = 1; i <= 15; ++i) load.push_back(before + (step - before) * i / 15.0);
    for (int i = 0; i < 80; ++i) load.push_back(step + i % 3);
    before = step;
  }
  const auto cycles = find_cycles(load, 0.1);
  ASSERT_EQ(cycles.size(), 3U);
  EXPECT_EQ(cycles[0].first, 0U);
  EXPECT_NEAR(static_cast<double>(cycles[0].last), 4 * 95 + 15 + 40, 5);
  EXPECT_EQ(cycles[1].first, cycles[0].last + 1);
  EXPECT_NEAR(static_cast<double>(cycles[1].last), 8 * 95 + 15 + 40, 5);
  EXPECT_EQ(cycles[2].first, cycles[1].last + 1);
  EXPECT_EQ(cycles[2].last, load.size() - 1);
}

TEST(LevelFinder, ASlowRampIsNoLevelAndANoisyOneIsOne) {
  std::vector<double> time_s, ramp, steps;
  std::mt19937 random(3);
  std::normal_distribution<double> noise;
  for (int i = 0; i < 2000; ++i) {
    time_s.push_back(0.01 * i);
    ramp.push_back(0.001 * i + 1e-4 * noise(random));
    steps.push_back((i / 500) * 1.0 + 0.05 * noise(random));
  }
  EXPECT_TRUE(find_levels(time_s, ramp, {}).empty());
  const auto levels = find_levels(time_s, steps, {});
  ASSERT_EQ(levels.size(), 4U);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_NEAR(static_cast<double>(levels[i].first), 500.0 * static_cast<double>(i), 8);
    EXPECT_NEAR(static_cast<double>(levels[i].last), 500.0 * static_cast<double>(i) + 499, 8);
  }
}

TEST(FileNames, PatternsTakeTheShortestWordsAndNumbersInTheirOrder) {
  EXPECT_EQ(match_file_name("{mass}g_{press}.csv", "700g_3.csv"),
            (FileWords{{"mass", "700"}, {"press", "3"}}));
  EXPECT_EQ(match_file_name("{a}_{b}.csv", "x_y_z.csv"), (FileWords{{"a", "x"}, {"b", "y_z"}}));
  EXPECT_EQ(match_file_name("*.csv", "a.csv"), FileWords{});
  EXPECT_FALSE(match_file_name("{mass}g.csv", "g.csv"));
  EXPECT_FALSE(match_file_name("{mass}g.csv", "5g.csv.bak"));
  EXPECT_EQ(fill_in("{mass} g of {mass}", {{"mass", "5"}}).value(), "5 g of 5");
}

}  // namespace
}  // namespace tactelier
