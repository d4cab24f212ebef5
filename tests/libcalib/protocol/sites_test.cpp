#include "libcalib/protocol/sites.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

namespace tactelier {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

SensorDescription weiss() { return load_sensor("weiss-wts0614").value(); }

std::vector<int> tactels_of(const std::vector<Place>& places) {
  std::vector<int> tactels;
  for (const auto& place : places) tactels.push_back(place.tactel.value_or(-1));
  return tactels;
}

std::vector<int> chosen(const Sites& sites) { return tactels_of(places(sites, weiss()).value()); }

TEST(Sites, NumberTakesCentreThenEdgesAndCornersInTurn) {
  Sites sites;
  sites.count = 9;
  // 14 rows x 6 columns, tactel = 6 row + column: the centre is row 7, column 3
  EXPECT_THAT(chosen(sites), ElementsAre(45, 42, 0, 47, 83, 3, 5, 81, 78));
  sites.count = 3;
  EXPECT_THAT(chosen(sites), ElementsAre(45, 42, 0));
}

TEST(Sites, NamesTactelsAndPointsKeepTheirOrderAndComeOnce) {
  Sites sites;
  sites.items = {7,  SiteName::kCentre,         SiteName::kEdges,
                 45, SitePoint{1.7e-3, 1.7e-3}, SitePoint{0.2e-3, 0}};
  // (1.7, 1.7) mm is the centre of tactel 45
  EXPECT_THAT(chosen(sites), ElementsAre(7, 45, 42, 47, 3, 81, -1));
}

TEST(Sites, SingleTactelIsAllNineSites) {
  SensorDescription sensor;
  sensor.arrays.resize(1);
  sensor.arrays[0].rows = sensor.arrays[0].columns = 1;
  sensor.arrays[0].pitch_x_m = sensor.arrays[0].pitch_y_m = 5e-3;
  Sites sites;
  sites.count = 9;
  EXPECT_EQ(places(sites, sensor).value().size(), 1U);
}

TEST(Sites, PlacesOffTheArrayAreNamed) {
  Sites sites;
  sites.items = {84};
  EXPECT_EQ(places(sites, weiss()).error().message,
            "tactel 84 is not on the array, which has 0 .. 83");
  sites.items = {SitePoint{11e-3, 0}};
  EXPECT_EQ(places(sites, weiss()).error().message,
            "point (11, 0) mm lies off the array, which spans x -10.2 .. 10.2, y -23.8 .. 23.8 mm");
}

TEST(Raster, WindsThroughItsGridAndNamesTactelsOnlyOnTheirCentres) {
  steps::Raster raster;
  raster.area_m = {-1.7e-3, -1.7e-3, 1.7e-3, 1.7e-3};
  raster.step_m = 1.7e-3;
  const auto points = raster_places(raster, weiss()).value();
  ASSERT_EQ(points.size(), 9U);
  EXPECT_THAT(tactels_of(points), ElementsAre(38, -1, 39, -1, -1, -1, 44, -1, 45));
  EXPECT_NEAR(points[3].x_m, 1.7e-3, 1e-12);  // the second row goes back
  EXPECT_NEAR(points[3].y_m, 0, 1e-12);
}

TEST(Shuffle, GivesThePublishedGeneratorsOrderOnEveryPlatform) {
  // MT19937-64 and the same draw, worked out apart in Python
  Shuffler shuffler(7);
  EXPECT_THAT(shuffler.order(10), ElementsAre(0, 7, 4, 9, 3, 1, 2, 8, 6, 5));
  EXPECT_THAT(shuffler.order(10), ElementsAre(5, 6, 8, 7, 2, 9, 3, 1, 4, 0));
}

RC_GTEST_PROP(Shuffle, IsAPermutation, (std::uint64_t seed)) {
  const auto count = *rc::gen::inRange<std::size_t>(0, 300);
  auto order = Shuffler(seed).order(count);
  std::sort(order.begin(), order.end());
  for (std::size_t i = 0; i < count; ++i) RC_ASSERT(order[i] == i);
}

}  // namespace
}  // namespace tactelier
