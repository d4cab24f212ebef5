// Sphere presses at three speeds, both ways, against oracle 10.

#include "fitting/hydroelastic/hydro_fit.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/fitting/statistics/oracle_files.hpp"

namespace tactelier {
namespace {

constexpr double kThickness_m = 9e-3;

Indenter oracle_sphere() {
  Indenter sphere;
  sphere.shape = IndenterShape::kSphere;
  sphere.diameter_m = 0.02;
  return sphere;
}

std::vector<HydroRow> oracle_rows() {
  auto table = oracle::csv("10_sphere.csv");
  std::vector<HydroRow> rows;
  for (std::size_t i = 0; i < table["F_N"].size(); ++i)
    rows.push_back(
        {table["depth_m"][i], table["approach_m_per_s"][i], table["F_N"][i], 0.002, 0, 0});
  return rows;
}

void near(double value, const nlohmann::json& expected, double relative, const char* name) {
  const double truth = expected;
  EXPECT_NEAR(value, truth, oracle::within(truth, relative)) << name;
}

TEST(HydroFit, ModulusAndDissipationAreTheOracles) {
  const auto expected = oracle::json("10_hydro.json")["identify"];
  const auto fit = fit_hydro(oracle_rows(), oracle_sphere(), RateModel::kHuntCrossley, {});
  ASSERT_TRUE(fit) << fit.error().message;
  near(kThickness_m * fit->modulus_Pa_per_m, expected["E_Pa"], 1e-6, "E");
  near(fit->rate, expected["d"], 1e-6, "d");
  near(kThickness_m * std::sqrt(fit->covariance(0, 0)), expected["u_E"], 1e-5, "u_E");
  near(std::sqrt(fit->covariance(1, 1)), expected["u_d"], 1e-5, "u_d");
  near(fit->chi2, expected["chi2"], 1e-6, "chi2");
}

TEST(HydroFit, AFreeContactPointWidensTheModulusAsInTheOracle) {
  const auto expected = oracle::json("10_hydro.json")["identify"]["with_free_contact_depth"];
  HydroTerms terms;
  terms.u_contact_m = {std::numeric_limits<double>::infinity()};
  const auto fit = fit_hydro(oracle_rows(), oracle_sphere(), RateModel::kHuntCrossley, terms);
  ASSERT_TRUE(fit) << fit.error().message;
  near(kThickness_m * fit->modulus_Pa_per_m, expected["E_Pa"], 1e-6, "E");
  near(fit->rate, expected["d"], 1e-6, "d");
  near(fit->shift_m.front(), expected["z0_m"], 1e-4, "z0");
  near(kThickness_m * std::sqrt(fit->covariance(0, 0)), expected["u_E"], 1e-5, "u_E");
}

TEST(HydroFit, ASureContactPointIsAsGoodAsNone) {
  HydroTerms terms;
  terms.u_contact_m = {1e-12};
  const auto held = fit_hydro(oracle_rows(), oracle_sphere(), RateModel::kHuntCrossley, terms);
  const auto none = fit_hydro(oracle_rows(), oracle_sphere(), RateModel::kHuntCrossley, {});
  ASSERT_TRUE(held && none);
  EXPECT_NEAR(held->modulus_Pa_per_m, none->modulus_Pa_per_m, 1e-8 * none->modulus_Pa_per_m);
}

TEST(HydroFit, KelvinVoigtDescribesTheOracleMuchWorse) {
  const auto right = fit_hydro(oracle_rows(), oracle_sphere(), RateModel::kHuntCrossley, {});
  const auto wrong = fit_hydro(oracle_rows(), oracle_sphere(), RateModel::kKelvinVoigt, {});
  ASSERT_TRUE(right && wrong);
  EXPECT_GT(wrong->chi2, 10 * right->chi2);
}

TEST(HydroFit, RefusesForceThatFallsWithDepth) {
  auto rows = oracle_rows();
  for (auto& row : rows) row.force_N = -row.force_N;
  const auto fit = fit_hydro(rows, oracle_sphere(), RateModel::kHuntCrossley, {});
  ASSERT_FALSE(fit);
  EXPECT_EQ(fit.error().code, ErrorCode::kUnidentifiable);
}

}  // namespace
}  // namespace tactelier
