#include "libcalib/protocol/rig.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "libcalib/json_check.hpp"
#include "libcalib/resources.hpp"
#include "libcalib/sensor/wrench.hpp"
#include "libcalib/session/json_get.hpp"
#include "libcalib/text_file.hpp"
#include "libcalib/units.hpp"

namespace tactelier {
namespace {

using nlohmann::json;

constexpr std::size_t kMaxBytes = 1U << 20U;

std::optional<double> number(const json& object, const char* key, double to_si = 1) {
  const auto found = object.find(key);
  if (found == object.end() || found->is_null()) return std::nullopt;
  return found->get<double>() * to_si;
}

std::optional<Vector3> point(const json& object, const char* key) {
  if (!object.contains(key)) return std::nullopt;
  const auto& list = object[key];
  return Vector3{mm_to_m(list[0].get<double>()), mm_to_m(list[1].get<double>()),
                 mm_to_m(list[2].get<double>())};
}

/// x, y and perhaps z.
std::optional<GroundPlace> ground_place(const json& object) {
  if (!object.contains("ground_mm")) return std::nullopt;
  const auto& list = object["ground_mm"];
  GroundPlace place{mm_to_m(list[0].get<double>()), mm_to_m(list[1].get<double>()), {}};
  if (list.size() > 2) place.z_m = mm_to_m(list[2].get<double>());
  return place;
}

/// The same place in the sensor frame, and how far down the stage goes there.
void set_up_ground(const RigFile& rig, PlanSetup& setup) {
  if (!rig.ground) return;
  const auto& place = *rig.ground;
  const auto at_m =
      rig.sensor_from_stage_m({place.x_m, place.y_m, place.z_m.value_or(rig.surface.z0_m)});
  setup.ground = GroundPlace{at_m[0], at_m[1], {}};
  if (place.z_m) setup.ground->z_m = at_m[2];
  constexpr double kSpare_m = 0.1e-3;  // of the travel's end
  if (rig.travel_m)
    setup.ground_search_m =
        std::min(setup.ground_search_m, rig.surface.z0_m - (*rig.travel_m)[2] - kSpare_m);
}

void read_stage(const json& object, StageLimits& stage) {
  stage.acceleration_m_per_s2 = *number(object, "acceleration_mm_s2", 1e-3);
  stage.xy_speed_m_per_s = *number(object, "xy_speed_mm_s", 1e-3);
  stage.z_speed_m_per_s = *number(object, "z_speed_mm_s", 1e-3);
  stage.safe_height_m = *number(object, "safe_height_mm", 1e-3);
  stage.air_gap_m = number(object, "air_gap_mm", 1e-3).value_or(stage.air_gap_m);
}

void read_imperfections(const json& object, RigFile& rig) {
  rig.compliance_m_per_N = number(object, "compliance_um_per_N", 1e-6);
  rig.shear_compliance_m_per_N = number(object, "shear_compliance_um_per_N", 1e-6);
  const auto& stage = object["stage"];
  rig.step_z_m = number(stage.value("step_um", json::object()), "z", 1e-6);
  rig.backlash_z_m = number(stage.value("backlash_um", json::object()), "z", 1e-6);
}

void read_frames(const json& object, RigFile& rig) {
  const auto frame = object.value("stage_to_sensor", json::object());
  rig.stage_to_sensor.x_m = number(frame, "x_mm", 1e-3).value_or(0);
  rig.stage_to_sensor.y_m = number(frame, "y_mm", 1e-3).value_or(0);
  rig.stage_to_sensor.rz_rad = number(frame, "rz_deg", deg_to_rad(1)).value_or(0);
  rig.stage_to_sensor.mirror = frame.contains("mirror") && frame["mirror"] == true;
  rig.registered = object.contains("stage_to_sensor");
  const auto surface = object.value("surface", json::object());
  rig.surface_known = object.contains("surface");
  rig.surface.z0_m = number(surface, "z0_mm", 1e-3).value_or(0);
  rig.surface.tilt_x_rad = number(surface, "tilt_x_deg", deg_to_rad(1)).value_or(0);
  rig.surface.tilt_y_rad = number(surface, "tilt_y_deg", deg_to_rad(1)).value_or(0);
}

Result<void> read_space(const json& object, RigFile& rig, std::string_view where) {
  const auto& stage = object["stage"];
  if (stage.contains("travel_mm")) {
    rig.travel_m.emplace();
    for (std::size_t i = 0; i < 6; ++i)
      (*rig.travel_m)[i] = mm_to_m(stage["travel_mm"][i].get<double>());
    for (std::size_t i = 0; i < 3; ++i)
      if ((*rig.travel_m)[i] >= (*rig.travel_m)[i + 3])
        return fail(ErrorCode::kInvalidInput,
                    "{}: stage.travel_mm: must be x0, y0, z0, x1, y1, z1 with the smaller ones "
                    "first",
                    where);
  }
  for (const auto& box : object.value("keep_out", json::array())) {
    KeepOut keep{*point(box, "from_mm"), *point(box, "to_mm"), box.value("what", "")};
    for (std::size_t i = 0; i < 3; ++i)
      if (keep.from_m[i] > keep.to_m[i]) std::swap(keep.from_m[i], keep.to_m[i]);
    rig.keep_out.push_back(std::move(keep));
  }
  return {};
}

/// Does the straight way from a to b touch the box? (slab method)
bool enters(const Vector3& a, const Vector3& b, const KeepOut& box) {
  double first = 0;
  double last = 1;
  for (std::size_t i = 0; i < 3; ++i) {
    const double way = b[i] - a[i];
    if (std::abs(way) < 1e-12) {
      if (a[i] < box.from_m[i] || a[i] > box.to_m[i]) return false;
      continue;
    }
    const double t0 = (box.from_m[i] - a[i]) / way;
    const double t1 = (box.to_m[i] - a[i]) / way;
    first = std::max(first, std::min(t0, t1));
    last = std::min(last, std::max(t0, t1));
  }
  return first <= last;
}

double length_of(const Vector3& v) { return std::hypot(v[0], v[1], v[2]); }

std::string place_text(const Vector3& at_m) {
  return fmt::format("({:.4g}, {:.4g}, {:.4g}) mm", m_to_mm(at_m[0]), m_to_mm(at_m[1]),
                     m_to_mm(at_m[2]));
}

}  // namespace

Vector3 RigFile::sensor_from_stage_m(const Vector3& at_m) const {
  const double x = stage_to_sensor.mirror ? -at_m[0] : at_m[0];
  const double c = std::cos(stage_to_sensor.rz_rad);
  const double s = std::sin(stage_to_sensor.rz_rad);
  return {c * x - s * at_m[1] + stage_to_sensor.x_m, s * x + c * at_m[1] + stage_to_sensor.y_m,
          at_m[2] - surface.z0_m};
}

Vector3 RigFile::stage_from_sensor_m(const Vector3& at_m) const {
  const double dx = at_m[0] - stage_to_sensor.x_m;
  const double dy = at_m[1] - stage_to_sensor.y_m;
  const double c = std::cos(stage_to_sensor.rz_rad);
  const double s = std::sin(stage_to_sensor.rz_rad);
  const double x = c * dx + s * dy;
  return {stage_to_sensor.mirror ? -x : x, -s * dx + c * dy, at_m[2] + surface.z0_m};
}

Vector3 RigFile::press_torque_Nm_per_N() const {
  if (!tip_m) return {};
  Vector3 press{};
  press[press_axis.index] = 1;
  return cross(*tip_m, press);
}

Result<RigFile> parse_rig(std::string_view json_text, std::string_view where) {
  const auto parsed = parse_json(json_text, where);
  if (!parsed) return fail(parsed.error());
  const auto& object = *parsed;
  if (const auto format = check_format(object, "tactelier/rig", 1, where); !format)
    return fail(format.error());
  if (const auto checked = check_schema(object, "rig", where); !checked)
    return fail(checked.error());
  RigFile rig;
  rig.name = object.value("name", "");
  read_stage(object["stage"], rig.stage);
  const auto& limits = object["limits"];
  rig.limits = {number(limits, "max_force_N"), number(limits, "max_torque_Nm"),
                number(limits, "max_pressure_MPa", 1e6), number(limits, "max_depth_mm", 1e-3)};
  read_imperfections(object, rig);
  read_frames(object, rig);
  if (const auto space = read_space(object, rig, where); !space) return fail(space.error());
  if (const auto* sensor = get_member(object, "force_sensor")) {
    rig.tip_m = point(*sensor, "tip_mm");
    const auto axis = parse_press_axis(get_text(*sensor, "press_axis", "z"),
                                       fmt::format("{}: force_sensor.press_axis", where));
    if (!axis) return fail(axis.error());
    rig.press_axis = *axis;
    if (const auto* certificate = get_member(*sensor, "certificate"))
      rig.force_gain_u_percent = get_number(*certificate, "gain_u_percent");
  }
  if (object.contains("indenter")) {
    auto mounted = mounted_indenter(object["indenter"].dump(), fmt::format("{}: indenter", where));
    if (!mounted) return fail(mounted.error());
    rig.indenter = std::move(*mounted);
  }
  rig.plate_m = point(object, "plate_mm");
  if (const auto stiff = get_number(object, "plate_stiffness_N_per_um"))
    rig.plate_stiffness_N_per_m = *stiff * 1e6;
  rig.reference_pad_m = point(object, "reference_pad_mm");
  rig.ground = ground_place(object);
  if (const auto* spring = get_member(object, "leaf_spring"))
    rig.leaf_spring =
        LeafSpring{*point(*spring, "top_mm"), (*spring)["stiffness_N_per_mm"].get<double>() * 1e3,
                   (*spring)["u_percent"].get<double>(), number(*spring, "max_force_N")};
  rig.park_m =
      object.contains("park_mm") ? point(object, "park_mm") : point(object, "tool_change_mm");
  if (object.contains("emergency_stop")) rig.emergency_stop = object["emergency_stop"].get<bool>();
  rig.document = canonical(object);
  return rig;
}

Result<RigFile> load_rig(std::string_view path) {
  const auto text = read_text_file(std::string(path), kMaxBytes);
  if (!text) return fail(text.error());
  return parse_rig(*text, path);
}

RigFile virtual_bench_rig() {
  constexpr std::string_view kName = "rigs/virtual-bench.json";
  return parse_rig(resource(kName).value(), kName).value();  // tests read every shipped file
}

PlanSetup setup_for(const RigFile& rig, const PlanSetup& otherwise) {
  PlanSetup setup = otherwise;
  setup.stage = rig.stage;
  setup.limits = rig.limits;
  if (rig.indenter) setup.indenter = rig.indenter;
  if (rig.tip_m) {
    setup.tip_lever_m = length_of(*rig.tip_m);
    setup.tip_offset_m = length_of(rig.press_torque_Nm_per_N());
  }
  if (rig.plate_stiffness_N_per_m)
    setup.plate_compliance_m_per_N = 1 / *rig.plate_stiffness_N_per_m;
  if (rig.plate_m) setup.plate_m = rig.sensor_from_stage_m(*rig.plate_m);
  if (rig.reference_pad_m) setup.reference_m = rig.sensor_from_stage_m(*rig.reference_pad_m);
  if (rig.park_m) setup.park_m = rig.sensor_from_stage_m(*rig.park_m);
  set_up_ground(rig, setup);
  if (rig.leaf_spring) {
    setup.spring = rig.leaf_spring;
    setup.spring->top_m = rig.sensor_from_stage_m(rig.leaf_spring->top_m);
  }
  return setup;
}

std::optional<ForbiddenWay> forbidden_way(const RigFile& rig, const Vector3& from_m,
                                          const Vector3& to_m) {
  constexpr double kSame_m = 1e-9;
  if (rig.travel_m)
    for (const auto& at_m : {from_m, to_m})
      for (std::size_t i = 0; i < 3; ++i)
        if (at_m[i] < (*rig.travel_m)[i] - kSame_m || at_m[i] > (*rig.travel_m)[i + 3] + kSame_m)
          return ForbiddenWay{at_m, "would leave the stage's travel"};
  for (const auto& box : rig.keep_out)
    if (enters(from_m, to_m, box))
      return ForbiddenWay{to_m, box.what.empty()
                                    ? "would cross a keep-out box"
                                    : "would cross the keep-out box '" + box.what + "'"};
  return std::nullopt;
}

Result<void> check_reach(const Plan& plan, const RigFile& rig) {
  for (const auto& segment : plan.segments) {
    const auto& step = plan.steps[segment.step];
    const auto from_m = rig.stage_from_sensor_m(segment.motion.from_m());
    const auto to_m = rig.stage_from_sensor_m(segment.motion.end_m());
    if (const auto forbidden = forbidden_way(rig, from_m, to_m))
      return fail(ErrorCode::kInvalidInput, "{}: step {} ({}): at {} of the stage it {}", plan.name,
                  step.label, step.name, place_text(forbidden->at_m), forbidden->why);
  }
  return {};
}

}  // namespace tactelier
