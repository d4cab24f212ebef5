#include "fitting/recording/polled_places.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace tactelier {
namespace {

/// A thousand rows a second of a stage that answers every 100 ms: at rest for 0.5 s, then at 10
/// mm/s for 0.4 s, then at rest for 0.3 s.
Samples held() {
  Samples rows{{}, {{}, {}}};
  for (int i = 0; i <= 1200; ++i) {
    const int answered = i / 100 * 100;
    const int moved = std::clamp(answered - 500, 0, 400);
    rows.time_s.push_back(1e-3 * i);
    rows.columns[0].push_back(5e-3);
    rows.columns[1].push_back(1e-5 * moved);
  }
  return rows;
}

TEST(PolledPlaces, AreOneRowForEachAnswer) {
  const auto polls = polled_places(held());
  using testing::DoubleNear;
  std::vector<testing::Matcher<double>> times;
  for (int i = 0; i <= 12; ++i) times.push_back(DoubleNear(0.1 * i, 1e-9));
  EXPECT_THAT(polls.time_s, testing::ElementsAreArray(times));
  ASSERT_EQ(polls.columns.size(), 2U);
  for (std::size_t i = 0; i < polls.rows(); ++i) {
    EXPECT_EQ(polls.columns[0][i], 5e-3);
    EXPECT_NEAR(polls.columns[1][i], 1e-3 * std::clamp(static_cast<int>(i) - 5, 0, 4), 1e-12) << i;
  }
}

TEST(PolledPlaces, OfAStageThatIsReadEachTimeAreAsTheyWere) {
  Samples rows{{}, {{}}};
  for (int i = 0; i < 50; ++i) {
    rows.time_s.push_back(1e-3 * i);
    rows.columns[0].push_back(1e-6 * i);
  }
  const auto polls = polled_places(rows);
  EXPECT_EQ(polls.time_s, rows.time_s);
  EXPECT_EQ(polls.columns, rows.columns);
}

TEST(PolledPlaces, OfAStageThatRestsAreATenthOfASecondApart) {
  Samples rows{{}, {{}}};
  for (int i = 0; i <= 1000; ++i) {
    rows.time_s.push_back(1e-3 * i);
    rows.columns[0].push_back(2e-3);
  }
  EXPECT_EQ(polled_places(rows).rows(), 11U);
  EXPECT_EQ(polled_places({{}, {{}}}).rows(), 0U);
}

}  // namespace
}  // namespace tactelier
