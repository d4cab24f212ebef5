#include "app/python/rigs.hpp"

#include <pybind11/stl.h>

#include "app/python/arrays.hpp"
#include "app/python/objects.hpp"
#include "app/python/run_job.hpp"
#include "app/workflow/rig_newtons.hpp"
#include "app/workflow/rig_process.hpp"

namespace tactelier::python {
namespace {

std::optional<std::filesystem::path> device_file(const py::object& devices) {
  if (devices.is_none()) return {};
  return path_of(devices);
}

/// None where none has come yet.
std::optional<double> age_s(const rig::LiveFrame& frame, std::int64_t of_ns) {
  if (of_ns == 0) return {};
  return static_cast<double>(frame.now_ns - of_ns) * 1e-9;
}

template <class Number>
py::object array_in(const Number* numbers, std::size_t size) {
  return array_of(std::vector<Number>(numbers, numbers + size));
}

void add_rig_frame(py::module_& module) {
  using rig::LiveFrame;
  py::class_<LiveFrame>(module, "RigFrame", "The newest of each device of a rig, at one moment.")
      .def_readonly("number", &LiveFrame::number,
                    "Since the rig began; a gap was lost on the way here.")
      .def_property_readonly(
          "now_s", [](const LiveFrame& self) { return static_cast<double>(self.now_ns) * 1e-9; },
          "The rig's clock, when the frame was made.")
      .def_readonly("force_N", &LiveFrame::force_N, "Tared, pressing positive.")
      .def_readonly("force_min_N", &LiveFrame::force_min_N, "The least since the frame before.")
      .def_readonly("force_max_N", &LiveFrame::force_max_N, "The most since the frame before.")
      .def_property_readonly(
          "wrench",
          [](const LiveFrame& self) {
            return array_in(self.wrench_SI.data(), self.wrench_SI.size());
          },
          "Shape (6,): Fx, Fy, Fz in N and Tx, Ty, Tz in N m, the sensor's axes, not tared.")
      .def_property_readonly(
          "position_m",
          [](const LiveFrame& self) {
            return array_in(self.position_m.data(), self.position_m.size());
          },
          "Shape (3,), stage frame.")
      .def_readonly("position_trusted", &LiveFrame::position_trusted, "The stage has been homed.")
      .def_property_readonly(
          "counts",
          [](const LiveFrame& self) { return array_in(self.counts.data(), self.counts.size()); },
          "float32, the array's readings by tactel, as recorded; empty before the first.")
      .def_property_readonly(
          "force_age_s", [](const LiveFrame& self) { return age_s(self, self.force_ns); },
          "Of the force at now_s; None before the first.")
      .def_property_readonly(
          "counts_age_s", [](const LiveFrame& self) { return age_s(self, self.frame_ns); },
          "Of the readings at now_s; None before the first.")
      .def_property_readonly(
          "position_age_s", [](const LiveFrame& self) { return age_s(self, self.stage_ns); },
          "Of the position at now_s; None before the first.")
      .def("__repr__", [](const LiveFrame& self) {
        return fmt::format("<tactelier.RigFrame {}, {:.4g} N>", self.number, self.force_N);
      });
}

constexpr const char* kWatchHelp =
    "Frames of a running rig, some 60 a second, as long as they are asked for:\n\n"
    "    for frame in tactelier.watch_rig(): print(frame.force_N, frame.counts.max())\n\n"
    "devices: the device file of the rig; None: the only rig process of this user.\n"
    "Looks on: nothing is asked of the rig, and nobody is waited for; who takes too few misses "
    "some.\nA frame that doesn't come within 5 s raises Error ('timeout'), the rig's end 'io'.";

}  // namespace

py::object status_of_rig(const std::optional<std::filesystem::path>& devices) {
  return from_json(run_job<nlohmann::json>(
      [&](const Job&) {
        return running_rig(devices).and_then(
            [](rig::RigClient client) { return client.ask(rig::messages::request("status")); });
      },
      py::none()));
}

void add_rigs(py::module_& module) {
  add_rig_frame(module);
  py::class_<RigWatch>(module, "RigWatch", "Frames of a running rig, one after the other.")
      .def("__iter__", [](py::object self) { return self; })
      .def("__next__", [](RigWatch& self) {
        return run_job<rig::LiveFrame>([&](const Job& job) { return next_frame(self, job); },
                                       py::none());
      });
  module.def(
      "watch_rig",
      [](const py::object& devices) {
        const auto file = device_file(devices);
        return run_job<RigWatch>([&](const Job&) { return RigWatch::begin(file); }, py::none());
      },
      py::arg("devices") = py::none(), kWatchHelp);
  module.def(
      "rig_status", [](const py::object& devices) { return status_of_rig(device_file(devices)); },
      py::arg("devices") = py::none(),
      "What a running rig is doing, as `tactelier rig status --json` has it.\n\n"
      "devices: the device file of the rig; None: the only rig process of this user.");
}

}  // namespace tactelier::python
