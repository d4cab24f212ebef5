#include "reports/export/schunk_exporter.hpp"

#include <cmath>

#include "reports/export/export_json.hpp"
#include "reports/export/export_text.hpp"
#include "reports/export/flat_arrays.hpp"

namespace tactelier {
namespace {

constexpr std::string_view kSchunk = "the node";

struct SchunkNumbers {
  double counts_per_N = 0, most_counts = 0;  // from the offset
};

/// As far as the middle tactel's readings go from its offset.
std::optional<double> most_counts(const SensorModel& model) {
  const auto offset = middle_of(model, &TactelResponse::offset);
  auto end = middle_of(model, &TactelResponse::saturation);
  if (!end) end = model.sensor.falling ? model.sensor.adc.min : model.sensor.adc.max;
  if (!end) return std::nullopt;
  return std::abs(*end - offset.value_or(0));
}

Result<SchunkNumbers> schunk_numbers(const SensorModel& model) {
  const auto counts_per_N = middle_counts_per_N(model);
  if (!counts_per_N)
    return fail(ErrorCode::kUnidentifiable,
                "response.tactels: no tactel has a gain of its own, and {} can't do without a "
                "sensitivity: {}",
                kSchunk, gain_remedy(model));
  const auto most = most_counts(model);
  if (!most)
    return fail(ErrorCode::kUnidentifiable,
                "response.tactels: no saturation and no largest reading of the converter is known: "
                "--assume response.tactels[0].saturation=VALUE");
  return SchunkNumbers{*counts_per_N, *most};
}

/// The node's readings rise from 0 whatever the sensor's do.
std::string reading_line(const SensorModel& model) {
  if (model.sensor.falling)
    return "This sensor's readings fall: they are its offset minus what the node says.";
  return "This sensor's readings are its offset and what the node says.";
}

std::vector<std::string> about_schunk(const SensorModel& model, const std::string& name) {
  return {
      fmt::format("Parameters of schunk_simulated_tactile_sensors (ROS) for {}: rosparam load "
                  "FILE /tactile_sensors.",
                  name),
      "cells_x: columns, cells_y: rows; the node's reading x + cells_x * (cells_y - 1 - y) is "
      "ours of row y, column x.",
      "sensitivity: counts per N of the middle tactel; output_range: the farthest its reading goes "
      "from the offset.",
      reading_line(model),
      "filter_length 1: the node's own average over ten frames is no property of the sensor.",
      "The node smooths over 3 x 3 cells, which no parameter turns off: forces on single cells "
      "come out a ninth as large, their sum right away from the edge."};
}

std::string schunk_text(const SensorModel& model, const SchunkNumbers& numbers, std::size_t index,
                        std::span<const Loss> losses) {
  const auto& array = model.sensor.arrays[index];
  return comment_lines(
             "# ",
             opening_lines(model, about_schunk(model, fmt::format("array {}", index)), losses)) +
         fmt::format(
             "cells_x: {}\ncells_y: {}\noutput_range: {:.9f}\nsensitivity: {:.9f}\n"
             "filter_length: 1\n",
             array.columns, array.rows, numbers.most_counts, numbers.counts_per_N);
}

}  // namespace

Result<Exported> SchunkExporter::write(const SensorModel& model) const {
  if (const auto flat = all_flat_grids(model.sensor, kSchunk); !flat) return fail(flat.error());
  const auto numbers = schunk_numbers(model);
  if (!numbers) return fail(numbers.error());
  SlotContents contents;
  for (std::size_t i = 0; i < model.response.tactels.size(); ++i)
    for (const auto* name : {"gain", "offset", "saturation"})
      contents.paths.push_back(fmt::format("response.tactels[{}].{}", i, name));
  auto losses = slot_losses(model, contents, kSchunk);
  add_one_for_all_losses(model, kSchunk, losses);
  Exported exported{schunk_text(model, *numbers, 0, losses), losses, export_warnings(model)};
  for (std::size_t i = 1; i < model.sensor.arrays.size(); ++i)
    exported.sidecars.push_back({fmt::format("{}_array_{}.yaml", pad_name(model), i),
                                 schunk_text(model, *numbers, i, losses)});
  return exported;
}

}  // namespace tactelier
