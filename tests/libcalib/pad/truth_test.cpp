#include "libcalib/pad/truth.hpp"

#include <gtest/gtest.h>

#include "libcalib/model_file/model_file.hpp"
#include "libcalib/pad/draw_truth.hpp"
#include "tests/libcalib/pad/pad_fixtures.hpp"

namespace tactelier::pad {
namespace {

SensorModel model_with(double foundation, double k_punch) {
  auto sensor = grid_sensor(14, 6, 3.4e-3);
  sensor.thickness_m = 3e-3;
  sensor.rate_hz = 270;
  auto model = empty_model(sensor);
  model.stiffness.indenter = "cylinder 1 mm";
  if (foundation > 0) model.stiffness.foundation_modulus = assumed(foundation, "Pa/m", "test");
  if (k_punch > 0) model.stiffness.k_punch = assumed(k_punch, "N/m", "test");
  return model;
}

TEST(TruthFromModel, NullMeansAbsent) {
  const auto result = truth_from_model(model_with(1e9, 0));
  ASSERT_TRUE(result) << result.error().message;
  const auto& truth = result->truth;
  EXPECT_EQ(truth.layer.foundation_modulus_Pa_per_m, 1e9);
  EXPECT_EQ(truth.layer.rim_modulus_Pa, 0);
  EXPECT_FALSE(truth.layer.dissipation_s_per_m);
  EXPECT_EQ(truth.layer.kelvin_voigt_s, 0);
  EXPECT_TRUE(truth.layer.prony.empty());
  EXPECT_EQ(truth.layer.unloading_ratio, 1);
  EXPECT_EQ(truth.friction.mu_s, 0);
  EXPECT_EQ(truth.latency_s, 0);
  EXPECT_TRUE(truth.tactels[0].dead);  // no gain at all
}

TEST(TruthFromModel, WhatAPunchHasBeyondItsFoundationIsItsRims) {
  const auto result = truth_from_model(model_with(1e9, 2000));
  // 1e9 Pa/m * 0.7854 mm^2 = 785.4 N/m; the rest on 3.1416 mm of rim
  EXPECT_NEAR(result->truth.layer.rim_modulus_Pa, (2000 - 785.398163) / 3.14159265e-3, 1e-2);
}

TEST(TruthFromModel, APunchAloneStandsOnIndependentSpringsAndSaysSo) {
  const auto result = truth_from_model(model_with(0, 2000));
  EXPECT_NEAR(result->truth.layer.foundation_modulus_Pa_per_m, 2000 / 7.853981634e-7, 1e2);
  ASSERT_EQ(result->warnings.size(), 1U);
  EXPECT_EQ(result->warnings[0].where, "stiffness.foundation_modulus");
}

TEST(TruthFromModel, DissipationWinsOverViscosityAndPronyAddsToEither) {
  auto model = model_with(1e9, 2000);
  model.damping.c_n = assumed(10, "N*s/m", "test");
  EXPECT_NEAR(truth_from_model(model)->truth.layer.kelvin_voigt_s, 5e-3, 1e-15);
  model.damping.dissipation = assumed(8, "s/m", "test");
  model.relaxation.g_inf = assumed(0.8, "", "test");
  model.relaxation.g = {assumed(0.2, "", "test")};
  model.relaxation.tau = {assumed(0.15, "s", "test")};
  const auto truth = truth_from_model(model)->truth;
  EXPECT_EQ(*truth.layer.dissipation_s_per_m, 8);
  EXPECT_EQ(truth.layer.kelvin_voigt_s, 0);
  ASSERT_EQ(truth.layer.prony.size(), 1U);
  EXPECT_NEAR(truth.layer.prony[0].ratio, 0.25, 1e-15);
}

TEST(TruthFromModel, PressNumbersAreTurnedIntoTheTactelsShare) {
  auto model = model_with(1e9, 2000);
  model.psf.sigma = assumed(1.7e-3, "m", "test");
  model.response.tactels[40].press_gain = assumed(4e-4, "N/count", "test");
  model.response.tactels[40].press_threshold = assumed(0.2, "N", "test");
  const auto truth = truth_from_model(model)->truth;
  const double share = oracle("08_psf.json")["footprint"]["uniform_R_0.5mm"]["centre"];
  EXPECT_NEAR(truth.tactels[40].gain_N_per_count, 4e-4 * share, 1e-9);
  EXPECT_NEAR(truth.tactels[40].threshold_N, 0.2 * share, 1e-6);
}

TEST(TruthFromModel, SaysWhatIsMissing) {
  auto model = model_with(0, 0);
  EXPECT_NE(truth_from_model(model).error().message.find("foundation_modulus, k and k_punch"),
            std::string::npos);
  model = model_with(1e9, 0);
  model.stiffness.indenter = "sphere 10 mm";
  EXPECT_NE(truth_from_model(model).error().message.find("'cylinder 1 mm'"), std::string::npos);
  model = model_with(1e9, 0);
  model.sensor.rate_hz.reset();
  EXPECT_NE(truth_from_model(model).error().message.find("timing.rate_hz"), std::string::npos);
}

TEST(TruthFromModel, ADrawnTruthSurvivesItsFile) {
  DrawOptions rich;
  rich.hardening = true;
  rich.anisotropic = true;
  auto drawn = *draw_truth(grid_sensor(14, 6, 3.4e-3), 11, rich);
  drawn.layer.unloading_ratio = 1.2;
  drawn.tactels[5].hysteresis = 0.07;
  drawn.tactels[6].dead = true;
  const auto written = model_from_truth(drawn);
  ASSERT_TRUE(written) << written.error().message;
  const auto read = parse_model(to_json(*written), "truth.json");
  ASSERT_TRUE(read) << read.error().message;
  const auto again = truth_from_model(*read);
  ASSERT_TRUE(again) << again.error().message;
  const auto& truth = again->truth;
  const auto same = [](double a, double b) { EXPECT_NEAR(a, b, 1e-6 * std::abs(b)); };
  same(truth.layer.foundation_modulus_Pa_per_m, drawn.layer.foundation_modulus_Pa_per_m);
  same(truth.layer.rim_modulus_Pa, drawn.layer.rim_modulus_Pa);
  same(truth.layer.hardening_linear, drawn.layer.hardening_linear);
  same(truth.layer.kelvin_voigt_s, drawn.layer.kelvin_voigt_s);
  same(truth.layer.dissipation_s_per_m.value_or(0), drawn.layer.dissipation_s_per_m.value_or(0));
  same(truth.layer.prony[1].ratio, drawn.layer.prony[1].ratio);
  same(truth.layer.prony[1].tau_s, drawn.layer.prony[1].tau_s);
  same(truth.layer.stiffness_factor[17], drawn.layer.stiffness_factor[17]);
  same(truth.layer.unloading_ratio, 1.2);
  same(truth.spread.sigma_x_m, drawn.spread.sigma_x_m);
  same(truth.spread.theta_rad, drawn.spread.theta_rad);
  same(truth.friction.sigma0_N_per_m, drawn.friction.sigma0_N_per_m);
  same(truth.tactels[5].gain_N_per_count, drawn.tactels[5].gain_N_per_count);
  same(truth.tactels[5].threshold_N, drawn.tactels[5].threshold_N);
  same(*truth.tactels[5].hysteresis, 0.07);
  EXPECT_TRUE(truth.tactels[6].dead);
}

// A row of three at one pitch p = 2 sigma, pressed by a point: shares are differences of normal
// distributions, within an edge of half a pitch.
TEST(ModelFromTruth, PressGainHoldsWhatOtherTactelsOfTheLineAdd) {
  auto drawn = *draw_truth(grid_sensor(1, 3, 3.4e-3), 11, {});
  drawn.spread.sigma_x_m = drawn.spread.sigma_y_m = 1.7e-3;
  drawn.calibration_indenter.diameter_m = 1e-5;
  ReadingEffects reading;
  reading.ghosting = 0.02;
  reading.ghosting_uneven = 0.5;
  const auto plain = model_from_truth(drawn);
  const auto ghosted = model_from_truth(drawn, reading);
  ASSERT_TRUE(plain && ghosted);
  // Along the row 0.68269 on itself and 0.15731 on each neighbour: 0.03 of 0.31461 more.
  const double more = 1 + 0.03 * 2 * 0.15730536 / 0.68268949;
  const auto& without = plain->response.tactels[1];
  const auto& with = ghosted->response.tactels[1];
  EXPECT_NEAR(*without.press_gain.value / *with.press_gain.value, more, 1e-4);
  EXPECT_NEAR(*without.press_threshold.value / *with.press_threshold.value, more, 1e-4);
  EXPECT_EQ(*without.gain.value, *with.gain.value);
  // Read as a truth again it is the same pad.
  const auto again = truth_from_model(*ghosted);
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_NEAR(again->truth.tactels[1].gain_N_per_count, drawn.tactels[1].gain_N_per_count, 1e-12);
}

}  // namespace
}  // namespace tactelier::pad
