// Model.forward(): the image that a model predicts of one press.

#include <pybind11/stl.h>

#include "app/python/arrays.hpp"
#include "app/python/features.hpp"
#include "app/python/models.hpp"
#include "app/python/objects.hpp"
#include "app/python/run_job.hpp"
#include "app/workflow/simulate_image.hpp"
#include "libcalib/forward/image_features.hpp"

namespace tactelier::python {
namespace {

/// What Python gets.
struct Image {
  py::object values, force_N;
  std::string unit;
  double load_N = 0, total_N = 0;
  std::optional<double> depth_m;
  std::optional<std::array<double, 2>> centre_m;
  std::optional<Vector3> torque_Nm;
  std::size_t clipped = 0;
  py::dict features;
  py::list warnings;
};

Image image_object(SimulatedImage simulated) {
  Image image;
  auto& press = simulated.press;
  const auto& layout = simulated.image.layout;
  if (const auto centre = image_centroid(layout, press.force_N))
    image.centre_m = {centre->x_m, centre->y_m};
  image.total_N = image_total(press.force_N);
  image.load_N = press.load_N;
  image.depth_m = press.depth_m;
  if (press.wrench) image.torque_Nm = press.wrench->torque_Nm;
  image.unit = simulated.image.unit;
  image.clipped = simulated.clipped;
  image.features = features_of(simulated.summary);
  image.warnings = list_of(simulated.warnings);
  const auto& grid = layout.grids.front();
  image.values = array_of(std::move(simulated.image.values), {grid.rows, grid.columns});
  image.force_N = array_of(std::move(press.force_N));
  return image;
}

Image forward(const PyModel& self, const py::object& indenter, SimulateRequest request) {
  request.indenter = json_or_file(indenter);
  return image_object(run_job<SimulatedImage>(
      [&](const Job&) { return simulate_image(self.model, request); }, py::none()));
}

constexpr const char* kForwardHelp =
    "The image that the model predicts of one press, as `tactelier simulate`.\n\n"
    "indenter: a dict as in session.json ({'shape': 'sphere', 'radius_mm': 6}), its JSON, or a "
    "file.\n"
    "x_m, y_m, rz_rad, tilt_x_rad, tilt_y_rad: pose of the tip in the sensor's frame.\n"
    "force_N, mass_kg, depth_m: what presses it down, exactly one of them.\n"
    "approach_m_per_s: of the tip into the pad at that moment.\n"
    "method: 'psf', 'soft-contact' or 'hydroelastic'.\n"
    "counts: what the device would report instead of newtons; with a seed as one noisy reading.\n"
    "contour_percents: of the largest reading; fingertip: a mesh in the sensor's frame, mm. Both "
    "in Image.features.\n\n"
    "Raises Error where the model lacks what the method needs, with the reason.";

void add_image(py::module_& module) {
  py::class_<Image>(module, "Image", "What an array reads of one press.")
      .def_readonly("values", &Image::values,
                    "Shape (rows, columns) of the array, row 0 first; NaN where a tactel has no "
                    "number.")
      .def_readonly("unit", &Image::unit, "Of values: 'N' or 'counts'.")
      .def_readonly("force_N", &Image::force_N, "Each tactel's share, by its index.")
      .def_readonly("load_N", &Image::load_N, "On the indenter.")
      .def_readonly("total_N", &Image::total_N, "Sum of the shares.")
      .def_readonly("depth_m", &Image::depth_m,
                    "Of the tip; None where the model has no stiffness to tell it.")
      .def_readonly("centre_m", &Image::centre_m,
                    "Centre of force (x, y) in the sensor's frame; None without force.")
      .def_readonly("torque_Nm", &Image::torque_Nm,
                    "About the sensor's origin; None of methods that don't know it.")
      .def_readonly("clipped", &Image::clipped, "Tactels at saturation.")
      .def_readonly("features", &Image::features,
                    "Dict of area_tactels, orientation_rad, elongation, hough_rad, contours "
                    "(percent, level, area_m2,\nlines of points_m) and fingertip "
                    "(docs/theory/forward.md 5).")
      .def_readonly("warnings", &Image::warnings, "Dicts of code, text and where.")
      .def("__repr__", [](const Image& self) {
        return fmt::format("<tactelier.Image {:.4g} N on the sensor, {:.4g} N read>", self.load_N,
                           self.total_N);
      });
}

}  // namespace

void add_forward(py::module_& module, ModelClass& model) {
  add_image(module);
  model.def(
      "forward",
      [](const PyModel& self, const py::object& indenter, double x_m, double y_m, double rz_rad,
         double tilt_x_rad, double tilt_y_rad, std::optional<double> force_N,
         std::optional<double> mass_kg, std::optional<double> depth_m, double approach_m_per_s,
         std::string method, bool counts, std::optional<std::uint64_t> seed,
         std::vector<double> contour_percents, const py::object& fingertip) {
        SimulateRequest request;
        request.pose = {x_m, y_m, rz_rad, tilt_x_rad, tilt_y_rad};
        request.force_N = force_N;
        request.mass_kg = mass_kg;
        request.depth_m = depth_m;
        request.approach_m_per_s = approach_m_per_s;
        request.method = std::move(method);
        request.counts = counts;
        request.seed = seed;
        request.wish.contour_percents = std::move(contour_percents);
        if (!fingertip.is_none()) request.wish.fingertip = path_of(fingertip);
        return forward(self, indenter, std::move(request));
      },
      py::arg("indenter"), py::kw_only(), py::arg("x_m") = 0.0, py::arg("y_m") = 0.0,
      py::arg("rz_rad") = 0.0, py::arg("tilt_x_rad") = 0.0, py::arg("tilt_y_rad") = 0.0,
      py::arg("force_N") = py::none(), py::arg("mass_kg") = py::none(),
      py::arg("depth_m") = py::none(), py::arg("approach_m_per_s") = 0.0, py::arg("method") = "psf",
      py::arg("counts") = false, py::arg("seed") = py::none(),
      py::arg("contour_percents") = std::vector<double>(), py::arg("fingertip") = py::none(),
      kForwardHelp);
}

}  // namespace tactelier::python
