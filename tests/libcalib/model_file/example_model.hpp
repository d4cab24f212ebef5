#pragma once
// Models for tests: one in which everything is there, and the pad of Moisio et al., Table 2.

#include "libcalib/model_file/model_file.hpp"

namespace tactelier::testing_models {

inline SensorModel wts_model() { return empty_model(*load_sensor("weiss-wts0614")); }

/// Every parameter has a value, every list an entry, every field something odd to write.
inline SensorModel full_model() {
  auto model = wts_model();
  model.created = "2026-11-20T10:00:00Z";
  model.tool = "tactelier 0.1.0";
  model.serial = "0614-0042";
  model.conditions = {22.5, "M1", "\"Zoë\"\n", true, 3, 0.96e-3, 1.2};
  model.validity = {{{0.0, 2.0}}, {{0.0, 1.4e-3}}, std::nullopt, {{0.1, 50.0}}, {"pin1"}};
  model.response.tactels[3].status = TactelStatus::kStuck;
  model.response.tactels[3].knots = {{0.0, 1.0}, {0.1, 100.0 / 3}};
  model.response.tactels[3].coefficients.resize(2);
  model.response.hysteresis_model.thresholds.resize(2);
  model.response.hysteresis_model.weights.resize(2);
  model.stiffness.indenter = "cylinder 1 mm";
  model.stiffness.method = "punch";
  model.stiffness.curve = {{1e-3, 0.5}};
  model.damping.at = {1e-3, 0.5, "contact"};
  model.relaxation.g.resize(3);
  model.relaxation.tau.resize(3);
  model.psf.form = "integrated";
  model.psf.edge = "zero";
  model.psf.kernel_sampled.size = {1, 3};
  model.psf.kernel_sampled.weights = {0.1, 0.8, 0.1};
  model.friction.form = "constant";
  model.hydroelastic.aggregator = "mean";
  model.clock["force"];
  model.clock["tactile"];
  model.covariance = {{{"stiffness.k_affine", "stiffness.intercept"}, {1, -0.5, 2}}};
  auto& quality = model.quality["response"];
  quality.samples_used = 1000;
  quality.residual_rms = 0.1;
  quality.iterations = 7;
  quality.remounting_included = true;
  quality.figures["slope_N_per_mm"] = 3.36;
  quality.warnings = {{"CV-02", "k = 2 N/m", "stiffness.k"}};
  PressRow press;
  press.session = "a.tact";
  press.number = 7;
  press.tactel = 14;
  press.peak_force_N = 1.8;
  press.verdict = "doubtful";
  press.why = "short";
  model.presses = {press};
  model.provenance = {{{"a.tact", "ab12", {"exclude press 7"}}},
                      "weiss-wts0614",
                      "Nano17",
                      {"cylinder 1 mm"},
                      {{"seed", "1"}},
                      "0.1.0"};
  mark_not_fitted(model);
  int i = 0;
  for_each_parameter(model, [&](const std::string&, Parameter& parameter, std::string_view) {
    const double value = ++i / 7.0;
    parameter.value = value;
    parameter.std = value / 10;
    parameter.ci95 = {{value * 0.8, value * 1.2}};
    parameter.u_total = value / 3;
    parameter.status = i % 2 == 0 ? Status::kIdentified : Status::kPredicted;
    parameter.reason = "";
  });
  return model;
}

inline Parameter identified(double value, std::string unit) {
  Parameter parameter;
  parameter.value = value;
  parameter.unit = std::move(unit);
  parameter.status = Status::kIdentified;
  return parameter;
}

/// Moisio et al., Table 2: hand-set numbers, so that all are assumed.
inline SensorModel table2_model() {
  auto model = wts_model();
  for (const auto* assumption :
       {"sensor.thickness_m=0.006", "stiffness.k=58.5", "damping.c_n=0.0583", "friction.sigma0=1",
        "friction.sigma1=0.1", "friction.v_s=0.3", "friction.c_t=0.01", "friction.mu_s=0.435",
        "friction.mu_d=0.23"})
    if (!assume(model, assumption, "user")) model.response.tactels.clear();
  return model;
}

}  // namespace tactelier::testing_models
