// Tables that can be read and yet are not what they seem: found while importing, and named.

#include <random>
#include <string>

#include "libcalib/import/header_unit.hpp"
#include "tests/libcalib/import/import_fixture.hpp"

namespace tactelier {
namespace {

using ::testing::HasSubstr;

/// Six tactels, two rows of three, each with its own gain and noise, under a force that rises and
/// falls; `cell` may change what is written of tactel c.
struct Mat {
  std::string units = R"("t": "s", "F_N": "N")";
  std::string session = "{}";
  std::string adc = "{}";
  double force_sign = 1;
  int repeat_from = 1000;  // row from which time stamps stand still for three rows
  int copied_from = 6;     // tactels from here on repeat those 3 before
  int slipped = -1;        // this tactel is written in thousandths

  std::string table() const {
    std::mt19937 random(11);
    std::normal_distribution<double> noise;
    std::string text = "t,F_N,a,b,c,d,e,f\n";
    for (int i = 0; i < 200; ++i) {
      const int stamp = i > repeat_from && i < repeat_from + 4 ? repeat_from : i;
      const double force_N = std::max(0.0, 5 - std::abs(i - 100) / 16.0);
      text += fmt::format("{:.2f},{:.4f}", 0.01 * stamp, force_sign * force_N);
      std::vector<double> cells;
      for (int c = 0; c < 6; ++c) {
        cells.push_back(2.5 + 0.1 * c + (0.2 + 0.05 * c) * force_N + 0.01 * noise(random));
        const double cell = cells[static_cast<std::size_t>(c >= copied_from ? c - 3 : c)];
        text += fmt::format(",{:.4f}", c == slipped ? 1000 * cell : cell);
      }
      text += "\n";
    }
    return text;
  }
  std::string map() const {
    return R"({"format": "tactelier/map", "version": 1, "sensor": {"rows": 2, "columns": 3,
      "pitch_x_mm": 5, "pitch_y_mm": 5, "adc": )" +
           adc + R"(}, "row_is": "sample", "columns": {"t": "t", "F_N": "force",
      "a": "tactel 0", "b": "tactel 1", "c": "tactel 2", "d": "tactel 3", "e": "tactel 4",
      "f": "tactel 5"}, "units": {)" +
           units + R"(}, "session": )" + session + "}";
  }
};

Warnings warnings_of(const Mat& mat) {
  const test_support::ScratchFolder scratch;
  const auto report =
      import_table(scratch.write("mat.csv", mat.table()), scratch.write("map.json", mat.map()),
                   scratch / "out.tact", {}, {});
  EXPECT_TRUE(report.has_value()) << (report ? "" : report.error().message);
  return report ? report->warnings : Warnings{};
}

TEST(TableAudit, ASoundMatGivesNoWarning) { EXPECT_TRUE(warnings_of({}).empty()); }

TEST(TableAudit, RepeatedTimeStampsAreCountedAndPlaced) {
  const auto found = warnings_of({.repeat_from = 50});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].code, "repeated-times");
  EXPECT_EQ(found[0].where, "mat.csv");
  EXPECT_THAT(found[0].text, HasSubstr("column 't': 3 of 200 rows repeat the time stamp of the row "
                                       "before, first at 0.5 s"));
}

TEST(TableAudit, RowsOfAMatThatAreCopiesAreNamed) {
  const auto found = warnings_of({.copied_from = 3});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].code, "copied-tactels");
  EXPECT_THAT(found[0].text, HasSubstr("3 of 6 tactels are copies of others in every row"));
  for (const char* name : {"'d'", "'e'", "'f'", "'a'", "'b'", "'c'"})
    EXPECT_THAT(found[0].text, HasSubstr(name));
}

TEST(TableAudit, AColumnInAnotherUnitThanItsNeighboursIsNamed) {
  const auto found = warnings_of({.slipped = 4});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].code, "unit-of-column");
  EXPECT_THAT(found[0].text, HasSubstr("column 'e' reads 1"));
  EXPECT_THAT(found[0].text, HasSubstr("another unit?"));
}

TEST(TableAudit, AColumnInAnotherUnitThanItsNameSaysIsNamed) {
  const auto found = warnings_of({.units = R"("t": "s", "F_N": "mN")"});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].text,
            "column 'F_N' is called N, but the map's units say mN: a factor of 1000");
  EXPECT_EQ(warnings_of({.units = R"("t": "s", "F_N": "kN")"}).back().text.substr(0, 20),
            "column 'F_N' is call");
}

TEST(TableAudit, AForceThatFallsUnderPressureIsNamedUnlessTheMapSaysSo) {
  const auto found = warnings_of({.force_sign = -1});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].code, "force-sign");
  EXPECT_THAT(found[0].text, HasSubstr("column 'F_N' runs from -5 to 0 N: pressing seems to read "
                                       "negative"));
  Mat told{.force_sign = -1};
  told.session = R"({"force_sensor": {"press_axis": "-z"}})";
  EXPECT_TRUE(warnings_of(told).empty());
}

/// They read 2 to 5.
TEST(TableAudit, ReadingsBeyondTheConverterAreNamed) {
  EXPECT_TRUE(warnings_of({.adc = R"({"min": 0, "max": 4095})"}).empty());
  const auto found = warnings_of({.adc = R"({"min": 0, "max": 2.8})"});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].code, "beyond-converter");
  EXPECT_THAT(found[0].text, HasSubstr("columns 'a', 'b', 'c', 'd', 'e', 'f': "));
  EXPECT_THAT(found[0].text, HasSubstr("they run from 2."));
}

TEST(TableAudit, ReadingsThatTheBitsCantHoldAreNamedWithTheirRow) {
  EXPECT_TRUE(warnings_of({.adc = R"({"bits": 3})"}).empty());
  const auto found = warnings_of({.adc = R"({"bits": 2})"});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].code, "beyond-converter");
  EXPECT_THAT(found[0].text, HasSubstr("states (-3 to 3)"));
  EXPECT_THAT(found[0].text, HasSubstr("the first in data row "));
  EXPECT_THAT(found[0].text, HasSubstr("Take such rows out"));
}

TEST(HeaderUnit, UnitsAreReadFromNamesAsPeopleWriteThem) {
  const auto read = [](std::string_view name) {
    const auto found = unit_in_name(name);
    return found ? found->name + "|" + found->unit : std::string("nothing");
  };
  EXPECT_EQ(read("Force (N)"), "Force|N");
  EXPECT_EQ(read("Fz[mN]"), "Fz|mN");
  EXPECT_EQ(read("t_ms"), "t|ms");
  EXPECT_EQ(read("Time / sec"), "Time|s");
  EXPECT_EQ(read("depth nm"), "depth|nm");
  EXPECT_EQ(read("Torque (Nm)"), "Torque|N*m");
  EXPECT_EQ(read("mass_g"), "mass|g");
  EXPECT_EQ(read("v [mm/s]"), "v|mm/s");
  EXPECT_EQ(read("height (µm)"), "height|um");
  EXPECT_EQ(read("p_left"), "nothing");
  EXPECT_EQ(read("s"), "nothing");
}

}  // namespace
}  // namespace tactelier
