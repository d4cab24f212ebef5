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
constexpr std::array<StepInfo, 7> kSteps{{
    {SetUpStep::kMount, "mount", "array, tip and cables are fixed; the emergency stop was tried"},
    {SetUpStep::kPolarity, "polarity", "a push by hand proves the force sensor's axes and signs"},
    {SetUpStep::kHome, "home", "the stage finds its reference switches, Z first, upwards"},
    {SetUpStep::kPlaces, "places", "about where pad and plate are"},
    {SetUpStep::kPlate, "plate",
     "the bare tip on a rigid plate tells how far the rig itself gives"},
    {SetUpStep::kSurface, "surface", "five guarded touches tell height and tilt of the pad"},
    {SetUpStep::kRegister, "register", "nine presses tell how the stage lies over the tactels"},
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
    }
    return fail(ErrorCode::kUsage, "no such step");
  }

 private:
  Result<SetUpFound> mount() const {
    const auto rig = load_rig(request_.place.rig.string());
    if (!rig) return fail(rig.error());
    if (on_bench())
      return SetUpFound{SetUpStep::kMount, "virtual bench: nothing to mount", true, {}, {}};
    const auto text = fmt::format(
        "Array fixed, {} on the tip, force sensor's cable free, nothing under the tip but air, "
        "emergency stop ({}) pressed once and released?",
        rig->indenter ? "what the rig file names" : "the indenter",
        rig->emergency_stop.value_or(false) ? "declared" : "none declared: then the mains switch");
    if (auto said = help_.ask(text, ""); !said) return fail(said.error());
    return SetUpFound{SetUpStep::kMount, "as you say", false, {}, {}};
  }

  Result<json> follow(TaskKind kind) {
    return run_set_up(request_.place, kind, help_.ask, warnings_, job_);
  }

  Result<SetUpFound> simple(SetUpStep step, TaskKind kind, const char* words) {
    if (auto done = follow(kind); !done) return fail(done.error());
    return SetUpFound{step, words, false, {}, {}};
  }

  Result<SetUpFound> finds(SetUpStep step, TaskKind kind) {
    auto done = follow(kind);
    if (!done) return fail(done.error());
    return SetUpFound{step, "", false, {}, std::move(*done)};
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
    if (changes.empty())
      return SetUpFound{SetUpStep::kPlaces, "the rig file has what is known", true, {}, {}};
    auto client = reach_rig(request_.place, job_);
    if (!client) return fail(client.error());
    if (auto kept = client->follow(rig::messages::keep_request(changes), {}, warnings_); !kept)
      return fail(kept.error());
    return SetUpFound{SetUpStep::kPlaces, changes.dump(), false, {}, {}};
  }

  Result<SetUpFound> plate() {
    const auto rig = load_rig(request_.place.rig.string());
    if (!rig) return fail(rig.error());
    if (!rig->plate_m)
      return SetUpFound{SetUpStep::kPlate,
                        "no plate_mm in the rig file: how far the rig gives stays unknown, and "
                        "stiffness, damping and pressure field are refused (RC-06)",
                        true,
                        {},
                        {}};
    PlateRequest request;
    request.place = request_.place;
    if (const auto force_N = request_.plate_force_N)
      request.force_N = std::min(*force_N, rig->limits.max_force_N.value_or(*force_N));
    auto measured = measure_plate(request, help_.ask, job_);
    if (!measured) return fail(measured.error());
    warnings_.insert(warnings_.end(), measured->warnings.begin(), measured->warnings.end());
    return SetUpFound{SetUpStep::kPlate, "", false, std::move(*measured), {}};
  }

  const RigSetUpRequest& request_;
  const SetUpHelp& help_;
  Warnings& warnings_;
  const Job& job_;
};

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
  for (const auto& info : kSteps) {
    if (info.step < request.from) continue;
    help.begins(info.step, info.what);
    auto found = run.perform(info.step);
    if (!found)
      return fail(found.error().code, "{}: {}{} 'rig setup --from {}' goes on there", info.name,
                  found.error().message, found.error().message.ends_with('.') ? "" : ".",
                  info.name);
    help.found(*found);
  }
  return {};
}

}  // namespace tactelier
