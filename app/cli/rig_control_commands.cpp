// rig status|stop|acknowledge|home|retract|jog|pause|resume|skip|repeat|undo|note|finish|quit

#include "app/cli/ask_person.hpp"
#include "app/cli/commands.hpp"
#include "app/workflow/exit_status.hpp"
#include "app/workflow/rig_control.hpp"
#include "app/workflow/rig_follow.hpp"
#include "libcalib/units.hpp"

namespace tactelier::cli {
namespace {

using nlohmann::json;
using rig::messages::TaskKind;

std::string position_text(const rig::messages::Status& status) {
  const auto& at_m = status.position_m;
  return fmt::format("{:.3f}, {:.3f}, {:.3f} mm, {}", m_to_mm(at_m[0]), m_to_mm(at_m[1]),
                     m_to_mm(at_m[2]),
                     status.position_trusted ? "trusted" : "not trusted: 'tactelier rig home'");
}

std::string mode_text(const rig::messages::Status& status) {
  const std::string_view doing = status.task ? to_string(*status.task) : "";
  if (status.trip || doing.empty()) return std::string(status.mode());
  if (!status.paused) return fmt::format("running: {}", doing);
  return fmt::format("{}: {}; 'tactelier rig resume' goes on",
                     status.resting ? "paused, the tip is up" : "pauses after the press at hand",
                     doing);
}

/// What locked the rig, and the way out; what acted beside it, in order.
std::string fault_text(const rig::messages::Status& status) {
  if (!status.trip) return "none";
  auto text =
      status.waits_for && !status.waits_for->empty()
          ? fmt::format("{}; its cause lasts: {}", status.trip->text, *status.waits_for)
          : fmt::format("{}; 'tactelier rig acknowledge' unlocks, and connects what was unplugged",
                        status.trip->text);
  if (status.trips.size() < 2) return text;
  for (std::size_t i = 0; i < status.trips.size(); ++i)
    text += fmt::format("\n           {}. {}", i + 1, status.trips[i].text);
  return text;
}

std::string pace_text(const std::optional<rig::Pace>& pace) {
  if (!pace) return "not known before a contact was felt";
  return fmt::format("{:.2f} mm/s allowed, {:.2f} mm/s asked for{}; overshoot {:.2g} N",
                     m_to_mm(pace->allowed_m_per_s), m_to_mm(pace->asked_m_per_s),
                     pace->slowed() ? ": slowed" : "", pace->overshoot_N);
}

std::string status_text(const rig::messages::Status& status) {
  return fmt::format(
      "mode       {}\nposition   {}\nforce      {:.3f} N, {:.0f} % of the sensor's range\n"
      "pressing   {}\n"
      "set-up     surface {}, registration {}\nstreams    {} force samples ({} lost), {} frames "
      "({} lost)\nrecording  {}\nfault      {}\n",
      mode_text(status), position_text(status), status.force_N, 100 * status.sensor_load,
      pace_text(status.pace), status.surface_found ? "found" : "void",
      status.registered ? "found" : "void", status.force_samples, status.force_lost, status.frames,
      status.frames_lost,
      status.recording
          ? fmt::format("{}, {:.0f} s", status.recording->file, status.recording->recorded_s)
          : "none",
      fault_text(status));
}

json stopped_json(const std::vector<StoppedRig>& rigs) {
  auto list = json::array();
  for (const auto& one : rigs)
    list.push_back({{"socket", one.socket.string()},
                    {"answer_ms", one.error ? json(nullptr) : json(one.answer_s * 1e3)},
                    {"stands", !one.error && one.stands()},
                    {"error", one.error ? json(one.error->message) : json(nullptr)}});
  return list;
}

constexpr std::string_view kInNeed = "use the emergency stop, or cut the power";

int moved(Console& console, const Result<rig::messages::Status>& status, const Warnings& warnings) {
  if (!status) return console.fail(status.error());
  console.print(fmt::format("position   {}\n", position_text(*status)));
  return console.finish({{"status", to_json(*status)}}, warnings);
}

}  // namespace

int run_rig_status(Console& console, const RigChoice& choice) {
  auto client = chosen_rig({choice.devices, {}}, console.job());
  if (!client) return console.fail(client.error());
  const auto answer = client->ask(rig::messages::request("status"));
  if (!answer) return console.fail(answer.error());
  console.print(status_text(rig::messages::status_in(*answer)));
  return console.finish({{"status", *answer}}, {});
}

int run_rig_stop(Console& console, const RigChoice& choice) {
  const auto rigs = stop_rigs(choice.devices);
  if (!rigs) return console.fail(rigs.error());
  if (rigs->empty())
    return console.fail({ErrorCode::kDeviceFault,
                         fmt::format("no rig process runs{}: nobody hears it. If something moves, "
                                     "{}",
                                     choice.devices ? " for these devices" : "", kInNeed)});
  bool all_stand = true;
  for (const auto& one : *rigs) {
    const auto name = one.socket.filename().string();
    all_stand = all_stand && !one.error && one.stands();
    if (one.error)
      console.print(fmt::format("{}: {}; {}\n", name, one.error->message, kInNeed));
    else
      console.print(fmt::format(
          "STOP: answered after {:.1f} ms; {}, and is locked. 'tactelier rig acknowledge' unlocks "
          "it\n",
          one.answer_s * 1e3,
          one.stands() ? fmt::format("the stage stands at {}", position_text(one.after))
                       : fmt::format("it still moves after 10 s: {}", kInNeed)));
  }
  return console.finish({{"stopped", stopped_json(*rigs)}}, {},
                        all_stand ? kExitDone : kExitDevice);
}

int run_rig_move(Console& console, const RigChoice& choice, TaskKind kind, bool yes) {
  // Up is where nobody's hand is.
  if (kind != TaskKind::kRetract && !yes && !may_move()) return console.fail(unconfirmed());
  const auto job = console.job();
  auto client = chosen_rig(choice, job);
  if (!client) return console.fail(client.error());
  Warnings warnings;
  const auto status = move_rig(*client, kind, warnings, job);
  return moved(console, status, warnings);
}

int run_rig_weigh(Console& console, const RigChoice& choice, double mass_kg) {
  const auto job = console.job();
  auto client = chosen_rig(choice, job);
  if (!client) return console.fail(client.error());
  Warnings warnings;
  const auto weighed =
      client->follow(rig::messages::weigh_request(mass_kg), follow_of(job, ask_person), warnings);
  if (!weighed) return console.fail(weighed.error());
  console.print(
      fmt::format("{:g} g pull with {:.3f} N and read as {:.3f} N, {:.3f} times: axis and sign are "
                  "right\n",
                  mass_kg * 1e3, weighed->value("true_N", 0.0), weighed->value("felt_N", 0.0),
                  weighed->value("gain", 0.0)));
  console.note("check_mass_g stands in the rig file: the weight is asked for at each power-up");
  return console.finish({{"weighed", *weighed}}, warnings);
}

int run_rig_jog(Console& console, const RigChoice& choice, const rig::JogWay& way, bool yes) {
  if (way.by_m == Vector3{})
    return console.fail({ErrorCode::kUsage, "jog: where to? Give --x, --y or --z in mm"});
  if (!yes && !may_move()) return console.fail(unconfirmed());
  const auto job = console.job();
  auto client = chosen_rig(choice, job);
  if (!client) return console.fail(client.error());
  Warnings warnings;
  const auto status = jog_rig(*client, way, warnings, job);
  return moved(console, status, warnings);
}

int run_rig_quit(Console& console, const RigChoice& choice) {
  const auto job = console.job();
  auto client = chosen_rig({choice.devices, {}}, job);
  if (!client) return console.fail(client.error());
  if (auto ended = quit_rig(*client, job); !ended) return console.fail(ended.error());
  console.print("the rig process has ended\n");
  return console.finish({{"done", "quit"}}, {});
}

int run_rig_request(Console& console, const RigChoice& choice, const json& request,
                    std::string_view done) {
  auto client = chosen_rig({choice.devices, {}}, console.job());
  if (!client) return console.fail(client.error());
  if (auto told = client->ask(request); !told) return console.fail(told.error());
  console.print(fmt::format("{}\n", done));
  return console.finish({{"done", rig::messages::name_of(request)}}, {});
}

}  // namespace tactelier::cli
