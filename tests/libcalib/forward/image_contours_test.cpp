// Lines of equal reading against shapes whose lines are known.
#include "libcalib/forward/image_contours.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace tactelier {
namespace {

constexpr double kPitch_m = 2e-3;

ImageLayout square(int side) { return ImageLayout::of_grid(side, side, kPitch_m, kPitch_m); }

TEST(ImageContours, OneReadingIsADiamondThatTurnsLeft) {
  // 4 in the middle of zeros, level 1: each corner 3/4 of a pitch away, area 2 (3/4)^2 pitches.
  const std::vector<double> image{0, 0, 0, 0, 4, 0, 0, 0, 0};
  const auto lines = image_contours(square(3), image, 1);
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_TRUE(lines[0].closed);
  ASSERT_EQ(lines[0].points.size(), 4U);
  for (const auto& point : lines[0].points)
    EXPECT_NEAR(std::hypot(point.x_m, point.y_m), 0.75 * kPitch_m, 1e-12);
  EXPECT_NEAR(lines[0].area_m2(), 2 * 0.75 * 0.75 * kPitch_m * kPitch_m, 1e-15);
}

TEST(ImageContours, AHollowTurnsRight) {
  const std::vector<double> image{4, 4, 4, 4, 0, 4, 4, 4, 4};
  const auto lines = image_contours(square(3), image, 1);
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_NEAR(lines[0].area_m2(), -2 * 0.25 * 0.25 * kPitch_m * kPitch_m, 1e-15);
}

TEST(ImageContours, ASlopeIsAStraightLineFromBorderToBorder) {
  std::vector<double> image;
  const auto layout = square(5);
  for (std::size_t i = 0; i < layout.tactels(); ++i)
    image.push_back(3 * layout.x_m[i] - 2 * layout.y_m[i]);
  const auto lines = image_contours(layout, image, 0.7e-3);
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_FALSE(lines[0].closed);
  EXPECT_EQ(lines[0].area_m2(), 0);
  for (const auto& point : lines[0].points)
    EXPECT_NEAR(3 * point.x_m - 2 * point.y_m, 0.7e-3, 1e-15);
  // Higher, at larger x, lies to the left of a line that goes downwards.
  EXPECT_GT(lines[0].points.front().y_m, lines[0].points.back().y_m);
}

TEST(ImageContours, CrosswiseTactelsBelongTogetherAsTheirMeanSays) {
  const auto layout = square(4);
  const auto crosswise = [&](double other) {
    std::vector<double> image(16, 0.0);
    image[5] = image[10] = 4;  // neighbours along the diagonal
    image[6] = image[9] = other;
    return image_contours(layout, image, 1).size();
  };
  EXPECT_EQ(crosswise(0.5), 1U);   // mean 2.25
  EXPECT_EQ(crosswise(-3.0), 2U);  // mean 0.5
}

TEST(ImageContours, NothingGoesThroughATactelWithoutANumber) {
  std::vector<double> image{0, 0, 0, 0, 4, 0, 0, 0, 0};
  image[8] = std::numeric_limits<double>::quiet_NaN();
  const auto lines = image_contours(square(3), image, 1);
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_FALSE(lines[0].closed);
  EXPECT_EQ(lines[0].points.size(), 4U);
}

}  // namespace
}  // namespace tactelier
