#pragma once
// What is true of a simulated pad: plain numbers in SI, of which a fit knows nothing. They come
// from a sensor model file (truth.hpp) or are drawn from published ranges (draw_truth.hpp).
// A member that is zero or empty switches its effect off.

#include <optional>
#include <vector>

#include "libcalib/sensor/indenter.hpp"
#include "libcalib/sensor/sensor_description.hpp"

namespace tactelier::pad {

/// One relaxing branch beside the long-time stiffness: h' = ratio * F_e' - h / tau, with F_e the
/// elastic (long-time) force. `ratio` is k_i / k_inf.
struct PronyBranch {
  double ratio = 0;
  double tau_s = 0;
};

/// The pad as a layer under a rigid indenter. For the overlap volume V and the length integral R of
/// depth along the rims of flat faces,
///   F_e = (foundation_modulus * V + rim_modulus * R) * (1 + a e + b e^2),  e = depth / thickness.
/// The rim's share makes a small punch stiffer per area than a plate, as a continuous layer does
/// (perimeter shear; docs/theory/contact-and-stiffness.md 9). Of a cylinder of diameter D: k = K_f
/// pi D^2/4 + T pi D.
struct LayerTruth {
  double thickness_m = 3e-3;
  double foundation_modulus_Pa_per_m = 0;
  double rim_modulus_Pa = 0;
  double hardening_linear = 0;
  double hardening_quadratic = 0;
  std::vector<double> stiffness_factor;  // by tactel, around 1; empty: the same everywhere

  /// Kelvin-Voigt as a time c/k, so that it goes with every indenter: F = F_e + time * dF_e/dt.
  double kelvin_voigt_s = 0;
  /// Hunt-Crossley: F = F_e (1 + d v). Where given, Kelvin-Voigt is not used.
  std::optional<double> dissipation_s_per_m;
  std::vector<PronyBranch> prony;

  /// First unloading slope over loading slope; 1: unloads as it loaded. Rate-independent, closes at
  /// zero load, the loading branch stays as it is.
  double unloading_ratio = 1;
};

/// Pressure spread into readings. Student: density ~ (1 + r^2/s^2)^-exponent of the same variance.
struct SpreadTruth {
  double sigma_x_m = 0;
  double sigma_y_m = 0;
  double theta_rad = 0;         // of the sigma_x axis against +x
  double student_exponent = 0;  // above 2; 0: Gaussian
  bool renormalised = false;    // a foil that ends at the array's border loses nothing
};

/// One tactel: counts = offset + (f - threshold)/gain, clipped at saturation; f is its own share.
struct TactelTruth {
  double offset_counts = 0;
  double gain_N_per_count = 0;
  double threshold_N = 0;
  double saturation_counts = 0;
  std::optional<double> noise_counts;        // empty: what the preset says
  std::optional<double> hysteresis;          // of full scale, 0.1 for 10 %; empty: the preset's
  std::optional<double> creep_per_decade;    // of the reading; empty: the preset's
  std::optional<double> zero_return;         // of the peak reading; empty: the preset's
  std::vector<std::array<double, 2>> curve;  // share_N, counts: instead of gain and threshold
  bool dead = false;                         // stays at its offset
  std::optional<double> stuck_at_counts;
};

/// Play operators on the share f: x <- max(f - r, min(f + r, x)), reading sum(w x).
struct PlayTruth {
  std::vector<double> thresholds_N;
  std::vector<double> weights;
};

/// LuGre of the whole contact at the load `reference_N`.
struct FrictionTruth {
  double mu_s = 0;  // 0: frictionless
  double mu_d = 0;
  double v_s_m_per_s = 1;
  double sigma0_N_per_m = 0;
  double sigma1_N_s_per_m = 0;
  double c_t_N_s_per_m = 0;
  double reference_N = 1;
  bool proportional = false;  // sigma0, sigma1, c_t go with the load
};

struct PadTruth {
  SensorDescription sensor;
  Indenter calibration_indenter;  // that press_gain and k_punch refer to
  LayerTruth layer;
  SpreadTruth spread;
  std::vector<TactelTruth> tactels;
  PlayTruth play;  // where given, hysteresis of the tactels is not used
  FrictionTruth friction;
  double rate_hz = 0;
  double latency_s = 0;  // tactile stream behind force
};

}  // namespace tactelier::pad
