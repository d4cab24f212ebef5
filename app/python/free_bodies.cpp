// Model.settle(): a rigid body that falls, settles, sticks and slides on the sensor.

#include <pybind11/stl.h>

#include "app/python/arrays.hpp"
#include "app/python/models.hpp"
#include "app/python/objects.hpp"
#include "app/python/run_job.hpp"
#include "app/workflow/free_object.hpp"

namespace tactelier::python {
namespace {

/// What Python gets: the image at the end, and the way there.
struct FreeBody {
  py::object values;
  std::string unit;
  double weight_N = 0;
  Vector3 torque_Nm{};
  py::object time_s, tip_m, turns_rad, velocity_m_per_s, load_N, friction_N;
  py::list warnings;
};

/// Shape (n, 3).
template <class Of>
py::object vectors_of(const std::vector<ObjectState>& course, const Of& of) {
  std::vector<double> numbers;
  for (const auto& state : course) {
    const Vector3 vector = of(state);
    numbers.insert(numbers.end(), vector.begin(), vector.end());
  }
  return array_of(std::move(numbers), {static_cast<py::ssize_t>(course.size()), 3});
}

py::object numbers_of(const std::vector<ObjectState>& course, double ObjectState::*number) {
  std::vector<double> numbers;
  for (const auto& state : course) numbers.push_back(state.*number);
  return array_of(std::move(numbers));
}

FreeBody free_body(FreeObjectOutcome outcome) {
  const auto& course = outcome.course;
  const auto& grid = outcome.image.layout.grids.front();
  FreeBody body;
  body.values = array_of(std::move(outcome.image.values), {grid.rows, grid.columns});
  body.unit = outcome.image.unit;
  body.weight_N = outcome.weight_N;
  body.torque_Nm = outcome.wrench.torque_Nm;
  body.time_s = numbers_of(course, &ObjectState::time_s);
  body.tip_m = vectors_of(course, [](const ObjectState& at) { return at.motion.tip_m; });
  body.turns_rad = vectors_of(course, [](const ObjectState& at) { return turns_of(at.motion); });
  body.velocity_m_per_s =
      vectors_of(course, [](const ObjectState& at) { return at.motion.velocity_m_per_s; });
  body.load_N = numbers_of(course, &ObjectState::load_N);
  body.friction_N = vectors_of(course, [](const ObjectState& at) { return at.friction_N; });
  body.warnings = list_of(outcome.warnings);
  return body;
}

FreeBody settle(const PyModel& self, const py::object& indenter, FreeObjectRequest request,
                const py::object& progress) {
  request.model = self.name.empty() ? "the model" : self.name;
  request.indenter = json_or_file(indenter);
  return free_body(run_job<FreeObjectOutcome>(
      [&](const Job& job) { return settle_object(self.model, request, job); }, progress));
}

void add_free_body(py::module_& module) {
  py::class_<FreeBody>(module, "FreeBody",
                       "A body that was let go on the sensor: Model.settle(). The last row of each "
                       "array is the end.")
      .def_readonly("values", &FreeBody::values,
                    "The image at the end: shape (rows, columns) of the array, row 0 first.")
      .def_readonly("unit", &FreeBody::unit, "Of values: 'N' or 'counts'.")
      .def_readonly("weight_N", &FreeBody::weight_N, "Mass times gravity.")
      .def_readonly("torque_Nm", &FreeBody::torque_Nm, "At the end, about the sensor's origin.")
      .def_readonly("time_s", &FreeBody::time_s, "Shape (n,), 2000 rows at most.")
      .def_readonly("tip_m", &FreeBody::tip_m, "Shape (n, 3), in the sensor's frame.")
      .def_readonly("turns_rad", &FreeBody::turns_rad,
                    "Shape (n, 3): about x, about y, about the body's own z.")
      .def_readonly("velocity_m_per_s", &FreeBody::velocity_m_per_s, "Shape (n, 3), of the tip.")
      .def_readonly("load_N", &FreeBody::load_N, "Shape (n,): on the sensor, along its normals.")
      .def_readonly("friction_N", &FreeBody::friction_N, "Shape (n, 3): of the pad on the body.")
      .def_readonly("warnings", &FreeBody::warnings, "Dicts of code, text and where.")
      .def("__repr__", [](const FreeBody& self) {
        return fmt::format("<tactelier.FreeBody of {:.4g} N>", self.weight_N);
      });
}

constexpr const char* kSettleHelp =
    "Lays a solid of even density on the sensor and lets it go, as `tactelier simulate --free`; "
    "method soft-contact\n(docs/theory/forward.md 11).\n\n"
    "indenter: its shape, as of forward(). mass_kg: of the body. height_m: how tall a flat-ended "
    "shape or wedge is.\n"
    "x_m, y_m, rz_rad, tilt_x_rad, tilt_y_rad: where the tip begins; drop_m: so far above the "
    "surface.\n"
    "slope_x_rad, slope_y_rad: turns of the sensor, so that gravity leans. time_s in steps of "
    "step_s.\n"
    "counts: the image in what the device would report instead of newtons.\n\n"
    "Returns a FreeBody. Raises Error where the model has no stiffness, and where the pad can't "
    "carry the body or it\nfalls off.";

}  // namespace

void add_free_bodies(py::module_& module, ModelClass& model) {
  add_free_body(module);
  model.def(
      "settle",
      [](const PyModel& self, const py::object& indenter, double mass_kg, double height_m,
         double x_m, double y_m, double rz_rad, double tilt_x_rad, double tilt_y_rad, double drop_m,
         double slope_x_rad, double slope_y_rad, double gravity_m_per_s2, double time_s,
         double step_s, bool counts, const py::object& progress) {
        FreeObjectRequest request;
        request.pose = {x_m, y_m, rz_rad, tilt_x_rad, tilt_y_rad};
        request.mass_kg = mass_kg;
        request.height_m = height_m;
        request.drop_m = drop_m;
        request.slope_x_rad = slope_x_rad;
        request.slope_y_rad = slope_y_rad;
        request.gravity_m_per_s2 = gravity_m_per_s2;
        request.time_s = time_s;
        request.step_s = step_s;
        request.counts = counts;
        return settle(self, indenter, std::move(request), progress);
      },
      py::arg("indenter"), py::kw_only(), py::arg("mass_kg"), py::arg("height_m") = 0.0,
      py::arg("x_m") = 0.0, py::arg("y_m") = 0.0, py::arg("rz_rad") = 0.0,
      py::arg("tilt_x_rad") = 0.0, py::arg("tilt_y_rad") = 0.0, py::arg("drop_m") = 0.0,
      py::arg("slope_x_rad") = 0.0, py::arg("slope_y_rad") = 0.0,
      py::arg("gravity_m_per_s2") = kStandardGravity_m_per_s2,
      py::arg("time_s") = FreeObjectRequest().time_s,
      py::arg("step_s") = FreeObjectRequest().step_s, py::arg("counts") = false,
      py::arg("progress") = py::none(), kSettleHelp);
}

}  // namespace tactelier::python
