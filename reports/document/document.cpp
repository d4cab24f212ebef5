#include "reports/document/document.hpp"

#include "reports/quantity_text.hpp"

namespace tactelier {
namespace {

std::string joined(const QuantityText& text) {
  return text.value + (text.uncertainty.empty() ? "" : " ± " + text.uncertainty) +
         (text.unit.empty() ? "" : " " + text.unit);
}

}  // namespace

Cell parameter_cell(const std::string& path, const Parameter& parameter) {
  if (!parameter.value) return {"–"};
  const auto u95 = expanded_uncertainty(parameter);
  return {joined(quantity_text(parameter)), CellNumber{path, *parameter.value, u95, parameter.unit}};
}

Cell number_cell(double value, const std::string& unit) {
  return {joined(quantity_text(value, std::nullopt, unit)),
          CellNumber{"", value, std::nullopt, unit}};
}

ReportTable report_table(const Table& table, std::string caption) {
  ReportTable report{std::move(caption), table.columns, {}};
  for (const auto& row : table.rows) {
    auto& cells = report.rows.emplace_back();
    for (const auto& text : row) cells.push_back({text});
  }
  return report;
}

}  // namespace tactelier
