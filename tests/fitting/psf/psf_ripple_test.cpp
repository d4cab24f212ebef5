// What a ripple of the force does to readings that follow its crests.
#include "fitting/psf/psf_ripple.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace tactelier {
namespace {

/// One tactel, two presses: 1 and 2 N on it, of which the second ripples by 10 mN + 2 %.
PsfProblem two_presses(double of_ripple) {
  PsfProblem problem;
  for (const double part : {1.0, 2.0}) {
    PsfPress press;
    press.peak_N = part;
    press.ripple_N = of_ripple * 0.01;
    press.ripple_growth = of_ripple * 0.02;
    problem.presses.push_back(press);
  }
  PsfTactel tactel;
  for (std::uint32_t press = 0; press < 2; ++press) {
    PsfRow row;
    row.force_N = problem.presses[press].peak_N;
    tactel.rows.push_back(row);
    tactel.groups.push_back({press, press, press + 1});
  }
  problem.tactels.push_back(tactel);
  return problem;
}

TEST(PsfRipple, RaisesForcesByTheMiddleOfWhatReadingsMayKeep) {
  auto problem = two_presses(1);
  follow_crests(0.2, problem);
  EXPECT_NEAR(problem.tactels[0].rows[0].force_N, 1 + 0.75 * 0.03, 1e-12);
  EXPECT_NEAR(problem.tactels[0].rows[1].force_N, 2 + 0.75 * 0.05, 1e-12);
  EXPECT_NEAR(problem.ripple.u, 1.5 / std::sqrt(12.0), 1e-12);
}

TEST(PsfRipple, RaisesByNoMoreThanHalfOfTheHysteresis) {
  auto problem = two_presses(1);  // A/F 3 and 2.5 %
  follow_crests(0.0275, problem);
  EXPECT_NEAR(problem.ripple.part, 0.25, 1e-12);
  auto without = two_presses(1);
  follow_crests(0, without);
  EXPECT_EQ(without.tactels[0].rows[1].force_N, 2);
  EXPECT_EQ(without.ripple.u, 0);
}

TEST(PsfRipple, LeavesSteadyForcesAlone) {
  auto problem = two_presses(0.02);
  follow_crests(0.2, problem);
  EXPECT_EQ(problem.tactels[0].rows[1].force_N, 2);
  EXPECT_EQ(problem.ripple.u, 0);
}

}  // namespace
}  // namespace tactelier
