// sensors(), sensor(), codes(): what there is to look up.

#include <pybind11/stl.h>

#include "app/python/objects.hpp"
#include "app/python/recordings.hpp"
#include "app/workflow/workflow_facts.hpp"
#include "libcalib/json_check.hpp"
#include "libcalib/sensor/sensor_description.hpp"
#include "reports/code_book.hpp"

namespace tactelier::python {
namespace {

py::dict sensor_dict(const SensorDescription& sensor) {
  const auto arrays = list_of(sensor.arrays, [](const SensorArray& array) {
    return py::dict("rows"_a = array.rows, "columns"_a = array.columns,
                    "pitch_x_m"_a = array.pitch_x_m, "pitch_y_m"_a = array.pitch_y_m);
  });
  return py::dict("name"_a = sensor.name, "vendor"_a = sensor.vendor, "model"_a = sensor.model,
                  "tactels"_a = sensor.tactels(), "arrays"_a = arrays,
                  "channels"_a = sensor.channels, "bits"_a = sensor.adc.bits,
                  "falling"_a = sensor.falling, "rate_hz"_a = sensor.rate_hz,
                  "thickness_m"_a = sensor.thickness_m, "poisson_ratio"_a = sensor.poisson_ratio,
                  "max_force_N"_a = sensor.max_force_N,
                  "max_pressure_Pa"_a = sensor.max_pressure_Pa, "source"_a = sensor.source,
                  "warnings"_a = list_of(check_sensor(sensor)));
}

py::dict sensor_of(const py::object& name) {
  return sensor_dict(value_of(load_sensor(path_of(name).string())));
}

py::list shipped() {
  return list_of(shipped_sensors(),
                 [](const std::string& name) { return sensor_dict(value_of(load_sensor(name))); });
}

py::list codes_of(const std::string& code) {
  auto book = code_book(command_tables());
  std::vector<std::string> names;
  for (const auto& fact : book) names.emplace_back(fact.code);
  if (!code.empty()) std::erase_if(book, [&](const CodeFact& fact) { return fact.code != code; });
  if (book.empty())
    raise({ErrorCode::kUsage,
           fmt::format("there is no code '{}'{}", code, did_you_mean(code, names))});
  return list_of(book, [](const CodeFact& fact) {
    return py::dict("code"_a = std::string(fact.code), "path"_a = std::string(fact.path),
                    "cause"_a = std::string(fact.cause), "meaning"_a = std::string(fact.meaning),
                    "remedy"_a = std::string(fact.remedy), "record"_a = help_words(fact));
  });
}

constexpr const char* kSensorHelp =
    "A description of an array, as `tactelier sensors show` and `check`: a dict of name, vendor, "
    "model, tactels, arrays (dicts\nof rows, columns, pitch_x_m, pitch_y_m), channels, bits, "
    "falling, rate_hz, thickness_m, poisson_ratio, max_force_N, max_pressure_Pa\n(None: not known), source and "
    "warnings.\n\nname: of one that is shipped, or a file. Raises Error naming the place where it "
    "makes no sense.";

constexpr const char* kCodesHelp =
    "What the codes of refusals and warnings mean, as `tactelier codes`: dicts of code, path, "
    "cause, meaning, remedy and record.\n\ncode: one, as a reason begins with it; '': all.";

}  // namespace

void add_references(py::module_& module) {
  module.def("sensors", &shipped,
             "The descriptions that come with the program, as `tactelier sensors list`: dicts as "
             "of sensor().");
  module.def("sensor", &sensor_of, py::arg("name"), kSensorHelp);
  module.def("codes", &codes_of, py::arg("code") = "", kCodesHelp);
}

}  // namespace tactelier::python
