#pragma once
// Devices and rigs: looked at, looked on, moved.

#include <pybind11/pybind11.h>

#include <filesystem>
#include <optional>

namespace tactelier::python {

/// What a running rig is doing: of these devices, else the only one of this user.
pybind11::object status_of_rig(const std::optional<std::filesystem::path>& devices);

void add_bench(pybind11::module_& module);
void add_devices(pybind11::module_& module);
void add_rigs(pybind11::module_& module);
void add_rig_control(pybind11::module_& module);

}  // namespace tactelier::python
