// Hardening laws against the oracle's foam (SciPy's fits of the same points).

#include "fitting/stiffness/hardening.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "../statistics/oracle_files.hpp"

namespace tactelier {
namespace {

struct Foam {
  oracle::Columns points = oracle::csv("06_foam.csv");
  nlohmann::json expected = oracle::json("06_stiffness.json").at("foam");

  HardeningFit fit(HardeningLaw law) const {
    return fit_hardening(law, points.at("strain"), points.at("stress_Pa")).value();
  }
  void expect_rms(const HardeningFit& fit, const char* name) const {
    const auto& found = expected.at(name);
    const double rms = std::sqrt(fit.rss / static_cast<double>(points.at("strain").size()));
    EXPECT_NEAR(rms / found.at("rms_Pa").get<double>(), 1, 1e-5) << name;
    EXPECT_NEAR(fit.criteria.aicc, found.at("aicc").get<double>(), 1e-3) << name;
  }
};

void expect_near(double found, double expected, double relative) {
  EXPECT_NEAR(found / expected, 1, relative);
}

TEST(Hardening, CubicMatchesTheOracle) {
  const Foam foam;
  const auto fit = foam.fit(HardeningLaw::kCubic);
  const auto expected = foam.expected.at("poly3").at("c1_c2_c3_Pa").get<std::vector<double>>();
  for (std::size_t k = 0; k < 3; ++k) expect_near(fit.parameters[k], expected[k], 1e-8);
  foam.expect_rms(fit, "poly3");
  EXPECT_TRUE(fit.rises);
}

TEST(Hardening, ExponentialMatchesTheOracle) {
  const Foam foam;
  const auto fit = foam.fit(HardeningLaw::kExponential);
  const auto& expected = foam.expected.at("exponential");
  expect_near(fit.parameters[0], expected.at("A_Pa"), 1e-5);
  expect_near(fit.parameters[1], expected.at("B"), 1e-5);
  expect_near(fit.slope(0), expected.at("initial_modulus_Pa"), 1e-5);
  foam.expect_rms(fit, "exponential");
}

TEST(Hardening, PiecewiseMatchesTheOracleAndItsUncertainties) {
  const Foam foam;
  const auto fit = foam.fit(HardeningLaw::kPiecewise);
  const auto& expected = foam.expected.at("piecewise");
  const auto values = expected.at("E1_E2_E3_kPa_e1_e2").get<std::vector<double>>();
  const auto u = expected.at("u").get<std::vector<double>>();
  // The oracle's u knows the noise to be 150 Pa; ours takes the scatter about the curve.
  const double ratio = std::sqrt(fit.rss / (75 - 5)) / 150;
  for (std::size_t k = 0; k < 5; ++k) {
    const double unit = k < 3 ? 1e3 : 1;
    expect_near(fit.parameters[k], unit * values[k], 1e-5);
    expect_near(fit.std[k], ratio * unit * u[k], 1e-4);
  }
  foam.expect_rms(fit, "piecewise");
}

TEST(Hardening, EvidenceChoosesTheLawThatTheFoamWasMadeFrom) {
  const Foam foam;
  const auto& strain = foam.points.at("strain");
  const auto& stress = foam.points.at("stress_Pa");
  EXPECT_EQ(choose_hardening(strain, stress, true).law, HardeningLaw::kPiecewise);
  EXPECT_EQ(choose_hardening(strain, stress, false).law, HardeningLaw::kCubic);
  std::vector<double> straight;
  for (std::size_t i = 0; i < strain.size(); ++i)
    straight.push_back(26e3 * strain[i] + (i % 2 == 0 ? 20 : -20));
  EXPECT_EQ(choose_hardening(strain, straight, true).law, HardeningLaw::kLinear);
}

TEST(Hardening, LinearEquivalentsOfTheOracleDifferByFourFifths) {
  const auto expected = Foam().expected;
  HardeningFit truth;
  truth.law = HardeningLaw::kPiecewise;
  truth.parameters = expected.at("truth_piecewise").get<std::vector<double>>();
  const auto found = linear_equivalents(truth, 0.4);
  const auto& values = expected.at("linear_equivalents_to_strain_0p4");
  expect_near(found.secant, values.at("secant_Pa"), 1e-9);
  expect_near(found.energy, values.at("energy_Pa"), 1e-9);
  expect_near(found.tangent, values.at("tangent_Pa"), 1e-9);
  const auto& gibson = expected.at("gibson_check");
  for (std::size_t i = 0; i < 3; ++i)
    expect_near(truth(gibson.at("stress_at_strain")[i]), gibson.at("value_Pa")[i], 1e-10);
}

TEST(Hardening, OneProductIsNoLaw) {
  std::vector<double> x, y;
  for (int i = 1; i <= 40; ++i) {
    x.push_back(0.01 * i);
    y.push_back(3e4 * 0.01 * i * (1 + 0.001 * i));
  }
  const auto fit = fit_hardening(HardeningLaw::kExponential, x, y);
  ASSERT_FALSE(fit);
  EXPECT_TRUE(fit.error().message.starts_with("ID-01"));
}

}  // namespace
}  // namespace tactelier
