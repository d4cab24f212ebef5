// list_devices(), test_devices(), learn_device(), doctor(): what is connected, and how it is doing.

#include <pybind11/stl.h>

#include "app/python/objects.hpp"
#include "app/python/rigs.hpp"
#include "app/python/run_job.hpp"
#include "app/workflow/device_health_json.hpp"
#include "app/workflow/device_monitor.hpp"
#include "app/workflow/examine.hpp"
#include "app/workflow/known_devices.hpp"
#include "app/workflow/learn_device.hpp"

namespace tactelier::python {
namespace {

constexpr double kUsual_s = 3;  // as the command line

py::list tested_devices(const py::object& devices, double seconds, const py::object& progress) {
  if (!(seconds >= 0.5 && seconds <= 3600))  // as the command line
    raise({ErrorCode::kUsage, fmt::format("seconds={}: between 0.5 and 3600", seconds)});
  const auto file = path_of(devices);
  const auto all = run_job<std::vector<DeviceHealth>>(
      [&](const Job& job) -> Result<std::vector<DeviceHealth>> {
        auto loaded = devices::load_device_file(file);
        if (!loaded) return fail(loaded.error());
        return test_devices(std::move(*loaded), seconds, job);
      },
      progress);
  return list_of(all, [](const DeviceHealth& health) {
    py::dict one = from_json(health_json(health));
    one["failed"] = device_failed(health);
    return one;
  });
}

py::dict list_devices() {
  py::list ports;
  for (const auto& port : value_of(devices::list_serial_ports()))
    ports.append(from_json(port_json(port)));
  return py::dict("ports"_a = ports, "drivers"_a = from_json(all_drivers()),
                  "descriptions"_a = from_json(all_descriptions()));
}

py::dict learned_of(const LearnRequest& request, bool overwrite, const py::object& progress) {
  if (!(request.seconds >= 0.5 && request.seconds <= 600))  // bounds as the command line's
    raise({ErrorCode::kUsage, fmt::format("seconds={}: between 0.5 and 600", request.seconds)});
  if (!(request.baud >= 50 && request.baud <= 4'000'000))
    raise({ErrorCode::kUsage, fmt::format("baud={}: between 50 and 4000000", request.baud)});
  for (const auto& [name, size] : {std::pair{"rows", request.rows}, {"columns", request.columns}})
    if (size && !(*size >= 1 && *size <= 1000))
      raise({ErrorCode::kUsage, fmt::format("{}={}: between 1 and 1000", name, *size)});
  if (request.target) may_write(*request.target, overwrite);
  const auto learned = run_job<devices::Learned>(
      [&](const Job& job) { return learn_device(request, job); }, progress);
  py::dict told = from_json(learned_json(learned));
  told["warnings"] = list_of(doubts_of(learned, request));
  return told;
}

py::list doctor(const py::object& devices, const py::object& rig, const std::string& protocol,
                bool fix, const py::object& progress) {
  ExamineRequest request;
  if (!devices.is_none()) request.devices = path_of(devices);
  if (!rig.is_none()) request.plan.rig = path_of(rig);
  request.plan.protocol = protocol;
  if (fix && request.devices.empty())
    raise({ErrorCode::kUsage, "fix: of which devices? Give a device file"});
  AgreeToFix consent;
  if (fix) consent = [](const SystemChecks&) { return Result<void>(); };
  const auto checks = run_job<SystemChecks>(
      [&](const Job& job) { return examine(request, consent, job); }, progress);
  return list_of(checks, [](const SystemCheck& check) {
    py::dict one = from_json(check_json(check));
    one["fix"] = check.fix ? fix_words({*check.fix}) : "";
    return one;
  });
}

constexpr const char* kTestHelp =
    "Connects to every device of a device file, reads for some seconds and tells how they did, as "
    "`tactelier\ndevices test`. Nothing moves and no setting is written; opening a stage's port "
    "restarts many controllers.\n\n"
    "seconds: 0.5 to 3600, after the last device has answered or failed.\n\n"
    "Returns a dict for each: role, driver, place, state ('good', 'look', 'bad'), failed, words, "
    "detail, values,\nrate_hz, nominal_hz, stated_hz, sent_hz, rate_as_stated, samples, lost and "
    "the other counters, longest_pause_s,\nunusable (of a force sensor), position_trusted (of a "
    "stage); None where it is not known. A device that does not\nanswer is no error: its state is "
    "'bad'. Raises Error where a rig process or another program has one of them.";

constexpr const char* kListHelp =
    "The serial ports there are, the drivers and the shipped descriptions of frames, as `tactelier "
    "devices list`; opens\nnothing.\n\n"
    "Returns a dict of ports (dicts of url, path, description, manufacturer, product, serial, "
    "usb_id, may_open), drivers\n(role, driver, what, and options: key, help, required) and "
    "descriptions (name, rows, columns, channels, driver, source).";

constexpr const char* kLearnHelp =
    "Listens to an unknown tactile board and proposes a description of its frames, as `tactelier "
    "devices learn`. Press the\narray here and there meanwhile.\n\n"
    "port: '/dev/ttyUSB0', or a URL ('tcp:...', 'udp:...'). path: a file for the description. "
    "baud: of the port. seconds: 0.5\nto 600. send: what makes it stream, \"F0 C4\" or \"'S'\". "
    "rows, columns: instead of a guess.\n\n"
    "Returns a dict of description, findings, frames, explained (share of the bytes) and warnings: "
    "what could not be known.";

constexpr const char* kDoctorHelp =
    "What would spoil a recording, and how to mend it, as `tactelier doctor`.\n\n"
    "devices: a device file: its devices are asked for their settings, too. rig: a rig file: what "
    "would narrow the numbers\nof a protocol most on it, too, each worked out with and without.\n"
    "fix: sends the stage's controller, for good, what 'fix' says in what was returned without.\n\n"
    "Returns dicts of what, state ('good', 'look' or 'bad'), words, remedy and fix ('$1=255', or "
    "'').";

}  // namespace

void add_devices(py::module_& module) {
  module.def("test_devices", &tested_devices, py::arg("devices"), py::kw_only(),
             py::arg("seconds") = kUsual_s, py::arg("progress") = py::none(), kTestHelp);
  module.def("list_devices", &list_devices, kListHelp);
  module.def(
      "learn_device",
      [](const std::string& port, const py::object& path, int baud, double seconds,
         std::string send, std::optional<int> rows, std::optional<int> columns, bool overwrite,
         const py::object& progress) {
        LearnRequest request{port, baud, seconds, std::move(send), rows, columns, {}};
        if (!path.is_none()) request.target = path_of(path);
        return learned_of(request, overwrite, progress);
      },
      py::arg("port"), py::arg("path") = py::none(), py::kw_only(),
      py::arg("baud") = LearnRequest().baud, py::arg("seconds") = LearnRequest().seconds,
      py::arg("send") = "", py::arg("rows") = py::none(), py::arg("columns") = py::none(),
      py::arg("overwrite") = false, py::arg("progress") = py::none(), kLearnHelp);
  module.def("doctor", &doctor, py::arg("devices") = py::none(), py::kw_only(),
             py::arg("rig") = py::none(), py::arg("protocol") = "standard", py::arg("fix") = false,
             py::arg("progress") = py::none(), kDoctorHelp);
}

}  // namespace tactelier::python
