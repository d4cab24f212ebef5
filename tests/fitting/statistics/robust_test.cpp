#include "fitting/statistics/robust.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/fitting/statistics/oracle_files.hpp"

namespace tactelier {
namespace {

TEST(RobustLoss, RhoAndWeightMatchTheOracle) {
  const auto o = oracle::json("05_response.json")["robust"];
  const auto check = [&](const RobustLoss& loss, const std::string& name) {
    EXPECT_EQ(loss.tuning, o[name + "_a"].get<double>());
    for (std::size_t i = 0; i < o["squared_residual_s"].size(); ++i) {
      const double s = o["squared_residual_s"][i];
      EXPECT_NEAR(loss.rho(s), o["rho_" + name][i].get<double>(), 1e-12) << name << " " << s;
      EXPECT_NEAR(loss.weight(s), o["weight_" + name][i].get<double>(), 1e-12) << name << " " << s;
    }
  };
  check({LossShape::kHuber, kHuberTuning}, "huber");
  check({LossShape::kCauchy, kCauchyTuning}, "cauchy");
  check({LossShape::kTukey, kTukeyTuning}, "tukey");
}

TEST(RobustLoss, PsiSlopeIsTheDerivativeOfPsi) {
  for (const RobustLoss loss :
       {RobustLoss{LossShape::kHuber, kHuberTuning}, RobustLoss{LossShape::kCauchy, kCauchyTuning},
        RobustLoss{LossShape::kTukey, kTukeyTuning}})
    for (const double r : {-6.0, -2.0, -0.3, 0.0, 0.7, 1.2, 3.0, 4.5}) {
      const auto psi = [&](double at) { return at * loss.weight(at * at); };
      const double numeric = (psi(r + 1e-6) - psi(r - 1e-6)) / 2e-6;
      EXPECT_NEAR(loss.psi_slope(r), numeric, 1e-7) << r;
    }
}

TEST(Robust, MedianAndQuantilesOfHandCountedSets) {
  EXPECT_EQ(median(std::vector<double>{3, 1, 2}), 2);
  EXPECT_EQ(median(std::vector<double>{4, 1, 3, 2}), 2.5);
  EXPECT_EQ(quantile(std::vector<double>{10, 0, 20, 30, 40}, 0.25), 10);
  EXPECT_EQ(quantile(std::vector<double>{0, 1}, 0.95), 0.95);
  EXPECT_TRUE(std::isnan(median({})));
  // |x - 2| = 1 0 1 7 -> median 1
  EXPECT_NEAR(mad_sigma(std::vector<double>{1, 2, 2, 9}), 1.482602218505602 * 0.5, 1e-15);
}

}  // namespace
}  // namespace tactelier
