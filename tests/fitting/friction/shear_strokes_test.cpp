// Truth: a tip behind a spring, Coulomb's limit and an axis with play, in a dozen lines of their
// own.
#include "fitting/friction/shear_strokes.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "fitting/statistics/random.hpp"

namespace tactelier {
namespace {

constexpr double kStep_m = 2.5e-6;

struct Rig {
  double compliance_m_per_N = 40e-6;
  double play_m = 15e-6;
  double microstep_m = 4e-6;  // over 40 um
  double slips_N = 1.6;
  double noise_N = 0.02;
  bool errs_behind_play = false;
};

/// Strokes of 0.12 mm at 0.08 mm/s, read a thousand times a second, each 12.5 um farther.
std::vector<ShearStroke> strokes(const Rig& rig, int pairs, unsigned seed = 3) {
  RandomSource random(seed);
  std::vector<ShearStroke> all;
  double told_m = 7e-6, carriage_m = told_m, tip_m = told_m, force_N = 0;
  for (int i = 0; i < 2 * pairs; ++i) {
    const double way_m = i % 2 == 0 ? 0.12e-3 : -0.1075e-3;
    const int rows = static_cast<int>(std::abs(way_m) / 0.08e-6);
    const double from_m = told_m;
    ShearStroke stroke;
    for (int row = 0; row <= rows; ++row) {
      told_m = from_m + way_m * row / rows;
      const double step_m = kStep_m * std::round(told_m / kStep_m);
      const auto error_m = [&](double at_m) {
        return rig.microstep_m * (std::sin(2 * M_PI * at_m / 40e-6 + 1.1) +
                                  0.4 * std::sin(4 * M_PI * at_m / 40e-6 + 0.3));
      };
      const double wanted_m = step_m + (rig.errs_behind_play ? 0 : error_m(step_m));
      // The carriage stands anywhere within the play behind the screw.
      carriage_m =
          std::min(std::max(carriage_m, wanted_m - rig.play_m / 2), wanted_m + rig.play_m / 2);
      const double now_m = carriage_m + (rig.errs_behind_play ? error_m(carriage_m) : 0);
      force_N += (now_m - tip_m) / rig.compliance_m_per_N;
      tip_m = now_m;
      force_N = std::min(std::max(force_N, -rig.slips_N), rig.slips_N);
      stroke.place_m.push_back(told_m);
      stroke.force_N.push_back(0.3 + force_N + rig.noise_N * random.normal());
    }
    all.push_back(std::move(stroke));
  }
  return all;
}

TEST(ShearStrokes, TellWhatTheRigGives) {
  for (const double compliance_m_per_N : {25e-6, 50e-6, 80e-6}) {
    Rig rig;
    rig.compliance_m_per_N = compliance_m_per_N;
    const auto found = fit_shear(strokes(rig, 8), kStep_m).value();
    EXPECT_NEAR(found.value, compliance_m_per_N, 2.2 * found.std);
    EXPECT_LT(found.std, 0.03 * compliance_m_per_N);
  }
}

/// Whatever a full step errs by, and wherever in it the strokes begin.
TEST(ShearStrokes, TellItFromTheMicrostepError) {
  int held = 0;
  for (unsigned seed = 1; seed <= 20; ++seed) {
    Rig rig;
    rig.microstep_m = 0.25e-6 * seed;
    rig.play_m = 2e-6 * seed;
    rig.errs_behind_play = seed % 2 == 0;
    const auto found = fit_shear(strokes(rig, 8, seed), kStep_m).value();
    held += std::abs(found.value - 40e-6) <= 2.2 * found.std;
    EXPECT_NEAR(found.value, 40e-6, 2e-6) << seed;
  }
  EXPECT_GE(held, 18);
}

TEST(ShearStrokes, OfATipThatSlidesTellNothing) {
  Rig rig;
  rig.slips_N = 0.02;
  EXPECT_FALSE(fit_shear(strokes(rig, 8), kStep_m));
  EXPECT_FALSE(fit_shear(strokes(Rig{}, 1), kStep_m));
}

}  // namespace
}  // namespace tactelier
