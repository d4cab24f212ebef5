// Images of presses against the places where they were made, by numbers of hand.

#include "fitting/psf/image_places.hpp"

#include <gmock/gmock.h>

#include <functional>

namespace tactelier {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr double kPitch_m = 4e-3;

using Turn = std::function<std::array<double, 2>(double, double)>;

/// Presses 3 mm apart over an array, and images where `turn` puts them.
std::vector<ImagePlace> images(const Turn& turn) {
  std::vector<ImagePlace> all;
  for (int i = -3; i <= 3; ++i)
    for (int k = -2; k <= 2; ++k) {
      const double x_m = 3e-3 * i, y_m = 3e-3 * k;
      all.push_back({{x_m, y_m}, turn(x_m, y_m)});
    }
  return all;
}

std::string objection(const Turn& turn) { return places_objection(images(turn), kPitch_m); }

TEST(ImagePlaces, ThatASmallArrayDrawsToItsMiddleAreNoShift) {
  EXPECT_THAT(objection([](double x, double y) {
                return std::array{0.4 * x, 0.5 * y};
              }),
              IsEmpty());
}

TEST(ImagePlaces, TellAnArrayThatLiesElsewhere) {
  // (6, -3) mm beside, and drawn to the middle by half.
  EXPECT_THAT(objection([](double x, double y) {
                return std::array{0.5 * (x + 6e-3), 0.5 * (y - 3e-3)};
              }),
              HasSubstr("PS-05 Array appears shifted by (6, -3) mm"));
}

TEST(ImagePlaces, OfPressesOnOneSideOfTheArrayTellTheSameShift) {
  std::vector<ImagePlace> beside;
  for (const auto& one : images([](double x, double y) {
         return std::array{0.5 * (x + 2 * kPitch_m + 6e-3), 0.5 * (y - 3e-3)};
       }))
    beside.push_back({{one.press_m[0] + 2 * kPitch_m, one.press_m[1]}, one.image_m});
  EXPECT_THAT(places_objection(beside, kPitch_m), HasSubstr("shifted by (6, -3) mm"));
}

TEST(ImagePlaces, TellWhichWayIsTurned) {
  EXPECT_THAT(objection([](double x, double y) {
                return std::array{0.8 * x, -0.8 * y};
              }),
              HasSubstr("against the presses along y: y counts the other way"));
  EXPECT_THAT(objection([](double x, double y) {
                return std::array{-0.8 * x, -0.8 * y};
              }),
              HasSubstr("along x and y"));
  EXPECT_THAT(objection([](double x, double y) {
                return std::array{0.8 * y, 0.8 * x};
              }),
              HasSubstr("swapped"));
}

TEST(ImagePlaces, TellTactelsInAnotherOrder) {
  // Wherever it is pressed the image lies at one of two places.
  EXPECT_THAT(objection([](double x, double y) {
                const bool even = static_cast<int>(1e3 * (x + y) / 3 + 100.5) % 2 == 0;
                return std::array{even ? 5e-3 : -5e-3, even ? -2e-3 : 2e-3};
              }),
              HasSubstr("do not follow the places"));
}

TEST(ImagePlaces, OfAStripSayNothingAcrossIt) {
  std::vector<ImagePlace> strip;
  for (int i = -4; i <= 4; ++i) strip.push_back({{3e-3 * i, 1e-3}, {2e-3 * i, 0}});
  EXPECT_THAT(places_objection(strip, kPitch_m), IsEmpty());
}

}  // namespace
}  // namespace tactelier
