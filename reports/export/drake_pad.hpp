#pragma once
// The numbers of a pad in Drake, apart from the text that holds them.

#include "reports/export/tactel_pad.hpp"

namespace tactelier {

/// One box on an array: twice as high as the layer, so that Drake's pressure, which rises from each
/// face to the middle, is highest on the layer's ground.
struct DrakeBox {
  Pose pose;              // of the array
  Vector3 size_m{};       // columns, rows, twice the layer
  double modulus_Pa = 0;  // pressure where the layer is pressed through
};

struct DrakePad : TactelPad {
  double written_stiffness_N_per_m = 0;     // in series with the other body's 1e6 N/m: the tactel's
  std::optional<double> relaxation_time_s;  // c / k
  std::optional<double> dissipation_s_per_m;  // Hunt-Crossley: the model's, else c / F
  std::optional<double> dissipation_at_N;     // that F, half of what the model is valid for
  std::optional<double> mu_static, mu_dynamic;
  std::vector<DrakeBox> boxes;  // none where the pad can't be written so
  std::string no_boxes;         // why there are none
};

std::span<const Slot> drake_slots();
/// Fails with kInvalidInput where k is not below 1e6 N/m.
Result<DrakePad> drake_pad(const SensorModel& model, const SlotContents& contents);

}  // namespace tactelier
