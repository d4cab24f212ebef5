#include "libcalib/models/response/calibration_curve.hpp"

#include <gtest/gtest.h>

#include "libcalib/models/response/polynomial.hpp"

namespace tactelier {
namespace {

using Knots = std::vector<std::array<double, 2>>;

TEST(CalibrationCurve, InvertsStraightLinesBetweenKnots) {
  const auto curve = CalibrationCurve::through(Knots{{0.1, 50}, {0.5, 850}, {1.5, 1850}}).value();
  EXPECT_DOUBLE_EQ(curve.counts(0.3), 450);
  EXPECT_DOUBLE_EQ(curve.inverse(450).force_N, 0.3);
  EXPECT_DOUBLE_EQ(curve.inverse(450).gain_N_per_count, 0.4 / 800);
  EXPECT_DOUBLE_EQ(curve.inverse(1350).force_N, 1.0);
}

TEST(CalibrationCurve, IsNotContinuedBeyondItsEnds) {
  const auto curve = CalibrationCurve::through(Knots{{0.1, 50}, {0.5, 850}}).value();
  EXPECT_DOUBLE_EQ(curve.counts(9), 850);
  EXPECT_DOUBLE_EQ(curve.inverse(2000).force_N, 0.5);
  EXPECT_DOUBLE_EQ(curve.inverse(0).force_N, 0.1);
}

TEST(CalibrationCurve, LeavesOutKnotsThatDoNotRise) {
  const auto curve = CalibrationCurve::through(Knots{{0, 10}, {1, 10}, {2, 30}}).value();
  EXPECT_DOUBLE_EQ(curve.inverse(20).force_N, 1.0);
  EXPECT_FALSE(CalibrationCurve::through(Knots{{0, 10}, {1, 9}}));
}

TEST(CalibrationCurve, TakesTheRisingStretchOfAPolynomialAboveTheFloor) {
  // c = -40 + 1000 F - 250 F^2: 60 at F = 0.1026.., highest (960) at F = 2
  const auto curve =
      CalibrationCurve::of(PolynomialLaw(2, "quadratic"), {{-40, 1000, -250}, {}}, 60, 3).value();
  EXPECT_NEAR(curve.low_N(), 0.1026, 3.0 / 256);
  EXPECT_NEAR(curve.high_N(), 2, 3.0 / 256);
  EXPECT_NEAR(curve.inverse(710).force_N, 1, 1e-4);  // -40 + 1000 - 250
  EXPECT_NEAR(curve.inverse(710).gain_N_per_count, 1.0 / 500, 2e-5);
}

}  // namespace
}  // namespace tactelier
