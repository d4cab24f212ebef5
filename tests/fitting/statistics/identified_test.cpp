#include "fitting/statistics/identified.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/fitting/statistics/oracle_files.hpp"

namespace tactelier {
namespace {

TEST(Budget, StiffnessBudgetMatchesTheOracle) {
  const auto o = oracle::json("13_stats.json")["gum_stiffness"];
  std::vector<Component> components;
  for (const auto& c : o["components"])
    components.push_back({c["name"], c["u_N_per_mm"].get<double>(), c["dof"].get<double>()});
  const auto budget = combine(components);
  EXPECT_NEAR(budget.u_c, o["u_c"].get<double>(), 1e-12);
  EXPECT_NEAR(budget.dof, o["v_eff"].get<double>(), 1e-9);
  EXPECT_NEAR(budget.k_95, o["coverage_k_95_floor_v"].get<double>(), 1e-9);
  EXPECT_NEAR(budget.U_95, o["U_95"].get<double>(), 1e-11);
  EXPECT_NEAR(budget.U_9545, o["U"].get<double>(), 1e-11);
}

TEST(Budget, RectanglesAndSteps) {
  EXPECT_NEAR(u_rectangular(0.3), 0.17320508075688773, 1e-16);
  EXPECT_NEAR(u_resolution(0.05e-3), 14.433756729740645e-6, 1e-18);  // errata 11: 14.4 um
}

TEST(Identified, IntervalIsStudentsAndTotalAddsTheCertificate) {
  // Presses 9, 10, 11: mean 10, s = 1, std = 1/sqrt(3), t(2) = 4.302653
  const auto estimate = press_spread(std::vector<double>{9, 10, 11});
  const std::vector<Component> certificate{{"force gain", 0.5, kManyDegrees}};
  const auto p = identified(estimate, "N/m", "stiffness", certificate);
  EXPECT_EQ(p.status, Status::kIdentified);
  EXPECT_NEAR(*p.std, 0.5773502691896258, 1e-15);
  EXPECT_NEAR((*p.ci95)[1], 10 + 4.302652729749464 * 0.5773502691896258, 1e-9);
  // u_c^2 = 1/3 + 1/4; nu = u_c^4 / ((1/9)/2) = 6.125 -> t(6) = 2.446912
  EXPECT_NEAR(*p.u_total, 2.4469118511449700 * std::sqrt(1.0 / 3 + 0.25), 1e-9);
}

TEST(Identified, OneValueClaimsNoInterval) {
  const auto p = identified(press_spread(std::vector<double>{10}), "N/m", "stiffness");
  EXPECT_EQ(*p.value, 10);
  EXPECT_FALSE(p.std);
  EXPECT_FALSE(p.ci95);
  EXPECT_FALSE(p.u_total);
}

TEST(Identified, LogParametersGetALopsidedInterval) {
  const auto o = oracle::json("13_stats.json")["log_parameter"];
  const Estimate estimate{o["log_theta"].get<double>(), o["u_log"].get<double>(), kManyDegrees};
  const auto p = identified_log(estimate, "s", "relaxation");
  EXPECT_NEAR(*p.value, o["theta"].get<double>(), 1e-15);
  // The oracle takes 1.96 for the quantile: compare at its own digits.
  EXPECT_NEAR((*p.ci95)[0], o["interval_95"][0].get<double>(), 1e-5);
  EXPECT_NEAR((*p.ci95)[1], o["interval_95"][1].get<double>(), 1e-5);
  EXPECT_FALSE(p.std);  // u = 0.2 is no longer below 0.2
  const auto narrow = identified_log({std::log(0.15), 0.1, kManyDegrees}, "s", "relaxation");
  EXPECT_NEAR(*narrow.std, 0.015, 1e-15);
}

}  // namespace
}  // namespace tactelier
