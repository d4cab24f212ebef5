#include "reports/document/data_writer.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

namespace tactelier {
namespace {

using nlohmann::ordered_json;

ordered_json number_or_null(double value) {
  return std::isfinite(value) ? ordered_json(value) : ordered_json(nullptr);
}

ordered_json numbers(const std::vector<double>& values) {
  auto list = ordered_json::array();
  for (const double value : values) list.push_back(number_or_null(value));
  return list;
}

ordered_json cell_json(const Cell& cell) {
  ordered_json json{{"text", cell.text}};
  if (!cell.number) return json;
  if (!cell.number->path.empty()) json["path"] = cell.number->path;
  json["value"] = number_or_null(cell.number->value);
  if (cell.number->u95) json["u95"] = number_or_null(*cell.number->u95);
  json["unit"] = cell.number->unit;
  return json;
}

ordered_json block_json(const Paragraph& paragraph) { return {{"text", paragraph.text}}; }

ordered_json block_json(const ReportTable& table) {
  auto rows = ordered_json::array();
  for (const auto& row : table.rows) {
    auto& cells = rows.emplace_back(ordered_json::array());
    for (const auto& cell : row) cells.push_back(cell_json(cell));
  }
  return {{"table", table.caption}, {"columns", table.columns}, {"rows", rows}};
}

ordered_json axis_json(const PlotAxis& axis) {
  return {{"quantity", axis.quantity}, {"unit", axis.unit}, {"log", axis.log}};
}

ordered_json figure_json(const Plot& plot) {
  auto series = ordered_json::array();
  for (const auto& one : plot.series)
    series.push_back({{"name", one.name}, {"x", numbers(one.x)}, {"y", numbers(one.y)}});
  return {{"plot", plot.title},
          {"x", axis_json(plot.x)},
          {"y", axis_json(plot.y)},
          {"series", series}};
}

ordered_json figure_json(const ArrayMap& map) {
  auto cells = ordered_json::array();
  for (const auto& cell : map.cells)
    cells.push_back({{"tactel", cell.tactel},
                     {"x_m", cell.x_m},
                     {"y_m", cell.y_m},
                     {"value", cell.value ? number_or_null(*cell.value) : ordered_json(nullptr)}});
  return {{"map", map.title}, {"unit", map.unit}, {"cells", cells}};
}

ordered_json block_json(const Figures& figures) {
  auto list = ordered_json::array();
  for (const auto& figure : figures.figures)
    list.push_back(std::visit([](const auto& one) { return figure_json(one); }, figure));
  return {{"figures", list}};
}

}  // namespace

std::string report_data(const ReportDocument& document) {
  ordered_json json{{"format", "tactelier/report-data"},
                    {"version", 1},
                    {"title", document.title},
                    {"date", document.date},
                    {"chapters", ordered_json::array()}};
  for (const auto& chapter : document.chapters) {
    ordered_json one{{"id", chapter.id}, {"title", chapter.title}, {"blocks", ordered_json::array()}};
    for (const auto& block : chapter.blocks)
      one["blocks"].push_back(
          std::visit([](const auto& content) { return block_json(content); }, block));
    json["chapters"].push_back(std::move(one));
  }
  return json.dump(1) + "\n";
}

}  // namespace tactelier
