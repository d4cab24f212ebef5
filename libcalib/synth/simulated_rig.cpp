#include "libcalib/synth/simulated_rig.hpp"

#include <nlohmann/json.hpp>

#include "libcalib/json_check.hpp"
#include "libcalib/sensor/sensor_document.hpp"
#include "libcalib/session/metadata.hpp"

namespace tactelier::synth {

using nlohmann::json;

pad::Effects effects_with(const RigFile& rig, pad::Effects effects) {
  if (rig.compliance_m_per_N)
    effects.compliance = {*rig.compliance_m_per_N, 0, 0.5, effects.compliance.shear_m_per_N,
                          effects.compliance.mount_m_per_N};
  if (rig.leaf_spring) {
    const auto truth = json::parse(rig.document).value("truth", json::object());
    effects.compliance.leaf_spring_N_per_m =
        1e3 * truth.value("leaf_spring_N_per_mm", 1e-3 * rig.leaf_spring->stiffness_N_per_m);
  }
  if (rig.shear_compliance_m_per_N)
    effects.compliance.shear_m_per_N = *rig.shear_compliance_m_per_N;
  if (rig.step_z_m) effects.stage.step_m = *rig.step_z_m;
  if (rig.backlash_z_m) effects.stage.backlash_m = *rig.backlash_z_m;
  return effects;
}

Result<pad::Mount> mount_of(const RigFile& rig, const SensorDescription& sensor) {
  pad::Mount mount;
  mount.x_m = rig.stage_to_sensor.x_m;
  mount.y_m = rig.stage_to_sensor.y_m;
  mount.rz_rad = rig.stage_to_sensor.rz_rad;
  mount.mirror = rig.stage_to_sensor.mirror;
  mount.z0_m = rig.surface.z0_m;
  mount.tilt_x_rad = rig.surface.tilt_x_rad;
  mount.tilt_y_rad = rig.surface.tilt_y_rad;
  const auto document = json::parse(rig.document);
  if (!document.contains("force_sensor")) return mount;
  // A session's metadata say what the rig's entry means.
  const json session{{"format", "tactelier/session"},
                     {"version", 1},
                     {"sensor", sensor_document(sensor)},
                     {"force_sensor", document["force_sensor"]}};
  const auto metadata = parse_session_metadata(canonical(session), "rig");
  if (!metadata) return fail(metadata.error());
  if (!metadata->force_sensor) return mount;
  const auto& axis = metadata->force_sensor->press_axis;
  if (axis.index != 2)
    return fail(ErrorCode::kInvalidInput,
                "rig: force_sensor.press_axis: '{}' is not simulated; 'z' and '-z' are",
                "xyz"[axis.index]);
  mount.press_sign = axis.sign;
  mount.force_rz_rad = metadata->force_sensor->rz_rad;
  mount.tip_m = metadata->force_sensor->tip_m;
  return mount;
}

}  // namespace tactelier::synth
