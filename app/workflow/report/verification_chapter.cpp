#include "app/workflow/report/verification_chapter.hpp"

#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

namespace tactelier {
namespace {

using nlohmann::json;

Cell percent_cell(const json& value) {
  const auto percent = value.get<double>();
  return {fmt::format("{:.2g} %", percent), CellNumber{"", percent, std::nullopt, "%"}};
}

Cell count_cell(std::size_t count) {
  return {fmt::format("{}", count), CellNumber{"", static_cast<double>(count), std::nullopt, ""}};
}

std::string text(const json& record, const char* key) { return record.at(key).get<std::string>(); }

ReportTable quantities_table(const json& record) {
  ReportTable table{"The target against our model, without noise",
                    {"Quantity", "Presses", "Median error", "Worst error", "Allowed", ""},
                    {}};
  for (const auto& quantity : record.at("quantities"))
    table.rows.push_back({{text(quantity, "name")},
                          count_cell(quantity.at("presses").size()),
                          percent_cell(quantity.at("median_percent")),
                          percent_cell(quantity.at("worst_percent")),
                          percent_cell(quantity.at("tolerance_percent")),
                          {quantity.at("passed").get<bool>() ? "passed" : "failed"}});
  return table;
}

ReportTable recorded_table(const json& recorded) {
  const auto images = recorded.at("images").size();
  ReportTable table{
      fmt::format("Against what the sensor recorded ({})",
                  fmt::join(recorded.at("sessions").get<std::vector<std::string>>(), ", ")),
      {"Prediction by", "Images", "Relative L1, median"},
      {}};
  table.rows = {{{"our model, " + text(recorded, "method")},
                 count_cell(images),
                 percent_cell(recorded.at("ours_percent"))},
                {{"the target"}, count_cell(images), percent_cell(recorded.at("target_percent"))},
                {{"the target, from our model"},
                 count_cell(images),
                 percent_cell(recorded.at("apart_percent"))}};
  return table;
}

Paragraph verdict_of(const std::string& file, const json& record) {
  const auto& target = record.at("target");
  const bool passed = record.at("passed").get<bool>();
  const auto& force_N = record.at("force_N");
  auto words = fmt::format(
      "{} {} ({}): the exported pad {} pressed again with {:.3g} to {:.3g} N on a tactel. Record "
      "{} "
      "of {}, {}.",
      text(target, "engine"), text(target, "version"), text(target, "format"),
      passed ? "shows the model's newtons when" : "does not show the model's newtons when",
      force_N.at(0).get<double>(), force_N.at(1).get<double>(), text(record, "name"),
      text(record, "created").substr(0, 10), file);
  if (const auto assumed = text(record, "assumed"); !assumed.empty())
    words += fmt::format(" Assumed for the export: {}.", assumed);
  return {std::move(words), passed ? Tone::kGood : Tone::kBad};
}

}  // namespace

Result<void> check_is_about(const NamedRecord& named, const SensorModel& model,
                            const std::string& model_hash) {
  const auto& [file, record] = named;
  const auto hash = text(record, "model_sha256");
  if (hash == model_hash) return {};
  const auto& sensor = record.at("sensor");
  const bool same_sensor = text(sensor, "vendor") == model.sensor.vendor &&
                           text(sensor, "model") == model.sensor.model &&
                           text(sensor, "serial") == model.serial;
  if (!text(record, "assumed").empty() && same_sensor) return {};
  return fail(ErrorCode::kInvalidInput,
              "{} is about another model (sha256 {:.12}, not {:.12}): verify this one with "
              "`tactelier verify-export`",
              file, hash, model_hash);
}

Chapter verification_chapter(std::span<const NamedRecord> records) {
  Chapter chapter{"verification", "Verified in simulators", {}};
  for (const auto& [file, record] : records) {
    chapter.blocks.emplace_back(verdict_of(file, record));
    chapter.blocks.emplace_back(quantities_table(record));
    if (const auto recorded = record.find("recorded"); recorded != record.end())
      chapter.blocks.emplace_back(recorded_table(*recorded));
    for (const auto& left_out : record.at("left_out"))
      chapter.blocks.emplace_back(
          Paragraph{"Not compared: " + left_out.get<std::string>(), Tone::kNote});
  }
  chapter.blocks.emplace_back(
      Paragraph{"What is compared, and how: docs/exports.md.", Tone::kNote});
  return chapter;
}

}  // namespace tactelier
