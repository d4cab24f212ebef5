// A pad's truth as a sensor model file.

#include <numbers>

#include "libcalib/model_file/sensor_model.hpp"
#include "libcalib/model_file/turned_counts.hpp"
#include "libcalib/pad/pad.hpp"
#include "libcalib/pad/truth.hpp"

namespace tactelier::pad {
namespace {

constexpr double kPercent = 100;
constexpr int kCurvePoints = 11;
const char* const kFrom = "truth";

/// Keeps the unit that empty_model() gave the parameter.
void set(Parameter& parameter, double value) {
  parameter = assumed(value, std::move(parameter.unit), kFrom);
}

void set_percent(Parameter& parameter, const std::optional<double>& part) {
  if (part) set(parameter, kPercent * *part);
}

void write_layer(const PadTruth& truth, SensorModel& model) {
  const double diameter = truth.calibration_indenter.diameter_m;
  const auto& layer = truth.layer;
  const double k_punch =
      layer.foundation_modulus_Pa_per_m * std::numbers::pi * diameter * diameter / 4 +
      layer.rim_modulus_Pa * std::numbers::pi * diameter;
  auto& s = model.stiffness;
  set(s.k_punch, k_punch);
  set(s.foundation_modulus, layer.foundation_modulus_Pa_per_m);
  set(s.k,
      layer.foundation_modulus_Pa_per_m * model.sensor.sensing_area_m2() / model.sensor.tactels());
  s.method = "area";
  s.indenter = truth.calibration_indenter.describe();
  for (std::size_t i = 0; i < layer.stiffness_factor.size(); ++i)
    set(s.k_punch_tactel[i], k_punch * layer.stiffness_factor[i]);
  if (layer.unloading_ratio > 1) set(s.unloading, k_punch * layer.unloading_ratio);
  if (layer.hardening_linear != 0 || layer.hardening_quadratic != 0)
    for (int i = 0; i < kCurvePoints; ++i) {
      const double e = 0.5 * i / (kCurvePoints - 1);
      const double depth = e * layer.thickness_m;
      s.curve.push_back(
          {depth,
           k_punch * depth * (1 + e * (layer.hardening_linear + e * layer.hardening_quadratic))});
    }
  if (layer.dissipation_s_per_m) set(model.damping.dissipation, *layer.dissipation_s_per_m);
  if (layer.kelvin_voigt_s > 0) {
    set(model.damping.c_n, k_punch * layer.kelvin_voigt_s);
    model.damping.at.scope = "contact";
  }
  double instantaneous = 1;  // over the long-time stiffness
  for (const auto& branch : layer.prony) instantaneous += branch.ratio;
  if (layer.prony.empty()) return;
  auto& relaxation = model.relaxation;
  set(relaxation.g_inf, 1 / instantaneous);
  for (const auto& branch : layer.prony) {
    relaxation.g.push_back(assumed(branch.ratio / instantaneous, "", kFrom));
    relaxation.tau.push_back(assumed(branch.tau_s, "s", kFrom));
  }
}

void write_friction(const FrictionTruth& friction, Friction& target) {
  if (friction.mu_s <= 0) return;
  auto& contact = target.contact;
  set(contact.mu_s, friction.mu_s);
  set(contact.mu_d, friction.mu_d);
  set(contact.v_s, friction.v_s_m_per_s);
  set(contact.sigma0, friction.sigma0_N_per_m);
  set(contact.sigma1, friction.sigma1_N_s_per_m);
  set(contact.c_t, friction.c_t_N_s_per_m);
  set(contact.normal_force, friction.reference_N);
  target.form = friction.proportional ? "proportional" : "constant";
}

void write_tactel(const TactelTruth& truth, double share, double read_share,
                  TactelResponse& response) {
  set(response.offset, truth.offset_counts);
  set(response.saturation, truth.saturation_counts);
  response.status = TactelStatus::kIdentified;
  if (truth.dead) response.status = TactelStatus::kDead;
  if (truth.stuck_at_counts) response.status = TactelStatus::kStuck;
  if (truth.noise_counts) set(response.noise, *truth.noise_counts);
  set_percent(response.hysteresis, truth.hysteresis);
  set_percent(response.creep, truth.creep_per_decade);
  set_percent(response.zero_return, truth.zero_return);
  if (!truth.curve.empty()) {
    for (const auto& [share_N, counts] : truth.curve)
      response.knots.push_back({share_N / share, counts});
    return;
  }
  if (truth.dead) return;
  set(response.gain, truth.gain_N_per_count);
  set(response.threshold, truth.threshold_N);
  set(response.press_gain, truth.gain_N_per_count / read_share);
  set(response.press_threshold, truth.threshold_N / read_share);
}

}  // namespace

Result<SensorModel> model_from_truth(const PadTruth& truth, const ReadingEffects& reading) {
  const auto shares = centre_shares(truth);
  if (!shares) return fail(shares.error());
  const auto read_shares = centre_shares(truth, reading);
  if (!read_shares) return fail(read_shares.error());
  SensorModel model = empty_model(truth.sensor);
  model.sensor.thickness_m = truth.layer.thickness_m;
  set(model.timing.rate_hz, truth.rate_hz);
  set(model.timing.latency_s, truth.latency_s);
  write_layer(truth, model);
  write_friction(truth.friction, model.friction);
  auto& psf = model.psf;
  psf.form = "integrated";
  psf.edge = truth.spread.renormalised ? "renormalised" : "zero";
  if (truth.spread.sigma_x_m == truth.spread.sigma_y_m) set(psf.sigma, truth.spread.sigma_x_m);
  set(psf.sigma_x, truth.spread.sigma_x_m);
  set(psf.sigma_y, truth.spread.sigma_y_m);
  set(psf.theta, truth.spread.theta_rad);
  double share_sum = 0;
  for (std::size_t i = 0; i < truth.tactels.size(); ++i) {
    if (!truth.tactels[i].curve.empty()) model.response.model = "monotone";
    write_tactel(truth.tactels[i], (*shares)[i], (*read_shares)[i], model.response.tactels[i]);
    share_sum += (*shares)[i];
  }
  const double mean_share = share_sum / static_cast<double>(shares->size());
  for (std::size_t k = 0; k < truth.play.thresholds_N.size(); ++k) {
    auto& play = model.response.hysteresis_model;
    play.thresholds.push_back(assumed(truth.play.thresholds_N[k] / mean_share, "N", kFrom));
    play.weights.push_back(assumed(truth.play.weights[k], "", kFrom));
  }
  turn_counts(model);
  return model;
}

}  // namespace tactelier::pad
