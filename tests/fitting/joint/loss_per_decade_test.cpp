// Loops of pads whose loss per decade is known, integrated apart from the fit's recursion.
#include "fitting/joint/loss_per_decade.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include "tests/fitting/joint/made_presses.hpp"

namespace tactelier::test {
namespace {

/// At 2 mm/s, 1 mm deep: half a second in, half a second out.
Estimate loss_of(const MadePad& pad) {
  MadePresses made(pad, 1);
  made.ramp(2e-3);
  const auto& path = made.traces[0].path;
  return loss_per_decade({path.time_s, path.depth_m, made.force_N[0]}).value();
}

MadePad elastic() {
  MadePad pad;
  pad.hardening = 0;
  pad.ratio = {};
  pad.tau_s = {};
  return pad;
}

TEST(LossPerDecade, OfDampedPadsThatDoNotRelaxIsNothing) {
  auto hunt_crossley = elastic();
  hunt_crossley.dissipation = 15;
  EXPECT_NEAR(loss_of(hunt_crossley).value, 0, 1e-3);
  auto kelvin_voigt = elastic();
  kelvin_voigt.c_n = 5e-3 * kelvin_voigt.k;
  EXPECT_NEAR(loss_of(kelvin_voigt).value, 0, 1e-3);
}

// A twentieth of the stiffness in each half decade about the press.
TEST(LossPerDecade, IsFoundBesideDamping) {
  auto pad = elastic();
  pad.dissipation = 8;
  pad.ratio = {0.025, 0.025, 0.025, 0.025, 0.025, 0.025, 0.025, 0.025, 0.025};
  pad.tau_s = {3e-3, 9.5e-3, 0.03, 0.095, 0.3, 0.95, 3, 9.5, 30};
  // 0.05 of the long-time stiffness a decade, of which the press shows 1.07 to 1.15.
  EXPECT_NEAR(loss_of(pad).value, 0.05 / 1.12, 0.004);
}

// A ball of 10 mm, 1 mm in at 2 mm/s and out again, first touch misplaced by 5 um; branches of the
// overlap volume by Euler's steps.
TEST(LossPerDecade, OfABallIsFoundByItsOverlap) {
  constexpr double kRadius_m = 5e-3, kTop_m = 1e-3, kSpeed_m_per_s = 2e-3, kStep_s = 1e-4;
  const std::array tau_s{3e-3, 9.5e-3, 0.03, 0.095, 0.3, 0.95, 3.0, 9.5, 30.0};
  const auto volume_m3 = [](double depth_m) {
    return std::numbers::pi * depth_m * depth_m * (kRadius_m - depth_m / 3);
  };
  std::array<double, 9> branch{};
  std::vector<double> time_s, depth_m, force_N, elastic, slope;
  for (int i = 1; i < 10000; ++i) {
    const double t_s = kStep_s * i;
    const auto at_m = [&](double t) { return kTop_m - kSpeed_m_per_s * std::abs(t - 0.5); };
    const double there_m = at_m(t_s), v = t_s < 0.5 ? kSpeed_m_per_s : -kSpeed_m_per_s;
    const double change = volume_m3(there_m) - volume_m3(at_m(t_s - kStep_s));
    double sum = volume_m3(there_m) * (1 + 8 * v);
    for (std::size_t b = 0; b < branch.size(); ++b) {
      branch[b] += change - branch[b] * kStep_s / tau_s[b];
      sum += 0.025 * branch[b];
    }
    if (i % 10 != 0) continue;
    const double said_m = there_m - 5e-6;
    time_s.push_back(t_s);
    depth_m.push_back(said_m);
    force_N.push_back(1e9 * sum);
    elastic.push_back(volume_m3(std::max(0.0, said_m)));
    slope.push_back(std::numbers::pi * std::max(0.0, said_m) * (2 * kRadius_m - said_m));
  }
  const auto found = loss_per_decade({time_s, depth_m, force_N}, elastic, slope);
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->value, 0.05 / 1.12, 0.005);
}

TEST(LossPerDecade, NeedsTheUnloadingBranch) {
  MadePresses made(elastic(), 1);
  made.ramp(2e-3);
  auto path = made.traces[0].path;
  path.time_s.resize(path.time_s.size() / 2);
  path.depth_m.resize(path.time_s.size());
  EXPECT_FALSE(loss_per_decade({path.time_s, path.depth_m, made.force_N[0]}));
}

}  // namespace
}  // namespace tactelier::test
