#include "fitting/statistics/quantiles.hpp"

#include <gtest/gtest.h>

#include "tests/fitting/statistics/oracle_files.hpp"

namespace tactelier {
namespace {

const auto kOracle = oracle::json("13_stats.json");

TEST(Quantiles, StudentMatchesScipy) {
  for (const auto& [dof, t] : kOracle["t_0p975"].items())
    EXPECT_NEAR(t_quantile(0.975, std::stoi(dof)), t.get<double>(), 1e-10 * t.get<double>()) << dof;
  for (const auto& [dof, t] : kOracle["t_0p97725"].items())
    EXPECT_NEAR(t_quantile(normal_cdf(2), std::stoi(dof)), t.get<double>(), 1e-10 * t.get<double>())
        << dof;
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
