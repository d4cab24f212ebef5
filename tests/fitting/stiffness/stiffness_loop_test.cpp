#include "fitting/stiffness/stiffness_loop.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace tactelier {
namespace {

struct Recorded {
  std::vector<double> time_s, depth_m, force_N;
  std::size_t peak = 0;
  PressLoop loop() const { return {time_s, depth_m, force_N, peak, peak}; }
};

/// Down to 1 mm at `in_m_per_s` and up again; force(depth, speed).
template <class Force>
Recorded press(double in_m_per_s, double out_m_per_s, Force force) {
  Recorded r;
  double t = 0;
  for (double depth = 0; depth < 1e-3; depth += in_m_per_s * 1e-3, t += 1e-3) {
    r.time_s.push_back(t);
    r.depth_m.push_back(depth);
    r.force_N.push_back(force(depth, in_m_per_s));
  }
  r.peak = r.depth_m.size() - 1;
  for (double depth = 1e-3; depth > 0; depth -= out_m_per_s * 1e-3, t += 1e-3) {
    r.time_s.push_back(t);
    r.depth_m.push_back(depth);
    r.force_N.push_back(force(depth, -out_m_per_s));
  }
  return r;
}

TEST(HalfLoop, OfHuntAndCrossleyIsDissipationTimesSpeed) {
  const auto recorded =
      press(2e-3, 2e-3, [](double depth, double v) { return 2000 * depth * (1 + 8 * v); });
  EXPECT_NEAR(hysteresis_half_width(recorded.loop())->value, 8 * 2e-3, 1e-9);
}

TEST(HalfLoop, OfKelvinAndVoigtIsNoneBecauseBothSlopesAreTheSame) {
  const auto recorded =
      press(2e-3, 2e-3, [](double depth, double v) { return 2000 * depth + 10 * v; });
  EXPECT_NEAR(hysteresis_half_width(recorded.loop())->value, 0, 1e-9);
}

TEST(HalfLoop, NeedsOneSpeedBothWays) {
  const auto force = [](double depth, double v) { return 2000 * depth * (1 + 8 * v); };
  EXPECT_FALSE(hysteresis_half_width(press(2e-3, 1e-3, force).loop()));
}

TEST(HalfLoop, NeedsAWayOut) {
  auto recorded = press(2e-3, 2e-3, [](double depth, double) { return 2000 * depth; });
  recorded.time_s.resize(recorded.peak + 2);
  recorded.depth_m.resize(recorded.peak + 2);
  recorded.force_N.resize(recorded.peak + 2);
  EXPECT_FALSE(hysteresis_half_width(recorded.loop()));
}

}  // namespace
}  // namespace tactelier
