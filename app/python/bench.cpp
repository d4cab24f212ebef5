// bench(): a laboratory on this computer's own wires.

#include <pybind11/stl.h>

#include "app/python/objects.hpp"
#include "app/python/rigs.hpp"
#include "app/python/run_job.hpp"
#include "app/workflow/start_bench.hpp"

namespace tactelier::python {
namespace {

/// What Python gets: it lives until it is closed.
struct PyBench {
  StartedBench started;

  const devices::BenchEndpoints& at() const {
    if (started.bench == nullptr) raise({ErrorCode::kUsage, "the bench is closed"});
    return started.bench->endpoints();
  }
  /// Its threads may want the GIL of nobody, and take a moment to end.
  void close() {
    const py::gil_scoped_release released;
    started.bench.reset();
  }
};

py::dict endpoints_of(const PyBench& self) {
  const auto& at = self.at();
  py::dict all("stage"_a = at.stage, "force"_a = at.force, "tactile"_a = at.tactile,
               "bench_control"_a = at.control);
  if (!at.force_web.empty()) {
    all["force_web"] = at.force_web;
    all["force_command"] = at.force_command;
  }
  if (!at.encoder.empty()) all["encoder"] = at.encoder;
  return all;
}

std::optional<std::string> text_of(const std::optional<std::filesystem::path>& path) {
  if (!path) return {};
  return path->string();
}

std::unique_ptr<PyBench> begin(const BenchRequest& request, bool overwrite) {
  if (!(request.speed >= 0.1 && request.speed <= 20))  // as the command line
    raise({ErrorCode::kUsage, fmt::format("speed={}: between 0.1 and 20", request.speed)});
  for (const auto& file : {request.write_devices, request.write_truth})
    if (file) may_write(*file, overwrite);
  auto started =
      run_job<StartedBench>([&](const Job&) { return start_bench(request); }, py::none());
  return std::make_unique<PyBench>(PyBench{std::move(started)});
}

std::optional<std::filesystem::path> given(const py::object& path) {
  if (path.is_none()) return {};
  return path_of(path);
}

constexpr const char* kBenchHelp =
    "The virtual bench, as `tactelier bench`: emulated devices over one simulated pad, each on its "
    "own pseudo-terminal or\nport of the loopback, in threads of this process:\n\n"
    "    with tactelier.bench('lab.json') as bench: print(bench.endpoints)\n\n"
    "path: for the device file. write_truth: for the pad's truth, a sensor model; the rig's stands "
    "beside it. rig: a rig file;\nNone: the virtual bench's. sensor: draws a pad for it; truth: "
    "simulates this model instead. preset: 'clean', 'lab' or\n'rough'. dialect: of the stage, "
    "'grbl', 'grblhal', 'fluidnc', 'marlin' or 'zaber'. force_sensor: 'net-ft', or a "
    "description's\nname. encoder: beside the stage's z. usual_ports: a Net F/T's own. speed: "
    "times "
    "real time, 0.1 to 20.";

}  // namespace

void add_bench(py::module_& module) {
  py::class_<PyBench>(module, "Bench", "A virtual bench that runs, until it is closed.")
      .def_property_readonly("endpoints", &endpoints_of,
                             "URLs by role: 'stage', 'force', 'tactile', 'bench_control' ...")
      .def_property_readonly(
          "devices", [](const PyBench& self) { return from_json(self.started.device_file); },
          "The device file that opens all of it, a dict.")
      .def_property_readonly(
          "truth", [](const PyBench& self) { return text_of(self.started.truth); },
          "Where the pad's truth was written; or None.")
      .def_property_readonly(
          "rig_truth", [](const PyBench& self) { return text_of(self.started.rig_truth); },
          "Where the rig's was; or None.")
      .def_property_readonly(
          "warnings", [](const PyBench& self) { return list_of(self.started.warnings); },
          "Dicts of code, text and where.")
      .def("close", &PyBench::close, "Ends it; its wires are gone.")
      .def("__enter__", [](py::object self) { return self; })
      .def("__exit__", [](PyBench& self, const py::args&) { self.close(); });
  module.def(
      "bench",
      [](const py::object& path, const py::object& rig, const py::object& sensor,
         const py::object& truth, std::string preset, std::uint64_t seed, std::string dialect,
         std::string force_sensor, bool encoder, bool usual_ports, double speed,
         const py::object& write_truth, bool overwrite) {
        BenchRequest request;
        request.rig = given(rig);
        request.sensor = path_of(sensor).string();
        request.truth = given(truth);
        request.preset = std::move(preset);
        request.seed = seed;
        request.speed = speed;
        request.dialect = std::move(dialect);
        request.usual_ports = usual_ports;
        request.encoder = encoder;
        request.force = std::move(force_sensor);
        request.write_truth = given(write_truth);
        request.write_devices = given(path);
        return begin(request, overwrite);
      },
      py::arg("path") = py::none(), py::kw_only(), py::arg("rig") = py::none(),
      py::arg("sensor") = BenchRequest().sensor, py::arg("truth") = py::none(),
      py::arg("preset") = BenchRequest().preset, py::arg("seed") = BenchRequest().seed,
      py::arg("dialect") = BenchRequest().dialect, py::arg("force_sensor") = BenchRequest().force,
      py::arg("encoder") = false, py::arg("usual_ports") = false,
      py::arg("speed") = BenchRequest().speed, py::arg("write_truth") = py::none(),
      py::arg("overwrite") = false, kBenchHelp);
}

}  // namespace tactelier::python
