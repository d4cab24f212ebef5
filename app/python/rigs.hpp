#pragma once
// Devices and a running rig, looked on from Python.

#include <pybind11/pybind11.h>

namespace tactelier::python {

void add_devices(pybind11::module_& module);
void add_rigs(pybind11::module_& module);

}  // namespace tactelier::python
