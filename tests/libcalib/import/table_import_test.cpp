#include <cmath>
#include <string>

#include "tests/libcalib/import/import_fixture.hpp"
#include "tests/paths/paths.hpp"

namespace tactelier {
namespace {

using test_support::column;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr std::string_view kMap = R"({
 "format": "tactelier/map", "version": 1,
 "sensor": {"rows": 1, "columns": 2, "pitch_x_mm": 10, "pitch_y_mm": 10},
 "delimiter": ",", "row_is": "press",
 "columns": {"x_mm": "x", "force_N": "force", "depth_mm": "depth", "p_left": "tactel 0", "p_right": "tactel 1"},
 "units": {"x_mm": "mm", "force_N": "N", "depth_mm": "mm", "p_left": "V"},
 "constants": {"y": "0 mm"}, "press_by": ["x_mm"], "depth_reference": "unknown",
 "indenter": {"shape": "cylinder", "diameter_mm": 5}})";

constexpr std::string_view kTable =
    "x_mm,p_left,p_right,force_N,depth_mm\n"
    "-5,1.50,7,0.1,1.6\n-5.0,2.25,8,0.2,1.75\n7.5,3,9,0.3,1.6\n20,4,10,0.4,1.6\n";

constexpr std::string_view kSamples = R"({
 "format": "tactelier/map", "version": 1,
 "sensor": {"rows": 1, "columns": 1, "pitch_x_mm": 1, "pitch_y_mm": 1},
 "row_is": "sample", "columns": {"time": "t", "load": "force", "what": "ignore"},
 "units": {"time": "s", "load": "N"}, "press_by": {"threshold_N": 0.5}})";

class TableImport : public ::testing::Test {
 protected:
  Result<ImportReport> import(std::string_view table, std::string_view map,
                              const ImportOptions& options = {}) {
    return import_table(scratch_.write("table.csv", table), scratch_.write("map.json", map),
                        scratch_ / "out.tact", options, {});
  }

  Session imported(std::string_view table, std::string_view map,
                   const ImportOptions& options = {}) {
    const auto report = import(table, map, options);
    EXPECT_TRUE(report.has_value()) << (report ? "" : report.error().message);
    warnings_ = report ? report->warnings : Warnings{};
    return std::move(Session::open(scratch_ / "out.tact").value());
  }

  std::string refusal(std::string_view table, std::string_view map) {
    const auto report = import(table, map);
    EXPECT_FALSE(report.has_value());
    EXPECT_THAT(scratch_.names(), ElementsAre("map.json", "table.csv"));
    if (report) return "";
    EXPECT_EQ(report.error().code, ErrorCode::kInvalidInput);
    return report.error().message;
  }

  static std::string replaced(std::string_view text, std::string_view from, std::string_view to) {
    std::string out(text);
    const auto at = out.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return out.replace(at, from.size(), to);
  }

  std::string refused_map(std::string_view from, std::string_view to) {
    return refusal(kTable, replaced(kMap, from, to));
  }

  static std::vector<Press> presses_of(const Session& session) {
    return presses(session.events(), {}, session.metadata()).value();
  }

  test_support::ScratchFolder scratch_;
  Warnings warnings_;
};

TEST_F(TableImport, SpreadsStaticReadingsOverTheStreams) {
  const auto session = imported(kTable, kMap);
  EXPECT_THAT(column(session, StreamKind::kForce, "t"), ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(column(session, StreamKind::kForce, "Fz"), ElementsAre(0.1, 0.2, 0.3, 0.4));
  EXPECT_THAT(column(session, StreamKind::kStage, "z"),
              ElementsAre(-1.6e-3, -1.75e-3, -1.6e-3, -1.6e-3));
  EXPECT_THAT(column(session, StreamKind::kStage, "x"), ElementsAre(-5e-3, -5e-3, 7.5e-3, 0.02));
  EXPECT_THAT(column(session, StreamKind::kStage, "y"), ElementsAre(0, 0, 0, 0));
  EXPECT_THAT(column(session, StreamKind::kTactile, "0"), ElementsAre(1.5, 2.25, 3, 4));
  const auto& columns = session.stream(StreamKind::kTactile)->info.columns;
  EXPECT_EQ(columns[1].unit, "V");
  EXPECT_EQ(columns[2].unit, "");
  const auto& metadata = session.metadata();
  EXPECT_EQ(metadata.imported->file, "table.csv");
  EXPECT_TRUE(metadata.imported->static_readings);
  EXPECT_FALSE(metadata.imported->depth_from_contact);
  EXPECT_FALSE(metadata.surface.has_value());
  EXPECT_EQ(metadata.force_sensor->press_axis, PressAxis{});
  EXPECT_EQ(metadata.indenter->describe(), "cylinder 5 mm");
}

TEST_F(TableImport, RowsOfEqualPlaceAreOnePress) {
  const auto found = presses_of(imported(kTable, kMap));
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found[0].kind, PressKind::kStaircase);
  EXPECT_EQ(found[0].begin_s, -0.5);
  EXPECT_EQ(found[0].end_s, 1.5);
  EXPECT_EQ(found[1].begin_s, 1.5);
  EXPECT_EQ(found[2].end_s, 3.5);
  EXPECT_DOUBLE_EQ(*found[1].x_m, 7.5e-3);
  EXPECT_EQ(found[0].tactel, 0);  // centres at -5 and 5 mm, cells 10 mm wide
  EXPECT_EQ(found[1].tactel, 1);
  EXPECT_FALSE(found[2].tactel);
}

TEST_F(TableImport, UnpacksAndImportsToTheSame) {
  const auto hash = imported(kTable, kMap).content_hash().value();
  ASSERT_TRUE(unpack_to_folder(scratch_ / "out.tact", scratch_ / "folder", {}).has_value());
  EXPECT_THAT(test_support::read_text(scratch_ / "folder/tactile.csv"),
              HasSubstr("t[s],0[V],1\n0,1.50,7\n1,2.25,8\n"));
  ASSERT_TRUE(import_folder(scratch_ / "folder", scratch_ / "2.tact", {}, {}).has_value());
  EXPECT_EQ(Session::open(scratch_ / "2.tact")->content_hash().value(), hash);
}

TEST_F(TableImport, DepthFromContactSetsTheSurface) {
  const auto session = imported(kTable, replaced(kMap, "\"depth_reference\": \"unknown\"",
                                                 "\"depth_reference\": \"contact\""));
  EXPECT_TRUE(session.metadata().imported->depth_from_contact);
  EXPECT_EQ(session.metadata().surface->z0_m, 0);
}

TEST_F(TableImport, FindsPressesByThreshold) {
  // Rest at 0.2 N with noise, a spike, a press from 2 s to 4 s, noise at the threshold, a press
  // from 7 s to 8 s; 100 samples per second.
  std::string table = "time,load,what\n";
  for (int i = 0; i < 1000; ++i) {
    const bool pressed = (i >= 200 && i < 400) || (i >= 700 && i < 800);
    const double noise = (i * 37 % 11 - 5) * 0.01;
    double force = 0.2 + noise + (pressed ? 2.0 : 0.0);
    if (i == 100) force = 5;                            // a spike
    if (i > 450 && i < 500 && i % 2 == 0) force = 0.8;  // above the threshold now and then
    table += fmt::format("{}.{:02},{:.3f},\"a, b\"\n", i / 100, i % 100, force);
  }
  const auto session = imported(table, kSamples);
  EXPECT_TRUE(warnings_.empty());
  EXPECT_EQ(session.stream(StreamKind::kTactile), nullptr);
  EXPECT_EQ(session.stream(StreamKind::kStage), nullptr);
  const auto found = presses_of(session);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].kind, PressKind::kRamp);
  EXPECT_EQ(found[0].begin_s, 0);           // all the free air before, 10 s at most
  EXPECT_DOUBLE_EQ(found[0].end_s, 5.495);  // between rows, half of the way from 3.99 s to 7 s
  EXPECT_DOUBLE_EQ(found[1].begin_s, 5.495);
  EXPECT_EQ(found[1].end_s, 9.99);
}

TEST_F(TableImport, SaysWhenNoPressIsFoundOrOneIsCutOff) {
  std::string table = "time,load,what\n";
  for (int i = 0; i < 100; ++i) table += fmt::format("{},{},\n", i * 0.01, i < 50 ? 0.0 : 0.25);
  imported(table, kSamples);
  ASSERT_EQ(warnings_.size(), 1U);
  EXPECT_EQ(warnings_[0].text,
            "no press found: the force rises by 0.25 N at most, the threshold is 0.5 N");
  for (int i = 100; i < 150; ++i) table += fmt::format("{},2,\n", i * 0.01);
  imported(table, kSamples, {.overwrite = true});
  ASSERT_EQ(warnings_.size(), 1U);
  EXPECT_EQ(warnings_[0].text, "the table ends while the indenter still presses");
}

TEST_F(TableImport, SortOrdersSamples) {
  const auto session =
      imported("time,load,what\n2,20,b\n1,10,a\n3,30,c\n", kSamples, {.sort = true});
  EXPECT_THAT(column(session, StreamKind::kForce, "Fz"), ElementsAre(10, 20, 30));
}

TEST_F(TableImport, ReadsOtherDelimitersAndTargets) {
  const auto session = imported("time;v;T;h\n0;1.5;20;5\n1;2.5;21;6\n", R"({
    "format": "tactelier/map", "version": 1, "delimiter": ";", "sensor": "weiss-wts0614",
    "row_is": "sample", "columns": {"time": "t", "v": "speed", "T": "aux pad", "h": "t_host"},
    "units": {"time": "ms", "v": "mm/s", "T": "degC", "h": "s"}, "constants": {"aux supply": "5.0 V"},
    "session": {"notes": "from elsewhere", "conditions": {"temperature_degC": 21}}})");
  EXPECT_THAT(column(session, StreamKind::kAux, "t"), ElementsAre(0, 0.001));
  EXPECT_THAT(column(session, StreamKind::kAux, "speed"), ElementsAre(1.5e-3, 2.5e-3));
  EXPECT_THAT(column(session, StreamKind::kAux, "pad"), ElementsAre(20, 21));
  EXPECT_THAT(column(session, StreamKind::kAux, "supply"), ElementsAre(5, 5));
  EXPECT_THAT(column(session, StreamKind::kAux, "t_host"), ElementsAre(5, 6));
  EXPECT_EQ(session.metadata().notes, "from elsewhere");
  EXPECT_EQ(session.metadata().temperature_degC, 21);
}

TEST_F(TableImport, RefusesTablesThatDoNotFitTheMap) {
  EXPECT_EQ(refusal("x_mm,p_left,p_right,force_N,depth_nm\n", kMap),
            "table.csv:1: column 'depth_mm', which the map names, is missing (did you mean "
            "'depth_nm'?)");
  EXPECT_EQ(refusal("x_mm,p_left,p_right,force_N,depth_mm,extra\n", kMap),
            "table.csv:1: column 'extra' is not in the map; map it, or map it to 'ignore'");
  EXPECT_EQ(refusal("x_mm,p_left,p_right,force_N,depth_mm,x_mm\n", kMap),
            "table.csv:1: column 'x_mm' is there twice");
  EXPECT_EQ(refusal("x_mm,p_left,p_right,force_N,depth_mm\n", kMap),
            "table.csv: has a header but no rows");
  EXPECT_EQ(refusal("x_mm,p_left,p_right,force_N,depth_mm\n1,2,3,4\n", kMap),
            "table.csv:2: 4 cells, but the header has 5 columns: the row is too short");
  EXPECT_EQ(refusal("x_mm,p_left,p_right,force_N,depth_mm\n1,2,3,four,5\n", kMap),
            "table.csv:2: column 'force_N': 'four' is not a number");
  EXPECT_EQ(refusal("time,load,what\n1,2,a\n0.5,2,b\n", kSamples),
            "table.csv:3: time runs backwards (0.5 s after 1 s); use --sort to order the samples");
  EXPECT_EQ(refusal("time,load,what\n,2,a\n", kSamples), "table.csv:2: the time stamp is missing");
  EXPECT_EQ(refusal("", kMap), "table.csv: the file is empty; give it a header or remove it");
}

TEST_F(TableImport, RefusesMapsThatMakeNoSense) {
  EXPECT_EQ(refused_map("\"press_by\"", "\"pressby\""),
            "map.json: unknown key 'pressby' (did you mean 'press_by'?)");
  EXPECT_EQ(refused_map("\"version\": 1", "\"version\": 2"),
            "map.json: tactelier/map version 2 is newer than version 1, which this program reads; "
            "update Tactelier");
  EXPECT_EQ(
      refused_map("\"force\"", "\"forse\""),
      "map.json: columns: 'force_N': unknown target 'forse' (did you mean 'force'?); there are "
      "t, t_host, x, y, z, depth, force, mass, Fx ... Tz, speed, angle, angular_speed, torque (of "
      "a joint), tactel N, aux NAME, ignore");
  EXPECT_EQ(refused_map("\"force_N\": \"N\", ", ""),
            "map.json: columns: 'force_N': its unit is missing; one of N, mN, uN, nN, kN, kgf, gf, "
            "lbf");
  EXPECT_EQ(refused_map("\"depth_mm\": \"mm\"", "\"depth_mm\": \"V\""),
            "map.json: columns: 'depth_mm': unit 'V' is not one of m, mm, um, nm");
  EXPECT_EQ(refused_map("\"p_left\": \"V\"", "\"p_lft\": \"V\""),
            "map.json: units: 'p_lft' is no column of the map (did you mean 'p_left'?)");
  EXPECT_EQ(refused_map("\"p_right\": \"tactel 1\"", "\"p_right\": \"tactel 0\""),
            "map.json: columns: 'p_left' and 'p_right' both give tactile 0");
  EXPECT_EQ(
      refused_map("\"p_right\": \"tactel 1\"", "\"p_right\": \"tactel 2\""),
      "map.json: tactile: column '2': the sensor has no such tactel; it has 2 tactels, 0 to 1");
  EXPECT_EQ(
      refused_map("\"p_right\": \"tactel 1\"", "\"p_right\": \"ignore\""),
      "map.json: tactile: column '1' is missing (1 of 2 are there); it has 2 tactels, 0 to 1");
  EXPECT_EQ(refused_map("\"0 mm\"", "\"nothing\""),
            "map.json: constants: 'y': 'nothing' is not a number and a unit, like \"0 mm\"");
  EXPECT_EQ(refused_map("[\"x_mm\"]", "[\"x\"]").substr(0, 47),
            "map.json: press_by: 'x' is no column of the map");
  EXPECT_EQ(refused_map("[\"x_mm\"]", "{\"threshold_N\": 1}"),
            "map.json: press_by: a threshold needs row_is 'sample'; name columns instead");
  EXPECT_EQ(refused_map("\"row_is\": \"press\"", "\"row_is\": \"sample\""),
            "map.json: columns: no column is mapped to 't', which row_is 'sample' needs; where "
            "rows came at an even rate, state it as rate_hz");
  EXPECT_EQ(refused_map("\"delimiter\": \",\"", "\"delimiter\": \"::\""),
            "map.json: delimiter: one character such as ',' ';' or a tab is needed");
  EXPECT_EQ(refused_map("\"diameter_mm\": 5", "\"diameter_mm\": 0"),
            "map.json: indenter.diameter_mm: must be more than 0, found 0");
  EXPECT_THAT(refused_map("\"rows\": 1", "\"rows\": -1"), HasSubstr("map.json: sensor: rows:"));
}

class RealTables : public TableImport {
 protected:
  Session import_example(const std::string& table, const std::string& map) {
    const std::filesystem::path folder = paths::source_dir() + "/data/examples";
    const auto report = import_table(folder / table, folder / map, scratch_ / "out.tact", {}, {});
    EXPECT_TRUE(report.has_value()) << (report ? "" : report.error().message);
    EXPECT_TRUE(report && report->warnings.empty());
    return std::move(Session::open(scratch_ / "out.tact").value());
  }
};

TEST_F(RealTables, FluidTaxelHas41PlacesAndItsEndsAreTheTactels) {
  const auto session = import_example("fluid-taxel/oil.csv", "fluid-taxel/map.json");
  const auto found = presses_of(session);
  ASSERT_EQ(found.size(), 41U);
  for (std::size_t i = 0; i < found.size(); ++i) {
    EXPECT_NEAR(*found[i].x_m, 0.010 + 0.002 * static_cast<double>(i), 1e-12);
    EXPECT_EQ(found[i].tactel, i == 0    ? std::optional(0)
                               : i == 40 ? std::optional(1)
                                         : std::nullopt);
  }
  const auto force_N = column(session, StreamKind::kForce, "Fz");
  ASSERT_EQ(force_N.size(), 779U);
  EXPECT_EQ(force_N[0], 1.46679);
  EXPECT_EQ(column(session, StreamKind::kStage, "z")[0], -1.6e-3);
  EXPECT_EQ(column(session, StreamKind::kTactile, "1")[0], 1.16403);
}

TEST_F(RealTables, SteelIndentationIsOnePressWithRestBeforeIt) {
  const auto found = presses_of(
      import_example("indent-creep/steel_load_hold_unload.csv", "indent-creep/steel.map.json"));
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].begin_s, 0);
  EXPECT_GT(found[0].end_s, 27);  // unloading ends at 27 s
  EXPECT_EQ(found[0].tactel, 0);
}

TEST_F(RealTables, AfmCreepIsOnePressFromTheApproachOn) {
  const auto session =
      import_example("indent-creep/afm_soft_creep.csv", "indent-creep/afm.map.json");
  const auto found = presses_of(session);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].begin_s, 0.0005);
  EXPECT_GT(found[0].end_s, 7);  // retract begins at 6 s, the probe sticks for a while
  EXPECT_EQ(column(session, StreamKind::kStage, "z")[0], 61.023657e-6);
}

}  // namespace
}  // namespace tactelier
