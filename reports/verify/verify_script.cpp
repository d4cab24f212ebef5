#include "reports/verify/verify_script.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "libcalib/resources.hpp"
#include "reports/export/bullet_exporter.hpp"
#include "reports/export/export_json.hpp"
#include "reports/export/export_text.hpp"
#include "reports/export/exporter.hpp"
#include "reports/verify/mjcf_parts.hpp"
#include "reports/verify/mujoco_scene.hpp"
#include "reports/verify/press_list.hpp"
#include "reports/verify/verification_record.hpp"

namespace tactelier {
namespace {

using nlohmann::ordered_json;

struct ScriptedFormat {
  std::string_view format;
  std::string_view wants;  // what a colleague installs
  bool damping_at_all_depths = true;
};

constexpr std::array kScripted{
    ScriptedFormat{"bullet", "pybullet"},
    ScriptedFormat{"drake", "drake (pydrake)"},
    ScriptedFormat{"newton", "newton"},
    ScriptedFormat{"genesis", "genesis-world", false},
    ScriptedFormat{"chrono", "pychrono 9 or later"},
    ScriptedFormat{"sdf", "gz-sim 8 (Harmonic) or later with its modules for Python"},
    ScriptedFormat{"isaac", "Isaac Sim 4.5 or later (its own python.sh, or isaacsim of pip)"},
};
/// Speeds are chosen for this step: the targets choose shorter ones.
constexpr double kSlowEnough_s = 1e-3;

ordered_json tactels_json(const TactelPad& pad) {
  auto list = ordered_json::array();
  for (const auto& place : pad.places)
    list.push_back(
        {{"name", place.name()}, {"position_m", place.position_m}, {"normal", place.normal}});
  return list;
}

ordered_json pad_json(const MujocoPad& pad) {
  ordered_json json{{"name", pad.name},
                    {"stiffness_N_per_m", pad.stiffness_N_per_m},
                    {"damping_N_s_per_m", pad.damping_N_s_per_m},
                    {"friction", nullptr},
                    {"time_step_s", bullet_step_s(pad)},
                    {"half_edge_m", plate_half_edge_m(pad) + mjcf::kBesidePad_m},
                    {"ball_radius_m", ball_radius_m(pad)},
                    {"tactels", tactels_json(pad)}};
  if (pad.friction) json["friction"] = *pad.friction;
  return json;
}

ordered_json plate_json(const MujocoPad& pad, const PressList& list) {
  auto presses = ordered_json::array();
  for (const double level : kPressLevels) {
    const double each_N = list.load_N(level);
    presses.push_back({{"press", fmt::format("plate, {:.4g} N on each tactel", each_N)},
                       {"load_N", each_N * static_cast<double>(pad.places.size())},
                       {"force_N", each_N},
                       {"depth_m", list.depth_m(each_N)}});
  }
  return presses;
}

ordered_json driven_json(const PressList& list, std::string_view what,
                         std::span<const double> levels) {
  auto presses = ordered_json::array();
  for (const double level : levels) {
    const double depth_m = list.depth_m(list.load_N(level));
    const double speed_m_per_s = list.speed_m_per_s(depth_m, kSlowEnough_s);
    presses.push_back({{"press", fmt::format("plate {} at {:.4g} m/s, {:.4g} m deep", what,
                                             speed_m_per_s, depth_m)},
                       {"depth_m", depth_m},
                       {"speed_m_per_s", speed_m_per_s}});
  }
  return presses;
}

ordered_json balls_json(const MujocoPad& pad, const PressList& list) {
  auto presses = ordered_json::array();
  const double each_N = list.load_N(0.5);
  for (std::size_t i = 0; i < pad.places.size(); ++i)
    presses.push_back({{"press", fmt::format("ball on tactel {}, {:.4g} N", i, each_N)},
                       {"tactel", i},
                       {"load_N", each_N},
                       {"depth_m", list.depth_m(each_N)}});
  return presses;
}

/// What a record says before anything was pressed.
ordered_json record_json(const SensorModel& model, const ScriptedFormat& scripted,
                         const PressList& list, std::string_view tool) {
  Verification nothing;
  nothing.force_N = list.force_N();
  const VerificationRecord record{std::string(scripted.format), "", std::string(tool), model,
                                  nothing};
  auto json = ordered_json::parse(to_json(record));
  json["format"] = scripted.format;
  for (const auto* later : {"version", "created", "target", "passed", "quantities", "left_out"})
    json.erase(later);
  return json;
}

ordered_json presses_of(const MujocoPad& pad, const PressList& list,
                        const ScriptedFormat& scripted) {
  constexpr std::array kMiddle{0.5};
  const bool level = is_level(pad.places);
  const bool slides = level && pad.friction.value_or(0) > 0;
  std::vector<std::string> left_out{
      "images of shapes: the list has plates and balls alone",
      "saturation and dead tactels: what the target shows is what tactels carry"};
  if (!level) left_out.emplace_back("plate, damping and friction: the pad is not level");
  if (level && !slides) left_out.emplace_back("friction: the model has none to compare with");
  if (!scripted.damping_at_all_depths)
    left_out.emplace_back(
        "damping at other depths: the format holds it at half of the range alone");
  const std::span<const double> damped = scripted.damping_at_all_depths
                                             ? std::span<const double>(kPressLevels)
                                             : std::span<const double>(kMiddle);
  const bool damps = level && pad.damping_N_s_per_m > 0;
  const auto none = ordered_json::array();
  return {{"plate", level ? plate_json(pad, list) : none},
          {"moving", damps ? driven_json(list, "moving", damped) : none},
          {"sliding", slides ? driven_json(list, "sliding", kPressLevels) : none},
          {"ball", balls_json(pad, list)},
          {"tolerance_percent",
           {{"static", kStaticTolerance_percent},
            {"damping", kDampingTolerance_percent},
            {"friction", kFrictionTolerance_percent}}},
          {"left_out", left_out}};
}

std::string script_text(const SensorModel& model, const ScriptedFormat& scripted,
                        const ordered_json& reference) {
  std::vector<std::string> lines{
      fmt::format("Presses a tactile pad exported as '{}' again, in its simulator, and writes a "
                  "verification record.",
                  scripted.format),
      fmt::format("Needs Python 3.9 or later and {}. Run: python3 {} [--record FILE]",
                  scripted.wants, verify_script_name(scripted.format)),
      "The pad and what the model says of each press stand at the end of this file."};
  for (auto& line : header_lines(model)) lines.push_back(std::move(line));
  // JSON of ASCII alone, as a string: what JSON takes for one, Python does as well.
  const auto quoted = ordered_json(json_text(reference)).dump(-1, ' ', true);
  return "#!/usr/bin/env python3\n" + comment_lines("# ", lines) +
         std::string(*resource("verify/verify_pad.py")) + "\n\n" +
         std::string(*resource(fmt::format("verify/in_{}.py", scripted.format))) +
         fmt::format(
             "\n\nREFERENCE = json.loads({})\n\nif __name__ == \"__main__\":\n"
             "    sys.exit(verify(Target, REFERENCE))\n",
             quoted);
}

Result<ordered_json> reference_of(const SensorModel& model, const ScriptedFormat& scripted,
                                  std::string_view tool) {
  const auto* writer = *exporter(scripted.format);
  const auto exported = writer->write(model);
  if (!exported) return fail(exported.error());
  const auto contents = fill_slots(model, mujoco_slots(), "a verification");
  if (!contents) return fail(contents.error());
  const auto pad = mujoco_pad(model, *contents);
  if (!pad) return fail(pad.error());
  const auto list = PressList::create(model, *pad);
  if (!list) return fail(list.error());
  auto reference = presses_of(*pad, *list, scripted);
  reference["record"] = record_json(model, scripted, *list, tool);
  reference["pad"] = pad_json(*pad);
  reference["main"] = pad->name + std::string(writer->extension());
  reference["files"][reference["main"].get<std::string>()] = exported->text;
  for (const auto& sidecar : exported->sidecars) reference["files"][sidecar.name] = sidecar.text;
  return reference;
}

}  // namespace

std::vector<std::string> scripted_formats() {
  std::vector<std::string> formats;
  for (const auto& one : kScripted) formats.emplace_back(one.format);
  return formats;
}

std::string verify_script_name(std::string_view format) {
  return fmt::format("verify_in_{}.py", format);
}

Result<std::string> verify_script(const SensorModel& model, std::string_view format,
                                  std::string_view tool) {
  const auto* const scripted = std::find_if(kScripted.begin(), kScripted.end(),
                                            [&](const auto& one) { return one.format == format; });
  if (scripted == kScripted.end())
    return fail(ErrorCode::kUsage, "there is no script for format '{}'; {} have one", format,
                fmt::join(scripted_formats(), ", "));
  const auto reference = reference_of(model, *scripted, tool);
  if (!reference) return fail(reference.error());
  return script_text(model, *scripted, *reference);
}

}  // namespace tactelier
