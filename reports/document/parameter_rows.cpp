#include "reports/document/parameter_rows.hpp"

#include <fmt/format.h>

#include "fitting/engine/facts.hpp"
#include "reports/quantity_text.hpp"

namespace tactelier {
namespace {

Cell value_cell(const ResultRow& row) {
  auto cell = parameter_cell(row.path, row.parameter);
  if (!row.is_spread()) return cell;
  if (row.spread.have == 0) return cell;
  const auto text = [&](double value) {
    return fmt::format("{:.4g}", value * prefix_factor(*row.parameter.value, row.parameter.unit));
  };
  cell.text += fmt::format(" (mean of {} of {}, {} to {})", row.spread.have, row.spread.of,
                           text(row.spread.least), text(row.spread.greatest));
  return cell;
}

}  // namespace

std::vector<ResultRow> found_rows(const SensorModel& model) {
  std::vector<ResultRow> rows;
  for (const auto& group : array_results(model)) {
    const auto* fact = group_of(group.id);
    if (fact != nullptr && fact->of_recording) continue;
    for (const auto& row : group.rows)
      if (row.parameter.usable()) rows.push_back(row);
  }
  return rows;
}

std::string parameter_label(const std::string& path) {
  const auto* fact = fact_of(path);
  if (fact == nullptr) return path;
  if (fact->symbol.empty() || fact->label.ends_with(fact->symbol)) return std::string(fact->label);
  return fmt::format("{} {}", fact->label, fact->symbol);
}

std::string status_words(const Parameter& parameter) {
  switch (parameter.status) {
    case Status::kIdentified:
      return "identified";
    case Status::kAssumed:
      return "assumed" + (parameter.from.empty() ? "" : " by " + parameter.from);
    case Status::kPredicted:
      return "predicted from the array";
    case Status::kNotSeen:
      return "looked for, not there";
    case Status::kUnidentifiable:
      return "not identified";
  }
  return "";
}

std::string gap_words(const std::string& path, const Parameter& parameter) {
  if (parameter.reason.empty()) return "";
  const auto advice = advice_for(parameter.reason, path);
  if (parameter.value) return advice.words;
  const auto what = advice.cause.empty() ? advice.words : advice.cause;
  if (advice.protocol.empty() && advice.device.empty()) return what;
  return fmt::format("{}; {}{}{}", what,
                     advice.protocol.empty() ? "" : "record " + advice.protocol,
                     advice.protocol.empty() || advice.device.empty() ? "" : ", ",
                     advice.device.empty() ? "" : "needs " + advice.device);
}

ReportTable parameter_table(std::string caption, std::span<const ResultRow> rows) {
  ReportTable table{std::move(caption), {"Parameter", "Value (95 %)", "Status", "Remark"}, {}};
  for (const auto& row : rows)
    table.rows.push_back({{parameter_label(row.path)},
                          value_cell(row),
                          {status_words(row.parameter)},
                          {gap_words(row.path, row.parameter)}});
  return table;
}

}  // namespace tactelier
