// A table whose spread no point spread describes: what one pressed on says of each tactel stays.

#include <gmock/gmock.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <random>

#include "tests/app/support/cli.hpp"

namespace tactelier::test {
namespace {

using nlohmann::json;

constexpr int kSide = 4, kCells = kSide * kSide;

/// Each cell once and three again by a rod of twice the pitch; readings fall off within half a
/// cell, as if it had a point: 90 counts per newton, all cells 10 % apart.
class RefusedSpread : public testing::Test {
 protected:
  RefusedSpread() {
    std::mt19937 random(12);
    std::normal_distribution<double> normal;
    for (int i = 0; i < kCells; ++i) gains_N_.push_back(1 / (90.0 + 9 * normal(random)));
    for (int i = 0; i < kCells; ++i) pressed_.push_back(i);
    for (const int again : {0, 5, 11}) pressed_.push_back(again);
    std::string table = "t_s,force_N";
    for (int i = 0; i < kCells; ++i) table += fmt::format(",r{}c{}", i / kSide, i % kSide);
    table += "\n";
    int row = 0;
    for (std::size_t p = 0; p < pressed_.size(); ++p)
      for (int k = 0; k < 160; ++k, ++row) {
        const double top_N = 4 + 0.1 * static_cast<double>(p);
        const double force_N = std::max(0.0, top_N * (1 - std::abs(k - 110) / 40.0));
        table += fmt::format("{:.2f},{:.4f}", 0.02 * row, force_N + 0.01 * normal(random));
        for (int i = 0; i < kCells; ++i) {
          const int dx = i % kSide - pressed_[p] % kSide, dy = i / kSide - pressed_[p] / kSide;
          const double share = std::exp(-(dx * dx + dy * dy) / (2 * 0.45 * 0.45));
          const double counts = 200 + i + share * force_N / gains_N_[static_cast<std::size_t>(i)];
          table += fmt::format(",{}", std::lround(counts + 1.5 * normal(random)));
        }
        table += "\n";
      }
    folder_.write("table.csv", table);
  }

  json fitted(const std::vector<std::string>& more) {
    run({"import", "table.csv", "--guess", "--layout", "4x4", "--pitch", "5", "--indenter",
         "cylinder 10", "--force"});
    auto map = json::parse(folder_.read("table.map.json"));
    auto presses = map.at("press_by");
    map.erase("press_by");
    presses.update({{"event", "press"}, {"find", "presses"}, {"data", {{"tactel", pressed_}}}});
    map["events"] = json::array({presses});
    folder_.write("table.map.json", map.dump());
    run({"import", "table.csv", "--map", "table.map.json", "-o", "table.tact", "--force"});
    std::vector<std::string> fit{"fit", "table.tact", "-o", "model.json", "--force"};
    fit.insert(fit.end(), more.begin(), more.end());
    run(fit);
    return json::parse(folder_.read("model.json"));
  }

  void run(const std::vector<std::string>& arguments) {
    const auto result = run_cli(folder_.path(), arguments);
    EXPECT_EQ(result.status, 0) << arguments.front() << ": " << result.err << result.out;
  }

  TestFolder folder_;
  std::vector<double> gains_N_;
  std::vector<int> pressed_;
};

TEST_F(RefusedSpread, LeavesTheGainsThatPressesOnTactelsTell) {
  const auto alone = fitted({"--stages", "response"});
  const auto whole = fitted({"--stages", "response,psf"});
  ASSERT_EQ(whole["psf"]["sigma_x"]["status"], "unidentifiable")
      << whole["psf"]["sigma_x"] << whole["quality"]["psf"];
  for (std::size_t i = 0; i < kCells; ++i) {
    const auto& gain = whole["response"]["tactels"][i]["press_gain"];
    ASSERT_EQ(gain["status"], "identified") << i << ": " << gain["reason"];
    EXPECT_NEAR(gain["value"].get<double>(), gains_N_[i], 0.02 * gains_N_[i]) << i;
    EXPECT_EQ(gain["ci95"], alone["response"]["tactels"][i]["press_gain"]["ci95"]) << i;
  }
}

}  // namespace
}  // namespace tactelier::test
