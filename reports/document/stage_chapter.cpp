#include "reports/document/stage_chapter.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "fitting/engine/facts.hpp"
#include "reports/document/array_maps.hpp"
#include "reports/document/parameter_rows.hpp"
#include "reports/document/stage_words.hpp"
#include "reports/fit_results.hpp"
#include "reports/quantity_text.hpp"

namespace tactelier {
namespace {

Cell count_cell(int count) {
  return {fmt::format("{}", count), CellNumber{"", static_cast<double>(count), std::nullopt, ""}};
}

ReportTable quality_table(const StageQuality& quality) {
  ReportTable table{"How well it fits", {"Measure", "Value"}, {}};
  const auto add = [&](const char* what, Cell cell) {
    table.rows.push_back({{what}, std::move(cell)});
  };
  add("Samples used", count_cell(quality.samples_used));
  add("Samples left out", count_cell(quality.samples_rejected));
  if (quality.residual_rms)
    add("Residual, rms", number_cell(*quality.residual_rms, quality.residual_unit));
  if (quality.chi2_per_dof)
    add("χ² per degree of freedom (1: as good as the noise)",
        number_cell(*quality.chi2_per_dof, ""));
  if (quality.r2) add("R²", number_cell(*quality.r2, ""));
  if (quality.holdout_ratio)
    add("Residual of presses kept out, over that of those fitted",
        number_cell(*quality.holdout_ratio, ""));
  if (!quality.interval_method.empty()) add("Intervals from", {quality.interval_method});
  return table;
}

ReportTable figures_table(const StageQuality& quality) {
  ReportTable table{"Further figures of the fit; the unit ends the name", {"Figure", "Value"}, {}};
  for (const auto& [name, value] : quality.figures)
    table.rows.push_back({{name}, number_cell(value, "")});
  return table;
}

std::vector<ResultRow> rows_of(const SensorModel& model, std::string_view stage) {
  std::vector<ResultRow> rows;
  for (const auto& group : array_results(model))
    for (const auto& row : group.rows)
      if (row.stage == stage) rows.push_back(row);
  return rows;
}

std::string warning_words(const Warning& warning) {
  auto text = warning.where.empty() ? "" : warning.where + ": ";
  text += warning.text;
  const auto* fact = fact_of_code(warning.code);
  if (fact != nullptr && !fact->remedy.empty())
    text += fmt::format("{} {}", text.ends_with('.') ? "" : ".", fact->remedy);
  return fmt::format("{} ({})", text, warning.code);
}

/// The same warning of many presses once, with how many more there are.
void add_warnings(const Warnings& warnings, std::vector<Block>& blocks) {
  constexpr std::size_t kShown = 3;
  std::vector<std::string> codes;
  for (const auto& warning : warnings)
    if (std::find(codes.begin(), codes.end(), warning.code) == codes.end())
      codes.push_back(warning.code);
  for (const auto& code : codes) {
    std::size_t count = 0;
    for (const auto& warning : warnings) {
      if (warning.code != code) continue;
      if (++count <= kShown) blocks.emplace_back(Paragraph{warning_words(warning), Tone::kLook});
    }
    if (count > kShown)
      blocks.emplace_back(Paragraph{
          fmt::format("{} more warnings {} like these.", count - kShown, code), Tone::kNote});
  }
}

/// What varies from tactel to tactel, as maps; the summary has some of them, too.
void add_maps(const SensorModel& model, const std::vector<ResultRow>& rows,
              std::vector<Block>& blocks) {
  if (model.sensor.tactels() < 2) return;
  Figures maps{Figures::Size::kMiddle, {}};
  for (const auto& row : rows)
    if (row.is_spread() && row.spread.have > 0 && !row.path.ends_with("[]") &&
        over_array(model, row.path).size() == model.response.tactels.size())
      maps.figures.emplace_back(array_map(model, row.path));
  if (!maps.figures.empty()) blocks.emplace_back(std::move(maps));
}

}  // namespace

Result<std::optional<Chapter>> stage_chapter(const ReportInput& input, const Stage& stage,
                                             const Job& job) {
  const auto quality = input.model.quality.find(std::string(stage.id));
  if (quality == input.model.quality.end()) return std::optional<Chapter>();
  Chapter chapter{fmt::format("stage-{}", stage.id), std::string(stage.title), {}};
  if (const auto* words = stage_words(stage.id)) {
    chapter.blocks.emplace_back(Paragraph{std::string(words->what)});
    for (const auto equation : words->equations)
      chapter.blocks.emplace_back(Paragraph{std::string(equation), Tone::kEquation});
    chapter.blocks.emplace_back(
        Paragraph{fmt::format("Explained in {}.", words->page), Tone::kNote});
  }
  const auto rows = rows_of(input.model, stage.id);
  if (!rows.empty()) chapter.blocks.emplace_back(parameter_table("What was found", rows));
  chapter.blocks.emplace_back(quality_table(quality->second));
  add_warnings(quality->second.warnings, chapter.blocks);
  auto plots = stage_plots(input, stage.id, job);
  if (!plots) return fail(plots.error());
  for (auto& block : *plots) chapter.blocks.push_back(std::move(block));
  add_maps(input.model, rows, chapter.blocks);
  if (!quality->second.figures.empty()) chapter.blocks.emplace_back(figures_table(quality->second));
  return std::optional(std::move(chapter));
}

}  // namespace tactelier
