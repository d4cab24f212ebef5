#include "libcalib/pad/spread.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <numeric>

#include "libcalib/units.hpp"
#include "tests/libcalib/pad/pad_fixtures.hpp"

namespace tactelier::pad {
namespace {

const std::vector<PressurePoint> kPointLoad{{0, 0, 1}};

std::vector<double> shares_of(const SensorDescription& sensor, const SpreadTruth& truth,
                              std::span<const PressurePoint> points, double x_m, double y_m) {
  const auto spread = *Spread::create(sensor, truth);
  std::vector<double> shares(spread.tactels());
  spread.shares(points, x_m, y_m, shares);
  return shares;
}

double sum(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

TEST(Spread, TheTableOfTheNormalDistributionIsAccurate) {
  for (double x = -7.99; x < 8; x += 0.0137)
    EXPECT_NEAR(normal_cdf(x), 0.5 * std::erfc(-x / std::numbers::sqrt2), 1e-11);
  EXPECT_EQ(normal_cdf(-100), 0);
  EXPECT_EQ(normal_cdf(100), 1);
}

TEST(Spread, APointLoadBetweenTactelsGivesTheOraclesImages) {
  const auto forward = oracle("08_psf.json")["forward_5x5"];
  const auto sensor = grid_sensor(5, 5, forward["pitch_m"]);
  const double x = forward["indenter_xy_m"][0];
  const double y = forward["indenter_xy_m"][1];
  const struct {
    const char* key;
    SpreadTruth truth;
  } cases[] = {{"isotropic_sigma_1p7mm", {1.7e-3, 1.7e-3, 0, 0, false}},
               {"anisotropic_2p2_1p4_mm_theta_30deg", {2.2e-3, 1.4e-3, deg_to_rad(30), 0, false}}};
  for (const auto& c : cases) {
    const auto shares = shares_of(sensor, c.truth, kPointLoad, x, y);
    for (std::size_t i = 0; i < 25; ++i)
      EXPECT_NEAR(shares[i], forward[c.key][i / 5][i % 5].get<double>(), 1e-9) << c.key << i;
  }
}

TEST(Spread, APunchIsSpreadOverItsDisc) {
  const auto expected = oracle("08_psf.json")["footprint"];
  const auto sensor = grid_sensor(5, 5, 3.4e-3);
  for (const auto& [radius_m, key] :
       {std::pair{0.5e-3, "uniform_R_0.5mm"}, std::pair{2.5e-3, "uniform_R_2.5mm"}}) {
    const auto footprint = *Footprint::create(cylinder(2 * radius_m), {}, 3e-3, {});
    std::vector<PressurePoint> points;
    footprint.pressure(1e-3, 1.7e-3, points);
    const auto shares = shares_of(sensor, {1.7e-3, 1.7e-3, 0, 0, false}, points, 0, 0);
    EXPECT_NEAR(shares[12], expected[key]["centre"].get<double>(), 2e-6) << key;
    EXPECT_NEAR(shares[13], expected[key]["side"].get<double>(), 2e-6) << key;
  }
}

TEST(Spread, IntegratedKernelsMatchTheTable) {
  const auto kernels = oracle("08_psf.json")["kernels_unit_tactels"];
  for (const auto& [sigma, key] :
       {std::pair{0.3, "sigma_0.3_half_3"}, std::pair{0.5, "sigma_0.5_half_3"},
        std::pair{0.8, "sigma_0.8_half_3"}, std::pair{1.2, "sigma_1.2_half_3"}}) {
    const double s = sigma * 2e-3;
    const auto shares = shares_of(grid_sensor(7, 7, 2e-3), {s, s, 0, 0, false}, kPointLoad, 0, 0);
    EXPECT_NEAR(shares[24], kernels[key]["integrated_centre"].get<double>(), 1e-9);
    EXPECT_NEAR(shares[25], kernels[key]["integrated_side"].get<double>(), 1e-9);
    EXPECT_NEAR(shares[32], kernels[key]["integrated_corner"].get<double>(), 1e-9);
    EXPECT_NEAR(sum(shares), kernels[key]["integrated_sum"].get<double>(), 1e-8);
  }
}

TEST(Spread, ABorderLosesForceUnlessTheFoilEndsThere) {
  const auto sensor = grid_sensor(14, 6, 3.4e-3);
  const Point corner{-2.5 * 3.4e-3, -6.5 * 3.4e-3};
  // Half a pitch on two sides: (cdf(0.5 pitch / sigma))^2 of the load stays on the array.
  const double kept = 0.5 * std::erfc(-1.7e-3 / 1.6e-3 / std::numbers::sqrt2);
  const auto zero =
      shares_of(sensor, {1.6e-3, 1.6e-3, 0, 0, false}, kPointLoad, corner.x_m, corner.y_m);
  const auto ends =
      shares_of(sensor, {1.6e-3, 1.6e-3, 0, 0, true}, kPointLoad, corner.x_m, corner.y_m);
  EXPECT_NEAR(sum(zero), kept * kept, 1e-9);
  EXPECT_NEAR(sum(ends), 1, 1e-12);
  EXPECT_NEAR(ends[0] / zero[0], 1 / (kept * kept), 1e-8);
  EXPECT_NEAR(sum(shares_of(sensor, {1.6e-3, 1.6e-3, 0, 0, true}, kPointLoad, 0.5, 0)), 0, 1e-12);
}

TEST(Spread, StudentTailsFollowTheirDensity) {
  const double sigma = 1e-3, q = 3;
  const double s2 = 2 * (q - 2) * sigma * sigma;
  const double pitch = 0.1e-3;  // cells so small that share = density * area
  const auto shares =
      shares_of(grid_sensor(121, 121, pitch), {sigma, sigma, 0, q, false}, kPointLoad, 0, 0);
  for (const int column : {60, 65, 80, 110}) {
    const double r = (column - 60) * pitch;
    const double density = (q - 1) / (std::numbers::pi * s2) * std::pow(1 + r * r / s2, -q);
    EXPECT_NEAR(shares[static_cast<std::size_t>(60 * 121 + column)] / (density * pitch * pitch), 1,
                0.01);
  }
}

TEST(Spread, WithoutSpreadATactelKeepsItsLoad) {
  const auto shares = shares_of(grid_sensor(3, 3, 2e-3), {}, kPointLoad, 0.5e-3, -0.3e-3);
  EXPECT_NEAR(shares[4], 1, 1e-12);
}

TEST(Spread, TwoArraysTurnedAndShiftedShareOneFrame) {
  auto sensor = grid_sensor(5, 5, 3.4e-3);
  sensor.arrays.push_back(sensor.arrays[0]);
  sensor.arrays[1].pose = {{40e-3, 10e-3, 0}, {0, 0, deg_to_rad(90)}};
  // In the second array's frame the load lies at (0.7, -0.4) mm again.
  const auto shares =
      shares_of(sensor, {1.7e-3, 1.7e-3, 0, 0, false}, kPointLoad, 40e-3 + 0.4e-3, 10e-3 + 0.7e-3);
  const auto forward = oracle("08_psf.json")["forward_5x5"]["isotropic_sigma_1p7mm"];
  for (std::size_t i = 0; i < 25; ++i)
    EXPECT_NEAR(shares[25 + i], forward[i / 5][i % 5].get<double>(), 1e-9);
}

TEST(Spread, CurvedArraysAreRefused) {
  auto sensor = grid_sensor(1, 2, 2e-3);
  sensor.arrays[0].normals = {{0, 0, 1}, {0.5, 0, 0.866}};
  EXPECT_FALSE(Spread::create(sensor, {}));
}

}  // namespace
}  // namespace tactelier::pad
