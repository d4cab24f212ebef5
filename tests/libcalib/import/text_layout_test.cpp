// Tables of text as programs write them that know nothing of us: what each column then is, and
// which line of the file is meant.
#include <cmath>

#include "libcalib/import/guess/table.hpp"
#include "libcalib/import/plain_tables.hpp"
#include "tests/libcalib/import/import_fixture.hpp"

namespace tactelier {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

struct ReadText {
  std::vector<std::string> names;
  std::vector<std::vector<double>> rows;
  std::uint64_t header_line = 0;
};

class TextTables : public ::testing::Test {
 protected:
  Result<PlainTables> plain(std::string_view text, const std::vector<std::string>& names = {}) {
    return PlainTables::of({{scratch_.write("brought.txt", text), "brought.txt", {}}}, names,
                           scratch_.path(), {});
  }

  ReadText read(std::string_view text, const std::vector<std::string>& names = {}) {
    const auto tables = plain(text, names);
    EXPECT_TRUE(tables.has_value()) << (tables ? "" : tables.error().message);
    if (!tables) return {};
    const auto looked = look_at(tables->tables().front(), {});
    EXPECT_TRUE(looked.has_value()) << (looked ? "" : looked.error().message);
    if (!looked) return {};
    ReadText table;
    table.rows.resize(looked->rows);
    table.header_line = tables->tables().front().header_line;
    for (const auto& column : looked->columns) {
      table.names.push_back(column.name);
      for (std::size_t i = 0; i < looked->rows; ++i) table.rows[i].push_back(column.values[i]);
    }
    return table;
  }

  std::string refusal(std::string_view text, const std::vector<std::string>& names = {}) {
    const auto tables = plain(text, names);
    EXPECT_FALSE(tables.has_value());
    return tables ? "" : tables.error().message;
  }

  test_support::ScratchFolder scratch_;
};

/// numpy.savetxt(FILE, rows): 19 digits, blanks, no names.
TEST_F(TextTables, OfSavetxtHaveNumberedColumnsAndExactNumbers) {
  const auto table = read(
      "1.660195000000000000e+06 4.956000000000000000e+03\n"
      "1.000000000000000056e-01 -2.500000000000000000e+00\n");
  EXPECT_THAT(table.names, ElementsAre("column_1", "column_2"));
  EXPECT_THAT(table.rows, ElementsAre(ElementsAre(1660195, 4956), ElementsAre(0.1, -2.5)));
  EXPECT_EQ(table.header_line, 0U);
}

/// pandas writes a list as one quoted cell; so do hands that note a place as "-5,2,2".
TEST_F(TextTables, GiveEachNumberOfAListItsColumn) {
  const auto table =
      read("t,pos,cells,note\n0,\"-5,2,2\",[10 11],a\n1,\"-4,2,2.5\",[12 13],\"b,c\"\n");
  EXPECT_THAT(table.names,
              ElementsAre("t", "pos_0", "pos_1", "pos_2", "cells_0", "cells_1", "note"));
  ASSERT_EQ(table.rows.size(), 2U);
  for (auto& row : {table.rows[0], table.rows[1]}) ASSERT_EQ(row.size(), 7U);
  EXPECT_THAT(std::vector(table.rows[1].begin(), table.rows[1].begin() + 6),
              ElementsAre(1, -4, 2, 2.5, 12, 13));
  EXPECT_THAT(read("\"-5,2,2\"\n\"-4,2,1\"\n").names,
              ElementsAre("column_1_0", "column_1_1", "column_1_2"));
  EXPECT_THAT(read("0 [1,2]\n1 [3,4]\n").names,
              ElementsAre("column_1", "column_2_0", "column_2_1"));
}

TEST_F(TextTables, KeepAQuotedCellWhole) {
  const auto table = read("t;note;c\n0;\"a; b\";5\n1;\"he said \"\"no; go\"\"\";6\n");
  EXPECT_THAT(table.names, ElementsAre("t", "note", "c"));
  EXPECT_EQ(table.rows[1][2], 6);
  // Thousands may be meant: nothing is taken apart.
  EXPECT_THAT(read("t,c\n0,\"8,322,237\"\n1,\"8,322,001\"\n").names, ElementsAre("t", "c"));
}

TEST_F(TextTables, WithoutNamesTakeThoseThatAreGiven) {
  EXPECT_THAT(read("1 2\n3 4\n", {"load", "adc"}).names, ElementsAre("load", "adc"));
  EXPECT_THAT(refusal("1 2\n3 4\n", {"load"}), HasSubstr("has 2 columns"));
  EXPECT_THAT(refusal("# a b\n1 2\n3 4\n", {"x", "y"}), HasSubstr("has a line of names"));
  EXPECT_THAT(refusal("a,b\n1,2\n3,4\n", {"x", "y"}), HasSubstr("has names of its own"));
}

/// numpy.savetxt(FILE, rows, header="force adc").
TEST_F(TextTables, TakeTheirNamesFromACommentAboveTheRows) {
  for (const auto* text :
       {"# force adc\n0.5 40\n1.5 52\n", "# made on Monday\n%force, adc\n0.5\t40\n1.5\t52\n",
        "force  adc\n 0.5    40\n 1.5   52\n"}) {
    const auto table = read(text);
    EXPECT_THAT(table.names, ElementsAre("force", "adc")) << text;
    EXPECT_THAT(table.rows, ElementsAre(ElementsAre(0.5, 40), ElementsAre(1.5, 52))) << text;
  }
}

/// As the programs of testing machines write them: text above, units below the names, semicolons
/// and decimal commas, degrees in ISO 8859-1.
TEST_F(TextTables, OfTestingMachinesAreReadWithTheirUnits) {
  const auto table = read(
      "Test: pad 7\r\nOperator;M.\r\n\r\n"
      "Zeit;Kraft;Weg;Temp\r\n(s);(N);(mm);(\xB0"
      "C)\r\n"
      "0,00;0,01;0;20,5\r\n0,01;0,52;0,1;20,5\r\n0,02;1,04;0,2;20,6\r\n");
  EXPECT_THAT(table.names, ElementsAre("Zeit [s]", "Kraft [N]", "Weg [mm]",
                                       "Temp [\xC2\xB0"
                                       "C]"));
  ASSERT_EQ(table.rows.size(), 3U);
  EXPECT_THAT(table.rows[2], ElementsAre(0.02, 1.04, 0.2, 20.6));
  EXPECT_EQ(table.header_line, 5U) << "the first row is line 6";
}

TEST_F(TextTables, WhoseRowsEndWithADelimiterHaveNoColumnMore) {
  EXPECT_THAT(read("t,a,b\n0,1,2,\n1,3,4,\n").names, ElementsAre("t", "a", "b"));
  EXPECT_THAT(read("0,1,2,\n1,3,4,\n").rows,
              ElementsAre(ElementsAre(0, 1, 2), ElementsAre(1, 3, 4)));
}

/// Loggers write notes, hands leave lines blank, and a logger that begins again writes its names
/// again.
TEST_F(TextTables, MayHoldLinesBetweenTheirRowsThatAreNone) {
  for (const auto* text : {"t,a\n0,1\n\n# pause, of 5 s\n1,2\nt,a\n5,7\n",
                           "t;a\r\n0;1\r\n// pause\r\n1;2\r\n \r\nt;a\r\n5;7\r\n",
                           "# t a\n0 1\n# 5 N\n1 2\n\n# t a\n5 7\n",
                           "rig 3\nt\ta\ns\tV\n0\t1\n! pause\n1\t2\nt\ta\ns\tV\n5\t7\n"}) {
    const auto table = read(text);
    ASSERT_FALSE(table.names.empty()) << text;
    EXPECT_EQ(table.names.front().substr(0, 1), "t") << text;
    EXPECT_THAT(table.rows, ElementsAre(ElementsAre(0, 1), ElementsAre(1, 2), ElementsAre(5, 7)))
        << text;
  }
}

/// A label that begins as a comment does is none.
TEST_F(TextTables, KeepRowsWhoseLabelOnlyLooksLikeAComment) {
  const auto table = read("run,force,adc\n#1,0.5,40\n#2,1.5,52\n# a note, of, three cells\n");
  ASSERT_EQ(table.rows.size(), 2U);
  EXPECT_EQ(table.rows[1][2], 52);
}

std::string as_utf16(std::string_view ascii, bool big, bool mark) {
  std::string text = !mark ? "" : big ? "\xFE\xFF" : "\xFF\xFE";
  for (const char c : ascii) {
    if (big) text += '\0';
    text += c;
    if (!big) text += '\0';
  }
  return text;
}

TEST_F(TextTables, OfSpreadsheetsInUtf16AreReadAsAnyOther) {
  for (const bool big : {false, true})
    for (const bool mark : {true, false}) {
      const auto table = read(as_utf16("t\ta\r\n0\t1,5\r\n1\t2,5\r\n", big, mark));
      EXPECT_THAT(table.names, ElementsAre("t", "a"));
      EXPECT_THAT(table.rows, ElementsAre(ElementsAre(0, 1.5), ElementsAre(1, 2.5)));
      const auto plain_rows = read(as_utf16("t,a\n0,1\n1,2\n", big, mark)).rows;
      EXPECT_THAT(plain_rows, ElementsAre(ElementsAre(0, 1), ElementsAre(1, 2)));
    }
  // U+00B0 is no ASCII, 'a' and 64 Ki rows are more than one block.
  std::string micro("\xFF\xFE\xB0\0,\0a\0\n\0", 10), rows = micro;
  for (int i = 0; i < 30000; ++i) rows += as_utf16("10,11\n", false, false);
  const auto long_table = read(rows);
  EXPECT_THAT(long_table.names, ElementsAre("\xC2\xB0", "a"));
  EXPECT_EQ(long_table.rows.size(), 30000U);
  EXPECT_THAT(refusal(std::string("\xFF\xFEt\0,\0a\0\n\0\x00\xDC\n\0", 14)),
              HasSubstr("brought.txt: begins as UTF-16 text and does not go on as such"));
  EXPECT_THAT(refusal(as_utf16("t,a\n0,1\n", false, true) + "1"), HasSubstr("in the middle"));
}

/// Text stays beside numbers: an editor's or a logger's labels.
TEST_F(TextTables, KeepColumnsOfWords) {
  const auto table = read("# phase force adc\nload 0.5 40\nload 1 45\nhold 1 46\n");
  EXPECT_THAT(table.names, ElementsAre("phase", "force", "adc"));
  EXPECT_TRUE(std::isnan(table.rows[0][0]));
  EXPECT_EQ(table.rows[2][2], 46);
}

TEST_F(TextTables, ThatArePlainStayAsTheyAre) {
  for (const auto* text : {"t,a\n0,1\n1,2\n", "t;a\n0;1\n1;2\n", "\"t, in s\",a\n0,1\n1,2\n",
                           "phase,a\nload,1\nhold,2\n", "a\n1\n2\n", "0,1,2\n5,6,7\n8,9,10\n"}) {
    const auto tables = plain(text);
    ASSERT_TRUE(tables.has_value());
    EXPECT_EQ(tables->tables().front().path, scratch_ / "brought.txt") << text;
  }
}

constexpr std::string_view kMap = R"({"format": "tactelier/map", "version": 1,
  "sensor": {"rows": 1, "columns": 1, "pitch_x_mm": 5, "pitch_y_mm": 5}, "row_is": "press",
  "names": ["load", "adc"], "columns": {"load": "mass", "adc": "tactel 0"},
  "units": {"load": "g"}, "scale": {"load": [[1000, 0], [3000, 50]]},
  "rest": {"rows": [1, 2]}})";

/// A load cell's counts: 1000 without a load, 3000 under 50 g. Lines are those of the file.
TEST_F(TextTables, AreImportedWithTheLoadCellsScaleAndTheirOwnLines) {
  const auto table = scratch_.write("brought.txt", "1000 40\n1000 41\n2000 80\n5000 200\n");
  const auto report = import_table(table, scratch_.write("map.json", kMap), scratch_ / "out.tact",
                                   {.overwrite = true}, {});
  ASSERT_TRUE(report.has_value()) << report.error().message;
  const auto session = Session::open(scratch_ / "out.tact");
  ASSERT_TRUE(session.has_value());
  const auto force_N = test_support::column(*session, StreamKind::kForce, "Fz");
  ASSERT_EQ(force_N.size(), 4U);
  EXPECT_NEAR(force_N[2], 25 * 9.80665e-3, 1e-12);
  EXPECT_NEAR(force_N[3], 100 * 9.80665e-3, 1e-12);
  const auto rest = intervals(session->events(), "zero");
  ASSERT_TRUE(rest.has_value());
  ASSERT_EQ(rest->size(), 1U);
  const auto bad = scratch_.write("brought.txt", "1000 40\n1000 41\n2000 x\n5000 200\n");
  const auto refused =
      import_table(bad, scratch_ / "map.json", scratch_ / "out.tact", {.overwrite = true}, {});
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().message, "brought.txt:3: column 'adc': 'x' is not a number");
}

/// millis() of a board that was reset: the second table comes a pause after the first.
TEST_F(TextTables, WhoseLoggerBeganAgainAreLaidOneAfterTheOther) {
  std::string rows;
  for (int i = 0; i < 100; ++i) rows += fmt::format("{},{},{}\n", 10 * i, i % 50 > 20 ? 1 : 0, i);
  const auto table =
      scratch_.write("brought.txt", "t_ms,load,adc\n" + rows + "\n# reset\nt_ms,load,adc\n" + rows);
  const auto map = scratch_.write("map.json", R"({"format": "tactelier/map", "version": 1,
    "sensor": {"rows": 1, "columns": 1, "pitch_x_mm": 5, "pitch_y_mm": 5}, "row_is": "sample",
    "columns": {"t_ms": "t", "load": "force", "adc": "tactel 0"},
    "units": {"t_ms": "ms", "load": "N"}, "press_by": {"threshold_N": 0.5}})");
  const auto report = import_table(table, map, scratch_ / "out.tact", {}, {});
  ASSERT_TRUE(report.has_value()) << report.error().message;
  EXPECT_EQ(report->rows, 200U);
  std::vector<std::string> codes;
  for (const auto& warning : report->warnings) codes.push_back(warning.code);
  EXPECT_THAT(codes, ::testing::Contains("time-joined"));
}

TEST_F(TextTables, AScaleNeedsTwoPoints) {
  auto map = std::string(kMap);
  map.replace(map.find("3000"), 4, "1000");
  const auto refused =
      import_table(scratch_.write("brought.txt", "1000 40\n2000 41\n"),
                   scratch_.write("map.json", map), scratch_ / "out.tact", {.overwrite = true}, {});
  ASSERT_FALSE(refused.has_value());
  EXPECT_THAT(refused.error().message, HasSubstr("two different readings"));
}

}  // namespace
}  // namespace tactelier
