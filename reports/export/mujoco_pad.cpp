#include "reports/export/mujoco_pad.hpp"

#include <algorithm>
#include <array>

#include "libcalib/forward/foundation_column.hpp"
#include "libcalib/units.hpp"

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
  MujocoPad pad{tactel_pad(model, contents), std::nullopt, 0, 0};
  if (spring == MujocoSpring::kCubic) {
    auto hardening =
        hardening_of(model, pad.stiffness_N_per_m, contents.value("linear_to").value_or(0));
    if (!hardening) return fail(hardening.error());
    pad.hardening = *hardening;
  }
  pad.time_step_s = time_step_s(pad.stiffest_N_per_m(), pad.damping_N_s_per_m);
  pad.inertia_kg = least_inertia_kg(pad.stiffest_N_per_m(), pad.damping_N_s_per_m, pad.time_step_s);
  return pad;
}

}  // namespace tactelier
