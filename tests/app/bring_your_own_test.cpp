// docs/bring-your-own.md and docs/session-folder.md do what they say: every command in them runs as
// written, and newtons are those of a plain regression over the same rows.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/app/support/cli.hpp"
#include "tests/paths/paths.hpp"

namespace tactelier::test {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

const fs::path kSource = paths::source_dir();

std::string text_of(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

/// The blocks of a page that a shell runs; those with a note before them need more than the page
/// gives (tests/docs runs them).
std::vector<std::string> commands_of(const std::string& page) {
  const auto text = text_of(kSource / "docs" / page);
  std::vector<std::string> blocks;
  constexpr std::string_view kOpen = "```sh\n";
  for (auto at = text.find(kOpen); at != text.npos; at = text.find(kOpen, at)) {
    const bool noted = text.substr(0, at).ends_with("-->\n");
    at += kOpen.size();
    if (!noted) blocks.push_back(text.substr(at, text.find("```", at) - at));
  }
  return blocks;
}

/// As a reader would: in a folder where data/examples lies, tactelier on the path, nobody typing.
class Page : public ::testing::Test {
 protected:
  void run(const std::string& page) {
    fs::create_directories(folder_ / "data");
    fs::create_directory_symlink(kSource / "data/examples", folder_ / "data/examples");
    fs::create_directories(folder_ / "bin");
    fs::create_symlink(paths::cli(), folder_ / "bin/tactelier");
    const auto blocks = commands_of(page);
    ASSERT_FALSE(blocks.empty());
    for (const auto& block : blocks) {
      folder_.write("block.sh", block);
      const auto command = "cd '" + folder_.path().string() +
                           "' && PATH=\"$PWD/bin:$PATH\" sh -e block.sh > out.txt 2> err.txt "
                           "< /dev/null";
      EXPECT_EQ(std::system(command.c_str()), 0) << block << folder_.read("err.txt");
    }
  }

  json model(const std::string& name) const { return json::parse(folder_.read(name)); }

  TestFolder folder_;
};

/// Force over counts of rows (counts, force): newtons per count, and counts at no force, by the
/// least squares of counts on force.
struct Line {
  double n = 0, f = 0, c = 0, ff = 0, fc = 0;
  void add(double counts, double force_N) {
    n += 1;
    f += force_N;
    c += counts;
    ff += force_N * force_N;
    fc += force_N * counts;
  }
  double counts_per_N() const { return (n * fc - f * c) / (n * ff - f * f); }
  double N_per_count() const { return 1 / counts_per_N(); }
  double offset() const { return (c - counts_per_N() * f) / n; }
};

void expect_line(const json& tactel, const Line& line) {
  const auto& gain = tactel["press_gain"];
  ASSERT_EQ(gain["status"], "identified") << tactel.dump();
  const double allowed = std::max(0.005 * line.N_per_count(), 0.3 * gain["std"].get<double>());
  EXPECT_NEAR(gain["value"].get<double>(), line.N_per_count(), allowed);
  EXPECT_NEAR(tactel["offset"]["value"].get<double>(), line.offset(), 1);
}

TEST_F(Page, BringYourOwnRunsAsWrittenAndGivesTheNewtonsOfARegression) {
  run("bring-your-own.md");
  Line cell;
  for (int mass_g = 0; mass_g <= 500; mass_g += 50)
    for (int repeat = -1; repeat <= 1; ++repeat)
      cell.add(40 + 2 * mass_g + repeat, mass_g * 9.80665e-3);
  expect_line(model("cell.json")["response"]["tactels"][0], cell);
  for (int tactel = 0; tactel < 6; ++tactel) {
    Line line;
    for (int mass_g = 0; mass_g <= 400; mass_g += 100) {
      std::ifstream table(
          folder_ / ("weights/" + std::to_string(mass_g) + "g_" + std::to_string(tactel) + ".csv"));
      std::string row;
      std::getline(table, row);
      while (std::getline(table, row)) {
        std::istringstream cells(row);
        std::string counts;
        for (int c = 0; c <= tactel; ++c) std::getline(cells, counts, ',');
        line.add(std::stod(counts), mass_g * 9.80665e-3);
      }
    }
    expect_line(model("weights.json")["response"]["tactels"][static_cast<std::size_t>(tactel)],
                line);
  }
  EXPECT_TRUE(fs::exists(folder_ / "steel.map.json"));
}

TEST_F(Page, BringYourOwnAppliesWhatItFitted) {
  run("bring-your-own.md");
  std::ifstream table(folder_ / "newtons.csv");
  std::string row;
  std::getline(table, row);
  EXPECT_THAT(row, ::testing::HasSubstr("0[N]"));
  int rows = 0;
  for (; std::getline(table, row); ++rows) {
    std::istringstream cells(row);
    std::string time, force;
    std::getline(cells, time, ',');
    std::getline(cells, force, ',');
    const double counts = 40 + 2 * 50 * (rows / 3) + rows % 3 - 1;
    EXPECT_NEAR(std::stod(force), (counts - 40) / 2 * 9.80665e-3, 1e-4) << row;
  }
  EXPECT_EQ(rows, 33);
}

TEST_F(Page, SessionFolderRunsAsWritten) {
  run("session-folder.md");
  EXPECT_TRUE(fs::exists(folder_ / "monday.tact"));
  EXPECT_THAT(folder_.read("out.txt"), ::testing::HasSubstr("presses  1, 1 usable"));
}

TEST(Guess, NeverReplacesAMapAndPrintsWhatItsSchemaAllows) {
  const TestFolder folder;
  folder.write("t.csv", "t_s,F_N,c\n0,0,5\n0.1,0,5\n0.2,1,9\n0.3,0,5\n");
  const auto first = run_cli(folder.path(), {"import", "t.csv", "--guess"});
  EXPECT_EQ(first.status, 0) << first.err;
  const auto map = folder.read("t.map.json");
  const auto second = run_cli(folder.path(), {"import", "t.csv", "--guess"});
  EXPECT_EQ(second.status, 2);
  EXPECT_THAT(second.err, ::testing::HasSubstr("'t.map.json' is there already; --force replaces"));
  const auto third = run_cli(folder.path(), {"import", "t.csv", "--guess", "--force", "--import",
                                             "--certificate", "0.5", "--json"});
  EXPECT_EQ(third.status, 0) << third.err;
  const auto result = json::parse(third.out)["result"];
  EXPECT_EQ(result["session"], "t.tact");
  EXPECT_EQ(result["columns"][1]["target"], "force");
  EXPECT_NE(folder.read("t.map.json"), map);
}

}  // namespace
}  // namespace tactelier::test
