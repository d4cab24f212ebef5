#include "fitting/stiffness/press_speed.hpp"

#include <gtest/gtest.h>

namespace tactelier {
namespace {

StiffnessPress press(double loop, bool first, bool run_in, double speed_m_per_s = 3e-4) {
  StiffnessPress result;
  result.loading.emplace();
  result.loading->k_punch = Estimate{1000, 2, 20};
  result.loop = HalfWidth{{loop, 0, 20}, speed_m_per_s};
  result.first = first;
  result.run_in = run_in;
  return result;
}

double k_of(const StiffnessPress& press) { return press.loading->k_punch->value; }

// Of rubber that is run in 1, 1.2 and 1.4 %; softening makes 4 % of a first press and -3 % of one
// that went deeper than before.
TEST(PressSpeed, OfVirginRubberIsThatOfRubberThatIsRunIn) {
  std::vector<StiffnessPress> presses{press(0.04, true, false), press(-0.03, false, false),
                                      press(0.010, false, true), press(0.012, false, true),
                                      press(0.014, false, true)};
  EXPECT_NEAR(median_hysteresis_half_width(presses), 0.012, 1e-12);
  take_speed_out(presses);
  EXPECT_NEAR(k_of(presses[0]), 1000 / 1.012, 1e-9);
  EXPECT_NEAR(k_of(presses[1]), 1000 / 1.012, 1e-9);
  EXPECT_NEAR(k_of(presses[4]), 1000 / 1.014, 1e-9);
  EXPECT_GT(presses[0].loading->k_punch->std, 2);  // what loops scatter by
}

TEST(PressSpeed, OfAnotherSpeedTellsNothing) {
  std::vector<StiffnessPress> presses{press(0.04, false, false), press(0.010, false, true, 1e-3),
                                      press(0.012, false, true, 1e-3),
                                      press(0.014, false, true, 1e-3)};
  take_speed_out(presses);
  EXPECT_EQ(k_of(presses[0]), 1000);
}

TEST(PressSpeed, OfFirstPressesAloneIsTheirOwnAndOfDeeperOnesUnknown) {
  std::vector<StiffnessPress> presses{press(0.02, true, false), press(-0.03, false, false),
                                      press(0.08, true, false)};
  take_speed_out(presses);
  EXPECT_NEAR(k_of(presses[0]), 1000 / 1.02, 1e-9);
  EXPECT_EQ(k_of(presses[1]), 1000);
  EXPECT_EQ(k_of(presses[2]), 1000);  // no viscosity
}

}  // namespace
}  // namespace tactelier
