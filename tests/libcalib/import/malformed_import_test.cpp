// Whatever is wrong with a file: one clear message with file, line and column, and nothing left
// behind.

#include <string>

#include "tests/libcalib/import/import_fixture.hpp"

namespace tactelier {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;
using MalformedImport = test_support::FolderImport;
using namespace std::string_literals;

TEST_F(MalformedImport, Headers) {
  const auto force = [this](std::string_view header) {
    return refusal("force.csv", std::string(header) + "\n0,1\n");
  };
  EXPECT_EQ(
      force("t[s],Fz"),
      "force.csv:1: column 'Fz': its unit is missing; write it in brackets, one of N, mN, uN, "
      "nN, kN, kgf, gf, lbf");
  EXPECT_EQ(force("t,Fz[N]"),
            "force.csv:1: column 't': its unit is missing; write it in brackets, one of s, ms, us, "
            "ns");
  EXPECT_THAT(force("t[s],Fz[mm]"), StartsWith("force.csv:1: column 'Fz[mm]': unit 'mm' is not one "
                                               "of N,"));
  EXPECT_THAT(force("t[s],Fz[newton]"),
              StartsWith("force.csv:1: column 'Fz[newton]': unit 'newton' "
                         "is not one of N,"));
  EXPECT_EQ(force("t[s],fz[N]"),
            "force.csv:1: column 'fz[N]': force.csv has no such column (did you mean 'Fz'?); other "
            "readings belong in aux.csv");
  EXPECT_EQ(force("t[s],Fz[N],Fz[mN]"), "force.csv:1: column 'Fz[mN]': is there twice");
  EXPECT_EQ(force("Fx[N],Fz[N]"), "force.csv:1: column 't[s]' is missing");
  EXPECT_EQ(force("t[s],seq"), "force.csv:1: there is no column of readings");
  EXPECT_EQ(force("t[s],Fz[N],seq[counts]"),
            "force.csv:1: column 'seq[counts]': takes no unit; it is a bare number");
  EXPECT_EQ(force("t[s],Fz[N],"), "force.csv:1: column '': a column needs a name");
  EXPECT_EQ(force("\"t[s],Fz[N]"), "force.csv:1: a quote is opened and never closed");
  EXPECT_THAT(force("t[s];Fz[N]"), HasSubstr("force.csv:1: column 't[s];Fz[N]'"));
  EXPECT_EQ(refusal("aux.csv", "t[s],flag\n0,1\n"),
            "aux.csv:1: column 'flag': its unit is missing; write 'flag[degC]', or 'flag[counts]' "
            "for a bare number");
  EXPECT_THAT(
      refusal("aux.csv", "t[s],load[stone]\n0,1\n"),
      StartsWith("aux.csv:1: column 'load[stone]': unknown unit 'stone'; understood are s,"));
}

TEST_F(MalformedImport, TactelsThatTheSensorLacksOrTheFileLacks) {
  EXPECT_EQ(
      refusal("tactile.csv", "t[s],0\n0,1\n"),
      "tactile.csv:1: column '1' is missing (1 of 2 are there); 'pair' has 2 tactels, 0 to 1");
  EXPECT_EQ(
      refusal("tactile.csv", "t[s],0,1,2\n0,1,2,3\n"),
      "tactile.csv:1: column '2': the sensor has no such tactel; 'pair' has 2 tactels, 0 to 1");
  EXPECT_EQ(
      refusal("tactile.csv", "t[s],0,01\n0,1,2\n"),
      "tactile.csv:1: column '01': the sensor has no such tactel; 'pair' has 2 tactels, 0 to 1");
  EXPECT_EQ(refusal("tactile.csv", "t[s],0,1,0\n0,1,2,3\n"),
            "tactile.csv:1: column '0': is there twice");
  EXPECT_THAT(refusal("tactile.csv", "t[s],0,1,temperature[degC]\n0,1,2,3\n"),
              HasSubstr("other readings belong in aux.csv"));
}

TEST_F(MalformedImport, CellsThatAreNoNumbers) {
  const auto cell = [this](std::string_view text) {
    return refusal("force.csv", "t[s],Fx[N],Fz[N]\n0,1,1\n1,1," + std::string(text) + "\n2,1,1\n");
  };
  EXPECT_EQ(cell("abc"), "force.csv:3: column 'Fz[N]': 'abc' is not a number");
  EXPECT_EQ(cell("inf"), "force.csv:3: column 'Fz[N]': 'inf' is no reading; leave the cell empty");
  EXPECT_EQ(cell("-Infinity"),
            "force.csv:3: column 'Fz[N]': '-Infinity' is no reading; leave the cell empty");
  EXPECT_EQ(cell("0x1F"), "force.csv:3: column 'Fz[N]': '0x1F' is not a number");
  EXPECT_EQ(cell("1.5N"), "force.csv:3: column 'Fz[N]': '1.5N' is not a number");
  EXPECT_EQ(cell("1.2.3"), "force.csv:3: column 'Fz[N]': '1.2.3' is not a number");
  EXPECT_EQ(cell("--1"), "force.csv:3: column 'Fz[N]': '--1' is not a number");
  EXPECT_EQ(cell("-"), "force.csv:3: column 'Fz[N]': '-' is not a number");
  EXPECT_EQ(cell("."), "force.csv:3: column 'Fz[N]': '.' is not a number");
  EXPECT_EQ(cell("1 2"), "force.csv:3: column 'Fz[N]': '1 2' is not a number");
  EXPECT_EQ(cell("\"1,5\""),
            "force.csv:3: column 'Fz[N]': '1,5' is not a number; write a decimal point, not a "
            "comma");
  EXPECT_EQ(cell("1234567890123456789"),
            "force.csv:3: column 'Fz[N]': '1234567890123456789' has 19 significant digits; at most "
            "18 can be kept");
  EXPECT_EQ(cell("1e999"),
            "force.csv:3: column 'Fz[N]': '1e999' is not a number between 1e-99 and "
            "1e99");
  EXPECT_EQ(cell("\xC3\x28"), "force.csv:3: column 'Fz[N]': '\\xC3(' is not a number");
}

TEST_F(MalformedImport, RowsThatDoNotFit) {
  const auto rows = [this](std::string_view text) {
    return refusal("force.csv", "t[s],Fz[N]\n" + std::string(text));
  };
  EXPECT_EQ(rows("0\n"),
            "force.csv:2: 1 cells, but the header has 2 columns: the row is too short");
  EXPECT_EQ(rows("0,1\n1,2,3\n"),
            "force.csv:3: 3 cells, but the header has 2 columns: the row is too long");
  EXPECT_EQ(rows("0,1,5\n"),
            "force.csv:2: 3 cells, but the header has 2 columns: the row is too long");
  EXPECT_EQ(rows("0,1\n\n1,2\n"), "force.csv:3: a blank line between rows");
  EXPECT_EQ(rows("0,\"1\n1,2\n"), "force.csv:2: a quote is opened and never closed");
  EXPECT_EQ(
      rows("0,\"1\"x\n"),
      "force.csv:2: text behind a closing quote; write \"\" for a quote inside a quoted cell");
  EXPECT_EQ(
      rows("0,1\"\n"),
      "force.csv:2: a quote inside an unquoted cell; put the cell in quotes and write \"\" for "
      "each quote in it");
  EXPECT_EQ(rows("0,1\n,2\n"), "force.csv:3: the time stamp is missing");
  EXPECT_EQ(rows("0,1\nnan,2\n"), "force.csv:3: the time stamp is missing");
  EXPECT_EQ(rows("0,1\n12.034,1\n12.031,1\n"),
            "force.csv:4: time runs backwards (12.031 s after 12.034 s); use --sort to order the "
            "samples");
}

TEST_F(MalformedImport, FilesThatAreNoText) {
  EXPECT_EQ(refusal("force.csv", ""),
            "force.csv: the file is empty; give it a header or remove it");
  EXPECT_EQ(refusal("force.csv", "\n\n"), "force.csv: only blank lines; a header is needed");
  EXPECT_EQ(refusal("force.csv", "\xFF\xFEt\0[\0s\0]\0"s),
            "force.csv:1: UTF-16 text; save it as UTF-8");
  EXPECT_EQ(refusal("force.csv", "t\0[\0s\0]\0"s), "force.csv:1: UTF-16 text; save it as UTF-8");
  EXPECT_EQ(refusal("force.csv", "t[s],Fz[N]\n0,1\n1,\0 2\n"s),
            "force.csv:3: a NUL byte; this is not a text file");
  EXPECT_EQ(refusal("force.csv", "t[s],F\0z[N]\n0,1\n"s),
            "force.csv:1: a NUL byte; this is not a text file");
  EXPECT_EQ(refusal("force.csv", "\x89PNG\r\n\x1A\n"),
            "force.csv:1: byte 0x89 at position 1 is not UTF-8 text; is this a CSV file?");
  EXPECT_EQ(refusal("force.csv", "t[s],Fz[N]\r0,1\r1,2\r"),
            "force.csv:1: byte 0x0D at position 6 is not UTF-8 text; is this a CSV file?");
  EXPECT_EQ(refusal("force.csv", std::string(std::size_t{17} << 20U, '7')),
            "force.csv:1: a line longer than 16 MiB; this is no table of samples");
  std::filesystem::create_directory(scratch_ / "in/force.csv");
  EXPECT_EQ(refusal(ErrorCode::kIo), "force.csv: is a folder, a file is needed");
}

TEST_F(MalformedImport, HundredsOfThousandsOfColumns) {
  std::string header = "t[s]";
  std::string row = "0";
  for (int i = 0; i < 300000; ++i) {
    header += fmt::format(",c{}[V]", i);
    row += ",1";
  }
  EXPECT_EQ(refusal("aux.csv", header + "\n" + row + "\n"),
            "aux.csv:1: 300001 columns; at most 65536 are understood");
  EXPECT_EQ(refusal("force.csv", "t[s],Fz[N]\n" + row + "\n"),
            "force.csv:2: 300001 cells, but the header has 2 columns: the row is too long");
}

TEST_F(MalformedImport, Events) {
  const auto events = [this](std::string_view rows) {
    return refusal("events.csv", "t[s],event,data\n" + std::string(rows));
  };
  const std::string begin = "1,press_begin,\"{\"\"press\"\":1,\"\"kind\"\":\"\"ramp\"\"}\"\n";
  EXPECT_EQ(events("2,press_end,\"{\"\"press\"\":1}\"\n"),
            "events.csv:2: press 1 ends but has not begun");
  EXPECT_EQ(events(begin + "2,press_begin,\"{\"\"press\"\":2,\"\"kind\"\":\"\"ramp\"\"}\"\n"),
            "events.csv:3: press 2 begins while press 1 is still open");
  EXPECT_EQ(events("1,hold_begin,\"{\"\"press\"\":1,\"\"force_N\"\":1}\"\n"),
            "events.csv:2: hold_begin belongs to press 1, which is not open then");
  EXPECT_EQ(
      events("1,press_begin,\"{\"\"press\"\":1,\"\"kind\"\":\"\"ramp\"\",\"\"tactel\"\":2}\"\n"),
      "events.csv:2: press 1 is on tactel 2, but the sensor has 2 tactels, 0 to 1");
  EXPECT_EQ(events("1,zero_end,\n"),
            "events.csv:2: zero_end, but there was no zero_begin before it");
  EXPECT_EQ(events("1,pres_begin,{}\n"),
            "events.csv:2: unknown event 'pres_begin' (did you mean 'press_begin'?)");
  EXPECT_THAT(events("1,press_begin,{\"press\":1}\n"), StartsWith("events.csv:2: a quote inside"));
  EXPECT_EQ(events("1,note,{},4\n"),
            "events.csv:2: 4 cells, but the header has 3 columns; put the data in quotes");
  EXPECT_THAT(events("1,note,\"{\"\"text\"\": }\"\n"), StartsWith("events.csv:2: line 1, column"));
  EXPECT_EQ(events("x,note,{}\n"), "events.csv:2: column 't': 'x' is not a number");
  EXPECT_EQ(events(",note,{}\n"), "events.csv:2: column 't': the time stamp is missing");
  EXPECT_EQ(events("2,note,{}\n1,note,{}\n"),
            "events.csv:3: time runs backwards (1 s after 2 s); use --sort to order the events");
  EXPECT_EQ(events("1,note,\"{\n"), "events.csv:2: a quote is opened and never closed");
  EXPECT_EQ(refusal("events.csv", "t[s],data\n"), "events.csv:1: column 'event' is missing");
  EXPECT_EQ(refusal("events.csv", "t,event\n"),
            "events.csv:1: column 't': a unit of time is needed, one of s, ms, us, ns");
  EXPECT_EQ(refusal("events.csv", "t[s],event,event\n"),
            "events.csv:1: column 'event': is there twice");
}

TEST_F(MalformedImport, TheLineOfALaterRecordCountsQuotedLineEnds) {
  EXPECT_EQ(refusal("events.csv",
                    "t[s],event,data\n1,note,\"{\n\"\"text\"\":\n\"\"a\"\"}\"\n2,nota,{}\n"),
            "events.csv:5: unknown event 'nota' (did you mean 'note'?)");
}

TEST_F(MalformedImport, SessionJson) {
  EXPECT_THAT(refusal("session.json", "{"), StartsWith("session.json: line 1"));
  EXPECT_THAT(refusal("session.json", "\xFF\xFE{\0}\0"s), HasSubstr("UTF-16"));
  EXPECT_THAT(
      refusal("session.json", R"({"format": "tactelier/session", "version": 9, "sensor": "x"})"),
      HasSubstr("version 9 is newer than version 1"));
  EXPECT_THAT(refusal("session.json",
                      R"({"format": "tactelier/session", "version": 1, "sensor":
                          {"rows": 0, "columns": 2, "pitch_x_mm": 5, "pitch_y_mm": 5}})"),
              HasSubstr("session.json: sensor: rows: must be at least 1"));
}

}  // namespace
}  // namespace tactelier
