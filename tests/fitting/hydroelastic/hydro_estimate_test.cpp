// Sets of presses made here: one modulus and dissipation, and what must be refused.

#include "fitting/hydroelastic/hydro_estimate.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "fitting/hydroelastic/hydroelastic.hpp"
#include "fitting/statistics/random.hpp"

namespace tactelier {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

constexpr double kModulus = 3e8;  // Pa/m

Indenter ball(double diameter_m) {
  Indenter sphere;
  sphere.shape = IndenterShape::kSphere;
  sphere.diameter_m = diameter_m;
  return sphere;
}

struct Layer {
  double dissipation = 12;   // s/m
  double dashpot_s = 0;      // Kelvin-Voigt instead
  double place_scatter = 0;  // of the modulus, from place to place
  std::vector<double> speeds_m_per_s{2e-4, 1e-3, 4e-3};
  double stage_period_s = 1e-3;
  int places = 4;
  std::uint64_t seed = 1;
  double series_m_per_N = 0;  // tape under the sensor
  double microstep_m = 0;     // amplitude of the stage's error, 16 steps long
  double step_m = 0;
  double row_m = 2e-5;
};

/// Force where tip and tape give together, from a stage that says `depth_m`.
double pressed_N(const Indenter& indenter, double k, const Layer& layer, double depth_m, double v,
                 double shift_m, double nut_m) {
  const double phase = layer.step_m > 0 ? nut_m / (16 * layer.step_m) * 6.283185307179586 + 1 : 0;
  const double reached_m = depth_m - shift_m + layer.microstep_m * std::sin(phase);
  double force_N = 0;
  for (int i = 0; i < 50; ++i) {
    const auto there = slab_overlap(indenter, reached_m - layer.series_m_per_N * force_N).value();
    const double rate = layer.dashpot_s > 0 ? layer.dashpot_s * there.area_m2 * v
                                            : there.volume_m3 * layer.dissipation * v;
    force_N = k * (there.volume_m3 + rate);
  }
  return force_N;
}

void press_with(const Indenter& indenter, double modulus, const Layer& layer, HydroData& data) {
  RandomSource random(layer.seed);
  data.stage_period_s = layer.stage_period_s;
  for (int place = 0; place < layer.places; ++place) {
    const double k = modulus * (1 + layer.place_scatter * random.normal());
    for (const double speed : layer.speeds_m_per_s) {
      HydroPress press;
      press.where = fmt::format("press {}", data.presses.size() + 1);
      press.site = fmt::format("tactel {}", place);
      press.indenter = indenter;
      press.plays = true;
      press.speed_m_per_s = speed;
      press.u_contact_m = 1e-6;
      const double shift_m = 1e-6 * random.normal();
      for (const double v : {speed, -speed})
        for (double depth_m = 1e-4; depth_m < 8.001e-4; depth_m += layer.row_m) {
          const double nut_m = 0.01 + depth_m;
          const double force_N = pressed_N(indenter, k, layer, depth_m, v, shift_m, nut_m);
          press.rows.push_back({depth_m, v, force_N + 1e-3 * random.normal(), 1e-3, 0, 0, nut_m});
        }
      press.top_m = 8e-4;
      press.step_m = layer.step_m;
      data.presses.push_back(std::move(press));
    }
  }
}

HydroData recorded(const Layer& layer) {
  HydroData data;
  press_with(ball(0.01), kModulus, layer, data);
  return data;
}

TEST(HydroEstimate, FindsModulusAndDissipationOfABall) {
  const auto found = estimate_hydro(recorded({}), {});
  ASSERT_TRUE(found.modulus_Pa_per_m) << found.no_modulus;
  EXPECT_NEAR(found.modulus_Pa_per_m->value, kModulus, 4 * found.modulus_Pa_per_m->std);
  EXPECT_LT(found.modulus_Pa_per_m->std, 0.005 * kModulus);
  ASSERT_TRUE(found.dissipation) << found.no_dissipation;
  EXPECT_NEAR(found.dissipation->value, 12, 4 * found.dissipation->std);
}

TEST(HydroEstimate, IntervalsHoldTheTruthAlsoWherePlacesDiffer) {
  int modulus = 0, dissipation = 0;
  constexpr int kRepeats = 60;
  for (std::uint64_t seed = 1; seed <= kRepeats; ++seed) {
    Layer layer{.place_scatter = 0.02};
    layer.seed = seed;
    const auto found = estimate_hydro(recorded(layer), {});
    const auto held = [](const Estimate& estimate, double truth) {
      return std::abs(estimate.value - truth) < coverage_95(estimate.dof) * estimate.std ? 1 : 0;
    };
    modulus += held(*found.modulus_Pa_per_m, kModulus);
    dissipation += held(*found.dissipation, 12);
  }
  EXPECT_GE(modulus, 0.88 * kRepeats);
  EXPECT_GE(dissipation, 0.88 * kRepeats);
}

TEST(HydroEstimate, KeepsTheModulusWhereTapeGivesAndTheStageHasMicrosteps) {
  Layer layer{.places = 6};
  layer.series_m_per_N = 1.5e-6;  // 2.7 N: 4 um of 800, 1 % of the modulus and more by the shift
  layer.microstep_m = 5e-6;
  layer.step_m = 2.5e-6;
  layer.row_m = 5e-6;
  const auto found = estimate_hydro(recorded(layer), {});
  ASSERT_TRUE(found.modulus_Pa_per_m) << found.no_modulus;
  const auto& k = *found.modulus_Pa_per_m;
  EXPECT_NEAR(k.value, kModulus, coverage_95(k.dof) * k.std);
  EXPECT_NEAR(k.value, kModulus, 0.003 * kModulus);
  EXPECT_NEAR(found.indenters.front().series_m_per_N.value, layer.series_m_per_N, 0.1e-6);
  EXPECT_LT(found.indenters.front().chi2_per_dof, 1.5);
  EXPECT_NEAR(found.indenters.front().shared.microstep_m, 40e-6, 1e-9);
}

TEST(HydroEstimate, SaysThatADashpotIsNoDissipation) {
  const auto found = estimate_hydro(recorded({.dashpot_s = 5e-3}), {});
  ASSERT_TRUE(found.modulus_Pa_per_m);
  EXPECT_NEAR(found.modulus_Pa_per_m->value, kModulus, 4 * found.modulus_Pa_per_m->std);
  EXPECT_THAT(found.no_dissipation, StartsWith("OTHER-MODEL "));
}

TEST(HydroEstimate, RefusesDissipationOfOneSpeed) {
  Layer layer;
  layer.speeds_m_per_s = {1e-3, 1e-3, 1e-3};
  const auto found = estimate_hydro(recorded(layer), {});
  EXPECT_TRUE(found.modulus_Pa_per_m);
  EXPECT_THAT(found.no_dissipation, StartsWith("HY-04 "));
}

TEST(HydroEstimate, RefusesDissipationOfAStageThatReportsTooSeldom) {
  Layer layer;
  layer.stage_period_s = 0.1;
  const auto found = estimate_hydro(recorded(layer), {});
  EXPECT_FALSE(found.dissipation);
  EXPECT_THAT(found.no_dissipation, StartsWith("DP-05 "));
}

TEST(HydroEstimate, RefusesOneModulusForIndentersThatDisagree) {
  auto data = recorded({});
  press_with(ball(0.004), 1.3 * kModulus, {}, data);
  const auto found = estimate_hydro(data, {});
  EXPECT_FALSE(found.modulus_Pa_per_m);
  EXPECT_THAT(found.no_modulus, StartsWith("HY-02 E_h differs by 30 %"));
  ASSERT_EQ(found.indenters.size(), 2U);
}

TEST(HydroEstimate, LetsThePlateSpeakForAllPlaces) {
  const Estimate plate{1.05 * kModulus, 0.001 * kModulus, kManyDegrees};
  const auto agrees = estimate_hydro(recorded({}), {plate, 0.02});
  ASSERT_TRUE(agrees.modulus_Pa_per_m) << agrees.no_modulus;
  EXPECT_DOUBLE_EQ(agrees.modulus_Pa_per_m->value, plate.value);
  const Estimate far{1.5 * kModulus, 0.001 * kModulus, kManyDegrees};
  EXPECT_THAT(estimate_hydro(recorded({}), {far, 0.02}).no_modulus, HasSubstr("plate"));
}

TEST(HydroEstimate, WithoutAWideOrRoundIndenterSaysWhatToRecord) {
  EXPECT_THAT(estimate_hydro({}, {}).no_modulus, StartsWith("NO-FIELD-PRESS "));
}

TEST(ReceptiveRadius, HasTheSecondMomentOfTheSpread) {
  // r^2/6 = 1.36^2 + 3.4^2/12 = 2.812933 mm^2
  EXPECT_NEAR(receptive_radius_m(1.36e-3, 3.4e-3), 4.108236e-3, 1e-9);
}

}  // namespace
}  // namespace tactelier
