#include "fitting/statistics/criteria.hpp"

#include <gtest/gtest.h>

#include "tests/fitting/statistics/oracle_files.hpp"

namespace tactelier {
namespace {

TEST(Criteria, MatchTheOracleTable) {
  const auto o = oracle::json("13_stats.json")["criteria"];
  const double n = o["n"];
  for (const auto& [name, value] : o["values"].items()) {
    const auto c = criteria(o["rss_and_p"][name][0], o["rss_and_p"][name][1], n);
    EXPECT_NEAR(c.aic, value["aic"].get<double>(), 1e-9) << name;
    EXPECT_NEAR(c.aicc, value["aicc"].get<double>(), 1e-9) << name;
    EXPECT_NEAR(c.bic, value["bic"].get<double>(), 1e-9) << name;
  }
}

TEST(Criteria, TooFewPointsForAModelNeverWinByAicc) {
  EXPECT_TRUE(std::isinf(criteria(1, 5, 7).aicc));
}

TEST(Criteria, ChiSquareBandIsTwoStandardDeviations) {
  // dof 200: 2 sqrt(2/200) = 0.2
  EXPECT_TRUE(chi2_plausible(1.19, 200));
  EXPECT_FALSE(chi2_plausible(1.21, 200));
  EXPECT_FALSE(chi2_plausible(0.79, 200));
}

}  // namespace
}  // namespace tactelier
