// Truth: a staircase and a first-order sensor in a dozen lines of their own.
#include "fitting/recording/step_edges.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "fitting/statistics/random.hpp"

namespace tactelier {
namespace {

constexpr double kStep_m = 2.5e-6, kPeriod_m = 40e-6, kPhase_rad = 0.7, kBent_m_per_N = 12e-6;
constexpr double kRise_s = 0.8e-3, kTick_s = 2e-5, kSample_s = 1e-3;

/// Lines into a plate that is touched at 0: 0.2 mm at this speed, one every 20 s.
std::vector<Move> lines(double speed_m_per_s, int count) {
  std::vector<Move> moves;
  for (int i = 0; i < count; ++i) {
    Move move;
    move.line = 2 * i + 1;
    move.from_m = {0, 0, 0.1e-3};
    move.to_m = {0, 0, -0.18e-3};
    move.speed_m_per_s = speed_m_per_s;
    move.acceleration_m_per_s2 = 0.1;
    move.queued_s = 20.0 * i + 1.00037 * (i + 1);
    moves.push_back(move);
    std::swap(move.from_m, move.to_m);
    move.line = 2 * i + 2;
    move.queued_s += 10;
    moves.push_back(move);
  }
  return moves;
}

struct Ringing {
  double hz = 0, damping = 0;  // 0: the tip is where its steps are

  double mean_s() const { return hz > 0 ? 2 * damping / (2 * M_PI * hz) : 0; }
};

/// Force while the line goes on, late by `late_s` and by the sensor's rise.
PlateLoading press(const Move& move, double late_s, Ringing ringing, RandomSource& random) {
  PlateLoading loading;
  double felt_m = 0, next_s = 0, swung_m = move.from_m[2], swing_m_per_s = 0;
  const double way_m = move.from_m[2] - move.to_m[2];
  for (double t = 0; t < way_m / move.speed_m_per_s; t += kTick_s) {
    // From rest: v^2/2a behind the line at constant speed.
    const double behind_m = move.speed_m_per_s * move.speed_m_per_s / 0.2;
    const double z_m = move.from_m[2] - std::max(0.0, move.speed_m_per_s * t - behind_m);
    const double step_m = kStep_m * std::round(z_m / kStep_m);
    const double tip_m = step_m + 5e-6 * std::sin(2 * M_PI * step_m / kPeriod_m + kPhase_rad);
    const double w = 2 * M_PI * ringing.hz;
    swing_m_per_s -=
        kTick_s * (2 * ringing.damping * w * swing_m_per_s + w * w * (swung_m - tip_m));
    swung_m = ringing.hz > 0 ? swung_m + kTick_s * swing_m_per_s : tip_m;
    felt_m += kTick_s / kRise_s * (-swung_m - felt_m);
    if (t < next_s) continue;
    next_s += kSample_s;
    const double force_N = felt_m / kBent_m_per_N + 0.03 * random.normal();
    if (felt_m < 20e-6) continue;
    loading.time_s.push_back(move.queued_s + t + late_s);
    loading.force_N.push_back(force_N);
  }
  return loading;
}

StepEdges edges(double speed_m_per_s, double late_s, double jitter_s = 0, Ringing ringing = {}) {
  RandomSource random(3);
  const auto moves = lines(speed_m_per_s, 4);
  std::vector<PlateLoading> presses;
  for (std::size_t i = 0; i < moves.size(); i += 2)
    presses.push_back(press(moves[i], late_s + jitter_s * (i % 4 == 0 ? 1 : -1), ringing, random));
  return step_edges_of(CommandedPath(moves), presses, kStep_m);
}

TEST(StepEdges, TellHowLateForceIsBehindTheCommand) {
  for (const double late_s : {0.0, 1e-3, 4.3e-3}) {
    const auto found = edges(0.13e-3, late_s);
    ASSERT_EQ(found.refusal, "");
    EXPECT_NEAR(found.delay_s.value, late_s + kRise_s, 0.1e-3);
    EXPECT_NEAR(found.delay_s.value, late_s + kRise_s, 4 * found.delay_s.std);
    EXPECT_LT(found.delay_s.std, 0.06e-3);
  }
}

// Half of a step that rings at 53 Hz is there after 3.3 ms; a ramp comes 0.5 ms late.
TEST(StepEdges, TellTheMeanDelayOfStepsThatRing) {
  for (const Ringing ringing : {Ringing{53, 0.087}, {64, 0.28}, {150, 0.1}}) {
    const auto found = edges(0.13e-3, 3e-3, 0, ringing);
    ASSERT_EQ(found.refusal, "");
    const double late_s = 3e-3 + ringing.mean_s() + kRise_s;
    EXPECT_NEAR(found.delay_s.value, late_s, 0.15e-3) << ringing.hz;
    EXPECT_NEAR(found.delay_s.value, late_s, 4 * found.delay_s.std) << ringing.hz;
    ASSERT_TRUE(found.ring);
    EXPECT_NEAR(found.ring->frequency_hz, ringing.hz, 0.03 * ringing.hz);
    EXPECT_NEAR(found.ring->damping, ringing.damping, 0.1 * ringing.damping);
  }
}

// A step every 19 ms: lines that begin 14 to 17 ms late are told as 2 to 5 ms early, but together.
TEST(StepEdges, TellDelaysUpToWholeSteps) {
  const auto found = edges(0.13e-3, 15.5e-3, 1.5e-3);
  ASSERT_EQ(found.refusal, "");
  EXPECT_NEAR(found.step_s, kStep_m / 0.13e-3, 1e-9);
  EXPECT_NEAR(std::remainder(found.delay_s.value - 15.5e-3 - kRise_s, found.step_s), 0, 0.15e-3);
  EXPECT_NEAR(found.scatter_s, 1.73e-3, 0.2e-3);
}

TEST(StepEdges, SayThatAStepDoesNotRing) { EXPECT_FALSE(edges(0.13e-3, 1e-3).ring); }

TEST(StepEdges, FindTheMicrostepError) {
  const auto found = edges(0.13e-3, 1e-3);
  EXPECT_NEAR(found.microstep.amplitude_m, 5e-6, 0.1e-6);
  EXPECT_NEAR(found.microstep.period_m, kPeriod_m, 1e-12);
  EXPECT_NEAR(found.microstep.phase_rad, kPhase_rad, 0.03);
}

TEST(StepEdges, SayThatLinesBeginAtTimesOfTheirOwn) {
  const auto found = edges(0.13e-3, 3e-3, 2e-3);
  // Two lines 2 ms late and two 2 ms early: 2.31 ms.
  EXPECT_NEAR(found.scatter_s, 2.31e-3, 0.1e-3);
  EXPECT_NEAR(found.delay_s.std, 1.155e-3, 0.05e-3);
}

/// A rig goes into a plate that it does not know yet by steps as small as the stage makes.
TEST(StepEdges, AreTakenFromPressesWithStepsEnough) {
  RandomSource random(3);
  const auto moves = lines(0.13e-3, 3);
  std::vector<PlateLoading> presses;
  for (std::size_t i = 0; i < moves.size(); i += 2)
    presses.push_back(press(moves[i], 2e-3, {}, random));
  presses[0].time_s.resize(150);
  presses[0].force_N.resize(150);
  const auto found = step_edges_of(CommandedPath(moves), presses, kStep_m);
  ASSERT_EQ(found.refusal, "");
  EXPECT_NEAR(found.delay_s.value, 2e-3 + kRise_s, 3 * found.delay_s.std);
  presses.pop_back();
  EXPECT_THAT(step_edges_of(CommandedPath(moves), presses, kStep_m).refusal,
              testing::StartsWith("DP-05 "));
}

TEST(StepEdges, AreSoughtOnTheLongestLineOfAPress) {
  std::vector<Move> way;
  double z_m = 0, queued_s = 1;
  for (const double down_m : {10e-6, 65e-6, 50e-6, 10e-6}) {
    Move move;
    move.line = static_cast<int>(way.size()) + 1;
    move.from_m = {0, 0, z_m};
    move.to_m = {0, 0, z_m -= down_m};
    move.speed_m_per_s = 0.1e-3;
    move.acceleration_m_per_s2 = 0.1;
    move.queued_s = queued_s;
    queued_s += down_m / move.speed_m_per_s + 0.5;
    way.push_back(move);
  }
  const CommandedPath path(way);
  PressData data;
  for (double t = 0.5; t < queued_s; t += 1e-2) {
    data.time_s.push_back(t);
    data.force_N.push_back(0.2 + 1e5 * -path.line_at(t).place_m(t)[2]);
  }
  data.peak = data.time_s.size() - 1;
  const auto longest = longest_loading(path, data, 0.2);
  ASSERT_FALSE(longest.time_s.empty());
  EXPECT_NEAR(longest.time_s.front(), path.lines()[1].begin_s, 0.05);
  EXPECT_NEAR(longest.time_s.back(), path.lines()[1].end_s, 0.02);
  EXPECT_NEAR(longest.force_N.back(), 7.5, 0.1);
}

// 0.1 mm/s is a step every 25 samples.
TEST(StepEdges, AreDoubtedWhereStepsKeepInTimeWithSamples) {
  EXPECT_GT(edges(0.1e-3, 1e-3).delay_s.std, 0.25e-3);
}

TEST(StepEdges, AreNotClaimedOfStepsThatRunIntoOneAnother) {
  EXPECT_THAT(edges(1e-3, 1e-3).refusal, testing::StartsWith("DP-05 "));
}

}  // namespace
}  // namespace tactelier
