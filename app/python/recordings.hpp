#pragma once
// Recordings that are planned, made or changed from Python: imported, simulated, edited.

#include <pybind11/pybind11.h>

namespace tactelier::python {

void add_recordings(pybind11::module_& module);
void add_guess(pybind11::module_& module);
void add_plans(pybind11::module_& module);

}  // namespace tactelier::python
