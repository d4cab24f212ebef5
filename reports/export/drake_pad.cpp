#include "reports/export/drake_pad.hpp"

#include <array>

#include "reports/export/pad_slots.hpp"

namespace tactelier {
namespace {

constexpr double kOther_N_per_m = 1e6;  // Drake's default for a body that says nothing

constexpr std::array kDrakeSlots{
    kStiffnessSlot,
    Slot{"damping", "damping.c_n", "N*s/m, one tactel", Bound::kNotNegative},
    Slot{"dissipation", "damping.dissipation", "s/m: Hunt-Crossley", Bound::kNotNegative},
    Slot{"mu_static", "friction.mu_s", "static friction, which Drake leaves out of discrete plants",
         Bound::kNotNegative},
    Slot{"mu_dynamic", "friction.mu_d", "sliding friction", Bound::kNotNegative},
    kThicknessSlot,
    kModulusSlot,
    kFoundationSlot,
};

void set_dissipation(const SensorModel& model, const SlotContents& contents, DrakePad& pad) {
  const auto damping = contents.value("damping");
  if (damping) pad.relaxation_time_s = *damping / pad.stiffness_N_per_m;
  pad.dissipation_s_per_m = contents.value("dissipation");
  if (pad.dissipation_s_per_m || !damping || !model.validity.force_N) return;
  pad.dissipation_at_N = (*model.validity.force_N)[1] / 2;
  pad.dissipation_s_per_m = *damping / *pad.dissipation_at_N;
}

}  // namespace

std::span<const Slot> drake_slots() { return kDrakeSlots; }

Result<DrakePad> drake_pad(const SensorModel& model, const SlotContents& contents) {
  DrakePad pad{tactel_pad(model, contents), 0, {}, {}, {}, {}, {}, {}};
  const double k = pad.stiffness_N_per_m;
  if (k >= kOther_N_per_m)
    return fail(ErrorCode::kInvalidInput,
                "stiffness.k: {:g} N/m can't be written: Drake puts it in series with the {:g} N/m "
                "of what touches the pad, and less comes out",
                k, kOther_N_per_m);
  pad.written_stiffness_N_per_m = 1 / (1 / k - 1 / kOther_N_per_m);
  set_dissipation(model, contents, pad);
  pad.mu_static = contents.value("mu_static");
  pad.mu_dynamic = contents.value("mu_dynamic");
  pad.layer = layer_boxes(model.sensor, contents);
  return pad;
}

}  // namespace tactelier
