#pragma once
// The rig as far as a plan needs it: limits of the stage and of what it presses, places beside the
// pad, boxes to keep out of (data/schemas/rig.schema.json). Places are in the stage frame G, as the
// machine reports them; plans are in the sensor frame S. Tilt of the surface is left to who follows
// the plan.

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "libcalib/protocol/plan.hpp"
#include "libcalib/session/metadata.hpp"

namespace tactelier {

struct KeepOut {
  Vector3 from_m{};
  Vector3 to_m{};
  std::string what;
};

struct RigFile {
  std::string name;
  StageLimits stage;
  std::optional<std::array<double, 6>> travel_m;  // x0, y0, z0, x1, y1, z1
  Limits limits;
  std::optional<double> compliance_m_per_N;
  std::optional<double> shear_compliance_m_per_N;
  std::optional<double>
      plate_stiffness_N_per_m;  // of the plate itself, or of a spring in its place
  std::optional<double> step_z_m;
  std::optional<double> backlash_z_m;
  std::optional<Vector3> tip_m;  // force_sensor.tip_mm: in its frame, from its origin
  PressAxis press_axis;
  std::optional<MountedIndenter> indenter;
  StageToSensor stage_to_sensor;  // identity where the file has none
  bool registered = false;        // the file has one
  Surface surface;
  bool surface_known = false;  // the file has one
  std::optional<Vector3> plate_m;
  std::optional<Vector3> reference_pad_m;
  std::optional<GroundPlace> ground;
  std::optional<LeafSpring> leaf_spring;
  std::optional<double> force_gain_u_percent;  // of the force sensor's certificate, standard
  std::optional<Vector3> park_m;
  std::vector<KeepOut> keep_out;
  std::optional<bool> emergency_stop;  // declared present or absent, or not at all
  std::string document;                // canonical JSON: what a session stores

  Vector3 sensor_from_stage_m(const Vector3& at_m) const;
  Vector3 stage_from_sensor_m(const Vector3& at_m) const;

  /// Torque at the force sensor's origin [N m] per newton that presses on the tip, along the
  /// pressing axis. A tip on that axis has none; without tip_mm none is known.
  Vector3 press_torque_Nm_per_N() const;
};

/// Checks against data/schemas/rig.schema.json, then for sense (boxes and travel the right way
/// round).
Result<RigFile> parse_rig(std::string_view json_text, std::string_view where);
Result<RigFile> load_rig(std::string_view path);

/// The rig of the simulated bench (data/rigs/virtual-bench.json).
RigFile virtual_bench_rig();

/// Limits, places and indenter of the rig; what it doesn't say stays as in `otherwise`.
PlanSetup setup_for(const RigFile& rig, const PlanSetup& otherwise);

/// Fails when a movement of the plan leaves the stage's travel or enters a keep-out box, naming
/// step and place in the stage frame.
Result<void> check_reach(const Plan& plan, const RigFile& rig);

/// Why a straight way isn't free, and where: "would leave the stage's travel", "would cross the
/// keep-out box 'camera'".
struct ForbiddenWay {
  Vector3 at_m{};  // stage frame
  std::string why;
};
/// Nothing when the way between two places of the stage frame is free.
std::optional<ForbiddenWay> forbidden_way(const RigFile& rig, const Vector3& from_m,
                                          const Vector3& to_m);

}  // namespace tactelier
