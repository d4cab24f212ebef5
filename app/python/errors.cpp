#include "app/python/errors.hpp"

namespace tactelier::python {
namespace {

constexpr const char* kErrorHelp =
    "What the world can break: a file, a device, data, a fit.\n\n"
    "str(error) are the words that the command line prints: thing, place, cause, remedy.\n"
    "error.code is one of 'usage', 'invalid_input', 'damaged', 'io', 'timeout', 'protocol',\n"
    "'device_fault', 'unidentifiable', 'cancelled'.";

PyObject* error_type = nullptr;  // lives as long as the interpreter

const char* name_of(ErrorCode code) {
  switch (code) {
    case ErrorCode::kUsage:
      return "usage";
    case ErrorCode::kInvalidInput:
      return "invalid_input";
    case ErrorCode::kDamaged:
      return "damaged";
    case ErrorCode::kIo:
      return "io";
    case ErrorCode::kTimeout:
      return "timeout";
    case ErrorCode::kProtocol:
      return "protocol";
    case ErrorCode::kDeviceFault:
      return "device_fault";
    case ErrorCode::kUnidentifiable:
      return "unidentifiable";
    case ErrorCode::kCancelled:
      return "cancelled";
  }
  return "";
}

}  // namespace

void add_error(py::module_& module) {
  error_type = PyErr_NewExceptionWithDoc("tactelier.Error", kErrorHelp, PyExc_Exception, nullptr);
  if (error_type == nullptr) throw py::error_already_set();
  module.attr("Error") = py::handle(error_type);
}

void raise(const Error& error) {
  const auto exception = py::handle(error_type)(error.message);
  exception.attr("code") = name_of(error.code);
  PyErr_SetObject(error_type, exception.ptr());
  throw py::error_already_set();
}

}  // namespace tactelier::python
