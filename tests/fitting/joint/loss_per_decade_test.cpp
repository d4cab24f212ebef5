// Loops of pads whose loss per decade is known, integrated apart from the fit's recursion.
#include "fitting/joint/loss_per_decade.hpp"

#include <gtest/gtest.h>

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
