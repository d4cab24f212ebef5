// One press of a pad whose relaxation is known.

#include "fitting/joint/rest_stiffness.hpp"

#include <gtest/gtest.h>

#include "fitting/statistics/line_fit.hpp"
#include "tests/fitting/joint/made_presses.hpp"

namespace tactelier::test {
namespace {

JointValues known(const MadePad& pad, double damping) {
  return {pad.k, pad.hardening, damping, 0, pad.ratio, pad.tau_s};
}

TEST(RelaxedStiffness, OfAPressThatLooksATenthStifferIsThatAtRest) {
  MadePad pad;
  pad.hardening = 0;
  pad.dissipation = 12;
  MadePresses made(pad, 1);
  made.ramp(3e-4, 1.5e-3);
  const auto& path = made.traces[0].path;
  const auto line = fit_line(path.depth_m, made.force_N[0]);
  EXPECT_GT(line->slope, 1.05 * pad.k);
  const auto found = relaxed_stiffness({path.time_s, path.depth_m, made.force_N[0]}, {},
                                       RateModel::kHuntCrossley, known(pad, 12))
                         .value();
  EXPECT_NEAR(found.tangent.value, pad.k, 1e-3 * pad.k);
  EXPECT_NEAR(found.secant, pad.k, 1e-3 * pad.k);
}

TEST(RelaxedStiffness, RemembersThePressBefore) {
  MadePad pad;
  pad.hardening = 0;
  MadePresses made(pad, 1);
  made.ramp(3e-3);
  const auto& path = made.traces[0].path;
  // The same press once more 0.1 s later meets rubber that still pulls back.
  DepthPath before = path;
  const double later = path.time_s.back() + 0.1;
  std::vector<double> time_s;
  for (const double t : path.time_s) time_s.push_back(later + t);
  const auto alone = relaxed_stiffness({path.time_s, path.depth_m, made.force_N[0]}, {},
                                       RateModel::kKelvinVoigt, known(pad, 0))
                         .value();
  const auto again = relaxed_stiffness({time_s, path.depth_m, made.force_N[0]}, before,
                                       RateModel::kKelvinVoigt, known(pad, 0))
                         .value();
  EXPECT_NEAR(alone.tangent.value, pad.k, 2e-3 * pad.k);
  EXPECT_GT(std::abs(again.tangent.value - alone.tangent.value), 5e-3 * pad.k);
}

TEST(RelaxedStiffness, OfAPadThatHardensIsTheLineThroughItsDepths) {
  MadePad pad;
  pad.hardening = 200;
  pad.ratio = {};
  pad.tau_s = {};
  MadePresses made(pad, 1);
  made.ramp(1e-3);
  const auto& path = made.traces[0].path;
  const auto found = relaxed_stiffness({path.time_s, path.depth_m, made.force_N[0]}, {},
                                       RateModel::kKelvinVoigt, known(pad, 0))
                         .value();
  EXPECT_NEAR(found.tangent.value, 1800, 2);
  // sum (d + 200 d^2) d / sum d^2 over 0.1 .. 1 mm: 1 + 200 (1 - 1e-4)/4 / ((1 - 1e-3)/3) mm
  EXPECT_NEAR(found.secant, 1800 * (1 + 0.2 * 0.75 * 0.9999 / 0.999), 3);
}

/// Down to 0.8 mm it was pressed before; deeper it is a tenth stiffer, and softer on its way out.
TEST(RelaxedStiffness, OfRubberPressedBeforeIsThatDownToWhereItWas) {
  MadePad pad;
  pad.hardening = 0;
  MadePresses made(pad, 1);
  made.ramp(1e-3);
  const auto& path = made.traces[0].path;
  auto force_N = made.force_N[0];
  bool deeper = false;
  for (std::size_t i = 0; i < force_N.size(); ++i) {
    deeper = deeper || path.depth_m[i] > 0.8e-3;
    if (deeper) force_N[i] += 0.1 * pad.k * path.depth_m[i];
  }
  const auto stiffness = [&](double seen_m) {
    return relaxed_stiffness({path.time_s, path.depth_m, force_N, seen_m}, {},
                             RateModel::kKelvinVoigt, known(pad, 0))
        .value()
        .secant;
  };
  EXPECT_NEAR(stiffness(0.78e-3), pad.k, 2e-3 * pad.k);
  EXPECT_GT(stiffness(1e-3), 1.05 * pad.k);
}

TEST(RelaxedStiffness, NeedsReadingsInContact) {
  const std::vector<double> few{0, 1, 2}, depth{0, 1e-3, 0}, force{0, 1, 0};
  EXPECT_FALSE(relaxed_stiffness({few, depth, force}, {}, RateModel::kKelvinVoigt, known({}, 0)));
}

}  // namespace
}  // namespace tactelier::test
