#include "libcalib/pad/draw_truth.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "libcalib/pad/pad.hpp"
#include "libcalib/pad/random.hpp"
#include "libcalib/units.hpp"

namespace tactelier::pad {
namespace {

enum RangeIndex : std::size_t {
  kPressGain,
  kPressThreshold,
  kSaturation,
  kOffset,
  kPunchStiffness,
  kFoundationPart,
  kThickness,
  kKelvinVoigt,
  kDissipation,
  kFastRatio,
  kFastTime,
  kSlowRatio,
  kSlowTime,
  kSigma,
  kStaticFriction,
  kDynamicPart,
  kStribeckSpeed,
  kBristleStiffness,
  kBristleDamping,
  kViscous,
  kHardening,
  kStudent,
};

// S0 Moisio et al., S1 Kappassov et al., S3 Leins et al.; "oracle n": the worked
// sets of tests/oracles, which stand in for what no paper gives (docs/theory/conventions.md 4).
constexpr std::array<PublishedRange, kStudent + 1> kRanges{{
    {"press_gain", "N/count", 3.3e-4, 5.2e-4, "S1: 1.6 N over 3840 counts = 4.17e-4"},
    {"press_threshold", "N", 0.1, 0.3, "S1: 0.2 N"},
    {"saturation", "counts", 3700, 3900, "S1: 3840 of 4095"},
    {"offset", "counts", 20, 120, "S1 subtracts it; visible, so that nothing is censored"},
    {"k_punch", "N/m", 1400, 2800, "S1: 2 N/mm under a 1 mm punch"},
    {"foundation part of k_punch", "", 0.4, 0.7, "oracle 6: 0.66 for 3 mm of rubber, nu 0.45"},
    {"thickness", "m", 2.5e-3, 6e-3, "oracle 6: 3 mm of rubber; S0: 6 mm of foam"},
    {"c_n / k_punch", "s", 1e-3, 10e-3, "S0: '1 % of k', of which the number is 0.1 %"},
    {"dissipation", "s/m", 8, 20, "oracle 7: 8; S3: 20"},
    {"k_1 / k_inf", "", 0.1, 0.27, "oracle 7: 400/1500"},
    {"tau_1", "s", 0.1, 0.25, "oracle 7: 0.15 s"},
    {"k_2 / k_inf", "", 0.06, 0.17, "oracle 7: 250/1500"},
    {"tau_2", "s", 2, 5, "oracle 7: 3 s"},
    {"sigma", "tactels", 0.4, 0.55, "S1: 0.5 sampled = 0.40 integrated; oracle 8: 1.6/3.4 mm"},
    {"mu_s", "", 0.435, 0.62, "S0: 0.435; oracle 9: 0.62"},
    {"mu_d / mu_s", "", 0.53, 0.73, "S0: 0.23/0.435; oracle 9: 0.45/0.62"},
    {"v_s", "m/s", 2e-3, 8e-3, "oracle 9: 4 mm/s, within a rig's reach; S0's 0.3 m/s is not"},
    {"sigma0", "N/m", 2500, 6000, "oracle 9: 4000 for the contact"},
    {"sigma1", "N*s/m", 4, 9, "oracle 9: 6"},
    {"c_t", "N*s/m", 0.5, 1.2, "oracle 9: 0.8"},
    {"hardening at full strain", "", 0.3, 1.0, "oracle 6: foam, secant over tangent 1.5"},
    {"Student exponent", "", 2.5, 5, "oracle 8: form only"},
}};

constexpr double kGainScatter = 0.12;  // oracle 8: gains of 0.75 to 1.2 of the mean
constexpr double kThresholdScatter = 0.08;
constexpr double kStiffnessScatter = 0.02;
constexpr double kUsualRate_hz = 270;  // WTS 0614 (data/sensors/weiss-wts0614.json)
constexpr double kFullScale = 4095;    // counts that the ranges refer to

double draw(Random& random, RangeIndex index) {
  return random.log_uniform(kRanges[index].low, kRanges[index].high);
}

/// exp(scatter * normal), kept within three standard deviations.
double around_one(Random& random, double scatter) {
  return std::exp(scatter * std::clamp(random.normal(), -3.0, 3.0));
}

LayerTruth draw_layer(std::size_t tactels, double punch_diameter_m, std::uint64_t seed,
                      const DrawOptions& options) {
  Random random(seed, "truth: layer");
  LayerTruth layer;
  const double k_punch = draw(random, kPunchStiffness);
  const double part = draw(random, kFoundationPart);
  const double area_m2 = 0.25 * 3.14159265358979324 * punch_diameter_m * punch_diameter_m;
  const double rim_m = 3.14159265358979324 * punch_diameter_m;
  layer.foundation_modulus_Pa_per_m = part * k_punch / area_m2;
  layer.rim_modulus_Pa = (1 - part) * k_punch / rim_m;
  layer.thickness_m = draw(random, kThickness);
  for (std::size_t i = 0; i < tactels; ++i)
    layer.stiffness_factor.push_back(around_one(random, kStiffnessScatter));
  // k_punch is the mean over the tactels.
  const double mean =
      std::accumulate(layer.stiffness_factor.begin(), layer.stiffness_factor.end(), 0.0) /
      static_cast<double>(tactels);
  for (double& factor : layer.stiffness_factor) factor /= mean;
  const double time_s = draw(random, kKelvinVoigt);
  const double dissipation = draw(random, kDissipation);
  const bool hunt_crossley = random.uniform() < 0.5;
  if (options.damping && hunt_crossley) layer.dissipation_s_per_m = dissipation;
  if (options.damping && !hunt_crossley) layer.kelvin_voigt_s = time_s;
  const PronyBranch fast{draw(random, kFastRatio), draw(random, kFastTime)};
  const PronyBranch slow{draw(random, kSlowRatio), draw(random, kSlowTime)};
  if (options.relaxation) layer.prony = {fast, slow};
  const double hardening = draw(random, kHardening);
  if (options.hardening) layer.hardening_linear = hardening;
  return layer;
}

SpreadTruth draw_spread(double pitch_m, std::uint64_t seed, const DrawOptions& options) {
  Random random(seed, "truth: spread");
  SpreadTruth spread;
  spread.sigma_x_m = spread.sigma_y_m = pitch_m * draw(random, kSigma);
  const double longer = random.uniform(1.1, 1.4);
  const double theta = random.uniform(0, deg_to_rad(90));
  const double exponent = draw(random, kStudent);
  if (options.anisotropic) {
    spread.sigma_x_m *= longer;
    spread.theta_rad = theta;
  }
  if (options.student_tails) spread.student_exponent = exponent;
  return spread;
}

FrictionTruth draw_friction(std::uint64_t seed) {
  Random random(seed, "truth: friction");
  FrictionTruth friction;
  friction.mu_s = draw(random, kStaticFriction);
  friction.mu_d = friction.mu_s * draw(random, kDynamicPart);
  friction.v_s_m_per_s = draw(random, kStribeckSpeed);
  friction.sigma0_N_per_m = draw(random, kBristleStiffness);
  friction.sigma1_N_s_per_m = draw(random, kBristleDamping);
  friction.c_t_N_s_per_m = draw(random, kViscous);
  return friction;
}

}  // namespace

std::span<const PublishedRange> published_ranges() { return kRanges; }

Result<PadTruth> draw_truth(const SensorDescription& sensor, std::uint64_t seed,
                            const DrawOptions& options) {
  if (sensor.arrays.empty())
    return fail(ErrorCode::kInvalidInput, "sensor '{}' has no array", sensor.name);
  PadTruth truth;
  truth.sensor = sensor;
  truth.calibration_indenter.shape = IndenterShape::kCylinder;
  truth.calibration_indenter.diameter_m = 1e-3;
  const auto tactels = static_cast<std::size_t>(sensor.tactels());
  truth.layer = draw_layer(tactels, 1e-3, seed, options);
  if (sensor.thickness_m) truth.layer.thickness_m = *sensor.thickness_m;
  truth.spread =
      draw_spread(std::min(sensor.arrays[0].pitch_x_m, sensor.arrays[0].pitch_y_m), seed, options);
  if (options.friction) truth.friction = draw_friction(seed);
  truth.rate_hz = sensor.rate_hz.value_or(kUsualRate_hz);

  const auto shares = centre_shares(truth);
  if (!shares) return fail(shares.error());
  Random random(seed, "truth: response");
  const double scale = sensor.adc.max.value_or(kFullScale) / kFullScale;
  const double press_gain = draw(random, kPressGain) / scale;
  const double press_threshold = draw(random, kPressThreshold);
  for (const double share : *shares) {
    TactelTruth tactel;
    tactel.offset_counts = std::round(scale * draw(random, kOffset));
    tactel.saturation_counts = std::round(scale * draw(random, kSaturation));
    tactel.gain_N_per_count = share * press_gain * around_one(random, kGainScatter);
    tactel.threshold_N = share * press_threshold * around_one(random, kThresholdScatter);
    truth.tactels.push_back(tactel);
  }
  return truth;
}

}  // namespace tactelier::pad
