// Against oracle 9: steady curve, trace, turning, passivity.

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

TEST(LugreModel, TraceIsTheOracles) {
  const auto oracle = oracle::json("09_lugre.json");
  auto rows = oracle::csv("09_presliding.csv");
  const auto p = parameters(oracle["rig_scale"]);
  const double normal_N = oracle["rig_scale"]["N"];
  LugreBristle bristle;
  for (std::size_t i = 0; i < rows["F_N"].size(); ++i) {
    const double force_N = bristle.step_N(p, 1e-3, rows["v_m_per_s"][i], normal_N);
    ASSERT_NEAR(force_N, rows["F_N"][i], 1e-9 * std::abs(rows["F_N"][i]) + 1e-12) << i;
    ASSERT_NEAR(bristle.deflection_m(), rows["z_m"][i], 1e-9 * std::abs(rows["z_m"][i]) + 1e-15);
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
