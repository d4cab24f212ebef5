#pragma once
// The sensor model: what a fit produces and every exporter reads (version 2 of
// data/schemas/sensor-model.schema.json). Plain data; what each number means stands in
// docs/theory/conventions.md 5. Each struct lists its members once, in visit(): name in the file,
// member, unit and the stage that estimates it. Reading, writing, tables, diffs and exporters all
// walk these lists.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "libcalib/parameter.hpp"
#include "libcalib/sensor/sensor_description.hpp"

namespace tactelier {

// A visitor v is called as v(name, member) for plain members (bool, int, double, string, their
// optionals, vectors and nested structs) and as v(name, parameter, unit, stage) for a Parameter or
// a vector of them.

struct Conditions {
  std::optional<double> temperature_degC;
  std::string mount;
  std::string operator_name;
  /// Every place that counts was pressed so often before, so far, and had rested since.
  bool conditioned = false;
  std::optional<int> conditioning_cycles;
  std::optional<double> conditioning_depth_m, conditioning_force_N;

  template <class Self, class V>
  static void visit(Self& self, V&& v) {
    v("temperature_degC", self.temperature_degC);
    v("mount", self.mount);
    v("operator", self.operator_name);
    v("conditioned", self.conditioned);
    v("conditioning_cycles", self.conditioning_cycles);
    v("conditioning_depth_m", self.conditioning_depth_m);
    v("conditioning_force_N", self.conditioning_force_N);
  }
};

/// Ranges for which the fit was made; empty where not applicable.
struct Validity {
  using Range = std::optional<std::array<double, 2>>;
  Range force_N, depth_m, speed_m_per_s, frequency_hz;
  std::vector<std::string> indenters;

  template <class Self, class V>
  static void visit(Self& self, V&& v) {
    v("force_N", self.force_N);
    v("depth_m", self.depth_m);
    v("speed_m_s", self.speed_m_per_s);
    v("frequency_Hz", self.frequency_hz);
    v("indenters", self.indenters);
  }
};

struct Timing {
  Parameter rate_hz, latency_s;

  template <class Self, class V>
  static void visit(Self& self, V&& v) {
    v("rate_hz", self.rate_hz, "Hz", "contact");
    v("latency_s", self.latency_s, "s", "time");
  }
};

enum class TactelStatus { kIdentified, kPredicted, kDead, kStuck, kNotPressed };
std::string_view to_string(TactelStatus status);
std::optional<TactelStatus> tactel_status_from(std::string_view text);

/// Response of one tactel: counts = offset + (f - threshold)/gain above threshold, never above
/// saturation; f is the tactel's own share. press_* refer to the calibration indenter's whole force
/// on the tactel's centre.
struct TactelResponse {
  int index = 0;
  TactelStatus status = TactelStatus::kNotPressed;
  Parameter offset, threshold, gain, press_threshold, press_gain, saturation;
  std::vector<Parameter> coefficients;       // of the response's law, in its order
  std::vector<std::array<double, 2>> knots;  // monotone: force_N, counts
  /// Of forces read off coefficients or knots: force_N, u_N, expanded (95 %), noise apart.
  std::vector<std::array<double, 2>> curve_u95;
  Parameter noise, hysteresis, repeatability, reversibility, zero_return, nonlinearity, creep;

  template <class Self, class V>
  static void visit(Self& self, V&& v) {
    v("index", self.index);
    v("status", self.status);
    v("offset", self.offset, "counts", "response");
    v("threshold", self.threshold, "N", "psf");
    v("gain", self.gain, "N/count", "psf");
    v("press_threshold", self.press_threshold, "N", "response");
    v("press_gain", self.press_gain, "N/count", "response");
    v("saturation", self.saturation, "counts", "response");
    v("coefficients", self.coefficients, "", "response");
    v("knots", self.knots);
    v("curve_u95", self.curve_u95);
    v("noise", self.noise, "counts", "response");
    v("hysteresis", self.hysteresis, "%", "response");
    v("repeatability", self.repeatability, "%", "response");
    v("reversibility", self.reversibility, "%", "response");
    v("zero_return", self.zero_return, "%", "response");
    v("nonlinearity", self.nonlinearity, "%", "response");
    v("creep", self.creep, "%/decade", "relaxation");
  }
};

struct HysteresisModel {
  std::vector<Parameter> thresholds, weights;

  template <class Self, class V>
  static void visit(Self& self, V&& v) {
    v("thresholds", self.thresholds, "N", "response");
    v("weights", self.weights, "", "response");
  }
};

struct Response {
  std::string model = "affine";  // a law of libcalib/models/response/response_laws.hpp
  /// Where the readings at rest (offsets) come from: free_air, or rows (where the line through the
  /// rows of a table meets force 0); "" when no tactel has one.
  std::string zero;
  std::string calibration_indenter;  // of press_gain and press_threshold: "cylinder 1 mm"
  Parameter resolution;              // smallest step between readings
  /// Right after release readings still hold this part of the load, which goes exponentially
  /// (docs/theory/response.md 9); `tactels[].zero_return` is what data sheets state.
  Parameter zero_return, zero_return_time;
  std::vector<TactelResponse> tactels;
  HysteresisModel hysteresis_model;

  template <class Self, class V>
  static void visit(Self& self, V&& v) {
    v("model", self.model);
    v("zero", self.zero);
    v("calibration_indenter", self.calibration_indenter);
    v("resolution", self.resolution, "counts", "response");
    v("zero_return", self.zero_return, "%", "psf");
    v("zero_return_time", self.zero_return_time, "s", "psf");
    v("tactels", self.tactels);
    v("hysteresis_model", self.hysteresis_model);
  }
};

struct Stiffness {
  Parameter k_punch;
  std::vector<Parameter> k_punch_tactel;  // by tactel index; unidentifiable where not pressed
  Parameter k_affine, intercept, unloading;
  std::string indenter;  // "cylinder 1 mm"
  Parameter foundation_modulus, youngs_modulus, k;
  std::string method;  // of k: area, layer, punch; "" when k is unidentifiable
  std::vector<std::array<double, 2>> curve;  // hardening: depth_m, force_N
  Parameter linear_to, max_penetration;

  template <class Self, class V>
  static void visit(Self& self, V&& v) {
    v("k_punch", self.k_punch, "N/m", "stiffness");
    v("k_punch_tactel", self.k_punch_tactel, "N/m", "stiffness");
    v("k_affine", self.k_affine, "N/m", "stiffness");
    v("intercept", self.intercept, "N", "stiffness");
    v("unloading", self.unloading, "N/m", "stiffness");
    v("indenter", self.indenter);
    v("foundation_modulus", self.foundation_modulus, "Pa/m", "stiffness");
    v("youngs_modulus", self.youngs_modulus, "Pa", "layer");
    v("k", self.k, "N/m", "stiffness");
    v("method", self.method);
    v("curve", self.curve);
    v("linear_to", self.linear_to, "m", "stiffness");
    v("max_penetration", self.max_penetration, "m", "stiffness");
  }
};

struct Damping {
  Parameter c_n, dissipation;
  struct At {
    std::optional<double> speed_m_per_s, force_N;
    std::string scope;  // "contact" or "tactel"

    template <class Self, class V>
    static void visit(Self& self, V&& v) {
      v("speed_m_s", self.speed_m_per_s);
      v("force_N", self.force_N);
      v("scope", self.scope);
    }
  } at;

  template <class Self, class V>
  static void visit(Self& self, V&& v) {
    v("c_n", self.c_n, "N*s/m", "damping");
    v("dissipation", self.dissipation, "s/m", "damping");
    v("at", self.at);
  }
};

struct Relaxation {
  Parameter g_inf;
  std::vector<Parameter> g, tau;

  template <class Self, class V>
  static void visit(Self& self, V&& v) {
    v("g_inf", self.g_inf, "", "relaxation");
    v("g", self.g, "", "relaxation");
    v("tau", self.tau, "s", "relaxation");
  }
};

/// The whole array as one sensor of force: F = intercept + sum of weight * reading, in the counts
/// that were recorded. Weights of tactels whose readings go together are not known one by one.
struct ArrayForce {
  std::vector<double> weight_N_per_count;  // by tactel; empty: not known
  double intercept_N = 0;
  int presses = 0;               // that the errors were told by
  Parameter error, error_share;  // standard, of one press left out: error^2 + (share * F)^2

  template <class Self, class V>
  static void visit(Self& self, V&& v) {
    v("weights", self.weight_N_per_count);
    v("intercept_N", self.intercept_N);
    v("presses", self.presses);
    v("error", self.error, "N", "array");
    v("error_share", self.error_share, "", "array");
  }
};

struct Array {
  ArrayForce force;

  template <class Self, class V>
  static void visit(Self& self, V&& v) {
    v("force", self.force);
  }
};

struct SampledKernel {
  std::vector<int> size;        // rows, columns; odd
  Parameter s;                  // standard deviation in tactels
  std::vector<double> weights;  // row by row, sum one

  template <class Self, class V>
  static void visit(Self& self, V&& v) {
    v("size", self.size);
    v("s", self.s, "tactels", "psf");
    v("weights", self.weights);
  }
};

struct Registration {
  Parameter x, y, rz;

  template <class Self, class V>
  static void visit(Self& self, V&& v) {
    v("x", self.x, "m", "psf");
    v("y", self.y, "m", "psf");
    v("rz", self.rz, "rad", "psf");
  }
};

struct Psf {
  std::string form;  // integrated, sampled
  Parameter sigma, sigma_x, sigma_y, theta;
  std::string edge;  // zero, renormalised
  SampledKernel kernel_sampled;
  Registration registration;

  template <class Self, class V>
  static void visit(Self& self, V&& v) {
    v("form", self.form);
    v("sigma", self.sigma, "m", "psf");
    v("sigma_x", self.sigma_x, "m", "psf");
    v("sigma_y", self.sigma_y, "m", "psf");
    v("theta", self.theta, "rad", "psf");
    v("edge", self.edge);
    v("kernel_sampled", self.kernel_sampled);
    v("registration", self.registration);
  }
};

/// The six LuGre numbers, for one tactel or for the whole contact.
struct LugreParameters {
  Parameter mu_s, mu_d, v_s, sigma0, sigma1, c_t;

  template <class Self, class V>
  static void visit(Self& self, V&& v) {
    v("mu_s", self.mu_s, "", "friction");
    v("mu_d", self.mu_d, "", "friction");
    v("v_s", self.v_s, "m/s", "friction");
    v("sigma0", self.sigma0, "N/m", "friction");
    v("sigma1", self.sigma1, "N*s/m", "friction");
    v("c_t", self.c_t, "N*s/m", "friction");
  }
};

struct FrictionContact : LugreParameters {
  Parameter normal_force, tactels_in_contact;
  // mu_s and mu_d times (N / load_reference)^-load_exponent (1 + running_in exp(-slid / length))
  Parameter load_exponent, load_reference, running_in, running_in_length;
  std::string step_shape;  // jump, smooth, ringing: how the tip moves within a step; empty: unknown

  template <class Self, class V>
  static void visit(Self& self, V&& v) {
    LugreParameters::visit(self, v);
    v("normal_force", self.normal_force, "N", "friction");
    v("tactels_in_contact", self.tactels_in_contact, "", "friction");
    v("load_exponent", self.load_exponent, "", "friction");
    v("load_reference", self.load_reference, "N", "friction");
    v("running_in", self.running_in, "", "friction");
    v("running_in_length", self.running_in_length, "m", "friction");
    v("step_shape", self.step_shape);
  }
};

struct Friction : LugreParameters {
  std::string model = "lugre";
  std::string form;  // constant, proportional: how sigma0 goes with the normal force
  FrictionContact contact;
  Parameter passive_to;

  template <class Self, class V>
  static void visit(Self& self, V&& v) {
    v("model", self.model);
    v("form", self.form);
    LugreParameters::visit(self, v);
    v("contact", self.contact);
    v("passive_to", self.passive_to, "m/s", "friction");
  }
};

/// Friction of a joint against its angular speed w:
///   T = sgn(w) [coulomb + (breakaway - coulomb) exp(-(w / stribeck_speed)^2)] + viscous w + offset
struct JointFriction {
  std::string name;  // as the recording calls it; "" of the only one
  Parameter coulomb, breakaway, stribeck_speed, viscous, offset;

  template <class Self, class V>
  static void visit(Self& self, V&& v) {
    v("name", self.name);
    v("coulomb", self.coulomb, "N*m", "rotary");
    v("breakaway", self.breakaway, "N*m", "rotary");
    v("stribeck_speed", self.stribeck_speed, "rad/s", "rotary");
    v("viscous", self.viscous, "N*m*s/rad", "rotary");
    v("offset", self.offset, "N*m", "rotary");
  }
};

struct Hydroelastic {
  Parameter modulus, thickness, dissipation, mu_static, mu_dynamic, receptive_radius, spacing;
  std::string aggregator;

  template <class Self, class V>
  static void visit(Self& self, V&& v) {
    v("modulus", self.modulus, "Pa", "hydroelastic");
    v("thickness", self.thickness, "m", "hydroelastic");
    v("dissipation", self.dissipation, "s/m", "hydroelastic");
    v("mu_static", self.mu_static, "", "hydroelastic");
    v("mu_dynamic", self.mu_dynamic, "", "hydroelastic");
    v("receptive_radius", self.receptive_radius, "m", "hydroelastic");
    v("spacing", self.spacing, "m", "hydroelastic");
    v("aggregator", self.aggregator);
  }
};

struct StreamClock {
  Parameter offset, skew, residual;

  template <class Self, class V>
  static void visit(Self& self, V&& v) {
    v("offset", self.offset, "s", "time");
    v("skew", self.skew, "", "time");
    v("residual", self.residual, "s", "time");
  }
};

struct Rig {
  Parameter compliance, seating, tilt;

  template <class Self, class V>
  static void visit(Self& self, V&& v) {
    v("compliance", self.compliance, "m/N", "contact");
    v("seating", self.seating, "m", "contact");
    v("tilt", self.tilt, "rad", "contact");
  }
};

/// Covariance of parameters that were estimated together.
struct CovarianceBlock {
  std::vector<std::string> parameters;  // paths: "response.tactels[3].press_gain"
  std::vector<double> lower;            // row by row: (0,0) (1,0) (1,1) (2,0) ...

  template <class Self, class V>
  static void visit(Self& self, V&& v) {
    v("parameters", self.parameters);
    v("lower", self.lower);
  }
};

struct StageQuality {
  int samples_used = 0;
  int samples_rejected = 0;
  std::optional<double> residual_rms;
  std::string residual_unit;
  std::optional<double> chi2_per_dof, r2, holdout_ratio;  // hold-out rms / training rms
  std::optional<int> iterations;
  std::optional<double> cost;
  bool remounting_included = false;       // whether the intervals cover putting the sensor on again
  std::string interval_method;            // "block bootstrap over 5 presses"
  std::map<std::string, double> figures;  // further numbers; the unit ends the name
  Warnings warnings;

  template <class Self, class V>
  static void visit(Self& self, V&& v) {
    v("samples_used", self.samples_used);
    v("samples_rejected", self.samples_rejected);
    v("residual_rms", self.residual_rms);
    v("residual_unit", self.residual_unit);
    v("chi2_per_dof", self.chi2_per_dof);
    v("r2", self.r2);
    v("holdout_ratio", self.holdout_ratio);
    v("iterations", self.iterations);
    v("cost", self.cost);
    v("remounting_included", self.remounting_included);
    v("interval_method", self.interval_method);
    v("figures", self.figures);
    v("warnings", self.warnings);
  }
};

/// One row per press of the sessions fitted.
struct PressRow {
  std::string session;  // file name
  int number = 0;
  std::optional<int> tactel;
  std::optional<double> x_m, y_m;
  std::string kind;
  Parameter contact_point;  // stage travel at first touch
  std::optional<double> peak_force_N, peak_depth_m;
  std::string verdict;  // good, doubtful, unusable
  bool used = false;
  std::string why;  // why not used, or why doubtful

  template <class Self, class V>
  static void visit(Self& self, V&& v) {
    v("session", self.session);
    v("number", self.number);
    v("tactel", self.tactel);
    v("x_m", self.x_m);
    v("y_m", self.y_m);
    v("kind", self.kind);
    v("contact_point", self.contact_point, "m", "contact");
    v("peak_force_N", self.peak_force_N);
    v("peak_depth_m", self.peak_depth_m);
    v("verdict", self.verdict);
    v("used", self.used);
    v("why", self.why);
  }
};

struct SessionProvenance {
  std::string file;  // name without folder
  std::string content_hash;
  std::vector<std::string> edits;  // "exclude press 7"

  template <class Self, class V>
  static void visit(Self& self, V&& v) {
    v("file", self.file);
    v("content_hash", self.content_hash);
    v("edits", self.edits);
  }
};

struct Provenance {
  std::vector<SessionProvenance> sessions;
  std::string sensor_description;  // its name, or "inline"
  std::string force_sensor;        // model, calibration, serial, certificate date
  std::vector<std::string> indenters;
  std::map<std::string, std::string> options;  // as given on the command line
  std::string program_version;

  template <class Self, class V>
  static void visit(Self& self, V&& v) {
    v("sessions", self.sessions);
    v("sensor_description", self.sensor_description);
    v("force_sensor", self.force_sensor);
    v("indenters", self.indenters);
    v("options", self.options);
    v("program_version", self.program_version);
  }
};

struct SensorModel {
  std::string created;  // UTC, "2026-11-20T10:00:00Z"
  std::string tool;     // "tactelier 0.1.0"
  SensorDescription sensor;
  std::string serial;
  Conditions conditions;
  Validity validity;
  Timing timing;
  Response response;
  Stiffness stiffness;
  Damping damping;
  Relaxation relaxation;
  Psf psf;
  Array array;
  Friction friction;
  std::vector<JointFriction> joints;  // of recordings of angle and torque; empty for pads
  Hydroelastic hydroelastic;
  std::map<std::string, StreamClock> clock;  // by stream
  Rig rig;
  std::vector<CovarianceBlock> covariance;
  std::map<std::string, StageQuality> quality;  // by stage
  std::vector<PressRow> presses;
  Provenance provenance;

  /// All but `sensor`, which has its own form in the file.
  template <class Self, class V>
  static void visit(Self& self, V&& v) {
    v("conditions", self.conditions);
    v("validity", self.validity);
    v("timing", self.timing);
    v("response", self.response);
    v("stiffness", self.stiffness);
    v("damping", self.damping);
    v("relaxation", self.relaxation);
    v("psf", self.psf);
    v("array", self.array);
    v("friction", self.friction);
    v("joints", self.joints);
    v("hydroelastic", self.hydroelastic);
    v("clock", self.clock);
    v("rig", self.rig);
    v("covariance", self.covariance);
    v("quality", self.quality);
    v("presses", self.presses);
    v("provenance", self.provenance);
  }
};

/// A model of `sensor` in which nothing is identified yet: one response and one k_punch_tactel
/// entry per tactel, every unit set, every reason "NOT-FITTED ...".
SensorModel empty_model(const SensorDescription& sensor);

/// As empty_model() left it: no stage has said anything about it.
bool untouched(const Parameter& parameter, std::string_view stage);

/// Gives every parameter that has neither value nor reason its unit and "NOT-FITTED ...".
void mark_not_fitted(SensorModel& model);

}  // namespace tactelier
