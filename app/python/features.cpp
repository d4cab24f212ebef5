#include "app/python/features.hpp"

#include <pybind11/stl.h>

#include <cmath>

#include "app/python/arrays.hpp"
#include "app/python/objects.hpp"

namespace tactelier::python {
namespace {

py::dict contours_of(const ImageSummary::Contours& contours) {
  py::list lines;
  for (const auto& line : contours.lines) {
    std::vector<double> points_m;
    for (const auto& point : line.points) {
      points_m.push_back(point.x_m);
      points_m.push_back(point.y_m);
    }
    py::dict one;
    one["closed"] = line.closed;
    one["points_m"] =
        array_of(std::move(points_m), {static_cast<py::ssize_t>(line.points.size()), 2});
    lines.append(one);
  }
  py::dict found;
  found["percent"] = contours.percent;
  found["level"] = contours.level;
  found["area_m2"] = contours.area_m2();
  found["lines"] = lines;
  return found;
}

/// The centre of force on the fingertip, by the shortest way along its surface and by chords.
py::dict fingertip_of(const ImageSummary::OnFingertip& found) {
  py::dict one;
  one["along_surface_m"] = found.along_surface.at_m;
  one["along_surface_miss_m"] = found.along_surface.miss_m;
  one["by_chords_m"] = found.by_chords.at_m;
  one["by_chords_miss_m"] = found.by_chords.miss_m;
  return one;
}

}  // namespace

py::dict features_of(const ImageSummary& summary) {
  py::dict features;
  features["area_tactels"] = summary.area;
  features["orientation_rad"] = py::none();
  features["elongation"] = py::none();
  if (const auto& found = summary.orientation) {
    if (found->elongation >= kLeastElongation) features["orientation_rad"] = found->angle_rad;
    if (std::isfinite(found->elongation)) features["elongation"] = found->elongation;
  }
  features["hough_rad"] = summary.hough_rad;
  features["contours"] = list_of(summary.contours, contours_of);
  features["fingertip"] = py::none();
  if (const auto& found = summary.on_fingertip) features["fingertip"] = fingertip_of(*found);
  return features;
}

}  // namespace tactelier::python
