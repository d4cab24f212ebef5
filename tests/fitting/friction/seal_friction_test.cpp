// A rod with an O-ring in a cylinder under air pressure, pushed to and fro (data/examples/
// seal-friction): real friction, two speeds, a side force that is no friction.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "fitting/friction/friction_estimate.hpp"
#include "fitting/friction/steady_slides.hpp"
#include "fitting/statistics/white_noise.hpp"
#include "libcalib/units.hpp"
#include "tests/fitting/statistics/oracle_files.hpp"
#include "tests/paths/paths.hpp"

namespace tactelier {
namespace {

constexpr double kBore_m = 0.025;
constexpr double kMoves_m_per_s = 3e-3;
constexpr double kShortest_s = 1;

/// One run per stroke: while the rod moves faster than 3 mm/s one way. There is no load here, so N
/// is 1 N and a coefficient is a force.
std::vector<SlideRun> strokes(int bar) {
  auto table = oracle::table(paths::source_dir() + "/data/examples/seal-friction/" +
                             fmt::format("oring_{}bar.csv", bar));
  const auto& t = table["t_s"];
  const double area_m2 = std::numbers::pi * kBore_m * kBore_m / 4;
  std::vector<SlideRun> runs;
  SlideRun run;
  const auto close = [&] {
    if (!run.time_s.empty() && run.time_s.back() - run.time_s.front() > kShortest_s) {
      run.event.begin_s = run.time_s.front();
      run.event.end_s = run.time_s.back();
      run.event.number = static_cast<int>(runs.size()) + 1;
      run.where = fmt::format("{} bar, stroke {}", bar, run.event.number);
      run.event.vx_m_per_s = run.velocity_m_per_s[run.velocity_m_per_s.size() / 2];
      run.mean_normal_N = 1;
      run.period_s = 0.01;
      run.motion_measured = true;
      run.sigma_N = white_noise(run.friction_N);
      runs.push_back(run);
    }
    run = {};
  };
  for (std::size_t i = 10; i + 10 < t.size(); ++i) {
    const double v =
        mm_to_m(table["x_mm"][i + 10] - table["x_mm"][i - 10]) / (t[i + 10] - t[i - 10]);
    const bool same = run.time_s.empty() || v * run.velocity_m_per_s.back() > 0;
    if (!same || std::abs(v) < kMoves_m_per_s || t[i] - t[i - 1] > 0.1) close();
    if (std::abs(v) < kMoves_m_per_s) continue;
    run.time_s.push_back(t[i]);
    run.velocity_m_per_s.push_back(v);
    run.friction_N.push_back(table["force_N"][i] - 1e5 * table["pressure_bar"][i] * area_m2);
    run.normal_N.push_back(1);
  }
  close();
  return runs;
}

TEST(SealFriction, HalfWidthsBetweenTheDirectionsGrowWithPressure) {
  const std::array<std::pair<int, double>, 3> expected{{{1, 3.96}, {3, 5.51}, {7, 7.91}}};
  for (const auto& [bar, half_width_N] : expected) {
    std::vector<SlidePoint> points;
    for (const auto& run : strokes(bar)) {
      SlidePoint point;  // mean over the whole stroke
      for (std::size_t i = 0; i < run.time_s.size(); ++i) {
        point.velocity_m_per_s += run.velocity_m_per_s[i] / static_cast<double>(run.time_s.size());
        point.friction_N += run.friction_N[i] / static_cast<double>(run.time_s.size());
      }
      point.normal_N = 1;
      point.offset = 0;
      point.u_N = 0.3;  // the scatter of the strokes
      points.push_back(point);
    }
    ASSERT_GE(points.size(), 18U) << bar;
    const auto fit = fit_sliding(points, SlidingModel::kCoulomb).value();
    EXPECT_NEAR(fit.mu_s, half_width_N, 0.01 * half_width_N) << bar << " bar";
    EXPECT_GT(fit.offsets_N.at(0), 0.6);  // the directions are not alike: 4.7 and -3.2 N at 1 bar
  }
}

TEST(SealFriction, HasALevelAndTooFewSpeedsForAStribeckCurve) {
  const auto estimate = estimate_friction(strokes(3), {}).value();
  EXPECT_THAT(estimate.no_curve, testing::StartsWith("FR-01 Need ≥ 6 different speeds"));
  EXPECT_THAT(estimate.no_bristles, testing::StartsWith("FR-04 "));
  ASSERT_TRUE(estimate.is_level && estimate.joint.has_value());
  EXPECT_NEAR(estimate.joint->values[kLugreDynamic], 5.594, 0.02 * 5.594);  // NumPy, second halves
}

}  // namespace
}  // namespace tactelier
