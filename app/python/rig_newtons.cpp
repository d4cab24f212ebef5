// Model.watch_rig(): newtons of a rig that runs, beside its force and position.

#include <pybind11/stl.h>

#include "app/python/models.hpp"
#include "app/python/newton_frames.hpp"
#include "app/python/objects.hpp"
#include "app/python/rigs.hpp"
#include "app/python/run_job.hpp"
#include "app/workflow/rig_newtons.hpp"

namespace tactelier::python {
namespace {

/// What Python gets.
struct PyRigNewtons {
  RigNewtons stream;
  std::optional<std::int64_t> first_ns = {};
};

py::tuple next_pair(PyRigNewtons& self) {
  auto made =
      run_job<RigNewtonFrame>([&](const Job& job) { return self.stream.next(job); }, py::none());
  if (!self.first_ns) self.first_ns = made.rig.frame_ns;
  const double time_s = static_cast<double>(made.rig.frame_ns - *self.first_ns) * 1e-9;
  auto newtons =
      newton_frame(static_cast<std::int64_t>(made.rig.number), time_s, made.tactels, made.total_N);
  return py::make_tuple(std::move(made.rig), std::move(newtons));
}

std::unique_ptr<PyRigNewtons> watch(const PyModel& self, const py::object& devices,
                                    std::string serial, const std::string& zero, double zero_s) {
  if (zero != "start" && zero != "model")
    raise({ErrorCode::kUsage, fmt::format("zero='{}': 'start' or 'model'", zero)});
  if (!(zero_s >= 0.1 && zero_s <= 60))  // as live()
    raise({ErrorCode::kUsage, fmt::format("zero_s={}: between 0.1 and 60", zero_s)});
  RigNewtonsRequest request{{}, std::move(serial), zero == "start" ? zero_s : 0};
  if (!devices.is_none()) request.devices = path_of(devices);
  return std::make_unique<PyRigNewtons>(PyRigNewtons{run_job<RigNewtons>(
      [&](const Job& job) { return RigNewtons::begin(self.model, request, job); }, py::none())});
}

constexpr const char* kWatchHelp =
    "Newtons of a rig that runs, also while it records, beside what watch_rig() shows:\n\n"
    "    for frame, newtons in model.watch_rig(): print(frame.force_N, newtons.total_N)\n\n"
    "devices: the device file of the rig; None: the only rig process of this user. serial: of the "
    "array that is connected;\nanother's model is refused. zero: 'model', or 'start': the array is "
    "free for zero_s seconds (0.1 to 60) from now on.\n"
    "Looks on, some 60 times a second: nothing is asked of the rig. A RigFrame and a NewtonFrame "
    "each, whose number is the\nrig's and whose time_s is the readings', since the first. Raises "
    "Error when model and array don't fit.";

}  // namespace

void add_rig_newtons(py::module_& module, ModelClass& model) {
  py::class_<PyRigNewtons>(module, "RigNewtons", "Newtons of a running rig, frame by frame.")
      .def_property_readonly(
          "warnings", [](const PyRigNewtons& self) { return list_of(self.stream.warnings()); },
          "Of the zero: dicts of code, text and where.")
      .def("__iter__", [](py::object self) { return self; })
      .def("__next__", &next_pair);
  model.def("watch_rig", &watch, py::arg("devices") = py::none(), py::kw_only(),
            py::arg("serial") = "", py::arg("zero") = "model", py::arg("zero_s") = 1.0, kWatchHelp);
}

}  // namespace tactelier::python
