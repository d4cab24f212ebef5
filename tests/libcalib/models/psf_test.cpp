// Shares of a press against numbers computed elsewhere (oracle 8) and by hand.

#include "libcalib/models/psf.hpp"
#include "tests/paths/paths.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <numbers>
#include <numeric>

namespace tactelier {
namespace {

constexpr double kPitch_m = 3.4e-3;

nlohmann::json oracle() {
  std::ifstream file(paths::oracles() + "/08_psf.json");
  return nlohmann::json::parse(file);
}

SensorDescription sensor(int rows, int columns) {
  SensorDescription description;
  SensorArray array;
  array.rows = rows;
  array.columns = columns;
  array.pitch_x_m = array.pitch_y_m = kPitch_m;
  description.arrays.push_back(array);
  return description;
}

std::vector<Share> shares(const SensorDescription& description, double x_m, double y_m,
                          const SpreadCovariance& spread, PsfForm form = PsfForm::kIntegrated,
                          PsfEdge edge = PsfEdge::kZero, const PressFootprint& footprint = {}) {
  const auto layout = PsfLayout::create(description).value();
  std::vector<Share> result(layout.tactels());
  layout.shares(x_m, y_m, footprint, spread, form, edge, result);
  return result;
}

SpreadCovariance round_spread(double sigma_m) { return {sigma_m * sigma_m, 0, sigma_m * sigma_m}; }

TEST(PsfShares, MatchTheOraclesIsotropicImage) {
  const auto expected = oracle()["forward_5x5"]["isotropic_sigma_1p7mm"];
  const auto actual = shares(sensor(5, 5), 0.7e-3, -0.4e-3, round_spread(1.7e-3));
  for (std::size_t row = 0; row < 5; ++row)
    for (std::size_t column = 0; column < 5; ++column)
      EXPECT_NEAR(actual[5 * row + column].value, expected[row][column].get<double>(), 1e-14);
}

TEST(PsfShares, OfACellNarrowerThanItsPitchAreItsMeanPressureTimesThePitchSquared) {
  auto description = sensor(1, 1);
  description.arrays[0].area_m2 = kPitch_m * kPitch_m / 4;
  // sigma = pitch/2, cell of pitch/2 at the press: erf(0.5/sqrt(2))^2 / 0.25, by hand 0.38292...^2
  const auto cell = shares(description, 0, 0, round_spread(kPitch_m / 2));
  EXPECT_NEAR(cell[0].value, 4 * 0.382924922548026 * 0.382924922548026, 1e-12);
  // The density 1/(2 pi sigma^2) times pitch^2 is 2/pi there.
  const auto point = shares(description, 0, 0, round_spread(kPitch_m / 2), PsfForm::kPoint);
  EXPECT_NEAR(point[0].value, 2 / std::numbers::pi, 1e-4);
}

TEST(PsfShares, OfPointsAreTheDensityAtTheirCentresHoweverFarThePressIs) {
  const auto description = sensor(6, 10);
  for (const double xy : {0.0, 0.4e-6})
    for (const double x_m : {-1.3e-3, 60e-3}) {
      const SpreadCovariance spread{4e-6, xy, 3e-6};
      const auto found = shares(description, x_m, 0.7e-3, spread, PsfForm::kPoint);
      const double det = spread.xx * spread.yy - xy * xy;
      for (std::size_t i = 0; i < found.size(); ++i) {
        const double u_m = (static_cast<double>(i % 10) - 4.5) * kPitch_m - x_m;
        const double v_m = (static_cast<double>(i / 10) - 2.5) * kPitch_m - 0.7e-3;
        const double square = (spread.yy * u_m * u_m - 2 * xy * u_m * v_m + spread.xx * v_m * v_m);
        const double density =
            std::exp(-square / (2 * det)) / (2 * std::numbers::pi * std::sqrt(det));
        const double expected = kPitch_m * kPitch_m * density;
        EXPECT_NEAR(found[i].value, expected, 1e-11 * expected + 1e-300) << i;
      }
    }
}

TEST(PsfShares, OfNarrowCellsChangeWithPlaceAndSpreadAsDifferencesSay) {
  auto description = sensor(3, 3);
  description.arrays[0].area_m2 = 9 * 0.3 * kPitch_m * kPitch_m;
  for (const double xy : {0.0, 0.4e-6})
    for (const auto form : {PsfForm::kIntegrated, PsfForm::kPoint}) {
      const SpreadCovariance spread{4e-6, xy, 3e-6};
      const auto at = [&](double x_m, double xx) {
        return shares(description, x_m, 0.2e-3, {xx, xy, 3e-6}, form)[5];
      };
      const auto one = shares(description, 0.5e-3, 0.2e-3, spread, form)[5];
      const double h_m = 1e-6, h_m2 = 1e-9;
      const double by_x = (at(0.5e-3 + h_m, 4e-6).value - at(0.5e-3 - h_m, 4e-6).value) / (2 * h_m);
      const double by_xx =
          (at(0.5e-3, 4e-6 + h_m2).value - at(0.5e-3, 4e-6 - h_m2).value) / (2 * h_m2);
      EXPECT_NEAR(one.x, by_x, 1e-5 * std::abs(by_x));
      EXPECT_NEAR(one.xx, by_xx, 1e-5 * std::abs(by_xx));
    }
}

TEST(PsfLines, HoldTheOthersOfRowAndColumn) {
  const auto layout = PsfLayout::create(sensor(2, 3)).value();
  const std::vector<double> values{1, 2, 4, 8, 16, 32};  // 1 2 4 / 8 16 32
  std::vector<double> sums(6);
  layout.line_sums(values, sums);
  EXPECT_EQ(sums, (std::vector<double>{14, 21, 35, 49, 42, 28}));
}

TEST(PsfShares, MatchTheOraclesAnisotropicImage) {
  const auto expected = oracle()["forward_5x5"]["anisotropic_2p2_1p4_mm_theta_30deg"];
  const auto spread = spread_covariance(SpreadAxes{2.2e-3, 1.4e-3, std::numbers::pi / 6});
  const auto actual = shares(sensor(5, 5), 0.7e-3, -0.4e-3, spread);
  for (std::size_t row = 0; row < 5; ++row)
    for (std::size_t column = 0; column < 5; ++column)
      EXPECT_NEAR(actual[5 * row + column].value, expected[row][column].get<double>(), 1e-11);
}

TEST(PsfShares, OfLargeAndSmallDiscsMatchTheOracle) {
  const auto expected = oracle()["footprint"];
  for (const auto& [name, radius_m, tolerance] :
       {std::tuple{"uniform_R_0.5mm", 0.5e-3, 4e-5}, {"uniform_R_2.5mm", 2.5e-3, 1e-10}}) {
    Indenter disc;
    disc.diameter_m = 2 * radius_m;
    const auto footprint = press_footprint(disc, kPitch_m).value();
    const auto actual = shares(sensor(3, 3), 0, 0, round_spread(1.7e-3), PsfForm::kIntegrated,
                               PsfEdge::kZero, footprint);
    EXPECT_NEAR(actual[4].value, expected[name]["centre"].get<double>(), tolerance) << name;
    EXPECT_NEAR(actual[5].value, expected[name]["side"].get<double>(), tolerance) << name;
  }
}

TEST(PsfShares, OfASampledKernelMatchTheOracleAtEveryWidth) {
  for (const double s : {0.3, 0.5, 0.8, 1.2}) {
    const auto expected = oracle()["kernels_unit_tactels"][fmt::format("sigma_{}_half_3", s)];
    const double sum = expected["sampled_sum"].get<double>();
    const auto kernel = discrete_kernel(s);
    const auto width = static_cast<std::size_t>(2 * kernel.half + 1);
    const auto centre = width * width / 2;
    EXPECT_NEAR(kernel.weights[centre + 1] / kernel.weights[centre],
                expected["sampled_side"].get<double>() / expected["sampled_centre"].get<double>(),
                1e-13);
    EXPECT_NEAR(std::accumulate(kernel.weights.begin(), kernel.weights.end(), 0.0), 1, 1e-14);
    if (s > 1) continue;  // the oracle's kernel is cut off at three cells
    const auto actual = shares(sensor(7, 7), 0, 0, round_spread(s * kPitch_m), PsfForm::kSampled);
    EXPECT_NEAR(actual[24].value, expected["sampled_centre"].get<double>() / sum, 1e-5);
    EXPECT_NEAR(actual[25].value, expected["sampled_side"].get<double>() / sum, 1e-5);
  }
}

TEST(PsfShares, OfNarrowCellsUnderATurnedSpreadAreMeansOverEachCell) {
  auto description = sensor(2, 3);
  description.arrays[0].area_m2 = 6 * 0.25 * kPitch_m * kPitch_m;  // half a pitch wide
  const double variance_m2 = 0.5 * kPitch_m * kPitch_m;
  const SpreadCovariance spread{variance_m2, 0.4 * variance_m2, 1.5 * variance_m2};
  const double x_m = 0.3 * kPitch_m, y_m = -0.2 * kPitch_m, half_m = kPitch_m / 4;
  const auto found = shares(description, x_m, y_m, spread);
  for (int row = 0; row < 2; ++row)
    for (int column = 0; column < 3; ++column) {
      const double u_m = (column - 1) * kPitch_m - x_m, v_m = (row - 0.5) * kPitch_m - y_m;
      const auto cell =
          share_of_cell(u_m - half_m, u_m + half_m, v_m - half_m, v_m + half_m, spread);
      EXPECT_NEAR(found[static_cast<std::size_t>(3 * row + column)].value, 4 * cell.value, 1e-12);
    }
}

TEST(PsfShares, PutTheImpulseOfACornerPressBackWhenTheFoilEndsThere) {
  // Oracle 8, convolution: F[0][0] = 1 with a 3 x 3 kernel of 0.5, renormalised by source.
  const auto expected = oracle()["convolution"]["source_renormalised"];
  const auto actual =
      shares(sensor(6, 5), -2 * kPitch_m, -2.5 * kPitch_m, round_spread(0.5 * kPitch_m),
             PsfForm::kSampled, PsfEdge::kRenormalised);
  EXPECT_NEAR(actual[0].value, expected[0][0].get<double>(), 1e-3);  // the oracle's is cut at 3 x 3
  EXPECT_NEAR(actual[1].value, expected[0][1].get<double>(), 1e-3);
  double sum = 0;
  for (const auto& share : actual) sum += share.value;
  EXPECT_NEAR(sum, 1, 1e-14);
}

TEST(PsfShares, OfTurnedArraysAreThoseOfTheTurnedPress) {
  auto turned = sensor(4, 3);
  turned.arrays[0].pose.position_m = {1e-3, -2e-3, 0};
  turned.arrays[0].pose.rpy_rad = {0, 0, 0.4};
  const SpreadAxes axes{1.9e-3, 1.3e-3, 0.7};
  const double u = 1.1e-3, v = -2.3e-3;
  const auto straight =
      shares(sensor(4, 3), u, v, spread_covariance(SpreadAxes{1.9e-3, 1.3e-3, 0.3}));
  const auto actual =
      shares(turned, 1e-3 + std::cos(0.4) * u - std::sin(0.4) * v,
             -2e-3 + std::sin(0.4) * u + std::cos(0.4) * v, spread_covariance(axes));
  for (std::size_t i = 0; i < actual.size(); ++i)
    EXPECT_NEAR(actual[i].value, straight[i].value, 1e-13);
}

TEST(PsfShares, HaveTheDerivativesThatDifferencesGive) {
  auto description = sensor(4, 3);
  description.arrays[0].pose.rpy_rad = {0, 0, 0.3};
  Indenter disc;
  disc.diameter_m = 3e-3;
  const auto footprint = press_footprint(disc, kPitch_m).value();
  const auto spread = spread_covariance(SpreadAxes{1.9e-3, 1.3e-3, 0.7});
  for (const auto edge : {PsfEdge::kZero, PsfEdge::kRenormalised}) {
    const auto at = [&](double dx, double dy, SpreadCovariance s) {
      return shares(description, 1.2e-3 + dx, 3.1e-3 + dy, s, PsfForm::kIntegrated, edge,
                    footprint);
    };
    const auto centre = at(0, 0, spread);
    const double h = 1e-7, hs = 1e-10;
    const auto moved = [&](double xx, double xy, double yy) {
      return SpreadCovariance{spread.xx + xx, spread.xy + xy, spread.yy + yy};
    };
    const auto check = [&](const std::vector<Share>& up, const std::vector<Share>& down,
                           double step, double Share::*member, double scale) {
      for (std::size_t i = 0; i < centre.size(); ++i)
        EXPECT_NEAR(centre[i].*member * scale, (up[i].value - down[i].value) / (2 * step) * scale,
                    1e-6);
    };
    check(at(h, 0, spread), at(-h, 0, spread), h, &Share::x, 1e-3);
    check(at(0, h, spread), at(0, -h, spread), h, &Share::y, 1e-3);
    check(at(0, 0, moved(hs, 0, 0)), at(0, 0, moved(-hs, 0, 0)), hs, &Share::xx, 1e-6);
    check(at(0, 0, moved(0, hs, 0)), at(0, 0, moved(0, -hs, 0)), hs, &Share::xy, 1e-6);
    check(at(0, 0, moved(0, 0, hs)), at(0, 0, moved(0, 0, -hs)), hs, &Share::yy, 1e-6);
  }
}

TEST(PsfSpread, HasTheDerivativesThatDifferencesGiveAlsoWhereItIsRound) {
  for (const LogSpread at :
       {LogSpread{-13, 0, 0}, LogSpread{-13, 0.3, -0.2}, LogSpread{-13, 2e-3, 1e-3}}) {
    const auto gradient = spread_gradient(at);
    const double h = 1e-6;
    for (std::size_t k = 0; k < 3; ++k) {
      LogSpread up = at, down = at;
      (k == 0 ? up.m : k == 1 ? up.e1 : up.e2) += h;
      (k == 0 ? down.m : k == 1 ? down.e1 : down.e2) -= h;
      const auto a = spread_covariance(up), b = spread_covariance(down);
      EXPECT_NEAR(gradient[k].xx, (a.xx - b.xx) / (2 * h), 1e-14);
      EXPECT_NEAR(gradient[k].xy, (a.xy - b.xy) / (2 * h), 1e-14);
      EXPECT_NEAR(gradient[k].yy, (a.yy - b.yy) / (2 * h), 1e-14);
    }
  }
}

TEST(PsfSpread, KeepsItsAxesThroughTheCovariance) {
  const auto axes = spread_axes(spread_covariance(SpreadAxes{2.2e-3, 1.4e-3, -0.6}));
  EXPECT_NEAR(axes.sigma_x_m, 2.2e-3, 1e-15);
  EXPECT_NEAR(axes.sigma_y_m, 1.4e-3, 1e-15);
  EXPECT_NEAR(axes.theta_rad, -0.6, 1e-12);
}

TEST(PsfForms, ReadTheSameRatioAsTheOracleDoes) {
  const auto expected = oracle()["initial_guess_from_ratio"];
  const double integrated = expected["same_ratio_read_as_integrated_sigma"].get<double>();
  EXPECT_NEAR(sampled_from_integrated(integrated), 0.5, 1e-12);
  EXPECT_NEAR(integrated_from_sampled(0.5), integrated, 1e-12);
}

TEST(PsfFootprints, HaveTheSecondMomentsOfTheirShapes) {
  Indenter hexagon;
  hexagon.shape = IndenterShape::kHexagon;
  hexagon.across_flats_m = 4e-3;
  Indenter box;
  box.shape = IndenterShape::kBox;
  box.x_m = 6e-3;
  box.y_m = 2e-3;
  const auto moments = [](const PressFootprint& footprint) {
    std::array<double, 3> sum{0, 0, 0};
    for (const auto& p : footprint.points) {
      sum[0] += p.weight;
      sum[1] += p.weight * p.x_m * p.x_m;
      sum[2] += p.weight * p.y_m * p.y_m;
    }
    return sum;
  };
  const auto six = moments(press_footprint(hexagon, kPitch_m).value());
  EXPECT_NEAR(six[0], 1, 1e-14);
  EXPECT_NEAR(six[1], 5 * 16e-6 / 72, 1e-12);
  EXPECT_NEAR(six[2], 5 * 16e-6 / 72, 1e-12);
  const auto four = moments(press_footprint(box, kPitch_m).value());
  EXPECT_NEAR(four[1], 36e-6 / 12, 1e-15);
  EXPECT_NEAR(four[2], 4e-6 / 12, 1e-15);
}

TEST(PsfFootprints, AreUnknownWhereTheContactGrowsWithDepth) {
  Indenter sphere;
  sphere.shape = IndenterShape::kSphere;
  sphere.diameter_m = 5e-3;
  EXPECT_FALSE(press_footprint(sphere, kPitch_m));
}

}  // namespace
}  // namespace tactelier
