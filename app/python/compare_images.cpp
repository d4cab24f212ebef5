// compare_images(): two images by themselves, also another simulator's.

#include <pybind11/stl.h>

#include "app/python/features.hpp"
#include "app/python/metrics.hpp"
#include "app/python/models.hpp"
#include "app/python/run_job.hpp"
#include "app/workflow/compare_image_files.hpp"
#include "app/workflow/required_record.hpp"

namespace tactelier::python {
namespace {

void check_positive(const char* name, const std::optional<double>& number) {
  if (number && !(*number > 0))
    raise({ErrorCode::kUsage, fmt::format("{}={}: a positive number", name, *number)});
}

/// With what Image tells apart.
py::dict pair_features_of(const ImageSummary& summary) {
  auto features = features_of(summary);
  features["total"] = summary.total;
  features["centre_m"] = py::none();
  if (const auto& centre = summary.centroid)
    features["centre_m"] = py::make_tuple(centre->x_m, centre->y_m);
  return features;
}

py::dict compared_images(const PyModel* model, const ImagePairRequest& request,
                         const py::dict& fail_above) {
  const auto limits = limits_of(fail_above);
  check_positive("pitch_m", request.pitch_m);
  check_positive("full_scale", request.full_scale);
  const auto pair = run_job<ImagePair>(
      [&](const Job&) {
        return compare_image_files(model == nullptr ? nullptr : &model->model, request);
      },
      py::none());
  return py::dict("metrics"_a = metrics_of(pair.metrics), "predicted"_a = pair_features_of(pair.a),
                  "measured"_a = pair_features_of(pair.b), "warnings"_a = list_of(pair.warnings),
                  "beyond"_a = beyond_limits(limits, request.a.filename().string(), pair.metrics));
}

constexpr const char* kImagesHelp =
    "Two images compared by themselves, as `tactelier compare --images`.\n\n"
    "predicted, measured: files, .csv (row 0 first) or .json.\n"
    "model: of the sensor: layout, full scale, and the rest that is taken off counts.\n"
    "pitch_m, full_scale (in the images' unit): instead of a model's.\n"
    "map: a file that says how `predicted`, another simulator's, lies on the sensor: unit, "
    "orientation, place,\nwhich tactel is which (docs/predicting-images.md).\n"
    "contour_percents: of the largest reading; fingertip: a mesh in the sensor's frame, mm, with a "
    "model.\nfail_above: of Model.compare().\n\n"
    "Returns a dict of metrics (by name; None where one is not defined), predicted and measured "
    "(dicts of total,\ncentre_m and what Image.features has), warnings, and beyond.";

py::dict required(const std::string& name, const py::object& model) {
  const auto record = value_of(require_record(name, path_of(model)));
  return py::dict("name"_a = record.name, "file"_a = record.file.string());
}

constexpr const char* kRequireHelp =
    "The verification record of this name, as `tactelier compare --require-record` asks for it "
    "before simulated forces are\ncalled newtons.\n\n"
    "model: a model file; its folder and the current one are looked in. Returns a dict of name and "
    "file. Raises Error\n('unidentifiable') where none is there, it is about another model, or the "
    "exported pad did not pass.";

}  // namespace

void add_compare_images(py::module_& module) {
  module.def(
      "compare_images",
      [](const py::object& predicted, const py::object& measured, const PyModel* model,
         std::optional<double> pitch_m, std::optional<double> full_scale, const py::object& map,
         std::vector<double> contour_percents, const py::object& fingertip,
         const py::dict& fail_above) {
        ImagePairRequest request;
        request.a = path_of(predicted);
        request.b = path_of(measured);
        request.pitch_m = pitch_m;
        request.full_scale = full_scale;
        if (!map.is_none()) request.map = path_of(map);
        request.wish.contour_percents = std::move(contour_percents);
        if (!fingertip.is_none()) request.wish.fingertip = path_of(fingertip);
        return compared_images(model, request, fail_above);
      },
      py::arg("predicted"), py::arg("measured"), py::kw_only(), py::arg("model") = py::none(),
      py::arg("pitch_m") = py::none(), py::arg("full_scale") = py::none(),
      py::arg("map") = py::none(), py::arg("contour_percents") = std::vector<double>(),
      py::arg("fingertip") = py::none(), py::arg("fail_above") = py::dict(), kImagesHelp);
  module.def("require_record", &required, py::arg("name"), py::arg("model"), kRequireHelp);
}

}  // namespace tactelier::python
