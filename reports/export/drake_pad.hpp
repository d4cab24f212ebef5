#pragma once
// The numbers of a pad in Drake, apart from the text that holds them.

#include "reports/export/layer_box.hpp"
#include "reports/export/tactel_pad.hpp"

namespace tactelier {

struct DrakePad : TactelPad {
  double written_stiffness_N_per_m = 0;     // in series with the other body's 1e6 N/m: the tactel's
  std::optional<double> relaxation_time_s;  // c / k
  std::optional<double> dissipation_s_per_m;  // Hunt-Crossley: the model's, else c / F
  std::optional<double> dissipation_at_N;     // that F, half of what the model is valid for
  std::optional<double> mu_static, mu_dynamic;
  LayerBoxes layer;
};

std::span<const Slot> drake_slots();
/// Fails with kInvalidInput where k is not below 1e6 N/m.
Result<DrakePad> drake_pad(const SensorModel& model, const SlotContents& contents);

}  // namespace tactelier
