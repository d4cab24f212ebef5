// The chapters of a report in the order in which somebody reads.

#include <fmt/format.h>

#include "reports/document/history_chapter.hpp"
#include "reports/document/provenance_chapter.hpp"
#include "reports/document/report_input.hpp"
#include "reports/document/stage_chapter.hpp"
#include "reports/document/summary_chapter.hpp"
#include "reports/document/tactel_chapter.hpp"
#include "reports/document/uncertainty_budget.hpp"

namespace tactelier {
namespace {

std::string title_of(const SensorModel& model) {
  const auto& sensor = model.sensor;
  auto name = sensor.vendor.empty() ? sensor.model : sensor.vendor + " " + sensor.model;
  if (name.empty()) name = sensor.name.empty() ? "Tactile array" : sensor.name;
  return model.serial.empty() ? name : fmt::format("{}, serial {}", name, model.serial);
}

std::string footer_of(const ReportInput& input) {
  const auto& tool = input.model.tool;
  return fmt::format("{}{}model {}", tool, tool.empty() ? "" : " · ",
                     input.model_hash.substr(0, 16));
}

}  // namespace

Result<ReportDocument> make_document(const ReportInput& input, const Job& job) {
  ReportDocument document;
  document.title = title_of(input.model);
  document.subtitle = "Tactile sensor characterisation";
  document.date = input.model.created.empty() ? "date not stated" : input.model.created;
  document.footer = footer_of(input);
  document.chapters.push_back(summary_chapter(input));
  const auto all = stages();
  for (std::size_t i = 0; i < all.size(); ++i) {
    job.progress("chapters", static_cast<double>(i), static_cast<double>(all.size()));
    if (job.stopped()) return Job::cancelled();
    auto chapter = stage_chapter(input, all[i], job);
    if (!chapter) return fail(chapter.error());
    if (*chapter) document.chapters.push_back(std::move(**chapter));
  }
  for (const auto& chapter : input.further) document.chapters.push_back(chapter);
  if (auto history = history_chapter(input)) document.chapters.push_back(std::move(*history));
  document.chapters.push_back(tactel_chapter(input));
  document.chapters.push_back(budget_chapter(input));
  document.chapters.push_back(validity_chapter(input.model));
  if (!input.model.presses.empty()) document.chapters.push_back(presses_chapter(input.model));
  document.chapters.push_back(provenance_chapter(input));
  return document;
}

}  // namespace tactelier
