#include "reports/export/mujoco_pad.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "libcalib/forward/foundation_column.hpp"
#include "libcalib/units.hpp"
#include "reports/export/export_text.hpp"

namespace tactelier {
namespace {

constexpr std::array kPadSlots{
    Slot{"stiffness", "stiffness.k", "N/m, one tactel", Bound::kPositive, Need::kRequired},
    Slot{"damping", "damping.c_n", "N*s/m, one tactel", Bound::kNotNegative, Need::kRequired},
    Slot{"friction", "friction.mu_d", "sliding friction, the one coefficient that MuJoCo has",
         Bound::kNotNegative},
    Slot{"range", "stiffness.max_penetration", "m: how far a tactel gives"},
    Slot{"thickness_m", "sensor.thickness_m", "m: elastic layer"},
    Slot{"rate_hz", "timing.rate_hz", "Hz: of the sensor's frames"},
    Slot{"latency_s", "timing.latency_s", "s: of the sensor's frames", Bound::kNotNegative},
    Slot{"psf_sigma_m", "psf.sigma", "m: spread of force to neighbours"},
    Slot{"psf_kernel_s", "psf.kernel_sampled.s", "tactels: the same for a kernel exp(-r^2/2s^2)"},
    Slot{"linear_to", "stiffness.linear_to", "m: hardening begins here", Bound::kNotNegative,
         Need::kRequired},
};

/// The longest step with which a tactel's inertia stays below a gram; the shortest when none does.
constexpr std::array kTimeSteps_s{5e-4, 2e-4, 1e-4};
constexpr double kMostInertia_kg = 1e-3;

double time_step_s(double k, double c) {
  for (const double step_s : kTimeSteps_s)
    if (least_inertia_kg(k, c, step_s) <= kMostInertia_kg) return step_s;
  return kTimeSteps_s.back();
}

std::optional<double> usable_value(const Parameter& parameter) {
  return parameter.usable() ? parameter.value : std::nullopt;
}

MujocoReadout readout(const TactelResponse& tactel) {
  MujocoReadout out;
  out.reads = tactel.status != TactelStatus::kDead && tactel.status != TactelStatus::kStuck;
  out.gain_N_per_count = usable_value(tactel.gain);
  out.offset_counts = usable_value(tactel.offset);
  out.threshold_N = usable_value(tactel.threshold);
  out.saturation_counts = usable_value(tactel.saturation);
  out.noise_counts = usable_value(tactel.noise);
  return out;
}

std::string pad_name(const SensorModel& model) {
  const auto name = identifier(model.sensor.vendor + " " + model.sensor.model + " " + model.serial);
  return name.empty() ? "tactile_pad" : name;
}

std::optional<double> half_of_validity_N(const MujocoPad& pad, const SensorModel& model) {
  if (model.validity.force_N) return (*model.validity.force_N)[1] / 2;
  if (pad.travel_m) return pad.spring().force_N(*pad.travel_m / 2);
  return std::nullopt;
}

/// The law of our own soft contact, k H(depth), as one cubic.
Result<MujocoHardening> hardening_of(const SensorModel& model, double k_N_per_m,
                                     double linear_to_m) {
  const auto& curve = model.stiffness.curve;
  const Hardening hardening(curve, linear_to_m);
  if (curve.empty() || !(hardening.effective_m(curve.back()[0]) > curve.back()[0]))
    return fail(ErrorCode::kUnidentifiable,
                "stiffness.curve: the model holds no hardening beyond {:g} mm; '--to mujoco' "
                "writes the one stiffness",
                m_to_mm(linear_to_m));
  const double end_m = curve.back()[0];
  const auto law_N = [&](double depth_m) { return k_N_per_m * hardening.effective_m(depth_m); };
  return MujocoHardening{fit_cubic_spring(law_N, end_m), end_m};
}

}  // namespace

std::optional<double> MujocoReadout::saturation_N() const {
  if (!gain_N_per_count || !offset_counts || !threshold_N || !saturation_counts)
    return std::nullopt;
  return *threshold_N + *gain_N_per_count * std::abs(*saturation_counts - *offset_counts);
}

std::optional<double> MujocoReadout::noise_N() const {
  if (!gain_N_per_count || !noise_counts) return std::nullopt;
  return *gain_N_per_count * *noise_counts;
}

double least_inertia_kg(double stiffness_N_per_m, double damping_N_s_per_m, double time_step_s) {
  return std::max(4 * stiffness_N_per_m * time_step_s * time_step_s,
                  2 * damping_N_s_per_m * time_step_s);
}

double MujocoPad::stiffest_N_per_m() const {
  return spring().tangent_N_per_m(travel_m.value_or(hardening ? hardening->end_m : 0));
}

std::span<const Slot> mujoco_slots(MujocoSpring spring) {
  const std::span<const Slot> all = kPadSlots;
  return spring == MujocoSpring::kCubic ? all : all.first(all.size() - 1);
}

Result<MujocoPad> mujoco_pad(const SensorModel& model, const SlotContents& contents,
                             MujocoSpring spring) {
  MujocoPad pad;
  pad.name = pad_name(model);
  pad.stiffness_N_per_m = contents.value("stiffness").value_or(0);
  if (spring == MujocoSpring::kCubic) {
    auto hardening =
        hardening_of(model, pad.stiffness_N_per_m, contents.value("linear_to").value_or(0));
    if (!hardening) return fail(hardening.error());
    pad.hardening = *hardening;
  }
  pad.damping_N_s_per_m = contents.value("damping").value_or(0);
  pad.friction = contents.value("friction");
  pad.travel_m = contents.value("range");
  if (!pad.travel_m) pad.travel_m = contents.value("thickness_m");
  pad.time_step_s = time_step_s(pad.stiffest_N_per_m(), pad.damping_N_s_per_m);
  pad.inertia_kg = least_inertia_kg(pad.stiffest_N_per_m(), pad.damping_N_s_per_m, pad.time_step_s);
  pad.places = tactel_places(model.sensor);
  for (const auto& tactel : model.response.tactels) pad.readouts.push_back(readout(tactel));
  return pad;
}

std::optional<MujocoWeight> mujoco_weight(const MujocoPad& pad, const SensorModel& model) {
  const auto force_N = half_of_validity_N(pad, model);
  if (!force_N || *force_N <= 0 || !is_level(pad.places)) return std::nullopt;
  const double depth_m = pad.spring().depth_m(*force_N);
  if (pad.travel_m && depth_m > *pad.travel_m) return std::nullopt;
  constexpr double kMjcfGravity_m_per_s2 = 9.81;  // MuJoCo's default, which the file keeps
  const auto tactels = static_cast<double>(pad.places.size());
  return MujocoWeight{*force_N, tactels * *force_N / kMjcfGravity_m_per_s2, depth_m};
}

}  // namespace tactelier
