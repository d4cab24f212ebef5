// The whole pad, one effect at a time: each test switches one on alone and finds its size in what
// is recorded.

#include "libcalib/pad/pad.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>

#include "libcalib/pad/draw_truth.hpp"
#include "libcalib/units.hpp"
#include "tests/libcalib/pad/pad_fixtures.hpp"

namespace tactelier::pad {
namespace {

constexpr double kStep_s = 1e-3;
constexpr std::size_t kTactels = 84;

/// A pad and everything that it has put out.
struct Rig {
  Pad pad;
  PadOutput out;

  explicit Rig(const PadTruth& truth, const Effects& effects = no_effects(),
               const Mount& mount = {}, std::uint64_t seed = 1)
      : pad(*Pad::create(truth, effects, mount, seed)) {}

  /// Follows path(t) for a while.
  void follow(double seconds, const std::function<Vector3(double)>& path) {
    const double start = pad.state().t_s;
    const auto steps = static_cast<int>(std::lround(seconds / kStep_s));
    for (int i = 1; i <= steps; ++i) pad.advance(kStep_s, path(start + i * kStep_s), out);
  }
  void hold(double seconds, const Vector3& at) {
    follow(seconds, [&](double) { return at; });
  }
  /// Down by `depth_m` from z = 0 at a speed, and up again to 0.5 mm.
  void press(Point at, double depth_m, double speed_m_per_s) {
    hold(0.2, {at.x_m, at.y_m, 0.5e-3});
    const double t0 = pad.state().t_s;
    follow((0.5e-3 + depth_m) / speed_m_per_s, [&](double t) {
      return Vector3{at.x_m, at.y_m, 0.5e-3 - speed_m_per_s * (t - t0)};
    });
    const double t1 = pad.state().t_s;
    follow((0.5e-3 + depth_m) / speed_m_per_s, [&](double t) {
      return Vector3{at.x_m, at.y_m, -depth_m + speed_m_per_s * (t - t1)};
    });
    hold(0.2, {at.x_m, at.y_m, 0.5e-3});
  }
  double count(std::size_t frame, std::size_t tactel) const {
    return out.counts[frame * kTactels + tactel];
  }
  double last_count(std::size_t tactel) const { return count(out.frames.size() - 1, tactel); }
  double force_N() const { return out.force.back().wrench[2]; }
};

Vector3 above(Point p, double z_m) { return {p.x_m, p.y_m, z_m}; }

TEST(Pad, APressGivesForceAndCountsOfItsTruth) {
  const auto truth = plain_truth();
  const double share = (*centre_shares(truth))[45];  // row 7, column 3
  Rig rig(truth);
  const auto at = plain_centre(7, 3);
  rig.hold(0.1, above(at, 1e-3));
  EXPECT_EQ(rig.force_N(), 0);
  EXPECT_EQ(rig.last_count(45), 60);
  rig.hold(0.1, above(at, -0.5e-3));
  EXPECT_NEAR(rig.force_N(), 1.0, 1e-9);  // 2000 N/m * 0.5 mm
  EXPECT_NEAR(rig.last_count(45), 60 + (share * 1.0 - 0.1) / 2e-4, 1e-3);
  EXPECT_NEAR(rig.pad.state().depth_m, 0.5e-3, 1e-12);
}

TEST(Pad, SharesAreTheOraclesKernel) {
  // A point-like tip on a tactel's centre: the integrated kernel of 1.7 mm on 3.4 mm.
  auto truth = plain_truth();
  truth.spread.sigma_x_m = truth.spread.sigma_y_m = 1.7e-3;
  truth.calibration_indenter = cylinder(1e-5);
  truth.layer.foundation_modulus_Pa_per_m = 2000 / (std::numbers::pi * 0.25e-10);
  for (auto& tactel : truth.tactels) tactel.threshold_N = 0;
  Rig rig(truth);
  rig.hold(0.1, above(plain_centre(7, 3), -0.5e-3));
  const auto kernel = oracle("08_psf.json")["kernels_unit_tactels"]["sigma_0.5_half_3"];
  EXPECT_NEAR((rig.last_count(45) - 60) * 2e-4, kernel["integrated_centre"], 1e-6);
  EXPECT_NEAR((rig.last_count(46) - 60) * 2e-4, kernel["integrated_side"], 1e-6);
  EXPECT_NEAR((rig.last_count(45 + 7) - 60) * 2e-4, kernel["integrated_corner"], 1e-6);
}

TEST(Pad, StreamsComeAtTheirRates) {
  auto effects = no_effects();
  effects.force.rate_hz = 7000;
  Rig rig(plain_truth(), effects);
  rig.hold(2, {0, 0, 1e-3});
  EXPECT_NEAR(static_cast<double>(rig.out.force.size()), 14000, 1);
  EXPECT_NEAR(static_cast<double>(rig.out.stage.size()), 2000, 1);
  EXPECT_NEAR(static_cast<double>(rig.out.frames.size()), 500, 1);
  EXPECT_EQ(rig.out.counts.size(), rig.out.frames.size() * kTactels);
  for (std::size_t i = 1; i < rig.out.force.size(); ++i)
    ASSERT_NEAR(rig.out.force[i].stamp.device_s - rig.out.force[i - 1].stamp.device_s, 1.0 / 7000,
                1e-9);
}

TEST(Pad, TheSameSeedGivesTheSameSamplesAndAnotherSeedOthers) {
  const auto truth = plain_truth();
  const auto record = [&](std::uint64_t seed) {
    Rig rig(truth, lab(), {}, seed);
    rig.press(plain_centre(7, 3), 0.5e-3, 2e-3);
    return rig.out;
  };
  const auto one = record(5), again = record(5), other = record(6);
  EXPECT_EQ(one.counts, again.counts);
  ASSERT_EQ(one.force.size(), again.force.size());
  for (std::size_t i = 0; i < one.force.size(); ++i) {
    EXPECT_EQ(one.force[i].wrench, again.force[i].wrench);
    EXPECT_EQ(one.force[i].stamp.device_s, again.force[i].stamp.device_s);
  }
  EXPECT_NE(one.counts, other.counts);
}

TEST(Pad, SmallerStepsGiveTheSameForce) {
  auto truth = plain_truth();
  truth.layer.prony = {{0.2, 0.15}};
  truth.layer.dissipation_s_per_m = 8;
  const auto peak = [&](double dt) {
    Rig rig(truth);
    for (int i = 1; i <= std::lround(1 / dt); ++i)
      rig.pad.advance(dt, above(plain_centre(7, 3), 0.2e-3 - 0.7e-3 * i * dt), rig.out);
    return rig.pad.state().force_N;
  };
  EXPECT_NEAR(peak(1e-3), peak(1e-4), 2e-4);
}

TEST(Pad, CleanIsWhatItsTableSays) {
  Rig rig(plain_truth(), clean());
  rig.hold(4, {0, 0, 1.23456789e-3});
  double force = 0, counts = 0;
  for (const auto& f : rig.out.force) force += f.wrench[2] * f.wrench[2];
  for (const double c : rig.out.counts) {
    counts += (c - 60) * (c - 60);
    EXPECT_EQ(c, std::round(c));
  }
  EXPECT_NEAR(std::sqrt(force / static_cast<double>(rig.out.force.size())), 5e-3, 3e-4);
  EXPECT_NEAR(std::sqrt(counts / static_cast<double>(rig.out.counts.size())),
              std::sqrt(4 + 1.0 / 12), 0.02);
  EXPECT_NEAR(rig.out.stage.back().position_m[2], 1.235e-3, 1e-12);
  EXPECT_NEAR(static_cast<double>(rig.out.stage.size()), 4000, 1);
}

TEST(Pad, PolledStagesAnswerLateAndRarely) {
  auto effects = no_effects();
  effects.stage.report_hz = 10;
  effects.stage.answer_min_s = 5e-3;
  effects.stage.answer_max_s = 20e-3;
  Rig rig(plain_truth(), effects);
  rig.follow(20, [](double t) { return Vector3{0, 0, 50e-3 - 1e-3 * t}; });
  EXPECT_NEAR(static_cast<double>(rig.out.stage.size()), 200, 1);
  double most = 0;
  for (std::size_t i = 0; i < rig.out.stage.size(); ++i) {
    const auto& sample = rig.out.stage[i];
    const double after_request = sample.stamp.device_s - 0.1 * static_cast<double>(i);
    EXPECT_GE(after_request, 2.5e-3 - 1e-9);  // the midpoint of request and reply
    EXPECT_LE(after_request, 10e-3 + 1e-9);
    if (i == 0) continue;
    // Read somewhere between: off by up to half the answer's time at 1 mm/s.
    most = std::max(most, std::abs(sample.position_m[2] - (50e-3 - 1e-3 * sample.stamp.device_s)));
  }
  EXPECT_GT(most, 5e-6);
  EXPECT_LE(most, 10e-6 + 1e-12);
}

TEST(Pad, ATrueSurfaceLiesElsewhereThanTheRigBelieves) {
  auto effects = no_effects();
  effects.surface.unknown_height_m = 0.2e-3;
  Rig rig(plain_truth(), effects, {}, 4);
  const double error_m = rig.pad.draws().surface_error_m;
  EXPECT_GT(std::abs(error_m), 1e-6);
  EXPECT_LE(std::abs(error_m), 0.2e-3);
  rig.hold(0.1, above(plain_centre(7, 3), -0.5e-3));
  EXPECT_NEAR(rig.force_N(), 2000 * (0.5e-3 + error_m), 1e-9);
}

TEST(Pad, ATiltedSurfaceIsTouchedEarlierOnOneSide) {
  auto effects = no_effects();
  effects.surface.tilt_rad = deg_to_rad(0.4);
  Rig rig(plain_truth(), effects, {}, 2);
  const auto& draws = rig.pad.draws();
  EXPECT_NEAR(std::hypot(draws.tilt_x_rad, draws.tilt_y_rad), deg_to_rad(0.4), 1e-12);
  for (const auto& at : {plain_centre(1, 3), plain_centre(12, 3), plain_centre(7, 0)}) {
    rig.hold(0.1, above(at, 1e-3));
    rig.hold(0.1, above(at, -0.5e-3));
    const double surface =
        std::tan(draws.tilt_x_rad) * at.y_m - std::tan(draws.tilt_y_rad) * at.x_m;
    EXPECT_NEAR(rig.force_N(), 2000 * (0.5e-3 + surface), 1e-4);
    const auto& wrench = rig.out.force.back().wrench;  // it pushes along its normal
    EXPECT_NEAR(std::hypot(wrench[0], wrench[1]) / wrench[2], std::tan(deg_to_rad(0.4)), 1e-6);
  }
}

TEST(Pad, TheSurfaceDriftsUpwards) {
  auto effects = no_effects();
  effects.surface.drift_m_per_s = 15e-6 / 3600;
  Rig rig(plain_truth(), effects);
  for (int i = 0; i < 3600; ++i) {
    rig.pad.advance(1, above(plain_centre(7, 3), 1e-3), rig.out);
    rig.out.clear();
  }
  rig.hold(0.1, above(plain_centre(7, 3), -0.5e-3));
  EXPECT_NEAR(rig.force_N(), 2000 * 0.515e-3, 1e-6);
}

TEST(Pad, TheRigGivesWayUnderLoad) {
  auto effects = no_effects();
  effects.compliance.linear_m_per_N = 12e-6;
  Rig rig(plain_truth(), effects);
  rig.hold(0.1, above(plain_centre(7, 3), -1e-3));
  const double expected_N = 1e-3 / (1 / 2000.0 + 12e-6);
  EXPECT_NEAR(rig.force_N(), expected_N, 1e-9);
  EXPECT_NEAR(rig.pad.state().depth_m, 1e-3 - 12e-6 * expected_N, 1e-12);
}

TEST(Pad, ARigidPlateShowsTheRigAlone) {
  auto effects = no_effects();
  effects.compliance = {18e-6, 4e-6, 0.5, 0};  // the plate press of oracle 4
  Rig rig(plain_truth(), effects);
  rig.pad.set_target(Target::kRigidPlate);
  rig.hold(0.1, {0, 0, -50e-6});
  const double f = rig.force_N();
  EXPECT_NEAR(18e-6 * f + 4e-6 * (1 - std::exp(-f / 0.5)) + f / 5e6, 50e-6, 1e-11);
  EXPECT_EQ(rig.last_count(45), 60);
  rig.pad.set_target(Target::kNothing);
  rig.hold(0.1, {0, 0, -50e-6});
  EXPECT_EQ(rig.force_N(), 0);
}

/// A tilt of 0.5 deg: 20 mm beside the middle the face lies 0.175 mm higher.
TEST(Pad, TheGroundLiesAThicknessBelowTheFaceWhereverItIsTouched) {
  auto effects = no_effects();
  effects.compliance.linear_m_per_N = 12e-6;
  auto truth = plain_truth();
  truth.layer.thickness_m = 4e-3;
  Mount mount;
  mount.tilt_x_rad = 0.5 * 3.14159265358979 / 180;
  Rig rig(truth, effects, mount);
  rig.pad.set_target(Target::kGround);
  const double tilt_rad = rig.pad.draws().tilt_x_rad;
  const double face_m = 20e-3 * std::tan(tilt_rad);
  const double ground_m = face_m - 4e-3 / std::cos(tilt_rad);
  rig.hold(0.1, {0, 20e-3, ground_m + 1e-6});
  EXPECT_EQ(rig.force_N(), 0);
  rig.hold(0.1, {0, 20e-3, ground_m - 61e-6});  // 12 um/N and the ground's own 0.2
  EXPECT_NEAR(rig.force_N(), 5, 0.01);
}

TEST(Pad, TheLastRowIsReadAlmostOneFrameAfterTheFirst) {
  auto effects = no_effects();
  auto truth = plain_truth();
  Indenter plate;
  plate.shape = IndenterShape::kPlate;
  truth.layer.foundation_modulus_Pa_per_m = 1e7;
  for (auto& tactel : truth.tactels) {
    tactel.threshold_N = 0;
    tactel.gain_N_per_count = 1e-5;
  }
  const auto ramp = [&](bool scan) {  // all tactels loaded alike, 1 mm/s
    effects.reading.row_scan = scan;
    auto rig = std::make_unique<Rig>(truth, effects);
    EXPECT_TRUE(rig->pad.set_indenter(plate, {}));
    rig->follow(0.4, [](double t) { return Vector3{0, 0, -1e-3 * t}; });
    return rig;
  };
  const auto together = ramp(false), scanned = ramp(true);
  const std::size_t frame = 50, tactel = 12 * 6 + 3, mirror = 1 * 6 + 3;  // equal shares
  const double slope = (together->count(frame + 1, tactel) - together->count(frame, tactel));
  EXPECT_NEAR(together->count(frame, tactel), together->count(frame, mirror), 1e-6);
  EXPECT_NEAR((scanned->count(frame, tactel) - scanned->count(frame, mirror)) / slope, 11.0 / 14,
              1e-6);
}

TEST(Pad, TactileFramesAreStampedLateByTheLatency) {
  auto truth = plain_truth();
  truth.latency_s = 13.7e-3;
  Rig rig(truth);
  rig.hold(0.1, {0, 0, 1e-3});
  EXPECT_NEAR(rig.out.frames[0].device_s, 13.7e-3, 1e-12);
}

TEST(Pad, EachStreamRunsOnItsOwnClock) {
  auto effects = no_effects();
  effects.clock = {true, 50, 2000, 1000, 32, 1e-3, 1e-3};
  Rig rig(plain_truth(), effects);
  rig.hold(5, {0, 0, 1e-3});
  const auto& draws = rig.pad.draws();
  EXPECT_NE(draws.force_skew, 0);
  EXPECT_GT(std::abs(draws.tactile_skew), std::abs(draws.force_skew));
  const auto& first = rig.out.frames.front();
  const auto& last = rig.out.frames.back();
  EXPECT_NEAR((last.device_s - first.device_s) / (last.true_s - first.true_s) - 1,
              draws.tactile_skew, 1e-9);
  // The array's own crystal paces it: exactly 250 frames per second of its own.
  EXPECT_NEAR(rig.out.frames[101].device_s - rig.out.frames[1].device_s, 0.4, 1e-9);
  for (const auto& stamp : rig.out.frames) EXPECT_GT(stamp.host_s, stamp.true_s + 1e-3 - 1e-12);
}

TEST(Pad, SlidingFrictionShowsInTheWrench) {
  auto truth = plain_truth();
  truth.friction = {0.6, 0.4, 4e-3, 4000, 0, 0, 1, false};
  Mount mount;
  mount.press_sign = -1;  // the sensor reads the force on the pad
  Rig rig(truth, no_effects(), mount);
  rig.hold(0.2, {-5e-3, 0, -0.5e-3});
  EXPECT_NEAR(rig.out.force.back().wrench[0], 0, 1e-12);
  rig.follow(0.2, [](double t) { return Vector3{-5e-3 + 20e-3 * (t - 0.2), 0, -0.5e-3}; });
  const double mu = 0.4 + 0.2 * std::exp(-25);
  EXPECT_NEAR(rig.out.force.back().wrench[2], -1, 1e-9);
  EXPECT_NEAR(rig.out.force.back().wrench[0], mu, 1e-4);
}

TEST(Pad, ShearComplianceHoldsTheTipBack) {
  auto truth = plain_truth();
  truth.friction = {0.6, 0.6, 4e-3, 1e6, 0, 0, 1, false};
  auto effects = no_effects();
  effects.compliance.shear_m_per_N = 50e-6;
  Rig rig(truth, effects);
  rig.hold(0.2, {0, 0, -0.5e-3});
  rig.follow(0.2, [](double t) { return Vector3{10e-3 * (t - 0.2), 0, -0.5e-3}; });
  EXPECT_NEAR(rig.pad.state().friction_N.x_m, 0.6, 1e-3);
  EXPECT_NEAR(rig.pad.state().pressure_centre_m.x_m, 2e-3 - 50e-6 * 0.6, 1e-6);
}

TEST(Pad, TheTipsLeverTurnsForceIntoTorque) {
  auto truth = plain_truth();
  Mount mount;
  mount.tip_m = {2e-3, -1e-3, 25e-3};
  Rig rig(truth, no_effects(), mount);
  rig.hold(0.1, above(plain_centre(7, 3), -0.5e-3));
  const auto& w = rig.out.force.back().wrench;
  EXPECT_NEAR(w[3], -1e-3 * 1.0, 1e-9);  // y Fz
  EXPECT_NEAR(w[4], -2e-3 * 1.0, 1e-9);  // -x Fz
}

TEST(Pad, TheStagesFrameIsTurnedAndMirrored) {
  auto truth = plain_truth();
  Mount mount;
  mount.mirror = true;
  mount.rz_rad = deg_to_rad(90);
  mount.x_m = 1e-3;
  mount.y_m = 2e-3;
  Rig rig(truth, no_effects(), mount);
  rig.hold(0.01, {3e-3, 4e-3, 1e-3});
  // M: (-3, 4); R(90): (-4, -3); shift: (-3, -1)
  EXPECT_NEAR(rig.pad.state().tip_m[0], -3e-3, 1e-12);
  EXPECT_NEAR(rig.pad.state().tip_m[1], -1e-3, 1e-12);
}

TEST(Pad, RemountingShiftsAndTurns) {
  auto effects = no_effects();
  effects.operator_ = {0, 0.2e-3, deg_to_rad(1)};
  Rig rig(plain_truth(), effects);
  rig.hold(0.01, {10e-3, 0, 1e-3});
  const auto before = rig.pad.state().tip_m;
  rig.hold(0.01, {0, 0, 1e-3});
  rig.pad.remount();
  rig.hold(0.01, {0, 0, 1e-3});
  const auto origin = rig.pad.state().tip_m;
  rig.hold(0.01, {10e-3, 0, 1e-3});
  const auto after = rig.pad.state().tip_m;
  EXPECT_NEAR(before[0], 10e-3, 1e-12);
  EXPECT_NEAR(std::hypot(origin[0], origin[1]), 0.2e-3, 1e-9);
  EXPECT_NEAR(std::abs(std::atan2(after[1] - origin[1], after[0] - origin[0])), deg_to_rad(1),
              1e-9);
}

TEST(Pad, ABumpShakesTheForceSensorForAMoment) {
  auto effects = no_effects();
  effects.operator_.collision_N = 1;
  Rig rig(plain_truth(), effects);
  rig.hold(1, {0, 0, 1e-3});
  rig.pad.bump();
  rig.hold(2, {0, 0, 1e-3});
  double most = 0;
  for (const auto& f : rig.out.force) {
    most = std::max(most, std::abs(f.wrench[2]));
    if (f.stamp.true_s < 1 || f.stamp.true_s > 2.1) {
      EXPECT_EQ(f.wrench[2], 0);
    }
  }
  EXPECT_GT(most, 0.7);
  EXPECT_LE(most, 1);
}

TEST(Pad, PressesIntoVirginRubberAreHarder) {
  auto effects = no_effects();
  effects.reading.first_cycle_softening = 0.1;
  Rig rig(plain_truth(), effects);
  const auto peak = [&](Point at) {
    rig.out.clear();
    rig.press(at, 0.5e-3, 5e-3);
    double most = 0;
    for (const auto& f : rig.out.force) most = std::max(most, f.wrench[2]);
    return most;
  };
  EXPECT_NEAR(peak(plain_centre(7, 3)), 1.1, 1e-6);
  EXPECT_NEAR(peak(plain_centre(7, 3)), 1.0, 1e-6);
  EXPECT_NEAR(peak(plain_centre(4, 3)), 1.1, 1e-6);
}

TEST(Pad, ScatterIsDrawnOncePerPress) {
  auto effects = no_effects();
  effects.reading.press_scatter = 0.04;
  auto truth = plain_truth();
  for (auto& tactel : truth.tactels) tactel.threshold_N = 0;
  Rig rig(truth, effects);
  const double share = (*centre_shares(truth))[45];
  double squares = 0;
  constexpr int kPresses = 60;
  for (int i = 0; i < kPresses; ++i) {
    rig.hold(0.15, above(plain_centre(7, 3), 0.1e-3));
    rig.hold(0.05, above(plain_centre(7, 3), -0.5e-3));
    const double factor = (rig.last_count(45) - 60) * 2e-4 / share;
    squares += (factor - 1) * (factor - 1) / kPresses;
    rig.out.clear();
  }
  EXPECT_NEAR(std::sqrt(squares), 0.04, 0.012);
}

TEST(Pad, RubberRemembersAPressAtItsPlaceOnly) {
  auto truth = plain_truth();
  truth.layer.prony = {{0.5, 10}};
  Rig rig(truth);
  const auto force_at = [&](Point p) {
    rig.hold(0.05, above(p, 0.1e-3));
    rig.hold(0.002, above(p, -0.5e-3));
    const double f = rig.pad.state().force_N;
    rig.hold(1, above(p, -0.5e-3));
    return f;
  };
  const double fresh = force_at(plain_centre(7, 3));
  EXPECT_LT(force_at(plain_centre(7, 3)), 0.99 * fresh);
  EXPECT_NEAR(force_at(plain_centre(2, 1)), fresh, 1e-9);
}

TEST(Pad, LocalStiffnessFollowsTheTactels) {
  auto truth = plain_truth();
  truth.layer.stiffness_factor.assign(kTactels, 1.0);
  for (std::size_t i = 60; i < kTactels; ++i) truth.layer.stiffness_factor[i] = 1.2;
  Rig rig(truth);
  rig.hold(0.05, above(plain_centre(2, 3), -0.5e-3));
  EXPECT_NEAR(rig.pad.state().force_N, 1.0, 1e-6);
  rig.hold(0.2, above(plain_centre(12, 3), 0.1e-3));
  rig.hold(0.05, above(plain_centre(12, 3), -0.5e-3));
  EXPECT_NEAR(rig.pad.state().force_N, 1.2, 1e-3);
}

TEST(Pad, AWeightRestsOnThePad) {
  // S0: 304.15 g on 804.25 mm2 press with 3708.7 Pa (g = 9.80665).
  auto truth = plain_truth();
  truth.layer.foundation_modulus_Pa_per_m = 3.924e6;
  truth.layer.thickness_m = 6e-3;
  for (auto& tactel : truth.tactels) {
    tactel.threshold_N = 0;
    tactel.gain_N_per_count = 2e-5;
  }
  Rig rig(truth);
  Indenter box;
  box.shape = IndenterShape::kBox;
  box.x_m = 17e-3;
  box.y_m = 804.25e-6 / 17e-3;
  const auto compression = rig.pad.rest({box, {}, 0, 0, 0.30415});
  ASSERT_TRUE(compression) << compression.error().message;
  EXPECT_NEAR(*compression, 0.30415 * 9.80665 / 804.25e-6 / 3.924e6, 1e-9);
  rig.hold(0.05, {0, 0, 1e-3});
  EXPECT_NEAR((rig.last_count(45) - 60) * 2e-5, 0.30415 * 9.80665 / 804.25e-6 * 11.56e-6, 1e-3);
  EXPECT_EQ(rig.force_N(), 0);
  rig.pad.lift_weight();
  rig.hold(0.05, {0, 0, 1e-3});
  EXPECT_EQ(rig.last_count(45), 60);
  EXPECT_FALSE(rig.pad.rest({cylinder(1e-3), {}, 0, 0, 5}));
}

TEST(Pad, AHandPutsWeightsALittleElsewhereEachTime) {
  auto truth = plain_truth();
  truth.spread.sigma_x_m = truth.spread.sigma_y_m = 0.2e-3;
  for (auto& tactel : truth.tactels) {
    tactel.threshold_N = 0;
    tactel.gain_N_per_count = 1e-3;
  }
  auto effects = no_effects();
  effects.operator_.placing_m = 0.1e-3;
  Rig rig(truth, effects);
  // A box over the border between two columns: the difference of both tells where it stands.
  Indenter box;
  box.shape = IndenterShape::kBox;
  box.x_m = box.y_m = 3.4e-3;
  const auto at = plain_centre(6, 3);
  double squares_m2 = 0;
  constexpr int kTimes = 400;
  for (int i = 0; i < kTimes; ++i) {
    ASSERT_TRUE(rig.pad.rest({box, {}, at.x_m - 1.7e-3, at.y_m, 0.1}));
    rig.hold(0.01, {0, 0, 1e-3});
    const double right = rig.last_count(39) - 60;
    const double left = rig.last_count(38) - 60;
    // Of a box one pitch wide, shifted by s: (right - left) / (right + left) = 2 s / pitch.
    squares_m2 += std::pow((right - left) / (right + left) * 3.4e-3 / 2, 2) / kTimes;
  }
  EXPECT_NEAR(std::sqrt(squares_m2), 0.1e-3, 0.01e-3);
}

TEST(Pad, TemperatureIsRecordedOncePerSecond) {
  auto effects = no_effects();
  effects.reading.temperature_swing_K = 1.5;
  Rig rig(plain_truth(), effects);
  rig.hold(3, {0, 0, 1e-3});
  ASSERT_EQ(rig.out.temperature.size(), 4U);
  EXPECT_NEAR(rig.out.temperature[3].temperature_degC,
              22 + 1.5 * std::sin(2 * std::numbers::pi * 3 / 3600), 1e-12);
}

TEST(Pad, DrawnTruthsCanBePressed) {
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    const auto truth = *draw_truth(grid_sensor(14, 6, 3.4e-3), seed);
    Rig rig(truth, clean(), {}, seed);
    rig.press(plain_centre(7, 3), 0.6e-3, 2e-3);
    double most = 0;
    for (const auto& f : rig.out.force) most = std::max(most, f.wrench[2]);
    EXPECT_GT(most, 0.6);
    EXPECT_LT(most, 4);
  }
}

TEST(Pad, RefusesWhatItCannotSimulate) {
  auto truth = plain_truth();
  truth.sensor.channels = 3;
  EXPECT_NE(Pad::create(truth, clean(), {}, 1).error().message.find("3 channels"),
            std::string::npos);
  truth = plain_truth();
  truth.tactels.pop_back();
  EXPECT_FALSE(Pad::create(truth, clean(), {}, 1));
  truth = plain_truth();
  truth.layer.foundation_modulus_Pa_per_m = 0;
  EXPECT_NE(Pad::create(truth, clean(), {}, 1).error().message.find("no stiffness"),
            std::string::npos);
  EXPECT_NE(preset("messy").error().message.find("'clean', 'lab' and 'rough'"), std::string::npos);
}

}  // namespace
}  // namespace tactelier::pad
