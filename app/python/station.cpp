// station(): one sensor after the other, scanned, clamped, pressed, fitted and judged.

#include <pybind11/stl.h>

#include "app/python/fleet.hpp"
#include "app/python/objects.hpp"
#include "app/python/python_calls.hpp"
#include "app/python/rig_client.hpp"
#include "app/python/run_job.hpp"
#include "app/workflow/station/station.hpp"

namespace tactelier::python {
namespace {

/// Who stands there, as functions of Python; each is called in the calling thread.
struct Attended {
  py::object scan, judged, tell, ask;
};

std::string_view name_of(StationStep step) {
  switch (step) {
    case StationStep::kScan:
      return "scan";
    case StationStep::kHandsOff:
      return "hands off";
    case StationStep::kTipUp:
      return "tip up";
    case StationStep::kClamp:
      return "clamp";
    case StationStep::kMeasure:
      return "measure";
    case StationStep::kRelease:
      return "release";
    case StationStep::kJudge:
      return "judge";
  }
  return "";
}

class PythonOperator : public StationOperator {
 public:
  PythonOperator(const Attended& who, PythonCalls& calls, const Job& job)
      : who_(who), calls_(calls), job_(job) {}

  Result<std::optional<std::string>> next_line(const StationPrompt& prompt) override {
    std::optional<std::string> line;
    const auto ask = [&] {
      line = who_.scan(py::dict("step"_a = std::string(name_of(prompt.step)),
                                "serial"_a = prompt.serial, "instruction"_a = prompt.instruction,
                                "remark"_a = prompt.remark, "text"_a = prompt_text(prompt)))
                 .cast<std::optional<std::string>>();
    };
    if (!calls_.carry_out(ask, job_.stop)) return Job::cancelled();
    return line;
  }
  void begins(StationStep step, const std::string& serial) override {
    job_.progress(fmt::format("{}: {}", serial, name_of(step)), 0, 0);
  }
  void tell(const std::string& line) override {
    if (who_.tell.is_none()) return;
    calls_.carry_out([&] { who_.tell(line); }, job_.stop);
  }
  void not_measured(const std::string& serial, const std::string& why) override {
    tell(fmt::format("{}: not measured: {}", serial, why));
  }
  void judged(const StationLabel& label) override {
    if (who_.judged.is_none()) return;
    calls_.carry_out([&] { who_.judged(from_json(label_json(label))); }, job_.stop);
  }
  Result<std::optional<double>> answer(const std::string& text, const std::string& key) override {
    if (who_.ask.is_none())
      return fail(ErrorCode::kUsage, "'{}': nobody is there to answer; give ask", text);
    std::optional<double> value;
    const auto ask = [&] { value = who_.ask(text, key).cast<std::optional<double>>(); };
    if (!calls_.carry_out(ask, job_.stop)) return Job::cancelled();
    return value;
  }

 private:
  const Attended& who_;
  PythonCalls& calls_;
  const Job& job_;
};

Result<StationTally> attended_station(const StationSettings& settings,
                                      const std::filesystem::path& program, const Attended& who,
                                      PythonCalls& calls, const Job& job) {
  const auto sensor = check_station(settings);
  if (!sensor) return fail(sensor.error());
  auto held = reach_rig(settings.place, job, program);  // it is started by our program
  if (!held) return fail(held.error());
  PythonOperator attendant(who, calls, job);
  const auto rig = station_rig(settings.place);
  return run_station(settings, *sensor, *rig, attendant, job);
}

std::set<std::string> serials_of(const py::object& serials) {
  std::set<std::string> known;
  if (serials.is_none()) return known;
  for (const auto& one : words_of(serials)) known.insert(value_of(serial_number(one)));
  return known;
}

constexpr const char* kStationHelp =
    "Scan, clamp, press, fit, accept or reject: one sensor after the other, as `tactelier "
    "station` (docs/station.md).\nReturns once scan gives 'end' or None: a dict, how many got "
    "which "
    "verdict. Called again, it goes on where it was\ninterrupted.\n\n"
    "folder: for recordings, fits and labels. devices, rig: their files. catalogue: of the fleet: "
    "its limits count, and every\nfit is added to it.\n"
    "scan: called with a dict of step ('scan', 'hands off', 'clamp'), serial, instruction, remark "
    "and text, the same on one\nline; gives what was typed or scanned: a code, or '' once hands "
    "are off.\n"
    "parameters: that must be right; none: all are measured, none is judged. protocol: name or "
    "file. stages: as of fit().\nserials: that may come; None: any. known: only such as the "
    "catalogue holds. operator, notes: kept in each recording.\n"
    "judged: called with each label, a dict as its file has it. tell: called with remarks, also of "
    "what could not be measured.\nask: as of Rig.record(). All are called in the calling thread; "
    "what they raise ends it in order: the tip goes up.\n"
    "may_move: that the rig moves whenever scan says that hands are off. program: as of Rig.\n"
    "Raises Error ('device_fault') when the rig is locked.";

}  // namespace

void add_station(py::module_& module) {
  module.def(
      "station",
      [](const py::object& folder, const py::object& devices, const py::object& rig,
         const py::object& catalogue, const py::object& scan, const py::object& parameters,
         std::string protocol, const py::object& stages, const py::object& serials, bool known,
         std::string operator_name, std::string notes, bool may_move, const py::object& judged,
         const py::object& tell, const py::object& ask, const py::object& program,
         const py::object& progress) {
        check_may_move(may_move);
        StationSettings settings;
        settings.place = {path_of(devices), path_of(rig)};
        settings.folder = path_of(folder);
        settings.protocol = std::move(protocol);
        settings.operator_name = std::move(operator_name);
        settings.notes = std::move(notes);
        settings.fit.stages = words_of(stages);
        settings.limits = {path_of(catalogue), words_of(parameters)};
        settings.serials = serials_of(serials);
        settings.known_only = known;
        const auto started_by = worker_program(program);
        const Attended who{scan, judged, tell, ask};
        PythonCalls calls;
        return run_job<StationTally>(
            [&](const Job& job) { return attended_station(settings, started_by, who, calls, job); },
            progress, [&] { calls.look(); });
      },
      py::arg("folder"), py::arg("devices"), py::arg("rig"), py::arg("catalogue"), py::kw_only(),
      py::arg("scan"), py::arg("parameters") = py::tuple(),
      py::arg("protocol") = StationSettings().protocol, py::arg("stages") = py::tuple(),
      py::arg("serials") = py::none(), py::arg("known") = false, py::arg("operator") = "",
      py::arg("notes") = "", py::arg("may_move") = false, py::arg("judged") = py::none(),
      py::arg("tell") = py::none(), py::arg("ask") = py::none(), py::arg("program") = py::none(),
      py::arg("progress") = py::none(), kStationHelp);
}

}  // namespace tactelier::python
