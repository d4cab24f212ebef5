#include "libcalib/protocol/motion.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace tactelier {
namespace {

constexpr Vector3 kOrigin{0, 0, 0};

TEST(Motion, LongMoveTakesLengthOverSpeedPlusSpeedOverAcceleration) {
  // 10 mm at 8 mm/s and 100 mm/s2: 0.08 s and 0.32 mm to speed up, 9.36 mm at 8 mm/s, 1.33 s in all
  const auto move = Motion::line(kOrigin, {0, 0, -10e-3}, 8e-3, 0.1);
  EXPECT_NEAR(move.duration_s(), 1.33, 1e-12);
  EXPECT_NEAR(move.position_m(0.08)[2], -0.32e-3, 1e-15);
  EXPECT_NEAR(move.position_m(0.58)[2], -(0.32e-3 + 4e-3), 1e-15);
  EXPECT_NEAR(move.position_m(1.25)[2], -9.68e-3, 1e-15);
  EXPECT_NEAR(move.position_m(1.29)[2], -9.92e-3, 1e-15);  // 0.1 * 0.04^2 / 2 before the end
  EXPECT_NEAR(move.velocity_m_per_s(1.29)[2], -4e-3, 1e-15);
  EXPECT_NEAR(move.end_m()[2], -10e-3, 1e-15);
  EXPECT_NEAR(move.constant_speed_between_m()[0], 0.32e-3, 1e-15);
  EXPECT_NEAR(move.constant_speed_between_m()[1], 9.68e-3, 1e-15);
}

TEST(Motion, ShortMoveNeverReachesItsSpeed) {
  // 0.1 mm at 100 mm/s2: 2 sqrt(1e-4/0.1) = 0.0632455532 s, top speed sqrt(1e-4 * 0.1) = 3.16 mm/s
  const auto move = Motion::line(kOrigin, {0.1e-3, 0, 0}, 8e-3, 0.1);
  EXPECT_NEAR(move.duration_s(), 0.06324555320336759, 1e-15);
  EXPECT_NEAR(move.top_speed_m_per_s(), 3.1622776601683795e-3, 1e-15);
  EXPECT_NEAR(move.position_m(move.duration_s() / 2)[0], 0.05e-3, 1e-18);
}

TEST(Motion, SlantedMoveKeepsItsLine) {
  const auto move = Motion::line({1e-3, 2e-3, 3e-3}, {4e-3, 6e-3, 3e-3}, 1e-3, 0.1);
  EXPECT_NEAR(move.path_m(), 5e-3, 1e-15);
  const auto middle = move.position_m(move.duration_s() / 2);
  EXPECT_NEAR(middle[0], 2.5e-3, 1e-15);
  EXPECT_NEAR(middle[1], 4e-3, 1e-15);
  EXPECT_NEAR(middle[2], 3e-3, 1e-15);
}

TEST(Motion, TimeAtLengthInvertsThePosition) {
  const auto move = Motion::line(kOrigin, {0, 0, -2e-3}, 8e-3, 0.1);
  for (const double length_m : {0.0, 0.1e-3, 0.32e-3, 1e-3, 1.68e-3, 1.9e-3, 2e-3})
    EXPECT_NEAR(move.position_m(move.time_at_length_s(length_m))[2], -length_m, 1e-15);
}

TEST(Motion, BrakingFromThreeMillimetresPerSecondTakes45Micrometres) {
  const auto brake = Motion::brake(kOrigin, {0, 0, -3e-3}, 0.1);
  EXPECT_NEAR(brake.duration_s(), 0.03, 1e-15);
  EXPECT_NEAR(brake.end_m()[2], -45e-6, 1e-18);
  EXPECT_NEAR(brake.velocity_m_per_s(0.01)[2], -2e-3, 1e-15);
}

TEST(Motion, MoveOfNoLengthTakesNoTime) {
  const auto move = Motion::line(kOrigin, kOrigin, 8e-3, 0.1);
  EXPECT_EQ(move.duration_s(), 0);
  EXPECT_EQ(move.end_m(), kOrigin);
  EXPECT_EQ(Motion::brake(kOrigin, {0, 0, 0}, 0.1).duration_s(), 0);
}

TEST(Motion, OscillationBeginsAndEndsAtRestAndReachesItsAmplitude) {
  const auto sine = Motion::oscillation({0, 0, -1e-3}, {1, 0, 0}, 20e-6, 1, 1, 10);
  EXPECT_NEAR(sine.position_m(0)[0], 0, 1e-18);
  EXPECT_NEAR(sine.velocity_m_per_s(1e-9)[0], 0, 1e-12);
  EXPECT_NEAR(sine.velocity_m_per_s(10 - 1e-9)[0], 0, 1e-12);
  EXPECT_NEAR(sine.position_m(5.25)[0], 20e-6, 1e-12);  // a quarter period after 5 whole ones
  EXPECT_NEAR(sine.position_m(5.75)[0], -20e-6, 1e-12);
  EXPECT_EQ(sine.position_m(5.25)[2], -1e-3);
}

TEST(Motion, ChirpSweepsItsFrequenciesExponentially) {
  // turns until t: f0 T / L (e^(L t/T) - 1), L = ln 100: 0.1 * 60/4.605170 * (10 - 1) = 11.7259510
  // at 30 s
  const auto chirp = Motion::oscillation(kOrigin, {0, 0, 1}, 1e-3, 0.1, 10, 60);
  const double turns = 11.725951011387798;
  EXPECT_NEAR(chirp.position_m(30)[2], 1e-3 * std::sin(2 * M_PI * turns), 1e-9);
}

TEST(Motion, OscillationStaysBelowTheSpeedAndAccelerationItPromises) {
  const auto chirp = Motion::oscillation(kOrigin, {0, 0, 1}, 20e-6, 0.1, 10, 60);
  double speed_m_per_s = 0;
  double acceleration_m_per_s2 = 0;
  for (int i = 0; i <= 600000; ++i) {
    speed_m_per_s = std::max(speed_m_per_s, std::abs(chirp.velocity_m_per_s(i * 1e-4)[2]));
    acceleration_m_per_s2 =
        std::max(acceleration_m_per_s2, std::abs(chirp.acceleration_m_per_s2(i * 1e-4)[2]));
  }
  EXPECT_LE(speed_m_per_s, chirp.top_speed_m_per_s());
  EXPECT_GE(speed_m_per_s, 0.85 * chirp.top_speed_m_per_s());
  EXPECT_LE(acceleration_m_per_s2, chirp.top_acceleration_m_per_s2());
  EXPECT_GE(acceleration_m_per_s2, 0.8 * chirp.top_acceleration_m_per_s2());
}

TEST(Motion, VelocityIsTheDerivativeOfPosition) {
  const Motion motions[] = {Motion::line(kOrigin, {0, 0, -2e-3}, 8e-3, 0.1),
                            Motion::oscillation(kOrigin, {0, 0, 1}, 20e-6, 0.5, 5, 8)};
  constexpr double kStep_s = 1e-6;
  for (const auto& motion : motions)
    for (double t_s = 0.011; t_s < motion.duration_s(); t_s += 0.0173) {
      const double numeric =
          (motion.position_m(t_s + kStep_s)[2] - motion.position_m(t_s - kStep_s)[2]) /
          (2 * kStep_s);
      EXPECT_NEAR(motion.velocity_m_per_s(t_s)[2], numeric, 1e-7) << t_s;
    }
}

}  // namespace
}  // namespace tactelier
