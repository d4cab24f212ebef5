// Ramps at four speeds against oracle 7.

#include "fitting/damping/damping_fit.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "fitting/statistics/criteria.hpp"
#include "fitting/statistics/random.hpp"
#include "tests/fitting/statistics/oracle_files.hpp"

namespace tactelier {
namespace {

std::vector<RateRow> oracle_rows() {
  auto table = oracle::csv("07_ramps.csv");
  std::vector<RateRow> rows;
  for (std::size_t i = 0; i < table["F_N"].size(); ++i)
    rows.push_back({table["depth_m"][i], table["speed_m_per_s"][i], table["F_N"][i], 0.004});
  return rows;
}

double aicc(const RateFit& fit, std::size_t rows) {
  return criteria(fit.chi2 * 0.004 * 0.004, 2, static_cast<double>(rows)).aicc;
}

TEST(DampingFit, HuntCrossleyIsTheOracles) {
  const auto expected = oracle::json("07_damping.json")["ramps"]["hunt_crossley"];
  const auto rows = oracle_rows();
  const auto fit = fit_rate(rows, RateModel::kHuntCrossley).value();
  const auto near = [&](double value, const char* name, double relative) {
    const double truth = expected[name];
    EXPECT_NEAR(value, truth, oracle::within(truth, relative)) << name;
  };
  near(fit.k, "k", 1e-8);
  near(fit.damping, "d_s_per_m", 1e-7);
  near(fit.u_k, "u_k", 1e-5);
  near(fit.u_damping, "u_d", 1e-5);
  near(fit.chi2, "chi2", 1e-8);
  near(aicc(fit, rows.size()), "aicc", 1e-8);
}

TEST(DampingFit, KelvinVoigtIsTheOraclesAndMuchWorse) {
  const auto expected = oracle::json("07_damping.json")["ramps"]["kelvin_voigt"];
  const auto rows = oracle_rows();
  const auto fit = fit_rate(rows, RateModel::kKelvinVoigt).value();
  const double c = expected["c_Ns_per_m"], chi2 = expected["chi2"], criterion = expected["aicc"];
  EXPECT_NEAR(fit.damping, c, 1e-7 * c);
  EXPECT_NEAR(fit.chi2, chi2, 1e-7 * chi2);
  EXPECT_NEAR(aicc(fit, rows.size()), criterion, 1e-7 * std::abs(criterion));
}

/// Kelvin-Voigt with hardening, hysteresis and a force of its own in each press.
std::vector<RateRow> messy_rows(std::uint64_t seed) {
  RandomSource random(seed);
  std::vector<RateRow> rows;
  std::size_t press = 0;
  for (const double speed : {1e-4, 3e-4, 1e-3, 3e-3}) {
    for (const double v : {speed, -speed})
      for (int i = 1; i <= 50; ++i) {
        const double depth = 2e-5 * i;
        const double elastic = 1800 * (depth + 80 * depth * depth);
        const double force = elastic * (1 + std::copysign(0.02, v)) + 9.0 * (1 + 160 * depth) * v +
                             0.01 * static_cast<double>(press);
        rows.push_back({depth, v, force + 1e-3 * random.normal(), 1e-3, 0, 0, press});
      }
    ++press;
  }
  return rows;
}

TEST(DampingFit, SeparatesDampingFromHardeningHysteresisAndOffsets) {
  const auto fit = fit_rate(messy_rows(1), RateModel::kKelvinVoigt, {true, true, true}).value();
  EXPECT_NEAR(fit.damping, 9, 4 * fit.u_damping);
  EXPECT_LT(fit.u_damping, 0.2);
  EXPECT_NEAR(fit.hysteresis, 0.02, 2e-3);
  EXPECT_NEAR(fit.hardening, 80, 3);
  EXPECT_LT(fit.chi2 / fit.dof, 1.3);
}

TEST(DampingFit, OfOneSpeedOneWayCannotSeparateDampingFromOffsets) {
  auto rows = messy_rows(2);
  std::erase_if(rows, [](const RateRow& row) { return row.velocity_m_per_s != 3e-3; });
  for (auto& row : rows) row.press = 0;
  EXPECT_FALSE(fit_rate(rows, RateModel::kKelvinVoigt, {false, false, true}));
}

}  // namespace
}  // namespace tactelier
