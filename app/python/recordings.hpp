#pragma once
// Recordings that are planned, made or changed from Python: imported, simulated, edited.

#include <pybind11/pybind11.h>

#include "app/workflow/plan_recording.hpp"

namespace tactelier::python {

/// What plan() gives.
pybind11::dict planned_dict(const PlannedRecording& plan);

void add_recordings(pybind11::module_& module);
void add_guess(pybind11::module_& module);
void add_plans(pybind11::module_& module);
void add_references(pybind11::module_& module);

}  // namespace tactelier::python
