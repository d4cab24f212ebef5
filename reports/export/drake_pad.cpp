#include "reports/export/drake_pad.hpp"

#include <algorithm>
#include <array>

#include "libcalib/units.hpp"

namespace tactelier {
namespace {

constexpr double kOther_N_per_m = 1e6;  // Drake's default for a body that says nothing

constexpr std::array kDrakeSlots{
    Slot{"stiffness", "stiffness.k", "N/m, one tactel", Bound::kPositive, Need::kRequired},
    Slot{"damping", "damping.c_n", "N*s/m, one tactel", Bound::kNotNegative},
    Slot{"dissipation", "damping.dissipation", "s/m: Hunt-Crossley", Bound::kNotNegative},
    Slot{"mu_static", "friction.mu_s", "static friction, which Drake leaves out of discrete plants",
         Bound::kNotNegative},
    Slot{"mu_dynamic", "friction.mu_d", "sliding friction", Bound::kNotNegative},
    Slot{"thickness_m", "sensor.thickness_m", "m: elastic layer"},
    Slot{"modulus", "hydroelastic.modulus", "Pa"},
    Slot{"foundation_m", "hydroelastic.thickness", "m: of the layer that the modulus is for"},
};

void set_dissipation(const SensorModel& model, const SlotContents& contents, DrakePad& pad) {
  const auto damping = contents.value("damping");
  if (damping) pad.relaxation_time_s = *damping / pad.stiffness_N_per_m;
  pad.dissipation_s_per_m = contents.value("dissipation");
  if (pad.dissipation_s_per_m || !damping || !model.validity.force_N) return;
  pad.dissipation_at_N = (*model.validity.force_N)[1] / 2;
  pad.dissipation_s_per_m = *damping / *pad.dissipation_at_N;
}

/// Modulus and thickness of the layer, fitted, else of the tactels' springs: k h / a.
std::optional<std::array<double, 2>> layer(const SensorArray& array, const SlotContents& contents) {
  const auto modulus_Pa = contents.value("modulus"), foundation_m = contents.value("foundation_m");
  if (modulus_Pa && foundation_m) return {{*modulus_Pa, *foundation_m}};
  const auto thickness_m = contents.value("thickness_m");
  if (!thickness_m) return std::nullopt;
  const double area_m2 = array.sensing_area_m2() / array.tactels();
  return {{*contents.value("stiffness") * *thickness_m / area_m2, *thickness_m}};
}

/// "" where there is one now.
std::string add_box(const SensorArray& array, const SlotContents& contents, DrakePad& pad) {
  if (!array.positions_m.empty() || !array.normals.empty()) return "an array is not a flat grid";
  const auto found = layer(array, contents);
  if (!found) return "the layer's thickness is not known";
  const auto [modulus_Pa, thickness_m] = *found;
  const Vector3 size_m{array.columns * array.pitch_x_m, array.rows * array.pitch_y_m,
                       2 * thickness_m};
  if (std::min(size_m[0], size_m[1]) < size_m[2])
    return fmt::format(
        "an array narrower than twice its layer of {:g} mm: Drake's pressure would "
        "rise from its sides",
        m_to_mm(thickness_m));
  pad.boxes.push_back({array.pose, size_m, modulus_Pa});
  return {};
}

}  // namespace

std::span<const Slot> drake_slots() { return kDrakeSlots; }

Result<DrakePad> drake_pad(const SensorModel& model, const SlotContents& contents) {
  DrakePad pad{tactel_pad(model, contents), 0, {}, {}, {}, {}, {}, {}, {}};
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
  for (const auto& array : model.sensor.arrays)
    if (pad.no_boxes.empty()) pad.no_boxes = add_box(array, contents, pad);
  if (!pad.no_boxes.empty()) pad.boxes.clear();
  return pad;
}

}  // namespace tactelier
