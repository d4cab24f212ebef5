// The command line as a whole: help, usage errors, exit statuses.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "libcalib/json_check.hpp"
#include "tests/app/support/cli.hpp"
#include "tests/app/support/session_folder.hpp"

namespace tactelier::test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

const std::vector<std::string> kCommands{
    "sensors",  "import",  "unpack", "info",      "edit",    "fit",    "show",    "diff",
    "check",    "refresh", "apply",  "export",    "synth",   "bench",  "devices", "codes",
    "simulate", "compare", "batch",  "catalogue", "station", "report", "pack"};

TEST(CommandLine, HelpNamesEveryCommandAndGoesToStandardOutput) {
  const TestFolder folder;
  const auto result = run_cli(folder.path(), {"--help"});
  EXPECT_EQ(result.status, 0);
  for (const auto& command : kCommands) EXPECT_THAT(result.out, HasSubstr("\n  " + command));
  EXPECT_THAT(result.err, IsEmpty());
}

TEST(CommandLine, OptionsOfLaterVersionsAreAbsent) {
  const TestFolder folder;
  const auto help = run_cli(folder.path(), {"record", "--help"}).out;
  for (const auto* option : {"--for "}) EXPECT_THAT(help, Not(HasSubstr(option)));
}

TEST(CommandLine, EveryCommandHasHelpWithItsJsonAndQuietFlags) {
  const TestFolder folder;
  for (const auto& command : kCommands) {
    if (command == "sensors" || command == "devices" || command == "batch" ||
        command == "catalogue")
      continue;  // have commands of their own
    const auto result = run_cli(folder.path(), {command, "--help"});
    EXPECT_EQ(result.status, 0) << command;
    EXPECT_THAT(result.out, HasSubstr("--json")) << command;
    EXPECT_THAT(result.out, HasSubstr("--quiet")) << command;
  }
}

TEST(CommandLine, HelpOfFitNamesExactlyTheStagesThatExist) {
  const TestFolder folder;
  const auto help = run_cli(folder.path(), {"fit", "--help"}).out;
  EXPECT_THAT(help, HasSubstr("time wrench contact response psf array stiffness relaxation damping "
                              "joint friction hydroelastic"));
  EXPECT_THAT(help, Not(HasSubstr("magnetism")));
}

TEST(CommandLine, WrongUsageIsExitStatusTwoWithAMessageOnStandardError) {
  const TestFolder folder;
  const std::vector<std::vector<std::string>> wrong{
      {},
      {"frobnicate"},
      {"info"},
      {"fit", "a.tact"},
      {"fit", "a.tact", "-o", "m.json", "--holdout", "0.9"},
      {"fit", "a.tact", "-o", "m.json", "--stages", "astrology"},
      {"fit", "a.tact", "-o", "m.json", "--require", "magnetism"},
      {"export", "m.json", "--to", "openrave"},
      {"export", "m.json", "--to", "astrology", "-o", "x"},
      {"edit", "a.tact"},
      {"edit", "a.tact", "--contact", "7"},
      {"apply", "m.json", "a.tact", "-o", "forces.xls"},
      {"simulate", "--model", "m.json", "--indenter", "{}", "-o", "a.csv"},
      {"simulate", "--model", "m.json", "--indenter", "{}", "-o", "a.csv", "--force", "1", "--mass",
       "100"},
      {"compare", "a.tact"},
      {"compare", "--model", "m.json"},
      {"compare", "--model", "m.json", "a.tact", "--fail-above", "beauty=3"},
      {"compare", "--model", "m.json", "a.tact", "--fail-above", "iou=0.9"},
      {"compare", "--model", "m.json", "a.tact", "--method", "astrology"},
  };
  for (const auto& arguments : wrong) {
    const auto result = run_cli(folder.path(), arguments);
    EXPECT_EQ(result.status, 2) << testing::PrintToString(arguments) << result.err;
    EXPECT_THAT(result.err, Not(IsEmpty())) << testing::PrintToString(arguments);
    EXPECT_THAT(result.out, IsEmpty()) << testing::PrintToString(arguments);
  }
}

TEST(CommandLine, AFileIsReplacedByForceAlone) {
  const TestFolder folder;
  PlainSession session;
  session.presses = {{1, 0}};
  session.write(folder, "s");
  const std::vector<std::string> import{"import", "s", "-o", "out"}, fit{"fit", "s", "-o", "out"},
      synth{"synth", "--protocol", "quick", "-o", "out"};
  folder.write("out", "mine");
  for (auto command : {import, fit, synth}) {
    const auto refused = run_cli(folder.path(), command);
    EXPECT_EQ(refused.status, 2) << command[0];
    EXPECT_THAT(refused.err, HasSubstr("'out' is there already; --force replaces it"));
    EXPECT_EQ(folder.read("out"), "mine") << command[0];
  }
  auto forced = import;
  forced.emplace_back("--force");
  EXPECT_EQ(run_cli(folder.path(), forced).status, 0);
  EXPECT_NE(folder.read("out"), "mine");
}

TEST(CommandLine, QuietIsALineOrNothing) {
  const TestFolder folder;
  PlainSession session;
  session.presses = {{1, 0}};
  session.write(folder, "s");
  EXPECT_THAT(run_cli(folder.path(), {"import", "-q", "s", "-o", "s.tact"}).out,
              testing::MatchesRegex("s.tact: [^\n]*\n"));
  const auto info = run_cli(folder.path(), {"info", "-q", "s.tact"});
  EXPECT_EQ(info.status, 0);
  EXPECT_EQ(info.out + info.err, "");
}

TEST(CommandLine, AMissingFileIsExitStatusThreeAndNamed) {
  const TestFolder folder;
  for (const std::vector<std::string>& arguments :
       std::vector<std::vector<std::string>>{{"info", "none.tact"},
                                             {"show", "none.json"},
                                             {"fit", "none.tact", "-o", "m.json"},
                                             {"unpack", "none.tact", "folder"},
                                             {"edit", "none.tact", "--exclude", "1"},
                                             {"import", "none", "-o", "s.tact"},
                                             {"sensors", "check", "none.json"}}) {
    const auto result = run_cli(folder.path(), arguments);
    EXPECT_EQ(result.status, 3) << testing::PrintToString(arguments);
    EXPECT_THAT(result.err, HasSubstr("none")) << testing::PrintToString(arguments);
    EXPECT_THAT(folder.files(), IsEmpty()) << testing::PrintToString(arguments);
  }
}

TEST(CommandLine, ACodeIsExplainedWithWhatToDo) {
  const TestFolder folder;
  const auto result = run_cli(folder.path(), {"codes", "RS-06"});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("no hysteresis seen"));
  EXPECT_THAT(result.out, HasSubstr("record: P2"));
  const auto listed = run_cli(folder.path(), {"codes", "--json"});
  const auto valid = check_schema(nlohmann::json::parse(listed.out), "cli-codes", "codes --json");
  EXPECT_TRUE(valid) << valid.error().message;
  const auto unknown = run_cli(folder.path(), {"codes", "RS-O6"});
  EXPECT_EQ(unknown.status, 2);
  EXPECT_THAT(unknown.err, HasSubstr("did you mean"));
}

}  // namespace
}  // namespace tactelier::test
