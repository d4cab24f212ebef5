// Against oracle 9: steady curve, trace and sensitivities, turning, passivity.

#include "libcalib/models/lugre.hpp"

#include <gtest/gtest.h>

#include "tests/fitting/statistics/oracle_files.hpp"

namespace tactelier {
namespace {

LugreValues parameters(const nlohmann::json& set) {
  return {set["s0"], set["s1"], set["ct"], set["mus"], set["mud"], set["vs"]};
}

TEST(LugreModel, SteadyForceIsTheOraclesAtEverySpeed) {
  const auto oracle = oracle::json("09_lugre.json");
  for (const auto* name : {"seed_per_texel", "rig_scale"}) {
    const auto p = parameters(oracle[name]);
    const auto& steady = oracle["steady_state"][name];
    for (std::size_t i = 0; i < steady["v"].size(); ++i) {
      const double expected = steady["F"][i];
      EXPECT_NEAR(lugre_steady_N(p, steady["v"][i], oracle[name]["N"]), expected, 1e-12 * expected);
    }
  }
}

TEST(LugreModel, TraceAndItsSixSensitivitiesAreTheOracles) {
  const auto oracle = oracle::json("09_lugre.json");
  auto rows = oracle::csv("09_presliding.csv");
  const auto p = parameters(oracle["rig_scale"]);
  const double normal_N = oracle["rig_scale"]["N"];
  const std::array names{"dF_d_s0", "dF_d_s1", "dF_d_ct", "dF_d_mus", "dF_d_mud", "dF_d_vs"};
  LugreBristle bristle;
  LugreBristle plain;
  std::array<double, kLugreSize + 1> slope{};
  for (std::size_t i = 0; i < rows["F_N"].size(); ++i) {
    const double v = rows["v_m_per_s"][i];
    const double force_N = bristle.step_N(p, 1e-3, v, normal_N, slope);
    ASSERT_NEAR(force_N, rows["F_N"][i], 1e-9 * std::abs(rows["F_N"][i]) + 1e-12) << i;
    ASSERT_NEAR(bristle.deflection_m(), rows["z_m"][i], 1e-9 * std::abs(rows["z_m"][i]) + 1e-15);
    ASSERT_DOUBLE_EQ(plain.step_N(p, 1e-3, v, normal_N), force_N);
    for (std::size_t j = 0; j < names.size(); ++j)
      ASSERT_NEAR(slope[j], rows[names[j]][i], 1e-9 * std::abs(rows[names[j]][i]) + 1e-12)
          << names[j] << " in row " << i;
  }
}

TEST(LugreModel, DerivativeByTheFirstDeflectionIsThatOfADifference) {
  const LugreValues p{4000, 6, 0.8, 0.62, 0.45, 0.004};
  const double h = 1e-9;
  LugreBristle middle(1e-4), above(1e-4 + h), below(1e-4 - h);
  std::array<double, kLugreSize + 1> slope{};
  for (int i = 0; i < 50; ++i) {
    middle.step_N(p, 1e-3, 2e-3, 2, slope);
    const double difference =
        (above.step_N(p, 1e-3, 2e-3, 2) - below.step_N(p, 1e-3, 2e-3, 2)) / (2 * h);
    ASSERT_NEAR(slope[kLugreSize], difference, 1e-4 * std::abs(difference)) << i;
  }
}

TEST(LugreModel, StaysStableWhereExplicitStepsBlowUp) {
  const LugreValues stiff{1e7, 1, 0, 0.6, 0.4, 0.004};
  LugreBristle bristle;
  for (int i = 0; i < 1000; ++i) bristle.step_N(stiff, 1e-3, 0.1, 2);
  // settles at g / sigma0 = 0.8 / 1e7
  EXPECT_NEAR(bristle.deflection_m(), 0.8e-7, 1e-15);
}

TEST(LugreModel, PassivityLimitsAreTheOracles) {
  const auto oracle = oracle::json("09_lugre.json");
  for (const auto* name : {"seed_per_texel", "rig_scale"}) {
    const auto p = parameters(oracle[name]);
    const auto& steady = oracle["steady_state"][name];
    const double need = steady["passivity_all_speeds"]["need_ct_above"];
    const double limit = steady["passivity_sufficient_up_to_v"];
    EXPECT_NEAR(lugre_passive_viscosity(p), need, 1e-12 * need);
    EXPECT_NEAR(lugre_passive_to_m_per_s(p, oracle[name]["N"]), limit, 1e-9 * limit);
  }
  LugreValues damped = parameters(oracle["rig_scale"]);
  damped[kLugreViscous] = 2.3;
  EXPECT_TRUE(std::isinf(lugre_passive_to_m_per_s(damped, 2)));
}

}  // namespace
}  // namespace tactelier
