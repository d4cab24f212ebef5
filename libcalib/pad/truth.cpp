#include "libcalib/pad/truth.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "libcalib/model_file/sensor_model.hpp"
#include "libcalib/model_file/tactel_curve.hpp"
#include "libcalib/model_file/turned_counts.hpp"
#include "libcalib/pad/pad.hpp"
#include "libcalib/units.hpp"

namespace tactelier::pad {
namespace {

constexpr double kUsualThickness_m = 3e-3;
constexpr int kCurvePoints = 129;
constexpr double kPercent = 100;

std::optional<double> part_of_one(const Parameter& percent) {
  if (!percent.value) return {};
  return *percent.value / kPercent;
}

// K_f: as given, or from the spring of one tactel under an area, or from the punch alone. What a
// punch has beyond K_f A is its rim's.
Result<void> read_stiffness(const SensorModel& model, double diameter_m, LayerTruth& layer,
                            Warnings& warnings) {
  const auto& s = model.stiffness;
  const double area_m2 = std::numbers::pi * diameter_m * diameter_m / 4;
  const double rim_m = std::numbers::pi * diameter_m;
  if (s.foundation_modulus.value) {
    layer.foundation_modulus_Pa_per_m = *s.foundation_modulus.value;
  } else if (s.k.value && s.method != "punch") {
    layer.foundation_modulus_Pa_per_m =
        *s.k.value * model.sensor.tactels() / model.sensor.sensing_area_m2();
  } else if (s.k_punch.value) {
    layer.foundation_modulus_Pa_per_m = *s.k_punch.value / area_m2;
    warnings.push_back({"TRUTH", "k_punch alone: the layer acts as independent springs under it",
                        "stiffness.foundation_modulus"});
  } else {
    return fail(ErrorCode::kInvalidInput,
                "stiffness: none of foundation_modulus, k and k_punch has a value");
  }
  if (s.k_punch.value) {
    const double left = *s.k_punch.value - layer.foundation_modulus_Pa_per_m * area_m2;
    if (left < -1e-9 * *s.k_punch.value) {
      warnings.push_back({"TRUTH",
                          "the punch is softer than the foundation under it: its own k wins",
                          "stiffness.k_punch"});
      layer.foundation_modulus_Pa_per_m = *s.k_punch.value / area_m2;
    }
    layer.rim_modulus_Pa = std::max(0.0, left) / rim_m;
  }
  const double k_punch = layer.foundation_modulus_Pa_per_m * area_m2 + layer.rim_modulus_Pa * rim_m;
  if (std::any_of(s.k_punch_tactel.begin(), s.k_punch_tactel.end(),
                  [](const Parameter& p) { return p.value.has_value(); }))
    for (const auto& k : s.k_punch_tactel)
      layer.stiffness_factor.push_back(k.value.value_or(k_punch) / k_punch);
  if (s.unloading.value) layer.unloading_ratio = std::max(1.0, *s.unloading.value / k_punch);
  if (model.damping.dissipation.value) {
    layer.dissipation_s_per_m = *model.damping.dissipation.value;
  } else if (model.damping.c_n.value) {
    const bool tactel = model.damping.at.scope == "tactel";
    const double k = tactel && s.k.value ? *s.k.value : k_punch;
    layer.kelvin_voigt_s = *model.damping.c_n.value / k;
  }
  return {};
}

// Least squares of F / (k depth) - 1 = a e + b e^2.
void read_hardening(const SensorModel& model, double diameter_m, LayerTruth& layer) {
  const auto& curve = model.stiffness.curve;
  if (curve.size() < 2) return;
  const double k =
      layer.foundation_modulus_Pa_per_m * std::numbers::pi * diameter_m * diameter_m / 4 +
      layer.rim_modulus_Pa * std::numbers::pi * diameter_m;
  double s2 = 0, s3 = 0, s4 = 0, y1 = 0, y2 = 0;
  for (const auto& [depth_m, force_N] : curve) {
    if (depth_m <= 0) continue;
    const double e = depth_m / layer.thickness_m;
    const double y = force_N / (k * depth_m) - 1;
    s2 += e * e;
    s3 += e * e * e;
    s4 += e * e * e * e;
    y1 += e * y;
    y2 += e * e * y;
  }
  const double determinant = s2 * s4 - s3 * s3;
  if (!(determinant > 1e-12 * s2 * s4)) return;
  layer.hardening_linear = (y1 * s4 - y2 * s3) / determinant;
  layer.hardening_quadratic = (y2 * s2 - y1 * s3) / determinant;
}

void read_relaxation(const SensorModel& model, LayerTruth& layer) {
  const auto& relaxation = model.relaxation;
  if (!relaxation.g_inf.value || *relaxation.g_inf.value <= 0) return;
  for (std::size_t i = 0; i < std::min(relaxation.g.size(), relaxation.tau.size()); ++i)
    if (relaxation.g[i].value && relaxation.tau[i].value)
      layer.prony.push_back(
          {*relaxation.g[i].value / *relaxation.g_inf.value, *relaxation.tau[i].value});
}

void read_spread(const SensorModel& model, SpreadTruth& spread) {
  const auto& psf = model.psf;
  const double isotropic = psf.sigma.value.value_or(0);
  spread.sigma_x_m = psf.sigma_x.value.value_or(isotropic);
  spread.sigma_y_m = psf.sigma_y.value.value_or(isotropic);
  spread.theta_rad = psf.theta.value.value_or(0);
  spread.renormalised = psf.edge == "renormalised";
}

void read_friction(const SensorModel& model, FrictionTruth& friction, Warnings& warnings) {
  const auto& f = model.friction;
  const LugreParameters& six = f.contact.mu_s.value ? static_cast<const LugreParameters&>(f.contact)
                                                    : static_cast<const LugreParameters&>(f);
  if (!six.mu_s.value) return;
  if (!f.contact.mu_s.value)
    warnings.push_back(
        {"TRUTH", "friction of one tactel is taken for the whole contact", "friction"});
  friction.mu_s = *six.mu_s.value;
  friction.mu_d = six.mu_d.value.value_or(friction.mu_s);
  friction.v_s_m_per_s = six.v_s.value.value_or(1);
  friction.sigma0_N_per_m = six.sigma0.value.value_or(1e5);
  friction.sigma1_N_s_per_m = six.sigma1.value.value_or(0);
  friction.c_t_N_s_per_m = six.c_t.value.value_or(0);
  friction.reference_N = f.contact.normal_force.value.value_or(1);
  friction.proportional = f.form == "proportional";
}

/// Of a model whose readings bend over the calibration indenter's force: as (share, counts).
std::vector<std::array<double, 2>> curve_of(const TactelResponse& response,
                                            const SensorModel& model, double share) {
  const double most_N = model.validity.force_N ? (*model.validity.force_N)[1] : 2.5;
  auto curve = curve_points(model, response, most_N, kCurvePoints);
  for (auto& [force_N, counts] : curve) force_N *= share;
  return curve.size() > 1 ? curve : std::vector<std::array<double, 2>>{};
}

TactelTruth read_tactel(const TactelResponse& response, const SensorModel& model, double share) {
  TactelTruth tactel;
  tactel.offset_counts = response.offset.value.value_or(0);
  tactel.saturation_counts =
      response.saturation.value.value_or(model.sensor.adc.max.value_or(HUGE_VAL));
  tactel.noise_counts = response.noise.value;
  tactel.hysteresis = part_of_one(response.hysteresis);
  tactel.creep_per_decade = part_of_one(response.creep);
  tactel.zero_return = part_of_one(response.zero_return);
  const auto own = [&](const Parameter& mine, const Parameter& press) -> std::optional<double> {
    if (mine.value) return mine.value;
    if (press.value) return *press.value * share;
    return {};
  };
  const auto gain = own(response.gain, response.press_gain);
  tactel.gain_N_per_count = gain.value_or(1);
  tactel.threshold_N = own(response.threshold, response.press_threshold).value_or(0);
  tactel.curve = curve_of(response, model, share);
  tactel.dead = response.status == TactelStatus::kDead || (!gain && tactel.curve.empty());
  if (response.status == TactelStatus::kStuck) tactel.stuck_at_counts = tactel.offset_counts;
  return tactel;
}

}  // namespace

Result<TruthFromModel> truth_from_model(const SensorModel& model) {
  TruthFromModel result;
  auto& truth = result.truth;
  truth.sensor = model.sensor;
  const auto radius = described_punch_radius_m(model.stiffness.indenter);
  if (!radius)
    return fail(ErrorCode::kInvalidInput,
                "stiffness.indenter '{}': a truth needs the flat cylinder that k_punch and "
                "press_gain refer to, as in 'cylinder 1 mm'",
                model.stiffness.indenter);
  const double diameter_m = 2 * *radius;
  truth.calibration_indenter.shape = IndenterShape::kCylinder;
  truth.calibration_indenter.diameter_m = diameter_m;
  truth.layer.thickness_m = model.sensor.thickness_m.value_or(kUsualThickness_m);
  if (!model.sensor.thickness_m)
    result.warnings.push_back({"TRUTH", "taken as 3 mm", "sensor.thickness_m"});
  if (const auto ok = read_stiffness(model, diameter_m, truth.layer, result.warnings); !ok)
    return fail(ok.error());
  read_hardening(model, diameter_m, truth.layer);
  read_relaxation(model, truth.layer);
  read_spread(model, truth.spread);
  read_friction(model, truth.friction, result.warnings);
  const auto rate = model.timing.rate_hz.value ? model.timing.rate_hz.value : model.sensor.rate_hz;
  if (!rate)
    return fail(ErrorCode::kInvalidInput,
                "timing.rate_hz: neither it nor the sensor's rate_hz is given");
  truth.rate_hz = *rate;
  truth.latency_s = model.timing.latency_s.value.value_or(0);

  const auto shares = centre_shares(truth);
  if (!shares) return fail(shares.error());
  double share_sum = 0;
  for (std::size_t i = 0; i < shares->size(); ++i) {
    auto response = model.response.tactels[i];
    turn_counts(model, response);  // the pad's tactels rise; its readout turns
    truth.tactels.push_back(read_tactel(response, model, (*shares)[i]));
    share_sum += (*shares)[i];
  }
  // Thresholds of the play operators are press forces (docs/theory/response.md 8).
  const double mean_share = share_sum / static_cast<double>(shares->size());
  const auto& play = model.response.hysteresis_model;
  for (std::size_t k = 0; k < std::min(play.thresholds.size(), play.weights.size()); ++k) {
    truth.play.thresholds_N.push_back(play.thresholds[k].value.value_or(0) * mean_share);
    truth.play.weights.push_back(play.weights[k].value.value_or(0));
  }
  return result;
}

}  // namespace tactelier::pad
