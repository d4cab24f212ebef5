// Arrays whose wires or description are in the wrong order.
#include "fitting/response/touch_map.hpp"

#include <gtest/gtest.h>

#include "tests/fitting/support/synthetic_bench.hpp"

namespace tactelier {
namespace {

using synthetic::Bench;
using synthetic::Recording;

SensorDescription grid(int rows, int columns) {
  SensorDescription sensor;
  sensor.arrays = {SensorArray{rows, columns, 3.4e-3, 3.4e-3, {}, {}, {}, {}}};
  return sensor;
}

TouchAnswer answer(int pressed, int brightest, double own, double most) {
  return {pressed, brightest, own, most, 4};
}

TEST(TouchMap, FindsTwoTactelsThatReadEachOthersPresses) {
  const auto found = find_misplaced(
      std::array{answer(0, 0, 900, 900), answer(1, 6, 5, 800), answer(6, 1, 5, 900)}, grid(2, 4));
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found.at(1).answers, 6);
  EXPECT_TRUE(found.at(6).swapped);
  EXPECT_TRUE(found.at(1).reason.starts_with("SWAPPED Tactels 1 and 6 are swapped"));
}

TEST(TouchMap, NamesARingOfThree) {
  const auto found = find_misplaced(
      std::array{answer(1, 2, 300, 900), answer(2, 5, 300, 800), answer(5, 1, 100, 900)},
      grid(2, 4));
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(found.at(2).ring, (std::vector{1, 2, 5}));
}

TEST(TouchMap, TakesADeadTactelBesideAGoodOneForNoSwap) {
  const auto found =
      find_misplaced(std::array{answer(0, 1, 0, 300), answer(1, 1, 900, 900)}, grid(2, 4));
  EXPECT_TRUE(found.empty());
}

TEST(TouchMap, NamesAPressThatATactelFarAwayReads) {
  const auto found =
      find_misplaced(std::array{answer(0, 3, 0, 900), answer(3, 3, 900, 900)}, grid(2, 4));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_FALSE(found.at(0).swapped);
}

TEST(TouchMap, SaysNothingWhereNeighboursAnswerAlmostAlike) {
  const auto found =
      find_misplaced(std::array{answer(0, 1, 700, 900), answer(1, 0, 700, 900)}, grid(2, 4));
  EXPECT_TRUE(found.empty());
}

TEST(TouchMap, CantTellWhichOfTwoCutReadingsIsBrighter) {
  const std::array rise{3900.0, 3950.0, 20.0};
  const std::array noise{4.0, 4.0, 4.0};
  EXPECT_FALSE(touch_answer(0, rise, 3800, noise));
  EXPECT_TRUE(touch_answer(0, rise, 3920, noise));
}

TEST(ResponseStage, NamesSwappedTactelsInsteadOfCallingThemDead) {
  auto bench = Bench::uniform(2, 3, 2);
  for (auto& press : bench.presses) {
    if (press.tactel == 1)
      press.read_by = 5;
    else if (press.tactel == 5)
      press.read_by = 1;
  }
  const auto model = Recording(bench).fit({"response"});
  ASSERT_TRUE(model) << model.error().message;
  const auto& tactels = model->response.tactels;
  for (const int swapped : {1, 5}) {
    const auto& tactel = tactels[static_cast<std::size_t>(swapped)];
    EXPECT_NE(tactel.status, TactelStatus::kDead);
    EXPECT_TRUE(tactel.press_gain.reason.starts_with("SWAPPED Tactels 1 and 5"))
        << tactel.press_gain.reason;
    EXPECT_TRUE(tactel.noise.identified());
  }
  EXPECT_TRUE(tactels[0].press_gain.identified());
  EXPECT_EQ(model->quality.at("response").figures.at("tactels_swapped"), 2);
}

}  // namespace
}  // namespace tactelier
