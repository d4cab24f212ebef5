#include "libcalib/pad/layer.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "libcalib/units.hpp"
#include "tests/libcalib/pad/pad_fixtures.hpp"

namespace tactelier::pad {
namespace {

constexpr double kPunchArea_m2 = 7.853981633974483e-7;  // diameter 1 mm
const ComplianceEffects kRigid{};

/// A punch of 1 mm whose long-time stiffness is `k`, and the layer under it.
struct Pressed {
  Footprint footprint = *Footprint::create(cylinder(1e-3), {}, 3e-3, {});
  Layer layer;

  explicit Pressed(double k, LayerTruth truth = {}, double softening = 0)
      : layer(with(truth, k), softening) {
    layer.set_footprint(&footprint);
  }
  static LayerTruth with(LayerTruth truth, double k) {
    truth.foundation_modulus_Pa_per_m = k / kPunchArea_m2;
    truth.thickness_m = 3e-3;
    return truth;
  }
};

LayerTruth relaxing(std::vector<PronyBranch> branches) {
  LayerTruth truth;
  truth.prony = std::move(branches);
  return truth;
}
LayerTruth dissipating(double d_s_per_m) {
  LayerTruth truth;
  truth.dissipation_s_per_m = d_s_per_m;
  return truth;
}
LayerTruth viscous(double time_s) {
  LayerTruth truth;
  truth.kelvin_voigt_s = time_s;
  return truth;
}

TEST(Layer, ARelaxingBranchFollowsTheExactRecurrence) {
  const auto truth = oracle("07_damping.json")["recurrence"];
  Pressed pad(1500, relaxing({{400.0 / 1500, 0.15}}));
  std::vector<double> force_N{pad.layer.unclamped_step_N(0.01, 0)};
  for (int i = 1; i <= 100; ++i)
    force_N.push_back(pad.layer.unclamped_step_N(0.01, 1e-3 * (i <= 50 ? i : 100 - i) / 50));
  for (std::size_t k = 0; k < truth["F_N"].size(); ++k)
    EXPECT_NEAR(force_N[truth["F_at_index"][k].get<std::size_t>()], truth["F_N"][k], 1e-9);
}

TEST(Layer, ContactIsLostWhereTheRubberComesBackTooSlowly) {
  Pressed pad(1500, relaxing({{400.0 / 1500, 0.15}}));
  pad.layer.step(0.01, 0, kRigid);
  Contact contact;
  for (int i = 1; i < 100; ++i)
    contact = pad.layer.step(0.01, 1e-3 * (i <= 50 ? i : 100 - i) / 50, kRigid);
  EXPECT_EQ(contact.force_N, 0);  // unclamped it would pull at a depth of 20 um
  EXPECT_FALSE(pad.layer.touching());
}

TEST(Layer, AHoldRelaxesFromAFiniteRamp) {
  const auto truth = oracle("07_damping.json")["relaxation"];
  Pressed pad(1500, relaxing({{400.0 / 1500, 0.15}, {250.0 / 1500, 3.0}}));
  const double dt = 1e-3;
  pad.layer.unclamped_step_N(dt, 0);
  std::size_t next = 0;
  for (int i = 1; i <= 10000; ++i) {
    const double t = i * dt;
    const double force_N = pad.layer.unclamped_step_N(dt, 0.8e-3 * std::min(1.0, t / 0.2));
    if (std::abs(t - truth["noise_free_at_t"][next].get<double>()) > dt / 2) continue;
    EXPECT_NEAR(force_N, truth["noise_free_F"][next], 1e-9);
    ++next;
  }
  EXPECT_EQ(next, 4U);
}

TEST(Layer, ASmallOscillationHasTheComplexStiffnessOfItsBranches) {
  const auto truth = oracle("07_damping.json")["complex_stiffness"];
  for (std::size_t k = 0; k < truth["f_Hz"].size(); ++k) {
    const double f = truth["f_Hz"][k];
    Pressed pad(1500, relaxing({{400.0 / 1500, 0.15}, {250.0 / 1500, 3.0}}));
    const int per_cycle = 2000;
    const int cycles = f < 1 ? 20 : static_cast<int>(40 * f);  // until 3 s have died away
    double in_phase = 0, out_of_phase = 0;
    for (int i = 0; i <= cycles * per_cycle; ++i) {
      const double angle = 2 * std::numbers::pi * i / per_cycle;
      const double force_N =
          pad.layer.unclamped_step_N(1 / (f * per_cycle), 0.5e-3 + 0.05e-3 * std::sin(angle));
      if (i <= (cycles - 1) * per_cycle) continue;
      in_phase += force_N * std::sin(angle) * 2 / per_cycle;
      out_of_phase += force_N * std::cos(angle) * 2 / per_cycle;
    }
    EXPECT_NEAR(in_phase / 0.05e-3, truth["K_storage"][k].get<double>(), 1);
    EXPECT_NEAR(out_of_phase / 0.05e-3, truth["K_loss"][k].get<double>(), 1);
  }
}

TEST(Layer, HuntCrossleyScalesTheForceWithSpeed) {
  const auto truth = oracle("10_hydro.json")["dissipation"];
  for (std::size_t i = 0; i < truth["factor"].size(); ++i) {
    Pressed pad(2000, dissipating(truth["d_s_per_m"].get<double>()));
    const double v = truth["approach_speed_m_per_s"][i];
    const double dt = 1e-4;
    pad.layer.unclamped_step_N(dt, 1e-3 - v * dt);
    EXPECT_NEAR(pad.layer.unclamped_step_N(dt, 1e-3), 2.0 * truth["factor"][i].get<double>(), 1e-9);
  }
}

TEST(Layer, KelvinVoigtJumpsAtTouchByItsViscousForce) {
  Pressed pad(2000, viscous(0.005));  // c = k * 5 ms = 10 N s/m
  const double dt = 1e-3, v = 2e-3;
  pad.layer.step(dt, -v * dt, kRigid);
  EXPECT_NEAR(pad.layer.step(dt, 1e-9, kRigid).force_N, 10 * v, 2e-5);
  EXPECT_NEAR(pad.layer.step(dt, 1e-9 + v * dt, kRigid).force_N, 10 * v + 2000 * v * dt, 2e-5);
  EXPECT_NEAR(pad.layer.step(dt, 1e-9 + v * dt, kRigid).force_N, 2000 * v * dt, 2e-5);
}

TEST(Layer, TheRigsDeflectionIsInSeriesWithThePad) {
  // docs/theory/contact-and-stiffness.md 2: 50 N/mm of frame turn 1.9211 N/mm into 1.85 N/mm.
  const double k = oracle("04_rig.json")["series_correction"]["k_N_per_mm"].get<double>() * 1e3;
  Pressed pad(k);
  ComplianceEffects rig;
  rig.linear_m_per_N = 1 / 50e3;
  pad.layer.step(1e-3, 0, rig);
  const auto contact = pad.layer.step(1e-3, 1e-3, rig);
  EXPECT_NEAR(contact.force_N, 1.85, 1e-9);
  EXPECT_NEAR(contact.depth_m, 1.85 / k, 1e-12);
}

TEST(Layer, SeatingStiffensWithLoad) {
  ComplianceEffects rig{0.018e-3, 0.004e-3, 0.5, 0};  // the plate press of the oracle
  EXPECT_NEAR(deflection_m(rig, 2), 0.018e-3 * 2 + 0.004e-3 * (1 - std::exp(-4)), 1e-15);
  EXPECT_NEAR(deflection_slope_m_per_N(rig, 0), 0.018e-3 + 0.008e-3, 1e-15);
  Pressed pad(2000);
  pad.layer.step(1e-3, 0, rig);
  const auto contact = pad.layer.step(1e-3, 1e-3, rig);
  EXPECT_NEAR(contact.depth_m + deflection_m(rig, contact.force_N), 1e-3, 1e-11);
}

TEST(Layer, ARimMakesASmallPunchStiffer) {
  LayerTruth truth;
  truth.rim_modulus_Pa = 1e5;  // 1e5 * pi * 1 mm = 314.159 N/m
  Pressed pad(2000, truth);
  EXPECT_NEAR(pad.layer.elastic(1e-3).force_N, 2 + 0.314159, 2e-5);
}

TEST(Layer, HardeningGrowsWithStrain) {
  LayerTruth truth;
  truth.hardening_linear = 0.6;
  truth.hardening_quadratic = 0.9;
  Pressed pad(2000, truth);  // strain 1/3: 1 + 0.2 + 0.1
  EXPECT_NEAR(pad.layer.elastic(1e-3).force_N, 2.6, 1e-9);
  EXPECT_NEAR(pad.layer.elastic(1e-3).slope_N_per_m,
              (pad.layer.elastic(1.0001e-3).force_N - pad.layer.elastic(0.9999e-3).force_N) / 2e-7,
              1e-2);
}

TEST(Layer, UnloadingIsStiffAtFirstAndClosesAtZero) {
  LayerTruth truth;
  truth.unloading_ratio = 1.3;
  Pressed pad(2000, truth);
  pad.layer.step(1e-3, 0, kRigid);
  for (int i = 1; i <= 1000; ++i)  // loading stays as it was
    EXPECT_NEAR(pad.layer.step(1e-3, 1e-6 * i, kRigid).force_N, 2e-3 * i, 1e-9);
  const double first = pad.layer.step(1e-3, 0.999e-3, kRigid).force_N;
  EXPECT_NEAR((2 - first) / 1e-6, 1.3 * 2000, 1);
  double middle = 0;
  for (int i = 998; i >= 1; --i) {
    const double force_N = pad.layer.step(1e-3, 1e-6 * i, kRigid).force_N;
    EXPECT_LT(force_N, 2e-3 * i);
    if (i == 500) middle = force_N;
  }
  // limit r = slope/9, slope = 0.3/(1 - 1.3/9): unloading at (1 - r)/(1 + r) of the load
  const double r = 0.3 / (1 - 1.3 / 9) / 9;
  EXPECT_NEAR(middle, (1 - r) / (1 + r), 1e-9);
}

TEST(Layer, TheFirstPressAtAPlaceIsHarderThanTheNext) {
  Pressed pad(2000, {}, 0.1);
  double deepest = 0;
  pad.layer.set_site_memory(&deepest);
  const auto press = [&](double depth_m) {
    double peak = 0;
    for (int i = 0; i <= 200; ++i)
      peak = std::max(
          peak, pad.layer.step(1e-3, depth_m * (1 - std::abs(i - 100) / 100.0), kRigid).force_N);
    pad.layer.step(1e-3, -1e-4, kRigid);
    return peak;
  };
  EXPECT_NEAR(press(0.5e-3), 1.1, 1e-9);
  EXPECT_NEAR(deepest, 0.5e-3, 1e-15);
  EXPECT_NEAR(press(0.5e-3), 1.0, 1e-9);
  EXPECT_NEAR(press(0.4e-3), 0.8, 1e-9);
  EXPECT_NEAR(press(1e-3), 2.2, 1e-9);  // virgin again beyond 1.2 times the deepest
}

TEST(Layer, ASphereFollowsTheFoundationLaw) {
  const auto pad = oracle("10_hydro.json")["pad"];
  LayerTruth truth;
  truth.foundation_modulus_Pa_per_m = pad["scale_Pa_per_m"];
  truth.rim_modulus_Pa = 1e4;  // a sphere has none
  const auto footprint = *Footprint::create(sphere(20e-3), {}, 5e-3, {});
  Layer layer(truth, 0);
  layer.set_footprint(&footprint);
  EXPECT_NEAR(layer.elastic(1e-3).force_N, pad["sphere_R_10mm_N"][2], 1e-8);
}

}  // namespace
}  // namespace tactelier::pad
