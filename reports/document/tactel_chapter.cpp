#include "reports/document/tactel_chapter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>

#include "libcalib/reason.hpp"
#include "reports/document/parameter_rows.hpp"
#include "reports/document/response_plots.hpp"

namespace tactelier {
namespace {

struct Column {
  std::string_view title;
  std::string_view name;  // of the parameter in the model file
  Parameter TactelResponse::*member;
};

using Tactel = TactelResponse;
constexpr auto kNumbers = std::to_array<Column>({
    {"Offset", "offset", &Tactel::offset},
    {"Threshold", "press_threshold", &Tactel::press_threshold},
    {"Gain", "press_gain", &Tactel::press_gain},
    {"Saturation", "saturation", &Tactel::saturation},
    {"Noise", "noise", &Tactel::noise},
});
constexpr auto kSheet = std::to_array<Column>({
    {"Repeatability", "repeatability", &Tactel::repeatability},
    {"Reversibility", "reversibility", &Tactel::reversibility},
    {"Zero return", "zero_return", &Tactel::zero_return},
    {"Nonlinearity", "nonlinearity", &Tactel::nonlinearity},
    {"Hysteresis", "hysteresis", &Tactel::hysteresis},
    {"Creep", "creep", &Tactel::creep},
});

std::string state(const TactelResponse& tactel) {
  if (has_code(tactel.press_gain.reason, "RS-01")) return "no response";
  auto words = std::string(to_string(tactel.status));
  std::replace(words.begin(), words.end(), '_', ' ');
  return words;
}

std::vector<Cell> row_of(const TactelResponse& tactel, std::span<const Column> columns) {
  std::vector<Cell> row{{fmt::format("{}", tactel.index)}};
  for (const auto& column : columns)
    row.push_back(parameter_cell(
        fmt::format("response.tactels[{}].{}", tactel.index, column.name), tactel.*column.member));
  return row;
}

ReportTable numbers_table(const SensorModel& model) {
  ReportTable table{"Numbers of each tactel", {"Tactel"}, {}};
  for (const auto& column : kNumbers) table.columns.emplace_back(column.title);
  table.columns.insert(table.columns.end(), {"State", "Remark"});
  for (const auto& tactel : model.response.tactels) {
    auto row = row_of(tactel, kNumbers);
    row.push_back({state(tactel)});
    row.push_back({tactel.press_gain.usable()
                       ? std::string()
                       : gap_words("response.tactels[].press_gain", tactel.press_gain)});
    table.rows.push_back(std::move(row));
  }
  return table;
}

/// Empty where no tactel has one of them.
std::optional<ReportTable> sheet_table(const SensorModel& model) {
  ReportTable table{
      "Figures like those of ISO 376, of full scale; no conformity claimed", {"Tactel"}, {}};
  for (const auto& column : kSheet) table.columns.emplace_back(column.title);
  for (const auto& tactel : model.response.tactels)
    if (std::any_of(kSheet.begin(), kSheet.end(),
                    [&](const Column& column) { return (tactel.*column.member).usable(); }))
      table.rows.push_back(row_of(tactel, kSheet));
  if (table.rows.empty()) return std::nullopt;
  return table;
}

}  // namespace

Chapter tactel_chapter(const ReportInput& input) {
  Chapter chapter{"tactels", "Tactel by tactel", {}};
  chapter.blocks.emplace_back(numbers_table(input.model));
  if (auto sheet = sheet_table(input.model)) {
    chapter.blocks.emplace_back(std::move(*sheet));
    chapter.blocks.emplace_back(Paragraph{
        "The measures are computed as in ISO 376 for the presses at hand, which differ from that "
        "standard's procedure in number, temperature and order.",
        Tone::kNote});
  }
  Figures curves{Figures::Size::kSmall, {}};
  for (const auto& curve : input.responses) curves.figures.emplace_back(tactel_plot(curve));
  if (!curves.figures.empty()) {
    chapter.blocks.emplace_back(Paragraph{
        "Readings over force: loading blue, unloading brown, presses left out grey, model black."});
    chapter.blocks.emplace_back(std::move(curves));
  }
  return chapter;
}

}  // namespace tactelier
