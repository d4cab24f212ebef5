// Truth: oracles/04_rig.json and worked numbers.
#include "fitting/recording/rig_compliance.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/fitting/statistics/oracle_files.hpp"

namespace tactelier {
namespace {

using oracle::within;

PlatePress plate_press() {
  const auto columns = oracle::csv("04_plate.csv");
  PlatePress press;
  for (const double z_mm : columns.at("z_mm")) press.travel_m.push_back(z_mm * 1e-3);
  press.force_N = columns.at("F_N");
  return press;
}

TEST(PlateFit, MatchesTheOraclesFrameAndSeating) {
  const auto expected = oracle::json("04_rig.json")["plate"]["full"];
  const auto fit = fit_plate(std::array{plate_press()});
  ASSERT_TRUE(fit) << fit.error().message;
  const double c1 = expected["C1"], c2 = expected["C2"], f0 = expected["F0"];
  EXPECT_NEAR(fit->compliance.c1_m_per_N * 1e3, c1, within(c1, 1e-4));
  EXPECT_NEAR(fit->compliance.c2_m * 1e3, c2, within(c2, 1e-4));
  EXPECT_NEAR(fit->compliance.f0_N, f0, within(f0, 1e-4));
  EXPECT_NEAR(fit->z0_m[0] * 1e3, expected["z0_mm"].get<double>(), 3e-4);
  EXPECT_NEAR(fit->rms_m * 1e3, expected["rms_mm"].get<double>(), 1e-8);
  EXPECT_NEAR(fit->compliance.u_c1_m_per_N * 1e3, expected["u"][1].get<double>(), 1e-6);
  EXPECT_NEAR(fit->u_c2_m * 1e3, expected["u"][2].get<double>(), 1e-5);
  EXPECT_NEAR(fit->u_f0_N, expected["u"][3].get<double>(), 1e-3);
}

TEST(PlateFit, MatchesTheOraclesStraightLine) {
  const auto expected = oracle::json("04_rig.json")["plate"]["linear_F_ge_1p5N"];
  const auto fit = fit_plate_line(std::array{plate_press()}, 1.5);
  ASSERT_TRUE(fit) << fit.error().message;
  const double c = expected["C_mm_per_N"], z0 = expected["z0_mm"];
  EXPECT_NEAR(fit->compliance.c1_m_per_N * 1e3, c, within(c, 1e-8));
  EXPECT_NEAR(fit->z0_m[0] * 1e3, z0, within(z0, 1e-8));
  EXPECT_NEAR(fit->compliance.u_c1_m_per_N * 1e3, expected["u_C"].get<double>(), 1e-9);
  EXPECT_NEAR(fit->u_z0_m * 1e3, expected["u_z0"].get<double>(), 1e-9);
}

TEST(PlateFit, GivesEachPressItsOwnHeightAndOneFrameToAll) {
  std::vector<PlatePress> presses(2);
  for (int i = 1; i <= 40; ++i) {
    const double f = 0.1 * i;
    for (std::size_t p = 0; p < 2; ++p) {
      presses[p].force_N.push_back(f);
      presses[p].travel_m.push_back(1e-3 + 5e-5 * static_cast<double>(p) + 4e-6 * f +
                                    3e-6 * (1 - std::exp(-f / 0.6)));
    }
  }
  const auto fit = fit_plate(presses);
  ASSERT_TRUE(fit) << fit.error().message;
  EXPECT_NEAR(fit->compliance.c1_m_per_N, 4e-6, 1e-10);
  EXPECT_NEAR(fit->compliance.c2_m, 3e-6, 1e-9);
  EXPECT_NEAR(fit->z0_m[1] - fit->z0_m[0], 5e-5, 1e-12);
}

TEST(PlateFit, FallsBackToTheLineWhereNothingSeats) {
  PlatePress press;
  for (int i = 1; i <= 40; ++i) {
    press.force_N.push_back(0.1 * i);
    press.travel_m.push_back(4e-7 * i + (i % 2 == 0 ? 1e-8 : -1e-8) + 1e-9 * i * i);
  }
  const auto fit = fit_plate(std::array{press});
  ASSERT_TRUE(fit) << fit.error().message;
  EXPECT_FALSE(fit->seating);
  EXPECT_EQ(fit->compliance.c2_m, 0);
}

TEST(PlateFit, RefusesAHandfulOfSamples) {
  const PlatePress press{{1e-3, 1.1e-3, 1.2e-3}, {0.1, 0.2, 0.3}};
  EXPECT_FALSE(fit_plate(std::array{press}));
}

TEST(RigCompliance, DoesNotBendInFreeAir) {
  const RigCompliance rig{4e-6, 3e-6, 0.5, 0};
  EXPECT_EQ(rig.deflection_m(-0.2), 0);
  EXPECT_NEAR(rig.deflection_m(0.5), 2e-6 + 3e-6 * (1 - std::exp(-1.0)), 1e-18);
}

TEST(RigCompliance, OneSampleInFreeAirIsNoSeating) {
  PlatePress press;
  for (int i = 1; i <= 200; ++i) {
    press.force_N.push_back(0.05 * i);
    press.travel_m.push_back(0.2e-6 * 0.05 * i + 1e-9 * (i % 3));
  }
  press.force_N.push_back(0.03);  // noise, 0.17 mm above the plate
  press.travel_m.push_back(-170e-6);
  const auto fit = fit_plate({&press, 1});
  ASSERT_TRUE(fit) << fit.error().message;
  EXPECT_FALSE(fit->seating);
}

/// Down to 15 N and back on a frame of 10 um/N, the stage with 20 um of play.
PlatePress loose_press() {
  constexpr double kPlay_m = 20e-6, kFrame = 10e-6, kTop_m = 150e-6;
  PlatePress press;
  for (int i = 0; i <= 300; ++i) {
    const double travel = 0.5e-6 * i;
    press.travel_m.push_back(travel);
    press.force_N.push_back(travel / kFrame);
  }
  for (int i = 300; i-- > 40;) {
    const double travel = 0.5e-6 * i;
    press.travel_m.push_back(travel);
    press.force_N.push_back(std::min(kTop_m, travel + kPlay_m) / kFrame);
  }
  return press;
}

TEST(PlateWays, PlayPartsTheWaysAndLeavesTheFrameAlone) {
  const auto ways = plate_ways(std::array{loose_press()});
  ASSERT_EQ(ways.size(), 2u);
  const auto fit = fit_plate(ways);
  ASSERT_TRUE(fit) << fit.error().message;
  EXPECT_NEAR(fit->compliance.c1_m_per_N, 10e-6, 1e-9);
  EXPECT_NEAR(fit->z0_m[0] - fit->z0_m[1], 20e-6, 1e-8);
  // As one curve the play is doubt about the frame.
  const auto one = fit_plate(std::array{loose_press()});
  EXPECT_GT(one->rms_m, 5e-6);
}

// On a stiff frame nearly all rows are of the turn, and the largest force is anywhere among them.
TEST(PlateWays, LeavesTheTurnOut) {
  PlatePress press;
  const auto add = [&](double travel_m, double force_N) {
    press.travel_m.push_back(travel_m);
    press.force_N.push_back(force_N);
  };
  for (int i = 0; i <= 30; ++i) add(0.1e-6 * i, 0.5 * i);
  for (int i = 0; i < 600; ++i) add(3e-6 - 0.1e-6 * i, 15 + (i == 400 ? 0.02 : 0));
  for (int i = 30; i-- > 1;) add(-57e-6 - 0.1e-6 * (30 - i), 0.5 * i);
  const auto fit = fit_plate(plate_ways(std::array{press}));
  ASSERT_TRUE(fit) << fit.error().message;
  EXPECT_NEAR(fit->z0_m[0] - fit->z0_m[1], 60e-6, 1e-9);
  EXPECT_NEAR(fit->compliance.c1_m_per_N, 0.2e-6, 1e-9);
}

TEST(PlateWays, NoWayOutNoWays) { EXPECT_TRUE(plate_ways(std::array{plate_press()}).empty()); }

TEST(TipTravel, StandsStillUntilThePlayIsTakenUp) {
  const RigCompliance rig{10e-6, 0, 1, 0, false, 20e-6};
  const std::vector<double> travel{0, 100e-6, 90e-6, 80e-6, 70e-6, 75e-6, 95e-6};
  const auto tip = tip_travel_m(rig, travel, std::vector<double>{0, 1, 1, 1, 0, 0, -1});
  const std::vector<double> expected{0, 90e-6, 90e-6, 90e-6, 90e-6, 90e-6, 95e-6};
  for (std::size_t i = 0; i < tip.size(); ++i) EXPECT_NEAR(tip[i], expected[i], 1e-15) << i;
}

}  // namespace
}  // namespace tactelier
