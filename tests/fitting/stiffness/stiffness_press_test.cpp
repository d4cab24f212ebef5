#include "fitting/stiffness/stiffness_press.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "fitting/statistics/random.hpp"
#include "fitting/stiffness/stiffness_sites.hpp"
#include "tests/fitting/statistics/oracle_files.hpp"
#include "tests/paths/paths.hpp"

namespace tactelier {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

LoadingBranch steps(double a, double b, int n, double curvature = 0) {
  LoadingBranch branch{{}, {}, true, true};
  for (int i = 1; i <= n; ++i) {
    const double depth = 0.2e-3 * i;
    branch.depth_m.push_back(depth);
    branch.force_N.push_back(a + b * depth + curvature * depth * depth);
  }
  return branch;
}

TEST(Loading, SevenStepsGiveTheOraclesTwoStiffnesses) {
  const auto o = oracle::json("06_stiffness.json")["affine_vs_origin"];
  const auto table = oracle::csv("06_steps.csv");
  LoadingBranch branch{{}, table.at("F_N"), true, true};
  for (const double depth_mm : table.at("depth_mm")) branch.depth_m.push_back(depth_mm * 1e-3);
  const auto fit = fit_loading(branch, 0, 3e-3).value();
  const auto near = [](double actual, double expected) {
    EXPECT_NEAR(actual, expected, 1e-8 * std::abs(expected));
  };
  near(fit.k_affine.value, o["affine"]["k"].get<double>() * 1e3);  // N/mm -> N/m
  near(fit.k_affine.std, o["affine"]["u_k"].get<double>() * 1e3);
  EXPECT_EQ(fit.k_affine.dof, 5);
  near(fit.intercept.value, o["affine"]["a"]);
  near(fit.intercept.std, o["affine"]["u_a"]);
  near(fit.k_punch->value, o["origin"]["k"].get<double>() * 1e3);
  near(fit.k_punch->std, o["origin"]["u_k"].get<double>() * 1e3);
  EXPECT_EQ(fit.k_punch->dof, 6);
}

/// A testing machine's export of a hardening block, a thousand rows at rest: the line through them
/// is no better known than the bend lets it be, whatever the order of the rows.
TEST(Loading, RowsAtRestAlongABendAreNotIndependent) {
  LoadingBranch branch{{}, {}, false, true};
  RandomSource random(5);
  for (std::size_t i = 0; i < 1000; ++i) {
    const double x = static_cast<double>(i * 387 % 1000) / 999;  // F = x + x^2, slope 2, R^2 0.983
    branch.depth_m.push_back(1e-3 * x);
    branch.force_N.push_back(x + x * x);
  }
  const auto bent = fit_loading(branch, 0, {}).value();
  EXPECT_NEAR(bent.k_affine.value, 2000, 10);
  // Residuals x^2 - x + 1/6 of variance 1/180, of which 1/3 (1/8)^2/12 lies within the eighths; x
  // has the variance 1/12; eight means, six to spare: u/k = sqrt(12 (1/180 - 1/2304)/6)/2.
  EXPECT_NEAR(bent.k_affine.std / bent.k_affine.value, 0.0506, 5e-4);
  EXPECT_EQ(bent.k_affine.dof, 6);
  for (std::size_t i = 0; i < 1000; ++i)
    branch.force_N[i] = 2000 * branch.depth_m[i] + 0.01 * random.normal();
  const auto straight = fit_loading(branch, 0, {}).value();
  EXPECT_DOUBLE_EQ(straight.k_affine.std, straight.line.u_slope);
}

TEST(Loading, TheContactPointsErrorWidensTheStiffness) {
  const auto branch = steps(0, 2000, 7);  // exact: all error comes from z0
  const double u_z0_m = 10e-6;
  const auto fit = fit_loading(branch, u_z0_m, {}).value();
  auto shifted = branch;
  for (auto& depth : shifted.depth_m) depth -= 1e-9;
  const double derivative =
      (fit_loading(shifted, 0, {})->k_punch->value - fit.k_punch->value) / 1e-9;
  EXPECT_NEAR(fit.k_punch->std, std::abs(derivative) * u_z0_m, 1e-4 * fit.k_punch->std);
  EXPECT_NEAR(fit.intercept.std, 2000 * u_z0_m, 1e-9);
}

TEST(Loading, WithoutContactThereIsASlopeAndNoStiffnessThroughContact) {
  auto branch = steps(0, 2000, 7);
  for (auto& depth : branch.depth_m) depth += 1;  // travel of an unknown origin
  branch.from_contact = false;
  const auto fit = fit_loading(branch, 0, {}).value();
  EXPECT_NEAR(fit.k_affine.value, 2000, 1e-6);
  EXPECT_FALSE(fit.k_punch);
}

TEST(Loading, RefusesFewOrShallowDepths) {
  EXPECT_EQ(fit_loading(steps(0, 2000, 4), 0, {}).error().message,
            "ST-01 Depths 0.2, 0.4, 0.6, 0.8 mm: too few or too small for a stiffness.");
  EXPECT_TRUE(fit_loading(steps(0, 2000, 5), 0, 30e-3).has_value());  // 1 mm of 30: 3.3 %
  EXPECT_THAT(fit_loading(steps(0, 2000, 5), 0, 40e-3).error().message, StartsWith("ST-01"));
}

TEST(Linearity, AStraightLineHoldsToItsEndAndABendDoesNot) {
  RandomSource random(4);
  const auto ramp = [&](double curvature) {
    auto branch = steps(0, 2000, 400, curvature);
    for (auto& depth : branch.depth_m) depth *= 0.0125;  // to 1 mm
    branch.independent = false;
    double noise = 0;
    for (std::size_t i = 0; i < branch.force_N.size(); ++i) {
      noise = 0.5 * noise + random.normal();
      const double depth = branch.depth_m[i];
      branch.force_N[i] = 2000 * depth + curvature * depth * depth + 0.002 * noise;
    }
    return check_linearity(branch);
  };
  const auto straight = ramp(0);
  EXPECT_TRUE(straight.to_the_end) << straight.runs_p;
  EXPECT_NEAR(*straight.linear_to_m, 1e-3, 1e-9);
  const auto bent = ramp(4e5);  // 0.4 N of 2 N at the end
  EXPECT_FALSE(bent.to_the_end);
  EXPECT_LT(bent.runs_p, 0.01);
  ASSERT_TRUE(bent.linear_to_m);
  EXPECT_LT(*bent.linear_to_m, 0.5e-3);
}

TEST(Linearity, AStrongBendWithLittleNoiseIsNotMistakenForCorrelatedNoise) {
  RandomSource random(6);
  LoadingBranch branch{{}, {}, true, false};
  for (int i = 1; i <= 2000; ++i) {
    branch.depth_m.push_back(80e-12 * i);
    branch.force_N.push_back(3e-3 * std::pow(i / 2000.0, 1.6) + 1e-6 * random.normal());
  }
  EXPECT_FALSE(check_linearity(branch).to_the_end);
}

TEST(Linearity, SevenReadingsAreTooFewToTest) {
  const auto few = check_linearity(steps(0, 2000, 7, 1e6));
  EXPECT_EQ(few.readings, 7U);
  EXPECT_FALSE(few.linear_to_m);
  EXPECT_TRUE(check_linearity(steps(0, 2000, 8)).linear_to_m);
}

TEST(Linearity, FalseAlarmsOnCorrelatedNoiseStayNearOnePercent) {
  RandomSource random(8);
  int alarms = 0;
  for (int repetition = 0; repetition < 500; ++repetition) {
    LoadingBranch branch{{}, {}, true, false};
    double noise = random.normal();
    for (int i = 0; i < 500; ++i) {
      noise = 0.9 * noise + std::sqrt(1 - 0.81) * random.normal();
      branch.depth_m.push_back(2e-6 * (i + 1));
      branch.force_N.push_back(2000 * branch.depth_m.back() + 0.01 * noise);
    }
    if (!check_linearity(branch).to_the_end) ++alarms;
  }
  EXPECT_LE(alarms, 15);  // 1 % nominal, 3 % allowed: grouping does not remove all correlation
}

// Window 0.98 .. 0.90 of the load at which unloading starts (around 94 %), force regressed on
// depth.
TEST(Unloading, SteelUnloadsWithinThePublishedRange) {
  const auto data =
      oracle::table(paths::source_dir() + "/data/examples/indent-creep/steel_load_hold_unload.csv");
  std::vector<double> depth_m;
  std::vector<double> force_N;
  std::size_t peak = 0;
  for (std::size_t i = 0; i < data.at("time_s").size(); ++i) {
    depth_m.push_back(data.at("depth_nm")[i] * 1e-9);
    force_N.push_back(data.at("load_uN")[i] * 1e-6);
    if (force_N[i] > force_N[peak]) peak = i;
  }
  const auto fit =
      fit_unloading({std::span(depth_m).subspan(peak), std::span(force_N).subspan(peak)}).value();
  EXPECT_GT(fit.slope.value, 1.85e5);
  EXPECT_LT(fit.slope.value, 2.21e5);
  EXPECT_NEAR(fit.start_N, 3000e-6, 10e-6);
  EXPECT_GT(fit.readings, 100U);
}

TEST(Unloading, IsFoundBehindARestAtConstantDepthInWhichTheForceRelaxes) {
  std::vector<double> travel_m;
  std::vector<double> force_N;
  for (int i = 0; i < 200; ++i) {
    travel_m.push_back(1e-3);
    force_N.push_back(1.6 + 0.4 * std::exp(-i / 30.0));  // 2 N -> 1.6 N
  }
  for (int i = 1; i <= 300; ++i) {
    travel_m.push_back(1e-3 - 2e-6 * i);
    force_N.push_back(1.6 - 3000 * 2e-6 * i);
  }
  const auto fit = fit_unloading({travel_m, force_N}).value();
  EXPECT_NEAR(fit.slope.value, 3000, 30);
  EXPECT_NEAR(fit.start_N, 1.6, 0.02);
}

TEST(Unloading, NeedsReadingsOnTheWayOut) {
  const std::vector<double> travel_m{1e-3, 0.5e-3, 0};
  const std::vector<double> force_N{2, 1, 0};
  EXPECT_THAT(fit_unloading({travel_m, force_N}).error().message,
              StartsWith("UNLOADING 0 readings"));
  EXPECT_FALSE(fit_unloading({{}, {}}).has_value());
}

/// Slope of force on depth at each place of the strip, all depths.
SiteMeans strip(const char* file) {
  const auto data = oracle::table(paths::source_dir() + "/data/examples/fluid-taxel/" + file);
  std::map<double, LoadingBranch> places;
  for (std::size_t i = 0; i < data.at("x_mm").size(); ++i) {
    auto& place = places[data.at("x_mm")[i]];
    place.independent = true;
    place.depth_m.push_back(data.at("depth_mm")[i] * 1e-3);
    place.force_N.push_back(data.at("force_N")[i]);
  }
  std::vector<PressValue> presses;
  for (const auto& [x, branch] : places)
    presses.push_back({fmt::format("x {}", x), "", fit_loading(branch, 0, {}).value().k_affine});
  return mean_over_sites(presses);
}

TEST(RealStrip, ForceDepthSlopesMatchThePublishedMeans) {
  const auto oil = strip("oil.csv");
  EXPECT_EQ(oil.sites.size(), 41U);
  EXPECT_NEAR(oil.mean.value, 3.36e3, 5);
  EXPECT_NEAR(*oil.spread, 0.08e3, 5);
  const auto air = strip("air.csv");
  EXPECT_NEAR(air.mean.value, 3.92e3, 5);
  EXPECT_NEAR(*air.spread, 0.10e3, 5);
  EXPECT_THAT(air.method, HasSubstr("41 places"));
}

}  // namespace
}  // namespace tactelier
