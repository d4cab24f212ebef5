#pragma once
// A running rig, looked on from Python.

#include <pybind11/pybind11.h>

namespace tactelier::python {

void add_rigs(pybind11::module_& module);

}  // namespace tactelier::python
