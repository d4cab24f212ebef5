// Parameter: one number of a model with what is known about it.

#include <pybind11/stl.h>

#include "app/python/errors.hpp"
#include "app/python/models.hpp"

namespace tactelier::python {
namespace {

double number_of(const Parameter& parameter) {
  if (parameter.value) return *parameter.value;
  raise({ErrorCode::kUnidentifiable, parameter.reason});
}

std::string with_unit(const Parameter& parameter, double value) {
  return fmt::format("{:.6g}{}{}", value, parameter.unit.empty() ? "" : " ", parameter.unit);
}

std::string parameter_words(const Parameter& parameter) {
  if (!parameter.value)
    return fmt::format("<tactelier.Parameter {}: {}>", to_string(parameter.status),
                       parameter.reason);
  const auto u95 = parameter.u_total
                       ? fmt::format(" +/- {} (95 %)", with_unit(parameter, *parameter.u_total))
                       : std::string();
  return fmt::format("<tactelier.Parameter {}{}, {}>", with_unit(parameter, *parameter.value), u95,
                     to_string(parameter.status));
}

}  // namespace

void add_parameters(py::module_& module) {
  py::class_<Parameter>(module, "Parameter",
                        "A number of a model: value, uncertainty, and whether the data determine "
                        "it.\n\nfloat(parameter) is its value; Error with the reason where there "
                        "is none.")
      .def_readonly("value", &Parameter::value, "In `unit`; None where it is not identified.")
      .def_readonly("unit", &Parameter::unit, "SI: 'N/m', 'N/count', 'counts'; '' of a ratio.")
      .def_readonly("std", &Parameter::std, "Standard error, statistical; None where not known.")
      .def_readonly("ci95", &Parameter::ci95, "95 % interval by repetition, (low, high); or None.")
      .def_readonly("u_total", &Parameter::u_total,
                    "Half-width of the 95 % interval with what repetition can't show; or None.")
      .def_property_readonly(
          "status", [](const Parameter& self) { return std::string(to_string(self.status)); },
          "'identified', 'assumed', 'predicted', 'not_seen' or 'unidentifiable'.")
      .def_readonly("reason", &Parameter::reason,
                    "Why it is not identified, and what to record instead; begins with a code "
                    "(docs/codes.md).")
      .def_readonly("origin", &Parameter::from, "The stage that found it, or who assumed it.")
      .def_property_readonly("identified", &Parameter::identified,
                             "Estimated, and the data determine it.")
      .def("__float__", &number_of)
      .def("__repr__", &parameter_words);
}

}  // namespace tactelier::python
