#include "fitting/statistics/quantiles.hpp"

#include <gtest/gtest.h>

#include "tests/fitting/statistics/oracle_files.hpp"

namespace tactelier {
namespace {

const auto kOracle = oracle::json("13_stats.json");

// The oracle's Student quantiles carry 1e-9 of their own: at 5 and 6 degrees the elementary forms
// of the distribution, solved with 40 digits, differ from it by that much.
TEST(Quantiles, StudentMatchesTheOracleToItsDigits) {
  for (const auto& [dof, t] : kOracle["t_0p975"].items())
    EXPECT_NEAR(t_quantile(0.975, std::stoi(dof)), t.get<double>(), 2e-9 * t.get<double>()) << dof;
  for (const auto& [dof, t] : kOracle["t_0p97725"].items())
    EXPECT_NEAR(t_quantile(normal_cdf(2), std::stoi(dof)), t.get<double>(), 2e-9 * t.get<double>())
        << dof;
}

TEST(Quantiles, StudentMatchesItsElementaryForms) {
  EXPECT_NEAR(t_quantile(0.975, 1), 12.70620473617471, 1e-12);  // tan(0.475 pi)
  EXPECT_NEAR(t_quantile(0.975, 2), 4.302652729749464, 1e-13);  // 0.95 sqrt(2 / (1 - 0.95^2))
  EXPECT_NEAR(t_quantile(0.975, 5), 2.5705818356363155, 1e-14);
  EXPECT_NEAR(t_quantile(0.975, 6), 2.4469118511449700, 1e-14);
}

TEST(Quantiles, ChiSquareMatchesScipyAndItsSurvivalIsTheInverse) {
  for (const auto& [dof, x] : kOracle["chi2_0p95"].items()) {
    EXPECT_NEAR(chi2_quantile(0.95, std::stoi(dof)), x.get<double>(), 1e-10 * x.get<double>());
    EXPECT_NEAR(chi2_survival(x.get<double>(), std::stoi(dof)), 0.05, 1e-12);
  }
}

TEST(Quantiles, KnownNumbersTakeTheNormal) {
  EXPECT_NEAR(coverage_95(kManyDegrees), 1.959963984540054, 1e-12);  // table of the normal
  EXPECT_NEAR(normal_cdf(1.959963984540054), 0.975, 1e-14);
  EXPECT_NEAR(coverage_95(1e8), coverage_95(kManyDegrees), 1e-6);
}

}  // namespace
}  // namespace tactelier
