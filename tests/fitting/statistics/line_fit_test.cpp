#include "fitting/statistics/line_fit.hpp"

#include <gtest/gtest.h>

#include "fitting/statistics/criteria.hpp"
#include "tests/fitting/statistics/oracle_files.hpp"

namespace tactelier {
namespace {

using oracle::within;

TEST(LineFit, AffineAndOriginFitsOfTheSevenStepsMatchTheOracle) {
  const auto expected = oracle::json("06_stiffness.json")["affine_vs_origin"];
  const auto steps = oracle::csv("06_steps.csv");
  const auto& x = steps.at("depth_mm");
  const auto& y = steps.at("F_N");
  const auto near = [](double actual, const nlohmann::json& number) {
    EXPECT_NEAR(actual, number.get<double>(), within(number.get<double>(), 1e-8));
  };
  const auto affine = fit_line(x, y).value();
  near(affine.slope, expected["affine"]["k"]);
  near(affine.intercept, expected["affine"]["a"]);
  near(affine.u_slope, expected["affine"]["u_k"]);
  near(affine.u_intercept, expected["affine"]["u_a"]);
  near(affine.covariance, expected["affine"]["cov_ak"]);
  near(affine.residual_sd, expected["affine"]["s"]);
  near(affine.rss, expected["affine"]["rss"]);
  near(criteria(affine.rss, 2, 7).aicc, expected["affine"]["aicc"]);
  near(criteria(affine.rss, 2, 7).bic, expected["affine"]["bic"]);
  const auto origin = fit_line_through_origin(x, y).value();
  near(origin.slope, expected["origin"]["k"]);
  near(origin.u_slope, expected["origin"]["u_k"]);
  near(origin.rss, expected["origin"]["rss"]);
  near(criteria(origin.rss, 1, 7).aicc, expected["origin"]["aicc"]);
  near(criteria(origin.rss, 1, 7).bic, expected["origin"]["bic"]);
  near(origin.slope - affine.slope, expected["identity_k0_minus_k1"]);
}

TEST(LineFit, WeightsActLikeRepeatedPoints) {
  const std::vector<double> x{0, 1, 2, 2, 2};
  const std::vector<double> y{1, 2, 5, 5, 5};
  const auto repeated = fit_line(x, y).value();
  const auto weighted =
      fit_line(std::vector{0., 1., 2.}, std::vector{1., 2., 5.}, std::vector{1., 1., 3.}).value();
  EXPECT_NEAR(weighted.slope, repeated.slope, 1e-14);
  EXPECT_NEAR(weighted.intercept, repeated.intercept, 1e-14);
  EXPECT_NEAR(weighted.rss, repeated.rss, 1e-14);
}

TEST(LineFit, RefusesPointsAtOnePlace) {
  const std::vector<double> x{0.1, 0.1, 0.1};
  EXPECT_EQ(fit_line(x, x).error().code, ErrorCode::kUnidentifiable);
  EXPECT_FALSE(fit_line(std::vector{1., 2.}, std::vector{1., 2.}).has_value());
  EXPECT_FALSE(fit_line_through_origin(std::vector{0., 0.}, std::vector{1., 2.}).has_value());
}

TEST(LineFit, TheilSenIgnoresAQuarterOfWildPoints) {
  for (const std::size_t n : {40U, 1000U}) {
    std::vector<double> x(n);
    std::vector<double> y(n);
    for (std::size_t i = 0; i < n; ++i) {
      x[i] = static_cast<double>(i) / static_cast<double>(n);
      y[i] = 3 + 2 * x[i];
      if (i % 8 == 1 || (n == 40 && i % 8 == 5)) y[i] += 1e6;
    }
    const auto fit = fit_line_theil_sen(x, y);
    EXPECT_NEAR(fit.slope, 2, 1e-9) << n;
    EXPECT_NEAR(fit.intercept, 3, 1e-9) << n;
  }
}

}  // namespace
}  // namespace tactelier
