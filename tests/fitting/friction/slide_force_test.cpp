#include "fitting/friction/slide_force.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

namespace tactelier {
namespace {

using testing::ElementsAre;
using testing::SizeIs;

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

ForceRows rows_of(const std::vector<double>& normal_N) {
  ForceRows rows;
  for (std::size_t i = 0; i < normal_N.size(); ++i) {
    rows.time_s.push_back(1e-3 * static_cast<double>(i));
    rows.force_N[0].push_back(normal_N[i]);
    rows.force_N[1].push_back(2 * normal_N[i]);
    rows.force_N[2].push_back(0);
  }
  return rows;
}

TEST(SlideForce, BridgesSpikesThatWereTakenOutOnAllAxes) {
  auto rows = rows_of({1, 1, kMissing, kMissing, 4, 4});
  rows.force_N[2][4] = 3;
  rows.force_N[2][2] = kMissing;
  keep_whole_stretch(rows, 1e-3);
  EXPECT_THAT(rows.force_N[0], ElementsAre(1, 1, 2, 3, 4, 4));
  EXPECT_THAT(rows.force_N[1], ElementsAre(2, 2, 4, 6, 8, 8));
  EXPECT_THAT(rows.force_N[2], ElementsAre(0, 0, 1, 2, 3, 0));
}

TEST(SlideForce, KeepsTheLongestStretchBetweenLongerHolesAndGaps) {
  auto rows = rows_of({1, 1, kMissing, kMissing, kMissing, kMissing, 5, 5, 5, 5, 5, kMissing});
  for (std::size_t i = 8; i < rows.time_s.size(); ++i) rows.time_s[i] += 0.01;
  keep_whole_stretch(rows, 1e-3);
  EXPECT_THAT(rows.force_N[0], ElementsAre(5, 5, 5));
  EXPECT_NEAR(rows.time_s.front(), 0.018, 1e-12);
  EXPECT_THAT(rows.force_N[2], SizeIs(3));
}

TEST(SlideForce, OfNothingButHolesKeepsNothing) {
  auto rows = rows_of({kMissing, kMissing});
  keep_whole_stretch(rows, 1e-3);
  EXPECT_THAT(rows.time_s, testing::IsEmpty());
}

}  // namespace
}  // namespace tactelier
