#pragma once
// Errors of the library as one Python exception, with the words that the command line prints.

#include <pybind11/pybind11.h>

#include <utility>

#include "libcalib/result.hpp"

namespace tactelier::python {

namespace py = pybind11;

/// Adds the class `Error` to the module.
void add_error(py::module_& module);

/// Raises tactelier.Error. Needs the GIL.
[[noreturn]] void raise(const Error& error);

template <class T>
T value_of(Result<T>&& result) {
  if (!result) raise(result.error());
  if constexpr (!std::is_void_v<T>) return std::move(*result);
}

}  // namespace tactelier::python
