#include "reports/document/summary_chapter.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "libcalib/protocol/rig_findings.hpp"
#include "libcalib/units.hpp"
#include "reports/conditioning_words.hpp"
#include "reports/document/array_maps.hpp"
#include "reports/document/parameter_rows.hpp"
#include "reports/document/use_blocks.hpp"
#include "reports/document/verdict_words.hpp"
#include "reports/fit_results.hpp"
#include "reports/quantity_text.hpp"

namespace tactelier {
namespace {

// What people look for on a map first; others are in the stages' chapters.
constexpr std::array<std::string_view, 4> kMaps{
    "response.tactels[].press_gain", "response.tactels[].press_threshold",
    "response.tactels[].noise", "response.tactels[].hysteresis"};

std::string or_not_stated(const std::string& text) { return text.empty() ? "not stated" : text; }

std::string layout_words(const SensorDescription& sensor) {
  std::vector<std::string> arrays;
  for (const auto& array : sensor.arrays)
    arrays.push_back(array.pitch_x_m > 0
                         ? fmt::format("{} × {}, {:.6g} mm × {:.6g} mm apart", array.rows,
                                       array.columns, m_to_mm(array.pitch_x_m),
                                       m_to_mm(array.pitch_y_m))
                         : fmt::format("{} × {}", array.rows, array.columns));
  return fmt::format("{} ({})", sensor.tactels(), fmt::join(arrays, "; "));
}

std::string sessions_words(const SensorModel& model) {
  std::vector<std::string> names;
  for (const auto& session : model.provenance.sessions) names.push_back(session.file);
  return names.empty() ? "not stated" : fmt::format("{}", fmt::join(names, ", "));
}

/// The certificate's uncertainty stands in the recordings.
std::string certificate_words(const ReportInput& input) {
  auto text = or_not_stated(input.model.provenance.force_sensor);
  for (const auto& session : input.sessions) {
    const auto& sensor = session.session->metadata().force_sensor;
    if (!sensor || !sensor->gain_u_percent) continue;
    return fmt::format("{}; gain ± {:.3g} % (standard uncertainty)", text, *sensor->gain_u_percent);
  }
  return text;
}

std::string rig_words(const ReportInput& input) {
  std::vector<std::string> words;
  const auto& compliance = input.model.rig.compliance;
  if (compliance.value)
    words.push_back("compliance " + parameter_cell("rig.compliance", compliance).text);
  for (const auto& session : input.sessions) {
    const double backlash_m = session.session->metadata().backlash_m;
    if (backlash_m <= 0) continue;
    words.push_back(fmt::format("backlash {:.3g} µm", 1e6 * backlash_m));
    break;
  }
  return words.empty() ? "not stated" : fmt::format("{}", fmt::join(words, ", "));
}

ReportTable facts_table(const ReportInput& input) {
  const auto& model = input.model;
  ReportTable table{"Sensor and measurement", {"Property", "Value"}, {}};
  const auto add = [&](const char* what, const std::string& text) {
    table.rows.push_back({{what}, {text}});
  };
  add("Sensor",
      or_not_stated(model.sensor.vendor.empty() ? model.sensor.model
                                                : model.sensor.vendor + " " + model.sensor.model));
  add("Serial number", or_not_stated(model.serial));
  add("Tactels", layout_words(model.sensor));
  add("Mounting", or_not_stated(model.conditions.mount));
  add("Rubber", conditioning_words(model.conditions));
  add("Fitted", or_not_stated(model.created));
  add("Recordings", sessions_words(model));
  add("Operator", or_not_stated(model.conditions.operator_name));
  add("Rig", rig_words(input));
  for (const auto& session : input.sessions)
    if (const auto findings = rig_findings(session.session->events()))
      for (const auto& finding : *findings)
        if (finding.what != "conditioned") add("Rig, checked before", finding.text);
  add("Indenters", model.provenance.indenters.empty()
                       ? "not stated"
                       : fmt::format("{}", fmt::join(model.provenance.indenters, ", ")));
  add("Force sensor, certificate", certificate_words(input));
  add("Temperature", model.conditions.temperature_degC
                         ? fmt::format("{:.4g} °C", *model.conditions.temperature_degC)
                         : "not stated");
  return table;
}

Tone tone_of(FitVerdict::Level level) {
  if (level == FitVerdict::Level::kComplete) return Tone::kGood;
  return level == FitVerdict::Level::kIncomplete ? Tone::kLook : Tone::kBad;
}

void add_verdict(const SensorModel& model, std::vector<Block>& blocks) {
  const auto verdict = judge_fit(model);
  const auto sentences = verdict_sentences(model, verdict);
  const auto tone = tone_of(verdict.level);
  if (verdict.level == FitVerdict::Level::kNothing)
    blocks.emplace_back(
        Paragraph{"Nothing is calibrated: this model turns no reading into newtons.", Tone::kBad});
  const auto is_gap = [](const std::string& sentence) {
    return sentence.starts_with("Not identified");
  };
  std::string found;
  for (const auto& sentence : sentences)
    if (!is_gap(sentence)) found += (found.empty() ? "" : " ") + sentence;
  if (!found.empty()) blocks.emplace_back(Paragraph{found, tone});
  for (const auto& sentence : sentences)
    if (is_gap(sentence)) blocks.emplace_back(Paragraph{sentence});
}

void add_parameters(const SensorModel& model, std::vector<Block>& blocks) {
  const auto rows = found_rows(model);
  if (!rows.empty()) blocks.emplace_back(parameter_table("What was found", rows));
}

void add_maps(const SensorModel& model, std::vector<Block>& blocks) {
  const auto known = array_parameters(model);
  Figures maps{Figures::Size::kMiddle, {}};
  for (const auto path : kMaps)
    if (std::find(known.begin(), known.end(), path) != known.end())
      maps.figures.emplace_back(array_map(model, std::string(path)));
  if (!maps.figures.empty() && model.sensor.tactels() > 1) blocks.emplace_back(std::move(maps));
}

}  // namespace

Chapter summary_chapter(const ReportInput& input) {
  Chapter chapter{"summary", "Summary", {}};
  add_verdict(input.model, chapter.blocks);
  add_use(input, chapter.blocks);
  chapter.blocks.emplace_back(facts_table(input));
  add_parameters(input.model, chapter.blocks);
  add_maps(input.model, chapter.blocks);
  chapter.blocks.emplace_back(Paragraph{
      "Intervals are 95 %, from repetition with serial correlation and with what repetition "
      "can't show. No conformity with a standard is claimed; this is no certificate.",
      Tone::kNote});
  return chapter;
}

}  // namespace tactelier
