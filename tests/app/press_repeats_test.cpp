// What repeats of a weighed image say of the hand that laid it, on images moved by known amounts.
#include "app/workflow/press_repeats.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace tactelier {
namespace {

constexpr double kPitch_m = 3.4e-3;
constexpr int kSide = 31;

/// A ridge through (x, y) at an angle.
RecordedImage ridge(double x_m, double y_m, double angle_rad, bool by_hand = true) {
  RecordedImage image;
  if (by_hand) image.press.mass_kg = 0.5;
  const double c = std::cos(angle_rad), s = std::sin(angle_rad);
  for (int row = 0; row < kSide; ++row)
    for (int column = 0; column < kSide; ++column) {
      const double dx = (column - kSide / 2) - x_m / kPitch_m;
      const double dy = (row - kSide / 2) - y_m / kPitch_m;
      const double along = (c * dx + s * dy) / 4, across = (c * dy - s * dx) / 2;
      image.counts.push_back(1000 * std::exp(-(along * along + across * across) / 2));
    }
  return image;
}

const ImageLayout& layout() {
  static const auto of_grid = ImageLayout::of_grid(kSide, kSide, kPitch_m, kPitch_m);
  return of_grid;
}

TEST(Placing, IsTheDispersionOfCentresAndDirections) {
  // Places of deviation 0.1 mm along each axis, turns of deviation 0.1 rad.
  const std::vector images{ridge(0.1e-3, -0.1e-3, 0.6), ridge(-0.1e-3, 0.1e-3, 0.4),
                           ridge(0, 0, 0.5)};
  const auto placing = placing_of(layout(), 1000, images);
  EXPECT_NEAR(placing.place_m, 0.1e-3, 2e-6);
  EXPECT_NEAR(placing.turn_rad, 0.1, 5e-3);
}

TEST(Placing, IsNotOfTheStageAndNotOfSinglePresses) {
  const std::vector stage{ridge(0.1e-3, 0, 0.5, false), ridge(-0.1e-3, 0, 0.5, false)};
  EXPECT_EQ(placing_of(layout(), 1000, stage).place_m, 0);
  EXPECT_EQ(placing_of(layout(), 1000, {ridge(0.1e-3, 0, 0.5)}).place_m, 0);
}

// As a pad reads 100 g that hardly reach its threshold: little, and mostly noise.
RecordedImage light(double x_m, double angle_rad, double load_N, double far_counts) {
  auto image = ridge(x_m, 0, angle_rad);
  image.press.mass_kg = load_N / 9.8;
  image.load_N = load_N;
  for (double& reading : image.counts) reading *= load_N / 5;
  image.counts[0] += far_counts;
  return image;
}

TEST(Placing, IsToldByTheHeaviestLoadAtAPlace) {
  const std::vector images{light(0.1e-3, 0.5, 5, 0), light(-0.1e-3, 0.5, 5, 0),
                           light(3e-3, 1.3, 0.5, 0), light(-3e-3, 0.2, 0.5, 0),
                           light(0.1e-3, 0.6, 5, 0), light(-0.1e-3, 0.4, 5, 0)};
  const auto placing = placing_of(layout(), 1000, images);
  // Along x 0.1 mm four times over three degrees of freedom, along y nothing.
  EXPECT_NEAR(placing.place_m, std::sqrt(4.0 / 6) * 0.1e-3, 2e-6);
  EXPECT_LT(placing.turn_rad, 0.1);
}

TEST(Placing, IsNotOfNoiseFarFromTheContact) {
  const auto placing = placing_of(layout(), 1000, {light(0, 0.5, 5, 15), light(0, 0.5, 5, -15)});
  EXPECT_LT(placing.place_m, 1e-7);
}

TEST(Placing, AHalfTurnIsNone) {
  const auto placing = placing_of(layout(), 1000, {ridge(0, 0, 0.001), ridge(0, 0, 3.1405)});
  EXPECT_LT(placing.turn_rad, 0.003);
}

TEST(Repeats, AreToldApartByWhatWasAskedFor) {
  auto images = std::vector{ridge(0, 0, 0), ridge(0, 0, 0), ridge(0, 0, 0)};
  images[1].press.x_m = 1e-3;
  const auto repeats = repeats_of(images);
  ASSERT_EQ(repeats.size(), 1U);
  EXPECT_EQ(repeats[0], (std::vector<std::size_t>{0, 2}));
}

TEST(ComparedTotals, LeaveOutWhatOneImageLacks) {
  EXPECT_EQ(compared_totals({1, NAN, 3}, {10, 20, 30}), (std::pair{4.0, 40.0}));
}

}  // namespace
}  // namespace tactelier
