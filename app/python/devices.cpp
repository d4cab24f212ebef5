// test_devices(): how the devices of a file are doing.

#include <pybind11/stl.h>

#include "app/python/objects.hpp"
#include "app/python/rigs.hpp"
#include "app/python/run_job.hpp"
#include "app/workflow/device_health_json.hpp"
#include "app/workflow/device_monitor.hpp"

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

}  // namespace

void add_devices(py::module_& module) {
  module.def("test_devices", &tested_devices, py::arg("devices"), py::kw_only(),
             py::arg("seconds") = kUsual_s, py::arg("progress") = py::none(), kTestHelp);
}

}  // namespace tactelier::python
