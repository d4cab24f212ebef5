#include "app/workflow/rig_setup.hpp"

#include <algorithm>
#include <array>

#include "app/workflow/rig_control.hpp"
#include "libcalib/json_check.hpp"
#include "libcalib/units.hpp"

namespace tactelier {
namespace {

using nlohmann::json;
using rig::messages::TaskKind;

constexpr double kOver_m = 1e-3;  // somebody's eye, over what is shown

struct StepInfo {
  SetUpStep step;
  std::string_view name, what;
};
constexpr std::array<StepInfo, 8> kSteps{{
    {SetUpStep::kMount, "mount", "array, tip and cables are fixed; the emergency stop was tried"},
    {SetUpStep::kPolarity, "polarity", "a push by hand proves the force sensor's axes and signs"},
    {SetUpStep::kHome, "home", "the stage finds its reference switches, Z first, upwards"},
    {SetUpStep::kPlaces, "places", "about where pad, plate and bare ground are"},
    {SetUpStep::kPlate, "plate",
     "the bare tip on a rigid plate tells how far the rig itself gives"},
    {SetUpStep::kSurface, "surface", "five guarded touches tell height and tilt of the pad"},
    {SetUpStep::kRegister, "register", "nine presses tell how the stage lies over the tactels"},
    {SetUpStep::kGround, "ground",
     "guarded touches of the bare ground beside the pad tell how thick its layer is"},
}};

class Run {
 public:
  Run(const RigSetUpRequest& request, const SetUpHelp& help, Warnings& warnings, const Job& job)
      : request_(request), help_(help), warnings_(warnings), job_(job) {}

  Result<SetUpFound> perform(SetUpStep step) {
    switch (step) {
      case SetUpStep::kMount:
        return mount();
      case SetUpStep::kPolarity:
        return simple(step, TaskKind::kProve, "axes and signs are what the rig file says");
      case SetUpStep::kHome:
        return simple(step, TaskKind::kHome, "reference switches found; the position is known");
      case SetUpStep::kPlaces:
        return places();
      case SetUpStep::kPlate:
        return plate();
      case SetUpStep::kSurface:
        return finds(step, TaskKind::kSurface);
      case SetUpStep::kRegister:
        return finds(step, TaskKind::kRegister);
      case SetUpStep::kGround:
        return ground();
    }
    return fail(ErrorCode::kUsage, "no such step");
  }

 private:
  Result<SetUpFound> mount() const {
    const auto rig = load_rig(request_.place.rig.string());
    if (!rig) return fail(rig.error());
    if (on_bench()) return SetUpFound{SetUpStep::kMount, "virtual bench: nothing to mount", true};
    const auto text = fmt::format(
        "Array fixed, {} on the tip, force sensor's cable free, nothing under the tip but air, "
        "emergency stop ({}) pressed once and released?",
        rig->indenter ? "what the rig file names" : "the indenter",
        rig->emergency_stop.value_or(false) ? "declared" : "none declared: then the mains switch");
    if (auto said = help_.ask(text, ""); !said) return fail(said.error());
    return SetUpFound{SetUpStep::kMount, "as you say", false};
  }

  Result<json> follow(TaskKind kind) {
    return run_set_up(request_.place, kind, help_.ask, warnings_, job_);
  }

  Result<SetUpFound> simple(SetUpStep step, TaskKind kind, const char* words) {
    if (auto done = follow(kind); !done) return fail(done.error());
    return SetUpFound{step, words, false};
  }

  Result<SetUpFound> finds(SetUpStep step, TaskKind kind) {
    auto done = follow(kind);
    if (!done) return fail(done.error());
    SetUpFound found{step, ""};
    found.result = std::move(*done);
    return found;
  }

  bool on_bench() const {
    const auto devices = devices::load_device_file(request_.place.devices);
    return devices && devices->bench_control;
  }

  Result<std::optional<Vector3>> shown(rig::RigClient& client, const std::string& text) const {
    if (!help_.show_place) return std::optional<Vector3>();
    auto at_m = help_.show_place(client, text);
    if (at_m && *at_m) (**at_m)[2] -= kOver_m;
    return at_m;
  }

  Result<SetUpFound> places() {
    const auto rig = load_rig(request_.place.rig.string());
    if (!rig) return fail(rig.error());
    json changes = json::object();
    if (!rig->surface_known && !on_bench()) {
      auto client = reach_rig(request_.place, job_);
      if (!client) return fail(client.error());
      const auto pad_m = shown(*client, "the middle of the array");
      if (!pad_m) return fail(pad_m.error());
      if (!*pad_m)
        return fail(ErrorCode::kUsage,
                    "nobody says where the pad is: write about where the tip touches as "
                    "surface.z0_mm (and stage_to_sensor) into the rig file, or be asked at a "
                    "terminal");
      changes["surface"] = {{"z0_mm", m_to_mm((**pad_m)[2])}, {"tilt_x_deg", 0}, {"tilt_y_deg", 0}};
      changes["stage_to_sensor"] = {{"x_mm", -m_to_mm((**pad_m)[0])},
                                    {"y_mm", -m_to_mm((**pad_m)[1])},
                                    {"rz_deg", 0},
                                    {"mirror", false}};
    }
    if (!rig->plate_m && help_.show_place) {
      auto client = reach_rig(request_.place, job_);
      if (!client) return fail(client.error());
      const auto plate_m = shown(*client, "the rigid plate");
      if (!plate_m) return fail(plate_m.error());
      if (*plate_m)
        changes["plate_mm"] = {m_to_mm((**plate_m)[0]), m_to_mm((**plate_m)[1]),
                               m_to_mm((**plate_m)[2])};
    }
    if (!rig->ground && help_.show_place) {
      auto client = reach_rig(request_.place, job_);
      if (!client) return fail(client.error());
      const auto ground_m = shown(*client, "bare ground beside the pad, on which its layer lies");
      if (!ground_m) return fail(ground_m.error());
      // Its height is looked for: an eye's millimetre is most of a layer.
      if (*ground_m) changes["ground_mm"] = {m_to_mm((**ground_m)[0]), m_to_mm((**ground_m)[1])};
    }
    if (changes.empty())
      return SetUpFound{SetUpStep::kPlaces, "the rig file has what is known", true};
    auto client = reach_rig(request_.place, job_);
    if (!client) return fail(client.error());
    if (auto kept = client->follow(rig::messages::keep_request(changes), {}, warnings_); !kept)
      return fail(kept.error());
    return SetUpFound{SetUpStep::kPlaces, changes.dump(), false};
  }

  Result<SetUpFound> plate() {
    const auto rig = load_rig(request_.place.rig.string());
    if (!rig) return fail(rig.error());
    if (!rig->plate_m)
      return SetUpFound{SetUpStep::kPlate,
                        "no plate_mm in the rig file: how far the rig gives stays unknown, and "
                        "stiffness, damping and pressure field are refused (RC-06)",
                        true};
    PlateRequest request;
    request.place = request_.place;
    if (const auto force_N = request_.plate_force_N)
      request.force_N = std::min(*force_N, rig->limits.max_force_N.value_or(*force_N));
    auto measured = measure_plate(request, help_.ask, job_);
    if (!measured) return fail(measured.error());
    warnings_.insert(warnings_.end(), measured->warnings.begin(), measured->warnings.end());
    SetUpFound found{SetUpStep::kPlate, ""};
    found.plate = std::move(*measured);
    return found;
  }

  Result<SetUpFound> ground() {
    const auto rig = load_rig(request_.place.rig.string());
    if (!rig) return fail(rig.error());
    if (!rig->ground)
      return SetUpFound{SetUpStep::kGround,
                        "no ground_mm in the rig file: the layer's thickness stays what the sensor "
                        "description says, and without one the pressure field's modulus is refused "
                        "(NO-THICKNESS)",
                        true};
    auto measured = measure_ground({request_.place, {}}, help_.ask, job_);
    if (!measured) return fail(measured.error());
    warnings_.insert(warnings_.end(), measured->warnings.begin(), measured->warnings.end());
    SetUpFound found{SetUpStep::kGround, ""};
    found.ground = std::move(*measured);
    return found;
  }

  const RigSetUpRequest& request_;
  const SetUpHelp& help_;
  Warnings& warnings_;
  const Job& job_;
};

/// What nobody found stands in the rig file, and so in every recording.
Result<void> keep_left_out(const RigSetUpRequest& request, const json& left_out, Warnings& warnings,
                           const Job& job) {
  const auto rig = load_rig(request.place.rig.string());
  if (!rig) return fail(rig.error());
  if (json::parse(rig->document).value("set_up_left_out", json::array()) == left_out) return {};
  auto client = reach_rig(request.place, job);
  if (!client) return fail(client.error());
  auto kept =
      client->follow(rig::messages::keep_request({{"set_up_left_out", left_out}}), {}, warnings);
  if (!kept) return fail(kept.error());
  return {};
}

}  // namespace

std::string_view to_string(SetUpStep step) { return kSteps[static_cast<std::size_t>(step)].name; }

Result<SetUpStep> set_up_step(std::string_view word) {
  std::vector<std::string> words;
  for (const auto& info : kSteps) {
    if (info.name == word) return info.step;
    words.emplace_back(info.name);
  }
  return fail(ErrorCode::kUsage, "no step is called '{}'{}; there are {}", word,
              did_you_mean(word, words), fmt::join(words, ", "));
}

Result<void> set_up_rig(const RigSetUpRequest& request, const SetUpHelp& help, Warnings& warnings,
                        const Job& job) {
  Run run(request, help, warnings, job);
  auto left_out = json::array();
  for (const auto& info : kSteps) {
    if (info.step < request.from) continue;
    help.begins(info.step, info.what);
    auto found = run.perform(info.step);
    if (!found)
      return fail(found.error().code, "{}: {}{} 'rig setup --from {}' goes on there", info.name,
                  found.error().message, found.error().message.ends_with('.') ? "" : ".",
                  info.name);
    help.found(*found);
    const bool lacks = found->left_out && info.step >= SetUpStep::kPlate;
    if (lacks) left_out.push_back(info.name);
  }
  return keep_left_out(request, left_out, warnings, job);
}

}  // namespace tactelier
