#include "reports/document/provenance_chapter.hpp"

#include <fmt/ranges.h>

#include <map>

#include "fitting/engine/facts.hpp"
#include "libcalib/reason.hpp"
#include "reports/missing_table.hpp"
#include "reports/quantity_text.hpp"

namespace tactelier {
namespace {

void add_range(const char* what, const Validity::Range& range, std::string_view unit,
               ReportTable& table) {
  if (!range) return;
  const auto cell = [&](double value) {
    const auto text = quantity_text(value, std::nullopt, unit);
    return Cell{text.value + " " + text.unit,
                CellNumber{"", value, std::nullopt, std::string(unit)}};
  };
  table.rows.push_back({{what}, cell((*range)[0]), cell((*range)[1])});
}

std::string press_words(const PressRow& row) {
  if (row.why.empty()) return "";
  const auto advice = advice_for(row.why, "presses[].contact_point");
  return advice.words.empty() ? row.why : advice.words;
}

/// How many presses of each kind were used, and why others were not.
ReportTable kinds_table(const SensorModel& model) {
  std::map<std::string, std::pair<int, int>> kinds;
  for (const auto& row : model.presses) ++(row.used ? kinds[row.kind].first : kinds[row.kind].second);
  ReportTable table{"Presses by kind", {"Kind", "Used", "Not used"}, {}};
  const auto count = [](int n) {
    return Cell{fmt::format("{}", n), CellNumber{"", static_cast<double>(n), std::nullopt, ""}};
  };
  for (const auto& [kind, counts] : kinds)
    table.rows.push_back({{kind}, count(counts.first), count(counts.second)});
  return table;
}

}  // namespace

Chapter validity_chapter(const SensorModel& model) {
  Chapter chapter{"validity", "Range of validity", {}};
  ReportTable table{"Ranges that the fit was made in", {"Quantity", "From", "To"}, {}};
  add_range("Force", model.validity.force_N, "N", table);
  add_range("Depth", model.validity.depth_m, "m", table);
  add_range("Speed", model.validity.speed_m_per_s, "m/s", table);
  add_range("Frequency", model.validity.frequency_hz, "Hz", table);
  if (table.rows.empty())
    chapter.blocks.emplace_back(Paragraph{"No range is known."});
  else
    chapter.blocks.emplace_back(std::move(table));
  if (!model.validity.indenters.empty())
    chapter.blocks.emplace_back(Paragraph{
        fmt::format("Pressed with: {}.", fmt::join(model.validity.indenters, ", "))});
  for (const auto& missing : missing_section(model).tables)
    chapter.blocks.emplace_back(report_table(missing, "What is missing, and what would supply it"));
  return chapter;
}

Chapter presses_chapter(const SensorModel& model) {
  Chapter chapter{"presses", "Presses", {}};
  chapter.blocks.emplace_back(kinds_table(model));
  ReportTable table{"Presses that were not used, or are doubtful",
                    {"Press", "Recording", "Tactel", "Peak force", "Verdict", "Why"},
                    {}};
  for (std::size_t i = 0; i < model.presses.size(); ++i) {
    const auto& row = model.presses[i];
    if (row.used && row.verdict == "good") continue;
    table.rows.push_back({{fmt::format("{}", row.number)},
                          {row.session},
                          {row.tactel ? fmt::format("{}", *row.tactel) : "–"},
                          row.peak_force_N ? number_cell(*row.peak_force_N, "N") : Cell{"–"},
                          {row.verdict},
                          {press_words(row)}});
  }
  if (!table.rows.empty()) chapter.blocks.emplace_back(std::move(table));
  return chapter;
}

Chapter provenance_chapter(const ReportInput& input) {
  const auto& model = input.model;
  Chapter chapter{"provenance", "Provenance", {}};
  ReportTable table{"What these numbers were made from", {"Item", "Value"}, {}};
  const auto add = [&](const std::string& what, const std::string& text) {
    if (!text.empty()) table.rows.push_back({{what}, {text}});
  };
  add("Model", input.model_name);
  add("SHA-256 of the model", input.model_hash);
  add("Fitted", model.created);
  add("Program", model.tool);
  add("Sensor description", model.provenance.sensor_description);
  for (const auto& session : model.provenance.sessions) {
    add("Recording " + session.file, session.content_hash);
    for (const auto& edit : session.edits) add("Edit of " + session.file, edit);
  }
  for (const auto& [name, value] : model.provenance.options) add("Option " + name, value);
  chapter.blocks.emplace_back(std::move(table));
  chapter.blocks.emplace_back(Paragraph{
      "The hash of a recording is that of its content, as `tactelier info` prints it; the model's "
      "is that of `tactelier export MODEL --to json`.",
      Tone::kNote});
  return chapter;
}

}  // namespace tactelier
