#pragma once
// Recordings and models that are kept, or handed on.

#include <pybind11/pybind11.h>

namespace tactelier::python {

void add_archives(pybind11::module_& module);

}  // namespace tactelier::python
