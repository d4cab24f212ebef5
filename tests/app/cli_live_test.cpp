// apply --live beside a virtual bench: two programs and a real wire between them.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "libcalib/json_check.hpp"
#include "tests/app/support/cli.hpp"
#include "tests/app/support/cli_process.hpp"
#include "tests/app/support/session_folder.hpp"

namespace tactelier::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;

class ApplyLive : public testing::Test {
 protected:
  void SetUp() override {
    bench_ = std::make_unique<CliProcess>(
        folder_.path(), std::vector<std::string>{"bench", "--json", "--write-truth", "pad.json",
                                                 "--write-devices", "dev.json"});
    const auto announced = parse_json(bench_->read_line(), "bench --json");
    ASSERT_TRUE(announced) << announced.error().message;
    control_ = announced->at("result")["endpoints"]["bench_control"];
  }

  TestFolder folder_;
  std::unique_ptr<CliProcess> bench_;
  std::string control_;
};

TEST_F(ApplyLive, PrintsALineAFrameUntilItIsInterrupted) {
  CliProcess live(folder_.path(),
                  {"apply", "pad.json", "--live", "dev.json", "--zero-seconds", "0.2"});
  const auto header = live.read_line();
  EXPECT_THAT(header, testing::StartsWith("t[s],frame,0[N],1[N],"));
  EXPECT_THAT(header, testing::EndsWith(",83[N],flags"));
  for (int frame = 0; frame < 5; ++frame) {
    const auto line = live.read_line();
    EXPECT_EQ(std::count(line.begin(), line.end(), ','), 2 + 84) << line;
    EXPECT_THAT(line, HasSubstr(fmt::format(",{},", frame)));
    EXPECT_EQ(line.substr(line.rfind(',')).size(), 85U) << line;
  }
  EXPECT_EQ(live.interrupt(), 0);
}

TEST_F(ApplyLive, SpeaksJsonThatKeepsItsSchemas) {
  const auto ran = run_cli(folder_.path(), {"apply", "pad.json", "--live", "dev.json", "--seconds",
                                            "0.2", "--zero-seconds", "0.2", "--json"});
  ASSERT_EQ(ran.status, 0) << ran.err;
  EXPECT_THAT(ran.err, HasSubstr("the zero is the mean of the first"));
  EXPECT_THAT(ran.err, HasSubstr("frames in 0."));
  std::istringstream lines(ran.out);
  std::string line;
  ASSERT_TRUE(std::getline(lines, line));
  const auto begin = json::parse(line);
  const auto valid = check_schema(begin, "cli-apply", "begin");
  EXPECT_TRUE(valid) << valid.error().message;
  EXPECT_EQ(begin["result"]["tactels"], 84);
  EXPECT_EQ(begin["result"]["zero"], "start");
  int frames = 0;
  for (; std::getline(lines, line); ++frames) {
    const auto frame = json::parse(line);
    const auto fits = check_schema(frame, "live-newtons", "frame");
    ASSERT_TRUE(fits) << fits.error().message;
    EXPECT_EQ(frame["frame"], frames);
    EXPECT_EQ(frame["flags"].get<std::string>().size(), 84U);
  }
  EXPECT_GT(frames, 3);
}

std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells;
  std::istringstream row(line);
  for (std::string cell; std::getline(row, cell, ',');) cells.push_back(cell);
  return cells;
}

TEST(ApplyLiveReplay, GivesWhatApplyGivesForTheRecording) {
  const TestFolder folder;
  PlainSession session;
  session.pad.offset_counts = 200;
  session.pad.count_noise = 4;
  for (int i = 0; i < 6; ++i) session.presses.push_back({i + 1, i % 3, 2.0, 1});
  session.write(folder, "s");
  ASSERT_EQ(run_cli(folder.path(), {"import", "s", "-o", "s.tact"}).status, 0);
  const std::vector<std::string> fit{"fit", "s", "-o", "m.json", "--stages", "response"};
  ASSERT_EQ(run_cli(folder.path(), fit).status, 0);
  ASSERT_EQ(run_cli(folder.path(), {"apply", "m.json", "s", "-o", "f.csv"}).status, 0);
  folder.write("dev.json", R"({"format": "tactelier/devices", "version": 1, "time_scale": 50,
    "tactile": {"driver": "replay", "file": "s.tact"}})");
  const auto live = run_cli(folder.path(), {"apply", "m.json", "--live", "dev.json", "--zero",
                                            "model", "--seconds", "55"});
  ASSERT_EQ(live.status, 0) << live.err;
  std::istringstream lines(live.out), rows(folder.read("f.csv"));
  std::string line, row;
  std::getline(lines, line);
  std::getline(rows, row);
  int frames = 0, forces = 0;
  for (; std::getline(lines, line) && std::getline(rows, row); ++frames) {
    const auto here = cells_of(line), there = cells_of(row);
    ASSERT_EQ(here.size(), 9U) << line;
    for (std::size_t i = 0; i < 6; ++i) {
      ASSERT_EQ(here[2 + i], there.at(1 + 3 * i)) << frames << ' ' << i;
      ASSERT_EQ(here[8][i], there.at(3 + 3 * i)[0]) << frames << ' ' << i;
      forces += here[2 + i].empty() ? 0 : 1;
    }
  }
  EXPECT_GT(frames, 5000);
  EXPECT_GT(forces, 1500);
}

TEST(ApplyLiveCommandLine, SaysWhatIsWrong) {
  const TestFolder folder;
  folder.write("dev.json", R"({"format": "tactelier/devices", "version": 1})");
  EXPECT_EQ(run_cli(folder.path(), {"apply", "m.json"}).status, 2);
  EXPECT_EQ(run_cli(folder.path(),
                    {"apply", "m.json", "s.tact", "-o", "f.csv", "--udp", "127.0.0.1:5005"})
                .status,
            2);
  const auto udp = run_cli(folder.path(), {"apply", "m.json", "--live", "dev.json", "--udp", "x"});
  EXPECT_EQ(udp.status, 2);
  EXPECT_THAT(udp.err, HasSubstr("HOST:PORT expected"));
}

}  // namespace
}  // namespace tactelier::test
