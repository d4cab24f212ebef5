// Rig: what moves a rig and records, as the command line does it: a client of the rig process,
// which supervises and ends in order whatever happens to Python.

#include <pybind11/stl.h>

#include <array>
#include <cmath>

#include "app/python/objects.hpp"
#include "app/python/questions.hpp"
#include "app/python/rig_client.hpp"
#include "app/python/rigs.hpp"
#include "app/python/run_job.hpp"
#include "app/workflow/rig_control.hpp"

namespace tactelier::python {
namespace {

using rig::messages::TaskKind;
using RigStatus = rig::messages::Status;

constexpr double kLeastMass_kg = 1e-3, kMostMass_kg = 10;  // bounds as the command line's
constexpr double kMostJog_m = 1, kLeastSpeed_m_per_s = 1e-6, kMostSpeed_m_per_s = 0.1;

/// A program that can't be found is named once it is to be started.
std::filesystem::path rig_program(const py::object& program) {
  if (!program.is_none()) return path_of(program);
  const auto found = py::module_::import("shutil").attr("which")("tactelier");
  return found.is_none() ? std::filesystem::path("tactelier") : path_of(found);
}

using RigMove = std::function<Result<RigStatus>(rig::RigClient&, Warnings&, const Job&)>;

py::dict moved(const PyRig& self, const py::object& progress, const RigMove& move) {
  Warnings warnings;
  const auto status = run_job<RigStatus>(
      [&](const Job& job) -> Result<RigStatus> {
        auto client = client_of(self, job);
        if (!client) return fail(client.error());
        return move(*client, warnings, job);
      },
      progress);
  py::dict told = from_json(to_json(status));
  told["warnings"] = list_of(warnings);
  return told;
}

py::dict moved_by_task(const PyRig& self, TaskKind kind, const py::object& progress) {
  return moved(self, progress, [kind](rig::RigClient& client, Warnings& warnings, const Job& job) {
    return move_rig(client, kind, warnings, job);
  });
}

py::dict jogged(const PyRig& self, const Vector3& by_m, double speed_m_per_s, bool may_move,
                const py::object& progress) {
  double size_m = 0;
  for (const double part_m : by_m)
    size_m = std::isfinite(part_m) ? std::max(size_m, std::abs(part_m)) : INFINITY;
  if (!(size_m > 0 && size_m <= kMostJog_m))
    raise({ErrorCode::kUsage, "jog: where to? Give x_m, y_m or z_m, 1 m at most"});
  if (!(speed_m_per_s >= kLeastSpeed_m_per_s && speed_m_per_s <= kMostSpeed_m_per_s))
    raise({ErrorCode::kUsage, fmt::format("speed_m_per_s={}: between {} and {}", speed_m_per_s,
                                          kLeastSpeed_m_per_s, kMostSpeed_m_per_s)});
  check_may_move(may_move);
  const rig::JogWay way{by_m, speed_m_per_s};
  return moved(self, progress, [&](rig::RigClient& client, Warnings& warnings, const Job& job) {
    return jog_rig(client, way, warnings, job);
  });
}

/// What needs no waiting for.
void request_of(const PyRig& self, const nlohmann::json& request) {
  run_job<void>(
      [&](const Job&) -> Result<void> {
        auto client = running_rig(self.devices);
        if (!client) return fail(client.error());
        if (auto told = client->ask(request); !told) return fail(told.error());
        return {};
      },
      py::none());
}

Error not_stopped(const std::string& why) {
  return {ErrorCode::kDeviceFault,
          why + ". If something moves, use the emergency stop, or cut the power"};
}

py::list stopped_rigs(const std::optional<std::filesystem::path>& devices) {
  const auto rigs =
      run_job<std::vector<StoppedRig>>([&](const Job&) { return stop_rigs(devices); }, py::none());
  if (rigs.empty()) raise(not_stopped("no rig process runs: nobody hears it"));
  for (const auto& one : rigs) {
    if (one.error) raise(not_stopped(one.socket.string() + ": " + one.error->message));
    if (!one.stands()) raise(not_stopped(one.socket.string() + ": it still moves after 10 s"));
  }
  return list_of(rigs, [](const StoppedRig& one) {
    return py::dict("socket"_a = one.socket.string(), "answer_s"_a = one.answer_s);
  });
}

py::dict set_up(const PyRig& self, TaskKind kind, bool may_move, const py::object& ask,
                const py::object& progress) {
  check_may_move(may_move);
  const auto place = self.place();
  Warnings warnings;
  Questions questions(ask);
  py::dict found = from_json(run_job<nlohmann::json>(
      [&](const Job& job) -> Result<nlohmann::json> {
        auto held = client_of(self, job);  // it is started by our program
        if (!held) return fail(held.error());
        return run_set_up(place, kind, questions.asked_by(job), warnings, job);
      },
      progress, [&] { questions.look(); }));
  found["warnings"] = list_of(warnings);
  return found;
}

/// Nothing moves: the weight is hung on the tip when it is asked for.
py::dict weighed_with(const PyRig& self, double mass_kg, const py::object& ask,
                      const py::object& progress) {
  if (!(mass_kg >= kLeastMass_kg && mass_kg <= kMostMass_kg))
    raise({ErrorCode::kUsage,
           fmt::format("mass_kg={}: between {} and {}", mass_kg, kLeastMass_kg, kMostMass_kg)});
  Warnings warnings;
  Questions questions(ask);
  py::dict weighed = from_json(run_job<nlohmann::json>(
      [&](const Job& job) -> Result<nlohmann::json> {
        auto client = client_of(self, job);
        if (!client) return fail(client.error());
        return client->follow(rig::messages::weigh_request(mass_kg),
                              follow_of(job, questions.asked_by(job)), warnings);
      },
      progress, [&] { questions.look(); }));
  weighed["warnings"] = list_of(warnings);
  return weighed;
}

/// Like the command line: nothing moves before the plan was found to be possible.
Result<RecordReport> recorded_by(const PyRig& self, const RecordRequest& request,
                                 Questions& questions, const Job& job) {
  if (const auto preview = preview_recording(request); !preview) return fail(preview.error());
  auto held = client_of(self, job);
  if (!held) return fail(held.error());
  return record_session(request, questions.asked_by(job), job);
}

py::dict record_with(const PyRig& self, RecordRequest request, bool may_move, const py::object& ask,
                     const py::object& progress) {
  check_may_move(may_move);
  request.place = self.place();
  if (!request.resume) check_free(request.target);
  Questions questions(ask);
  const auto report = run_job<RecordReport>(
      [&](const Job& job) { return recorded_by(self, request, questions, job); }, progress,
      [&] { questions.look(); });
  return py::dict("session"_a = report.file.string(), "presses"_a = report.presses,
                  "aborted"_a = report.aborted, "repeated"_a = report.repeated,
                  "complete"_a = report.complete, "peak_force_N"_a = report.peak_force_N,
                  "duration_s"_a = report.duration_s, "warnings"_a = list_of(report.warnings));
}

void add_moves(RigClass& rig) {
  rig.def(
         "home",
         [](const PyRig& self, bool may_move, const py::object& progress) {
           check_may_move(may_move);
           return moved_by_task(self, TaskKind::kHome, progress);
         },
         py::kw_only(), py::arg("may_move") = false, py::arg("progress") = py::none(),
         "Finds the stage's reference switches. Returns the rig's status then, and warnings.")
      .def(
          "retract",
          [](const PyRig& self, const py::object& progress) {
            return moved_by_task(self, TaskKind::kRetract, progress);
          },
          py::kw_only(), py::arg("progress") = py::none(),
          "Lifts the tip to the safe height, where nobody's hand is. Returns the rig's status "
          "then, and warnings.")
      .def(
          "jog",
          [](const PyRig& self, double x_m, double y_m, double z_m, double speed_m_per_s,
             bool may_move, const py::object& progress) {
            return jogged(self, {x_m, y_m, z_m}, speed_m_per_s, may_move, progress);
          },
          py::kw_only(), py::arg("x_m") = 0.0, py::arg("y_m") = 0.0, py::arg("z_m") = 0.0,
          py::arg("speed_m_per_s") = 1e-3, py::arg("may_move") = false,
          py::arg("progress") = py::none(),
          "Moves by so much in the stage's frame, up is positive; a touch ends it, Ctrl-C leaves "
          "it where it is.\nAlso while a run is paused. speed_m_per_s: 1e-6 to 0.1. Returns the "
          "rig's status then, and warnings.");
  rig.def("weigh", &weighed_with, py::arg("mass_kg"), py::kw_only(), py::arg("ask") = py::none(),
          py::arg("progress") = py::none(),
          "Proves the force sensor by a known weight, 1 g to 10 kg, that hangs on the tip when it "
          "is asked for. Nothing moves.\nThe rig file keeps the mass. Returns a dict of true_N, "
          "felt_N, gain and warnings. ask: as of record().");
  for (const auto& [kind, name, help] :
       {std::tuple{TaskKind::kSurface, "surface",
                   "Finds height and tilt of the pad by guarded touches at five places. Returns a "
                   "dict of what was found,\nwhich the rig file has then, and warnings. ask: as of "
                   "record()."},
        std::tuple{TaskKind::kRegister, "register",
                   "Finds how the stage's x and y lie over the tactels, by nine presses. Returns a "
                   "dict of what was found,\nwhich the rig file has then, and warnings. ask: as of "
                   "record()."}})
    rig.def(
        name,
        [kind](const PyRig& self, bool may_move, const py::object& ask,
               const py::object& progress) { return set_up(self, kind, may_move, ask, progress); },
        py::kw_only(), py::arg("may_move") = false, py::arg("ask") = py::none(),
        py::arg("progress") = py::none(), help);
}

void add_requests(RigClass& rig) {
  struct Row {
    const char *name, *help;
  };
  static constexpr Row kRows[] = {
      {"acknowledge", "The cause of a stop is gone: unlocks the rig."},
      {"pause", "Rests with the tip up, after the press at hand."},
      {"resume", "Goes on after a pause."},
      {"skip", "Leaves the press at hand and goes on with the next."},
      {"repeat", "Does the press at hand again."},
      {"undo", "Takes the press at hand or the last one back, and does it again."},
      {"finish",
       "Ends the recording after the press at hand, in order; record(resume=True) goes "
       "on from there."}};
  for (const auto& row : kRows)
    rig.def(
        row.name, [&row](const PyRig& self) { request_of(self, rig::messages::request(row.name)); },
        row.help);
  rig.def(
         "note",
         [](const PyRig& self, const std::string& text) {
           request_of(self, rig::messages::note_request(text));
         },
         py::arg("text"), "Writes a remark into the recording that runs.")
      .def(
          "stop", [](const PyRig& self) { return stopped_rigs(self.devices); },
          "Stop now: nothing moves any more, the tip goes up, a recording ends whole, the rig is "
          "locked until acknowledge().\nFrom any thread, also while record() runs. Returns dicts "
          "of socket and answer_s once it stands; raises Error\n('device_fault') where nobody "
          "hears it, or it does not stand.")
      .def(
          "quit",
          [](const PyRig& self) {
            run_job<void>(
                [&](const Job& job) -> Result<void> {
                  auto client = running_rig(self.devices);
                  if (!client) return fail(client.error());
                  return quit_rig(*client, job);
                },
                py::none());
          },
          "Ends the rig process, after the press at hand, and waits for it.")
      .def(
          "status", [](const PyRig& self) { return status_of_rig(self.devices); },
          "What it is doing, as rig_status().");
}

constexpr const char* kRecordHelp =
    "Drives the rig through a protocol and records, as `tactelier record`: homes, finds surface "
    "and registration\nwhere they aren't known, then records.\n\n"
    "path: the .tact file to write. protocol: name or file. until, minutes: instead, presses that "
    "are chosen until\ntargets are reached, 'gain 2 %, sigma 1 %', within so many minutes of rig "
    "time.\n"
    "resume: goes on with that file, which was cut off, at its next press.\n"
    "serial, mount, operator, notes: kept in the recording.\n"
    "answers: to questions, in their order; ask: called with a question and the key of its answer "
    "('' where there\nis nothing to read off) in the calling thread, gives a number or None; what "
    "it raises ends the recording in\norder.\n"
    "may_move: that the rig is free and nobody's hand is in it.\n\n"
    "Ctrl-C, and whatever progress raises, ends it in order before it is told: the tip goes up, "
    "what was recorded is\nkept. pause(), skip(), stop() ... are called meanwhile from progress or "
    "from another thread.\n"
    "Returns a dict of session, presses, aborted, repeated, complete, peak_force_N, duration_s and "
    "warnings.\nRaises Error ('device_fault') when a device failed or a limit stopped the rig.";

void add_record(RigClass& rig) {
  rig.def(
      "record",
      [](const PyRig& self, const py::object& path, std::string protocol, std::string until,
         std::optional<double> minutes, bool resume, std::string serial, std::string mount,
         std::string operator_name, std::string notes, std::vector<std::optional<double>> answers,
         bool may_move, const py::object& ask, const py::object& progress) {
        RecordRequest request;
        request.target = path_of(path);
        request.resume = resume;
        choose_presses(request, std::move(protocol), std::move(until), minutes);
        request.sensor_serial = std::move(serial);
        request.mount = std::move(mount);
        request.operator_name = std::move(operator_name);
        request.notes = std::move(notes);
        request.answers = std::move(answers);
        return record_with(self, std::move(request), may_move, ask, progress);
      },
      py::arg("path"), py::kw_only(), py::arg("protocol") = "", py::arg("until") = "",
      py::arg("minutes") = py::none(), py::arg("resume") = false, py::arg("serial") = "",
      py::arg("mount") = "", py::arg("operator") = "", py::arg("notes") = "",
      py::arg("answers") = std::vector<std::optional<double>>(), py::arg("may_move") = false,
      py::arg("ask") = py::none(), py::arg("progress") = py::none(), kRecordHelp);
}

constexpr const char* kRigHelp =
    "A rig, moved and recorded with as the command line does it: a client of its rig process, "
    "which owns the devices,\nsupervises, and ends in order whatever happens to Python "
    "(docs/safety.md).\n\n"
    "devices: the device file. rig: the rig file; with it the rig process is started where none "
    "runs, and ends by itself\nten minutes after its last client has gone. program: the "
    "`tactelier` to start it with; None: the one on PATH.\nConnects to nothing yet.";

}  // namespace

RigPlace PyRig::place() const {
  if (file) return {devices, *file};
  raise({ErrorCode::kUsage, "this needs the rig file, too: Rig(devices, rig)"});
}

Result<rig::RigClient> client_of(const PyRig& self, const Job& job) {
  if (self.file) return reach_rig({self.devices, *self.file}, job, self.program);
  return chosen_rig({self.devices, {}}, job);
}

void check_may_move(bool may_move) {
  if (!may_move)
    raise({ErrorCode::kUsage,
           "nothing moves unless somebody says so: may_move=True, once the rig is free and "
           "nobody's hand is in it"});
}

void check_free(const std::filesystem::path& recording) {
  std::error_code unknown;
  if (!std::filesystem::exists(recording, unknown)) return;
  raise({ErrorCode::kIo, recording.string() +
                             ": there is a file of this name; choose another, remove it, or go on "
                             "with it (resume=True)"});
}

void choose_presses(RecordRequest& request, std::string protocol, std::string until,
                    std::optional<double> minutes) {
  request.protocol = std::move(protocol);
  if (!until.empty() || minutes) request.adaptive = AdaptiveWish{std::move(until), minutes, 1, {}};
  if (request.adaptive && !request.protocol.empty())
    raise({ErrorCode::kUsage, "until and minutes exclude protocol"});
  if (request.protocol.empty() && !request.resume && !request.adaptive)
    raise({ErrorCode::kUsage, "give a protocol, or until or minutes, or resume=True"});
}

void add_rig_control(py::module_& module) {
  RigClass rig(module, "Rig", kRigHelp);
  rig.def(
      py::init([](const py::object& devices, const py::object& file, const py::object& program) {
        PyRig made{path_of(devices), {}, rig_program(program)};
        if (!file.is_none()) made.file = path_of(file);
        return made;
      }),
      py::arg("devices"), py::arg("rig") = py::none(), py::kw_only(),
      py::arg("program") = py::none());
  add_record(rig);
  add_moves(rig);
  add_requests(rig);
  add_preview(rig);
  add_first_set_up(module, rig);
  module.def(
      "stop_rigs", [] { return stopped_rigs({}); },
      "A stop to every rig process of this user, as `tactelier rig stop`: nothing moves any more, "
      "the rigs are locked.\nReturns dicts of socket and answer_s once they stand; raises Error "
      "('device_fault') where nobody hears it.");
}

}  // namespace tactelier::python
