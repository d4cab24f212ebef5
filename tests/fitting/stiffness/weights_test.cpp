#include "fitting/stiffness/weights.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/fitting/statistics/oracle_files.hpp"

namespace tactelier {
namespace {

constexpr double kGravity = 9.81;
constexpr double kArea_m2 = 804.25e-6;      // of the weights
constexpr double kSensorArea_m2 = 0.00125;  // OpenGRASP paper, 84 tactels
constexpr int kTactels = 84;

WeightReading reading(double mass_kg, std::optional<double> compression_m,
                      std::optional<double> stated_Pa = {}) {
  return {{1.5, mass_kg, kArea_m2, compression_m, stated_Pa}, kGravity};
}

double tactel_k(const WeightFit& fit) {
  return tactel_stiffness_N_per_m(fit.foundation_modulus.value, kSensorArea_m2, kTactels);
}

TEST(Weights, EquationEighteenMatchesTheOracle) {
  const auto o = oracle::json("06_stiffness.json")["eq18"];
  const double modulus = foundation_modulus_Pa_per_m(o["p_Pa"], o["x_m"]);
  EXPECT_NEAR(modulus, o["foundation_modulus_Pa_per_m"].get<double>(), 1e-3);
  EXPECT_NEAR(tactel_stiffness_N_per_m(modulus, o["A_m2"], o["n"]), o["k_texel"].get<double>(),
              1e-10 * 58.39);
  EXPECT_NEAR(tactel_stiffness_N_per_m(modulus, o["A_m2"], 1), o["k_array"].get<double>(), 1e-7);
}

TEST(Weights, OneWeightGivesTheSecantAndNoScatter) {
  // 1 g per mm^2 is 9810 Pa: the pressure that the paper printed ...
  const auto fit = fit_weights(std::vector{reading(0.80425, 2.5e-3)}).value();
  EXPECT_NEAR(tactel_k(fit), 58.39285714285715, 1e-9);
  EXPECT_EQ(fit.foundation_modulus.std, 0);
  EXPECT_EQ(fit.foundation_modulus.dof, 0);
  // "2.5 mm" is read to 0.1 mm: 0.1/sqrt(12)/2.5 = 1.1547 %
  ASSERT_EQ(fit.systematic.size(), 1U);
  EXPECT_NEAR(fit.systematic[0].u / fit.foundation_modulus.value, 0.011547005383792515, 1e-12);
  // ... and 22.08 N/m for the mass that it weighed.
  EXPECT_NEAR(tactel_k(fit_weights(std::vector{reading(0.30415, 2.5e-3)}).value()), 22.08, 0.005);
}

TEST(Weights, SeveralWeightsGiveALineThroughZeroLoad) {
  // p = 1000, 2000, 3300 Pa at 1, 2, 3 mm: slope = (1000 + 4000 + 9900)/14 per mm,
  // residuals -64.29, -128.57, 107.14 -> rss 32142.86, u = sqrt(rss/2/14) per mm
  std::vector<WeightReading> readings;
  for (const auto& [p, x] : {std::pair{1000., 1e-3}, {2000., 2e-3}, {3300., 3e-3}})
    readings.push_back(reading(p * kArea_m2 / kGravity, x));
  readings.push_back(reading(1, {}));  // nobody read its compression
  const auto fit = fit_weights(readings).value();
  EXPECT_EQ(fit.used, 3U);
  EXPECT_NEAR(fit.foundation_modulus.value, 14900.0 / 14 * 1e3, 1e-6);
  EXPECT_NEAR(fit.foundation_modulus.std, std::sqrt(32142.857142857 / 28) * 1e3, 1e-5);
  EXPECT_EQ(fit.foundation_modulus.dof, 2);
  EXPECT_TRUE(fit.systematic.empty());
  ASSERT_TRUE(fit.intercept);
  EXPECT_NEAR(fit.intercept->value, -200, 1e-9);  // affine slope 1150 per mm
}

TEST(Weights, WithoutACompressionThereIsAReason) {
  const auto fit = fit_weights(std::vector{reading(0.1, {})});
  EXPECT_EQ(fit.error().message,
            "ST-01 1 weights without a compression: read the pad's compression under each "
            "(compression_mm).");
}

TEST(Weights, AStatedPressureThatTheMassContradictsIsNamed) {
  const auto warnings =
      check_weights(std::vector{reading(0.30415, 2.5e-3, 9810), reading(0.30415, 2.5e-3, 3700)});
  ASSERT_EQ(warnings.size(), 1U);  // 3700 is within 2 % of 3709.9
  EXPECT_EQ(warnings[0].code, "CV-06");
  EXPECT_EQ(warnings[0].text, "304.15 g on 804.25 mm² is 3709.9 Pa, not 9810 Pa.");
}

TEST(Weights, ResolutionIsTheLastWrittenDigit) {
  EXPECT_NEAR(u_written_m(1.25e-3), 0.01e-3 / std::sqrt(12.0), 1e-12);
  EXPECT_NEAR(u_written_m(2e-3), 1e-3 / std::sqrt(12.0), 1e-12);
}

}  // namespace
}  // namespace tactelier
