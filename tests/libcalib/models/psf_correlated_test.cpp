// The fast shares of a turned spread against the integral along each cell, and against SciPy.

#include "libcalib/models/psf_correlated.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

namespace tactelier {
namespace {

constexpr double kPitch_m = 3.4e-3;

double furthest(const Share& a, const Share& b, double length_m) {
  const double by_place = length_m, by_variance = length_m * length_m;
  return std::max({std::abs(a.value - b.value), by_place * std::abs(a.x - b.x),
                   by_place * std::abs(a.y - b.y), by_variance * std::abs(a.xx - b.xx),
                   by_variance * std::abs(a.xy - b.xy), by_variance * std::abs(a.yy - b.yy)});
}

/// Largest difference to share_of_cell() over a frame, in units of 1, 1/sigma and 1/sigma^2.
double difference(const std::vector<double>& x_m, const std::vector<double>& y_m,
                  std::size_t stride, const SpreadCovariance& spread) {
  const CellLines x{x_m, stride}, y{y_m, stride};
  std::vector<Share> fast(x.cells() * y.cells());
  add_correlated_cells(x, y, spread, 1, fast);
  const double sigma_m = std::sqrt(std::min(spread.xx, spread.yy));
  double worst = 0;
  for (std::size_t i = 0; i < fast.size(); ++i) {
    const std::size_t u = i % x.cells() * stride, v = i / x.cells() * stride;
    worst = std::max(
        worst,
        furthest(fast[i], share_of_cell(x_m[u], x_m[u + 1], y_m[v], y_m[v + 1], spread), sigma_m));
  }
  return worst;
}

TEST(CorrelatedCells, AreThoseOfTheIntegralAlongEachCell) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> place(-2, 2), sigma(0.15, 2.5), r(-0.92, 0.92);
  for (int draw = 0; draw < 200; ++draw) {
    std::vector<double> x_m, y_m;
    const double x0 = place(random), y0 = place(random);
    for (int i = 0; i <= 6; ++i) x_m.push_back((i - 3 - x0) * kPitch_m);
    for (int i = 0; i <= 14; ++i) y_m.push_back((i - 7 - y0) * kPitch_m);
    const double a = sigma(random) * kPitch_m, b = sigma(random) * kPitch_m;
    const SpreadCovariance spread{a * a, r(random) * a * b, b * b};
    ASSERT_TRUE(has_correlated_cells(spread));
    EXPECT_LT(difference(x_m, y_m, 1, spread), 2e-11) << draw;
  }
}

TEST(CorrelatedCells, MayStandApart) {
  std::vector<double> x_m, y_m;
  for (int i = -2; i <= 2; ++i)
    for (const double side : {-0.3, 0.3}) x_m.push_back((i + side + 0.1) * kPitch_m);
  for (int i = -1; i <= 1; ++i)
    for (const double side : {-0.2, 0.2}) y_m.push_back((i + side - 0.3) * kPitch_m);
  EXPECT_EQ((CellLines{x_m, 2}.cells()), 5U);
  const double s2 = 0.5 * kPitch_m * kPitch_m;
  EXPECT_LT(difference(x_m, y_m, 2, {s2, 0.4 * s2, 1.3 * s2}), 2e-11);
}

TEST(CorrelatedCells, OfAUnitSquareAreSciPys) {
  // scipy.integrate.quad over x in [0, 1] of norm.pdf(x) times the part of Y, given x, that lies in
  // [-0.5, 0.5]: Y is normal with mean r x and variance 1 - r^2.
  const std::vector<std::pair<double, double>> expected{
      {0.2, 0.13244501611332793}, {0.6, 0.14904461303689606}, {0.9, 0.18250023335991952}};
  for (const auto& [r, share] : expected) {
    const std::vector<double> x{0, 1}, y{-0.5, 0.5};
    std::vector<Share> cells(1);
    add_correlated_cells({x}, {y}, {1, r, 1}, 2, cells);
    EXPECT_NEAR(cells[0].value, 2 * share, 1e-13) << r;
  }
}

TEST(CorrelatedCells, LeaveNarrowSpreadsToTheIntegral) {
  EXPECT_TRUE(has_correlated_cells({1, -0.92, 1}));
  EXPECT_FALSE(has_correlated_cells({1, 0.93, 1}));
}

}  // namespace
}  // namespace tactelier
