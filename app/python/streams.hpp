#pragma once
// Samples of a recording as NumPy arrays.

#include <pybind11/pybind11.h>

#include "app/python/sessions.hpp"

namespace tactelier::python {

/// The class Stream, and session["force"].
void add_streams(pybind11::module_& module, SessionClass& session);

}  // namespace tactelier::python
