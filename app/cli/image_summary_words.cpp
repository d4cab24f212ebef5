#include "app/cli/image_summary_words.hpp"

#include <fmt/format.h>

#include <cmath>

#include "app/workflow/json_values.hpp"
#include "libcalib/forward/vector3.hpp"
#include "libcalib/units.hpp"

namespace tactelier::cli {
namespace {

using nlohmann::json;

constexpr double kMm2PerM2 = 1e6;

Vector3 in_mm(const Vector3& at_m) {
  return {m_to_mm(at_m[0]), m_to_mm(at_m[1]), m_to_mm(at_m[2])};
}

std::optional<double> in_degrees(std::optional<double> angle_rad) {
  if (angle_rad) angle_rad = rad_to_deg(*angle_rad);
  return angle_rad;
}

std::optional<double> direction_rad(const ImageSummary& summary) {
  const auto& found = summary.orientation;
  if (!found || found->elongation < kLeastElongation) return {};
  return found->angle_rad;
}

json contours_json(const ImageSummary::Contours& contours) {
  json lines = json::array();
  for (const auto& line : contours.lines) {
    json points = json::array();
    for (const auto& point : line.points)
      points.push_back({m_to_mm(point.x_m), m_to_mm(point.y_m)});
    lines.push_back({{"closed", line.closed}, {"points_mm", points}});
  }
  return {{"percent", contours.percent},
          {"level", contours.level},
          {"area_mm2", contours.area_m2() * kMm2PerM2},
          {"lines", lines}};
}

std::string place_words(const Vector3& at_mm) {
  return fmt::format("({:.3f}, {:.3f}, {:.3f}) mm", at_mm[0], at_mm[1], at_mm[2]);
}

}  // namespace

json summary_json(const ImageSummary& summary) {
  json features{
      {"total", summary.total},    {"area_tactels", summary.area},
      {"centroid_m", nullptr},     {"orientation_deg", or_null(in_degrees(direction_rad(summary)))},
      {"elongation", nullptr},     {"hough_deg", or_null(in_degrees(summary.hough_rad))},
      {"contours", json::array()}, {"fingertip", nullptr}};
  if (summary.centroid) features["centroid_m"] = {summary.centroid->x_m, summary.centroid->y_m};
  if (summary.orientation && std::isfinite(summary.orientation->elongation))
    features["elongation"] = summary.orientation->elongation;
  for (const auto& contours : summary.contours)
    features["contours"].push_back(contours_json(contours));
  if (const auto& found = summary.on_fingertip)
    features["fingertip"] = {{"along_surface_mm", in_mm(found->along_surface.at_m)},
                             {"along_surface_miss_mm", m_to_mm(found->along_surface.miss_m)},
                             {"by_chords_mm", in_mm(found->by_chords.at_m)},
                             {"by_chords_miss_mm", m_to_mm(found->by_chords.miss_m)}};
  return features;
}

std::string wished_words(const ImageSummary& summary, const std::string& head) {
  std::string words;
  for (const auto& contours : summary.contours) {
    std::size_t closed = 0;
    for (const auto& line : contours.lines) closed += line.closed;
    words +=
        fmt::format("{}contour at {:g} % of the largest: {} line{}, {} closed, {:.4g} mm2\n", head,
                    contours.percent, contours.lines.size(), contours.lines.size() == 1 ? "" : "s",
                    closed, contours.area_m2() * kMm2PerM2);
  }
  if (const auto& found = summary.on_fingertip) {
    const auto& own = found->along_surface.at_m;
    const auto apart = minus(found->by_chords.at_m, own);
    words +=
        fmt::format("{}centre of force on the fingertip at {}, by chords at {}, {:.3f} mm apart\n",
                    head, place_words(in_mm(own)), place_words(in_mm(found->by_chords.at_m)),
                    m_to_mm(std::sqrt(dot(apart, apart))));
  }
  return words;
}

}  // namespace tactelier::cli
