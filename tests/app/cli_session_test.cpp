// import, unpack, info, edit and what becomes of bad input, from the command line.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/app/support/cli.hpp"
#include "tests/app/support/session_folder.hpp"

namespace tactelier::test {
namespace {

using nlohmann::json;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

PlainSession three_presses() {
  PlainSession session;
  session.presses = {{1, 0, 2.0}, {2, 4, 2.2}, {3, 4, 2.1}};
  session.pad.force_noise_N = 0.005;
  session.pad.count_noise = 4;
  return session;
}

std::string content_hash(const TestFolder& folder, const std::string& session) {
  const auto result = run_cli(folder.path(), {"info", session, "--json"});
  EXPECT_EQ(result.status, 0) << result.err;
  return json::parse(result.out)["result"]["sessions"][0]["content_hash"];
}

TEST(Session, ImportUnpackImportIsExact) {
  const TestFolder folder;
  three_presses().write(folder, "a");
  ASSERT_EQ(run_cli(folder.path(), {"import", "a", "-o", "a.tact"}).status, 0);
  ASSERT_EQ(run_cli(folder.path(), {"unpack", "a.tact", "b"}).status, 0);
  ASSERT_EQ(run_cli(folder.path(), {"import", "b", "-o", "b.tact"}).status, 0);
  EXPECT_EQ(content_hash(folder, "a.tact"), content_hash(folder, "b.tact"));
  EXPECT_EQ(content_hash(folder, "a"), content_hash(folder, "b.tact"));
  ASSERT_EQ(run_cli(folder.path(), {"unpack", "b.tact", "c"}).status, 0);
  for (const auto* file : {"session.json", "force.csv", "stage.csv", "tactile.csv", "events.csv"})
    EXPECT_EQ(folder.read(std::string("b/") + file), folder.read(std::string("c/") + file)) << file;
}

TEST(Session, EachTableOfAFolderIsImportedByItself) {
  const TestFolder folder;
  std::string table = "mass_g,counts\n";
  for (int i = 0; i < 12; ++i) table += fmt::format("{},{}\n", 50 * (i / 2), 40 + 100 * (i / 2));
  folder.write("week/monday.csv", table);
  folder.write("week/tuesday.csv", "no table at all\n");
  folder.write("week/wednesday.csv", table);
  const std::vector<std::string> command{"import",   "week",       "--each",  "--guess",
                                         "--import", "--indenter", "sphere 6"};
  const auto result = run_cli(folder.path(), command);
  EXPECT_EQ(result.status, 3) << result.err;
  EXPECT_THAT(result.err, HasSubstr("tuesday.csv"));
  for (const std::string day : {"monday", "wednesday"})
    EXPECT_EQ(run_cli(folder.path(), {"unpack", "week/" + day + ".tact", day}).status, 0);
  EXPECT_EQ(folder.read("monday/tactile.csv"), folder.read("wednesday/tactile.csv"));
  EXPECT_THAT(folder.read("monday/tactile.csv"), HasSubstr("540"));  // counts under 250 g
  const auto again = run_cli(folder.path(), command);  // replaces nothing
  EXPECT_EQ(again.status, 2) << again.err;
  EXPECT_THAT(again.err, HasSubstr("--force"));
}

TEST(Session, InfoTellsStreamsRatesPressesAndThatTheFileIsWhole) {
  const TestFolder folder;
  three_presses().write(folder, "a");
  run_cli(folder.path(), {"import", "a", "-o", "a.tact"});
  const auto text = run_cli(folder.path(), {"info", "a.tact"});
  EXPECT_EQ(text.status, 0);
  EXPECT_THAT(text.out, HasSubstr("200 Hz"));
  EXPECT_THAT(text.out, HasSubstr("presses  3, 3 usable"));
  EXPECT_THAT(text.out, HasSubstr("every checksum holds"));
}

TEST(Session, EditsAreAddedAndLeaveTheContentHashAlone) {
  const TestFolder folder;
  three_presses().write(folder, "a");
  run_cli(folder.path(), {"import", "a", "-o", "a.tact"});
  const auto before = content_hash(folder, "a.tact");
  const auto edited = run_cli(folder.path(), {"edit", "a.tact", "--exclude", "2", "--contact",
                                              "3=22.0", "--note", "tip looked bent"});
  EXPECT_EQ(edited.status, 0) << edited.err;
  EXPECT_EQ(content_hash(folder, "a.tact"), before);
  EXPECT_THAT(run_cli(folder.path(), {"info", "a.tact"}).out, HasSubstr("presses  3, 2 usable"));
  run_cli(folder.path(), {"edit", "a.tact", "--include", "2"});
  EXPECT_THAT(run_cli(folder.path(), {"info", "a.tact"}).out, HasSubstr("presses  3, 3 usable"));
}

TEST(Session, PressesAreExcludedByRange) {
  const TestFolder folder;
  three_presses().write(folder, "a");
  run_cli(folder.path(), {"import", "a", "-o", "a.tact"});
  const auto presses = [&] { return run_cli(folder.path(), {"info", "a.tact"}).out; };
  EXPECT_EQ(run_cli(folder.path(), {"edit", "a.tact", "--exclude", "1-3"}).status, 0);
  EXPECT_THAT(presses(), HasSubstr("presses  3, 0 usable"));
  EXPECT_EQ(run_cli(folder.path(), {"edit", "a.tact", "--include", "1,3"}).status, 0);
  EXPECT_THAT(presses(), HasSubstr("presses  3, 2 usable"));
  for (const auto* wrong : {"3-1", "a", "1,", "-2", "1-2-3"}) {
    const auto refused = run_cli(folder.path(), {"edit", "a.tact", "--exclude", wrong});
    EXPECT_EQ(refused.status, 2) << wrong;
  }
}

TEST(Session, AContactPointGoesBackToWhereTheDataHaveIt) {
  const TestFolder folder;
  three_presses().write(folder, "a");
  run_cli(folder.path(), {"import", "a", "-o", "a.tact"});
  run_cli(folder.path(), {"edit", "a.tact", "--contact", "3=22.0"});
  const auto edited = run_cli(folder.path(), {"edit", "a.tact", "--contact", "3=found"});
  EXPECT_EQ(edited.status, 0) << edited.err;
  EXPECT_THAT(edited.out, HasSubstr("contact of press 3 at 22 s"));
  EXPECT_THAT(edited.out, HasSubstr("contact of press 3 as found"));
  EXPECT_THAT(run_cli(folder.path(), {"info", "a.tact"}).out, HasSubstr("every checksum holds"));
}

/// As a hand may drag it, or as it is found of a press of a few millinewtons.
TEST(Session, APressTouchedBehindItsPeakIsLeftOutOfTheFitAndSaysWhy) {
  const TestFolder folder;
  three_presses().write(folder, "a");
  run_cli(folder.path(), {"import", "a", "-o", "a.tact"});
  const auto lasts = run_cli(folder.path(), {"edit", "a.tact", "--contact", "3=1000"});
  const auto end = lasts.err.rfind(" to ") + 4;
  const double end_s = std::stod(lasts.err.substr(end));
  const auto edited =
      run_cli(folder.path(), {"edit", "a.tact", "--contact", fmt::format("3={:.3f}", end_s - 0.2)});
  ASSERT_EQ(edited.status, 0) << edited.err;
  const auto fitted = run_cli(folder.path(), {"fit", "a.tact", "-o", "m.json", "-q"});
  EXPECT_EQ(fitted.status, 0) << fitted.err;
  const auto model = json::parse(folder.read("m.json"));
  EXPECT_THAT(model["presses"][2]["why"].get<std::string>(),
              HasSubstr("response: RC-05 no reading between touch and peak"));
  EXPECT_THAT(model["presses"][1].value("why", ""), Not(HasSubstr("response")));
}

TEST(Session, SensorsAreNeverMixedWhereverTheSerialNumberIsMissing) {
  const TestFolder folder;
  auto session = three_presses();
  session.write(folder, "unknown");
  for (const auto* serial : {"A", "B"}) {
    session.extra_json = std::string(R"("sensor_serial": ")") + serial + R"(",)";
    session.write(folder, serial);
  }
  const auto mixed = run_cli(folder.path(), {"fit", "unknown", "A", "B", "-o", "m.json"});
  EXPECT_EQ(mixed.status, 3);
  EXPECT_THAT(mixed.err, testing::ContainsRegex("serial number (A against B|B against A)"));
  EXPECT_FALSE(std::filesystem::exists(folder / "m.json"));
  const auto trusted = run_cli(folder.path(), {"fit", "unknown", "A", "-o", "m.json"});
  EXPECT_THAT(trusted.err, HasSubstr("names no serial number; taken to be of sensor A"));
}

TEST(Session, AnEditOfAPressThatIsNotThereIsRefusedAndNothingIsAdded) {
  const TestFolder folder;
  three_presses().write(folder, "a");
  run_cli(folder.path(), {"import", "a", "-o", "a.tact"});
  const auto result =
      run_cli(folder.path(), {"edit", "a.tact", "--exclude", "1", "--exclude", "9"});
  EXPECT_EQ(result.status, 3);
  EXPECT_THAT(result.err, HasSubstr("there is no press 9"));
  EXPECT_THAT(run_cli(folder.path(), {"info", "a.tact"}).out, HasSubstr("presses  3, 3 usable"));
}

struct BadInput {
  std::string file;
  std::string content;
  std::string message;
};

/// Each replaces one file of a good folder. The message must name file and cause.
const std::vector<BadInput> kBadInput{
    {"session.json", "", "session.json"},
    {"session.json", "{\"format\": ", "session.json"},
    {"session.json", std::string(100000, '['), "session.json"},
    {"session.json", R"({"format": "tactelier/session", "version": 2, "sensor": "weiss-wts0614"})",
     "version"},
    {"session.json", R"({"format": "tactelier/session", "version": 1, "sensor": "weiss-wts0641"})",
     "did you mean"},
    {"session.json", R"({"format": "tactelier/session", "version": 1, "sensor": "weiss-wts0614",
                         "indentor": {}})",
     "did you mean 'indenter'"},
    {"session.json", R"({"format": "tactelier/session", "version": 1,
                         "sensor": {"rows": 0, "columns": 3, "pitch_x_mm": 1, "pitch_y_mm": 1}})",
     "rows"},
    {"force.csv", "", "force.csv"},
    {"force.csv", "t[s],Fz[N]\n0.0,1.0\n0.1\n", "force.csv:3"},
    {"force.csv", "t[s],Fz[N]\n0.0,1.0\n0.1,2,3\n", "force.csv:3"},
    {"force.csv", "t[s],Fz[N]\n0.0,one\n", "force.csv:2"},
    {"force.csv", "t[s],Fz[N]\n0.0,inf\n", "force.csv:2"},
    {"force.csv", "t[s],Fz[N]\n0.0,1,5\n", "force.csv:2"},
    {"force.csv", std::string("t[s],Fz[N]\n0.0,1\0\n", 19), "force.csv:2"},
    {"force.csv", std::string("\xff\xfet\0[\0s\0]\0", 10), "UTF-16"},
    {"force.csv", "t[s],Fz[N],Fz[N]\n0,1,1\n", "Fz"},
    {"force.csv", "t[s],Fz[stone]\n0,1\n", "stone"},
    {"force.csv", "t[s],Fz\n0,1\n", "Fz"},
    {"force.csv", "t[s],Fz[N]\n12.034,1\n12.031,1\n", "time runs backwards"},
    {"force.csv", "t[s],Fz[N]\n0.0,\"1\n", "force.csv"},
    {"tactile.csv", "t[s],0,1,2\n0,1,1,1\n", "tactile.csv"},
    {"events.csv",
     "t[s],event,data\n1,press_end,\"{\"\"press\"\": 1, \"\"outcome\"\": \"\"ok\"\"}\"\n",
     "events.csv"},
    {"events.csv", "t[s],event,data\n1,press_begin,\"{\"\"press\"\": 1, \"\"tactel\"\": 99}\"\n",
     "tactel"},
    {"events.csv", "t[s],event,data\n1,pres_begin,{}\n", "did you mean"},
    {"events.csv", "t[s],event,data\n1,press_begin,{broken\n", "events.csv"},
};

TEST(Session, BadInputIsExitStatusThreeNamesThePlaceAndLeavesNothingBehind) {
  for (const auto& bad : kBadInput) {
    const TestFolder folder;
    three_presses().write(folder, "a");
    folder.write("a/" + bad.file, bad.content);
    const auto result = run_cli(folder.path(), {"import", "a", "-o", "a.tact"});
    const auto what = bad.file + ": " + bad.content.substr(0, 60);
    EXPECT_EQ(result.status, 3) << what << "\n" << result.err;
    EXPECT_THAT(result.err, HasSubstr(bad.message)) << what;
    for (const auto& file : folder.files()) EXPECT_THAT(file, testing::StartsWith("a/")) << what;
  }
}

TEST(Session, AnExistingFileIsNotOverwrittenUnlessAsked) {
  const TestFolder folder;
  three_presses().write(folder, "a");
  folder.write("a.tact", "precious");
  EXPECT_NE(run_cli(folder.path(), {"import", "a", "-o", "a.tact"}).status, 0);
  EXPECT_EQ(folder.read("a.tact"), "precious");
  EXPECT_EQ(run_cli(folder.path(), {"import", "a", "-o", "a.tact", "--force"}).status, 0);
}

/// A .tact with bytes flipped, cut or zeroed: commands report or go on, and never crash.
TEST(Session, ADamagedFileNeverCrashesACommand) {
  const TestFolder folder;
  three_presses().write(folder, "a");
  ASSERT_EQ(run_cli(folder.path(), {"import", "a", "-o", "a.tact"}).status, 0);
  const auto whole = folder.read("a.tact");
  for (int i = 0; i < 24; ++i) {
    auto bytes = whole;
    const auto place = (whole.size() * static_cast<std::size_t>(2 * i + 1)) / 48;
    if (i % 3 == 0) bytes[place] = static_cast<char>(bytes[place] ^ 0x55);
    if (i % 3 == 1) bytes.resize(place);
    if (i % 3 == 2) bytes.replace(place, 300, 300, '\0');
    folder.write("b.tact", bytes);
    for (const std::vector<std::string>& arguments :
         std::vector<std::vector<std::string>>{{"info", "b.tact"},
                                               {"fit", "b.tact", "-o", "m.json", "--force"},
                                               {"unpack", "b.tact", "u"}}) {
      const auto result = run_cli(folder.path(), arguments);
      EXPECT_THAT((std::vector<int>{0, 3, 5}), Contains(result.status))
          << arguments[0] << " " << i << "\n"
          << result.err;
      std::filesystem::remove_all(folder / "u");
    }
  }
}

TEST(Session, InfoOnADamagedChunkIsExitStatusThreeWithStreamAndTime) {
  const TestFolder folder;
  three_presses().write(folder, "a");
  run_cli(folder.path(), {"import", "a", "-o", "a.tact"});
  // In the last quarter lie samples of the last presses.
  auto bytes = folder.read("a.tact");
  bool found = false;
  for (std::size_t place = bytes.size() * 3 / 4; place < bytes.size() && !found; place += 997) {
    auto damaged = bytes;
    damaged[place] = static_cast<char>(damaged[place] ^ 0x10);
    folder.write("b.tact", damaged);
    const auto result = run_cli(folder.path(), {"info", "b.tact"});
    if (result.out.find("DAMAGED") == std::string::npos) continue;
    found = true;
    EXPECT_EQ(result.status, 3);
    EXPECT_THAT(result.out,
                testing::ContainsRegex("DAMAGED +(force|stage|tactile).* [0-9.]+ s to [0-9.]+ s"));
    EXPECT_THAT(run_cli(folder.path(), {"fit", "b.tact", "-o", "m.json"}).err,
                HasSubstr("left out"));
  }
  EXPECT_TRUE(found);
}

}  // namespace
}  // namespace tactelier::test
