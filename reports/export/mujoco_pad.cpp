#include "reports/export/mujoco_pad.hpp"

#include <algorithm>
#include <array>

#include "libcalib/forward/foundation_column.hpp"
#include "libcalib/units.hpp"
#include "reports/export/pad_slots.hpp"

namespace tactelier {
namespace {

constexpr std::array kPadSlots{
    kStiffnessSlot,
    kDampingSlot,
    Slot{"friction", "friction.mu_d", "sliding friction, the one coefficient that MuJoCo has",
         Bound::kNotNegative},
    kRangeSlot,
    kThicknessSlot,
    kRateSlot,
    kLatencySlot,
    kSpreadSlot,
    kKernelSlot,
    Slot{"linear_to", "stiffness.linear_to", "m: hardening begins here", Bound::kNotNegative},
    Slot{"mu_s", "friction.mu_s", "sticking friction", Bound::kNotNegative},
    Slot{"v_s", "friction.v_s", "m/s: Stribeck velocity"},
    Slot{"sigma0", "friction.sigma0", "N/m, one tactel: bristle stiffness"},
    Slot{"sigma1", "friction.sigma1", "N*s/m, one tactel: bristle damping", Bound::kNotNegative},
    Slot{"c_t", "friction.c_t", "N*s/m, one tactel: viscous friction", Bound::kNotNegative},
};
constexpr std::size_t kPortableSlots = 9;

/// The longest step with which a tactel's inertia stays below a gram; the shortest when none does.
constexpr std::array kTimeSteps_s{5e-4, 2e-4, 1e-4};
constexpr double kMostInertia_kg = 1e-3;
// Smaller ones would tell rims better, but MuJoCo 2 loses a ball whose middle is once inside a box:
// what comes at 0.1 m/s goes 0.05 mm in a step.
constexpr double kTipPerHalfWidth = 0.1;

double normal_inertia_kg(const MujocoPad& pad, double step_s) {
  return least_inertia_kg(pad.stiffest_N_per_m(), pad.damping_N_s_per_m, step_s);
}

double bristle_inertia_kg(const LugreValues& law, double step_s) {
  return least_inertia_kg(law[kLugreSigma0], law[kLugreSigma1] + law[kLugreViscous], step_s);
}

/// Step and inertias that go together.
void set_step(MujocoPad& pad) {
  for (const double step_s : kTimeSteps_s) {
    pad.time_step_s = step_s;
    pad.inertia_kg = normal_inertia_kg(pad, step_s);
    if (pad.bristles) pad.bristles->inertia_kg = bristle_inertia_kg(pad.bristles->law, step_s);
    const double along_kg = pad.bristles ? pad.bristles->inertia_kg : 0;
    if (std::max(pad.inertia_kg, along_kg) <= kMostInertia_kg) return;
  }
}

std::optional<LugreValues> bristle_law(const SlotContents& contents) {
  LugreValues law{};
  for (const auto& [index, slot] : {std::pair{kLugreSigma0, "sigma0"},
                                    {kLugreSigma1, "sigma1"},
                                    {kLugreViscous, "c_t"},
                                    {kLugreStatic, "mu_s"},
                                    {kLugreDynamic, "friction"},
                                    {kLugreStribeck, "v_s"}}) {
    const auto value = contents.value(slot);
    if (!value) return {};
    law[index] = *value;
  }
  if (!(law[kLugreDynamic] > 0)) return {};
  return law;
}

/// The law of our own soft contact, k H(depth), as one cubic; empty where the model holds no curve
/// that goes on beyond its line, and hardens there.
std::optional<MujocoHardening> hardening_of(const SensorModel& model, double k_N_per_m,
                                            const SlotContents& contents) {
  const auto linear_to_m = contents.value("linear_to");
  const auto& curve = model.stiffness.curve;
  if (!linear_to_m || curve.empty()) return {};
  const Hardening hardening(curve, *linear_to_m);
  const double end_m = curve.back()[0];
  if (!(hardening.effective_m(end_m) > end_m)) return {};
  const auto law_N = [&](double depth_m) { return k_N_per_m * hardening.effective_m(depth_m); };
  return MujocoHardening{fit_cubic_spring(law_N, end_m), end_m};
}

std::string no_hardening_words(const SlotContents& contents) {
  if (const auto linear_to_m = contents.value("linear_to"))
    return fmt::format("stiffness.curve: the model holds no hardening beyond {:g} mm",
                       m_to_mm(*linear_to_m));
  return "stiffness.linear_to: where hardening begins is not known (--assume "
         "stiffness.linear_to=VALUE, to a model that holds a curve)";
}

std::string no_bristles_words(const SlotContents& contents) {
  std::string names;
  for (const auto& loss : contents.left_out)
    if (loss.path.starts_with("friction."))
      names += fmt::format("{}{}", names.empty() ? "" : ", ", loss.path);
  return names.empty() ? "friction.mu_d: bristles need more than 0"
                       : names + ": bristles need all six numbers of friction";
}

}  // namespace

double mujoco_tip_radius_m(const TactelPlace& place) {
  return kTipPerHalfWidth * place.half_width_m;
}

double least_inertia_kg(double stiffness_N_per_m, double damping_N_s_per_m, double time_step_s) {
  return std::max(4 * stiffness_N_per_m * time_step_s * time_step_s,
                  2 * damping_N_s_per_m * time_step_s);
}

double MujocoPad::stiffest_N_per_m() const {
  return spring().tangent_N_per_m(travel_m.value_or(hardening ? hardening->end_m : 0));
}

std::span<const Slot> mujoco_slots(MujocoForm form) {
  const std::span<const Slot> all = kPadSlots;
  return form == MujocoForm::kModern ? all : all.first(kPortableSlots);
}

Result<MujocoPad> mujoco_pad(const SensorModel& model, const SlotContents& contents,
                             MujocoForm form) {
  MujocoPad pad{tactel_pad(model, contents), std::nullopt, std::nullopt, 0, 0};
  if (form == MujocoForm::kModern) {
    pad.hardening = hardening_of(model, pad.stiffness_N_per_m, contents);
    if (!pad.hardening && !bristle_law(contents))
      return fail(ErrorCode::kUnidentifiable, "{}; {}; '--to mujoco' does without either",
                  no_hardening_words(contents), no_bristles_words(contents));
  }
  set_step(pad);
  return pad;
}

std::optional<MujocoPad> bristled(MujocoPad pad, const SensorModel& model,
                                  const SlotContents& contents) {
  const auto law = bristle_law(contents);
  if (!law) return {};
  pad.bristles = MujocoBristles{*law, half_load_N(pad, pad.spring(), model).value_or(0), 0};
  set_step(pad);
  return pad;
}

}  // namespace tactelier
