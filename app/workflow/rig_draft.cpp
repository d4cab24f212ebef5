#include "app/workflow/rig_draft.hpp"

#include <algorithm>
#include <charconv>

#include "devices/acquisition/session_document.hpp"
#include "libcalib/protocol/rig_plausibility.hpp"
#include "libcalib/readable_json.hpp"
#include "libcalib/text_file.hpp"
#include "libcalib/units.hpp"

namespace tactelier {
namespace {

using nlohmann::ordered_json;

constexpr double kUsualDepth_m = 1.5e-3;
constexpr double kOfThickness = 0.6;
constexpr double kOfRange = 0.5;
constexpr double kAirGap_m = 0.2e-3;
constexpr const char* kYou = "you";
constexpr const char* kUsual = "usual, nobody said otherwise";

/// Digits that nobody measured are noise in a file.
double tidy(double value) {
  const auto text = fmt::format("{:.6g}", value);
  double tidied = value;
  std::from_chars(text.data(), text.data() + text.size(), tidied);
  return tidied + 0.0;  // no -0
}

std::size_t axis_of(const std::string& press_axis) {
  const auto found = std::string_view("xyz").find(press_axis.back());
  return found == std::string_view::npos ? 2 : found;
}

class Draft {
 public:
  explicit Draft(std::set<std::string> usual) : usual_(std::move(usual)) {}

  void put(const char* pointer, ordered_json value, std::string source, std::string meaning) {
    if (usual_.contains(pointer)) source = kUsual;
    const nlohmann::ordered_json::json_pointer at(pointer);
    auto key = std::string(pointer).substr(1);
    std::replace(key.begin(), key.end(), '/', '.');
    out.keys.push_back({key, value.dump(), std::move(source), std::move(meaning)});
    out.document[at] = std::move(value);
  }
  RigDraft out;

 private:
  std::set<std::string> usual_;
};

ordered_json place_mm(const Vector3& at_m) {
  return {tidy(m_to_mm(at_m[0])), tidy(m_to_mm(at_m[1])), tidy(m_to_mm(at_m[2]))};
}

void put_stage(const RigAnswers& answers, const RigFindings& findings, Draft& draft) {
  const auto& travel = findings.travel;
  const auto& a = travel.acceleration_m_per_s2;
  const auto& v = travel.most_speed_m_per_s;
  draft.put(
      "/stage/acceleration_mm_s2", tidy(m_to_mm(std::min({a[0], a[1], a[2]}))),
      "read from the stage, its slowest axis ($120 to $122 of a GRBL, M201 of a Marlin, accel of "
      "Zaber axes)",
      "how fast it brakes: how far a stop goes is counted with it");
  draft.put("/stage/xy_speed_mm_s", tidy(m_to_mm(std::min(v[0], v[1]))),
            "read from the stage ($110, $111; M203; maxspeed)",
            "fastest way sideways, at the safe height");
  draft.put("/stage/z_speed_mm_s", tidy(m_to_mm(v[2])),
            "read from the stage ($112; M203; maxspeed)",
            "fastest way up and down through air that is known");
  draft.put(
      "/stage/safe_height_mm", tidy(m_to_mm(answers.safe_height_m)), kYou,
      "sideways only so far above the pad, or higher; everything beside the pad must be lower");
  draft.put("/stage/air_gap_mm", m_to_mm(std::min(kAirGap_m, answers.safe_height_m / 2)), kUsual,
            "where the fast way down ends above the pad");
  ordered_json step;
  for (std::size_t axis = 0; axis < 3; ++axis)
    if (findings.step_m[axis])
      step[std::string(1, "xyz"[axis])] = tidy(*findings.step_m[axis] * 1e6);
  if (!step.is_null())
    draft.put("/stage/step_um", step,
              "read from the stage, 1000 / steps per mm ($100 to $102; M92), or um_per_step of the "
              "device file",
              "size of one step; wrong steps per mm show in the registration");
  const auto low = place_mm(travel.low_m), high = place_mm(travel.high_m);
  draft.put(
      "/stage/travel_mm", {low[0], low[1], low[2], high[0], high[1], high[2]},
      "read from the stage ($130 to $132, M211 or limit.max, and machine_zero_mm of the device "
      "file)",
      "x0, y0, z0, x1, y1, z1: its reach. Draw it in where something stands in the way");
}

void put_limits(const RigAnswers& answers, const RigFindings& findings, Draft& draft) {
  draft.put("/limits/max_force_N", answers.max_force_N, kYou,
            "more than that on the pad, plate or reference pad: hold, retract");
  const auto& range = findings.force.full_scale_SI;
  const double torque_Nm = std::min({range[3], range[4], range[5]});
  if (torque_Nm > 0)
    draft.put("/limits/max_torque_Nm", torque_Nm, "read from the force sensor, its range",
              "about its origin; a tip beside the pressing axis reaches it first");
  draft.put("/limits/max_depth_mm", tidy(m_to_mm(answers.max_depth_m)), kYou,
            "deeper than that under the first touch: hold, retract");
}

void put_force(const RigAnswers& answers, const RigFindings& findings, Draft& draft) {
  if (!findings.force_model.empty())
    draft.put("/force_sensor/model", findings.force_model, "read from the force sensor",
              "for people, and for the recording");
  draft.put("/force_sensor/press_axis", answers.press_axis, kYou,
            "axis along which pressing reads positive; a push by hand proves it at each power-up");
  if (answers.tip_length_m)
    draft.put("/force_sensor/tip_mm", {0, 0, tidy(m_to_mm(*answers.tip_length_m))}, kYou,
              "the tip in the force sensor's frame: levers of torques");
  if (answers.gain_u_percent)
    draft.put("/force_sensor/certificate/gain_u_percent", *answers.gain_u_percent, kYou,
              "standard uncertainty of the force's gain: no number of a model is better than it");
}

void put_places(const RigAnswers& answers, Draft& draft) {
  if (answers.pad_m) {
    draft.put("/surface",
              {{"z0_mm", tidy(m_to_mm((*answers.pad_m)[2]))}, {"tilt_x_deg", 0}, {"tilt_y_deg", 0}},
              "you, about; 'surface' measures it",
              "where the tip touches in the middle of the array: the search begins above it");
    draft.put("/stage_to_sensor",
              {{"x_mm", -tidy(m_to_mm((*answers.pad_m)[0]))},
               {"y_mm", -tidy(m_to_mm((*answers.pad_m)[1]))},
               {"rz_deg", 0},
               {"mirror", false}},
              "you, about; 'register' measures it", "how the stage's x and y lie over the tactels");
  }
  if (answers.plate_m)
    draft.put("/plate_mm", place_mm(*answers.plate_m), "you, about; 'plate' measures its height",
              "top of a rigid plate beside the pad: how far the rig itself gives is found there");
  if (answers.ground_m)
    draft.put("/ground_mm",
              {tidy(m_to_mm((*answers.ground_m)[0])), tidy(m_to_mm((*answers.ground_m)[1]))},
              "you, about; 'rig setup' finds its height",
              "bare ground beside the pad, on which its layer lies: tells how thick that is");
  if (answers.park_m)
    draft.put("/park_mm", place_mm(*answers.park_m), kYou,
              "where people can reach the pad, and tips are changed");
}

void put_performance(const RigAnswers& answers, const RigFindings& findings, Draft& draft) {
  const double noise_N = findings.force_noise_N[axis_of(answers.press_axis)];
  if (noise_N > 0)
    draft.put("/performance/force_noise_mN", tidy(noise_N * 1e3),
              "measured just now, a second at rest", "for the dry run alone; no fit reads it");
  if (findings.force_rate_hz > 0)
    draft.put("/performance/force_rate_hz", findings.force_rate_hz, "read from the force sensor",
              "for the dry run alone");
  draft.put("/performance/position_rate_hz", findings.position_rate_hz, "device file, poll_hz",
            "for the dry run alone; an encoder beside z is worth 1000");
}

}  // namespace

double usual_force_N(const RigFindings& findings, const std::string& press_axis) {
  const double range_N = findings.force.full_scale_SI[axis_of(press_axis)];
  const double most_N = range_N > 0 ? kOfRange * range_N : 5;
  return tidy(std::min(most_N, findings.sensor.max_force_N.value_or(most_N)));
}

double usual_depth_m(const RigFindings& findings) {
  if (!findings.sensor.thickness_m) return kUsualDepth_m;
  return std::min(kUsualDepth_m, kOfThickness * *findings.sensor.thickness_m);
}

RigDraft draft_rig(const RigAnswers& answers, const RigFindings& findings) {
  Draft draft(answers.usual);
  draft.put("/format", "tactelier/rig", "", "what kind of file this is");
  draft.put("/version", 1, "", "of the format");
  draft.put("/name", answers.name, kYou, "stands in every recording");
  draft.put("/emergency_stop", answers.emergency_stop, kYou,
            "is there a switch within reach that cuts the motors' power? Declared, not tested");
  put_stage(answers, findings, draft);
  put_limits(answers, findings, draft);
  put_force(answers, findings, draft);
  if (!answers.indenter.empty())
    draft.put("/indenter", ordered_json::parse(answers.indenter), kYou,
              "what is on the tip, whatever a protocol names");
  if (answers.check_mass_kg)
    draft.put("/check_mass_g", tidy(*answers.check_mass_kg * 1e3), kYou,
              "a known mass, asked for at each power-up: proves the force's gain to a tenth");
  put_places(answers, draft);
  put_performance(answers, findings, draft);
  return std::move(draft.out);
}

Result<void> check_draft(const RigDraft& draft, const RigFindings& findings,
                         const std::string& where) {
  const auto rig = parse_rig(draft.document.dump(), where);
  if (!rig) return fail(rig.error());
  const auto& reach = findings.travel;
  const RigMeans means{findings.force.full_scale_SI,
                       std::array{reach.low_m[0], reach.low_m[1], reach.low_m[2], reach.high_m[0],
                                  reach.high_m[1], reach.high_m[2]}};
  return check_plausible(*rig, findings.sensor, means, where);
}

std::filesystem::path notes_of(const std::filesystem::path& rig_file) {
  auto notes = rig_file;
  return notes.replace_extension(".notes.md");
}

std::string notes_text(const RigDraft& draft, const std::filesystem::path& rig_file) {
  auto text = fmt::format(
      "# {}, key by key\n\nWritten by `tactelier rig new` on {}; nothing reads this file. Set-up "
      "runs (`rig setup`) change the rig file and leave this as it is.\n\n| key | value | from | "
      "what it means |\n|---|---|---|---|\n",
      rig_file.filename().string(), rig::utc_now());
  for (const auto& one : draft.keys)
    text += fmt::format("| `{}` | `{}` | {} | {} |\n", one.key, one.value, one.source, one.meaning);
  return text +
         "\nAdd yourself where it applies: `keep_out` (boxes that the tip must not enter), "
         "`reference_pad_mm`, `tool_change_mm`, `compliance_um_per_N` (else `plate` measures it), "
         "`force_sensor.serial`, `force_sensor.rz_deg` (turn of its x against the array's). Every "
         "key: data/schemas/rig.schema.json.\n";
}

Result<RigDraft> write_rig(const RigAnswers& answers, const RigFindings& findings,
                           const std::filesystem::path& rig_file) {
  auto draft = draft_rig(answers, findings);
  if (auto sound = check_draft(draft, findings, rig_file.string()); !sound)
    return fail(sound.error());
  if (auto written = write_text_file(rig_file, readable_json(draft.document)); !written)
    return fail(written.error());
  if (auto written = write_text_file(notes_of(rig_file), notes_text(draft, rig_file)); !written)
    return fail(written.error());
  return draft;
}

}  // namespace tactelier
