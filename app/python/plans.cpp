// protocols(), plan(): what there is to record, and what a protocol will tell on a rig.

#include <pybind11/stl.h>

#include "app/python/objects.hpp"
#include "app/python/recordings.hpp"
#include "app/python/run_job.hpp"
#include "app/workflow/plan_recording.hpp"

namespace tactelier::python {
namespace {

RecordingPlanRequest plan_request(const py::object& rig, const py::object& sensor,
                                  const py::object& expect) {
  RecordingPlanRequest request;
  request.sensor = path_of(sensor).string();
  if (!rig.is_none()) request.rig = path_of(rig);
  if (!expect.is_none()) request.expect = path_of(expect);
  return request;
}

py::dict parameter_dict(const PlannedParameter& one) {
  return py::dict("path"_a = one.path, "unit"_a = one.unit, "value"_a = one.value,
                  "repeat"_a = one.repeat, "u"_a = one.u, "determined"_a = one.determined,
                  "of"_a = one.of, "limit"_a = one.limit, "reason"_a = one.reason,
                  "may_fail"_a = one.may_fail);
}

py::dict addition_dict(const Addition& one) {
  return py::dict("what"_a = one.what, "helps"_a = one.helps, "gained"_a = one.gained,
                  "most"_a = one.most);
}

py::list known_protocols(const py::object& rig, const py::object& sensor) {
  const auto request = plan_request(rig, sensor, py::none());
  const auto guides = run_job<std::vector<ProtocolGuide>>(
      [&](const Job&) { return list_protocols(request); }, py::none());
  return list_of(guides, [](const ProtocolGuide& guide) {
    return py::dict("name"_a = guide.name, "duration_s"_a = guide.duration_s,
                    "description"_a = guide.description, "why_not"_a = guide.why_not);
  });
}

py::dict planned(const std::string& protocol, const py::object& rig, const py::object& sensor,
                 const py::object& expect, const py::object& progress) {
  auto request = plan_request(rig, sensor, expect);
  request.protocol = protocol;
  return planned_dict(run_job<PlannedRecording>(
      [&](const Job& job) { return plan_recording(request, job); }, progress));
}

constexpr const char* kProtocolsHelp =
    "The shipped protocols, as `tactelier protocols list`: dicts of name, description, duration_s "
    "on a rig, and why_not\nwhere it can't be planned there.\n\n"
    "rig: rig file; None: the virtual bench's. sensor: name or file of the description on it.";

constexpr const char* kPlanHelp =
    "What a protocol does on a rig, and what it will and won't tell, at which uncertainty, as "
    "`tactelier protocols show`.\nConnects to nothing.\n\n"
    "protocol: name or file. rig, sensor: as of protocols(). expect: a model file whose values are "
    "expected instead of\npublished ones.\n\n"
    "Returns a dict of description, duration_s, presses, travel_m, parameters (dicts of path, "
    "unit, value, repeat and u:\nhalf-widths of the 95 % interval, determined, of, limit, reason, "
    "may_fail), additions (dicts of what would help),\nassumed (what the rig file does not state), "
    "table, the same in words, and warnings.";

}  // namespace

py::dict planned_dict(const PlannedRecording& plan) {
  return py::dict("description"_a = plan.description, "duration_s"_a = plan.plan.duration_s,
                  "presses"_a = plan.plan.presses, "travel_m"_a = plan.plan.path_m,
                  "parameters"_a = list_of(plan.parameters, parameter_dict),
                  "additions"_a = list_of(plan.additions, addition_dict),
                  "assumed"_a = plan.quality.assumed, "table"_a = to_text(plan.sections()),
                  "warnings"_a = list_of(plan.plan.warnings));
}

void add_plans(py::module_& module) {
  module.def("protocols", &known_protocols, py::kw_only(), py::arg("rig") = py::none(),
             py::arg("sensor") = RecordingPlanRequest().sensor, kProtocolsHelp);
  module.def("plan", &planned, py::arg("protocol"), py::kw_only(), py::arg("rig") = py::none(),
             py::arg("sensor") = RecordingPlanRequest().sensor, py::arg("expect") = py::none(),
             py::arg("progress") = py::none(), kPlanHelp);
}

}  // namespace tactelier::python
