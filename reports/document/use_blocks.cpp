#include "reports/document/use_blocks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "reports/quantity_text.hpp"

namespace tactelier {
namespace {

std::string newtons(double force_N) {
  const auto text = quantity_text(force_N, std::nullopt, "N");
  return fmt::format("{:.3g} {}", force_N * prefix_factor(force_N, "N"), text.unit);
}

Cell newton_cell(double force_N) {
  return {newtons(force_N), CellNumber{"", force_N, std::nullopt, "N"}};
}

Cell percent_cell(double part_N, double force_N) {
  const double percent = force_N > 0 ? 100 * part_N / force_N : 0;
  return {percent < 99.5 ? fmt::format("{:.2g} %", percent) : fmt::format("{:.0f} %", percent),
          CellNumber{"", percent, std::nullopt, "%"}};
}

std::string calibrated_on(const SensorModel& model) {
  const auto& indenter = model.response.calibration_indenter;
  return indenter.empty() ? "the calibration indenter" : indenter;
}

std::string range_sentence(const SensorModel& model) {
  if (!model.validity.force_N) return {};
  const auto [low, high] = *model.validity.force_N;
  return fmt::format(
      "Calibrated from {} to {} on one tactel, pressed by {} on its centre. Beyond that range "
      "nothing was measured.",
      newtons(low), newtons(high), calibrated_on(model));
}

ReportTable use_table(const std::vector<ForceUse>& use) {
  ReportTable table{"One reading of one tactel, turned into newtons",
                    {"Force", "Tactels that measure it", "Uncertainty (95 %), median",
                     "Worst tactel", "Median, of the force"},
                    {}};
  for (const auto& at : use) {
    const bool any = at.measure > 0;
    table.rows.push_back(
        {newton_cell(at.force_N),
         {fmt::format("{} of {}", at.measure, at.calibrated),
          CellNumber{"", static_cast<double>(at.measure), std::nullopt, ""}},
         any ? Cell{"± " + newtons(at.median_N), newton_cell(at.median_N).number} : Cell{"–"},
         any ? Cell{fmt::format("± {} (tactel {})", newtons(at.worst_N), at.worst_tactel),
                    newton_cell(at.worst_N).number}
             : Cell{"–"},
         any ? percent_cell(at.median_N, at.force_N) : Cell{"–"}});
  }
  return table;
}

ReportTable array_table(const std::vector<ForceUse>& use) {
  ReportTable table{"All readings together, as the force on the whole array",
                    {"Force", "Uncertainty (95 %)", "Of the force"},
                    {}};
  for (const auto& at : use)
    table.rows.push_back({newton_cell(at.force_N),
                          {"± " + newtons(at.median_N), newton_cell(at.median_N).number},
                          percent_cell(at.median_N, at.force_N)});
  return table;
}

ReportTable error_table(const std::vector<PressErrors>& errors) {
  ReportTable table{"Newtons from readings against the force sensor",
                    {"Recording", "Presses", "Forces", "Error, rms", "95 % are below",
                     "Within their stated interval"},
                    {}};
  for (const auto& one : errors)
    table.rows.push_back(
        {{fmt::format("{} ({})", one.session, one.seen ? "used by the fit" : "never seen by the fit")},
         {fmt::format("{}", one.presses),
          CellNumber{"", static_cast<double>(one.presses), std::nullopt, ""}},
         {fmt::format("{} to {}", newtons(one.low_N), newtons(one.high_N))},
         newton_cell(one.rms_N),
         newton_cell(one.p95_N),
         {fmt::format("{:.1f} %", 100 * one.covered),
          CellNumber{"", 100 * one.covered, std::nullopt, "%"}}});
  return table;
}

std::string left_out_sentence(const SensorModel& model) {
  const auto& force = model.array.force;
  if (force.error.value && force.error_share.value)
    return fmt::format(
        "Presses left out of the fit one by one ({}) were told by the whole array with a standard "
        "error of {} plus {:.2g} % of the force.",
        force.presses, newtons(*force.error.value), 100 * *force.error_share.value);
  return {};
}

std::string predicted_sentence(const SensorModel& model) {
  const auto psf = model.quality.find("psf");
  if (psf == model.quality.end()) return {};
  const auto images = psf->second.figures.find("prediction_images");
  const auto error = psf->second.figures.find("prediction_rel_l1_percent");
  if (images == psf->second.figures.end() || error == psf->second.figures.end()) return {};
  return fmt::format(
      "{:.0f} images of shapes that no fit used were predicted with a median error of {:.2g} % of "
      "what was measured.",
      images->second, error->second);
}

bool any_unseen(const ReportInput& input) {
  return std::any_of(input.errors.begin(), input.errors.end(),
                     [](const PressErrors& one) { return !one.seen; });
}

void add_evidence(const ReportInput& input, std::vector<Block>& blocks) {
  const auto left_out = left_out_sentence(input.model);
  const auto predicted = predicted_sentence(input.model);
  for (const auto& sentence : {left_out, predicted})
    if (!sentence.empty()) blocks.emplace_back(Paragraph{sentence});
  if (!input.errors.empty()) blocks.emplace_back(error_table(input.errors));
  if (left_out.empty() && predicted.empty() && !any_unseen(input))
    blocks.emplace_back(Paragraph{
        "No press was kept from the fit, so that the intervals rest on repetition alone. A second "
        "recording of the sensor, given to `tactelier report` beside the first, is compared with "
        "the model without being fitted.",
        Tone::kLook});
}

bool remounting_included(const SensorModel& model) {
  const auto response = model.quality.find("response");
  return response != model.quality.end() && response->second.remounting_included;
}

}  // namespace

void add_use(const ReportInput& input, std::vector<Block>& blocks) {
  const bool any = std::any_of(input.use.begin(), input.use.end(),
                               [](const ForceUse& at) { return at.measure > 0; });
  if (!any && input.array_use.empty()) return;
  const auto range = range_sentence(input.model);
  if (!range.empty()) blocks.emplace_back(Paragraph{range});
  if (any) blocks.emplace_back(use_table(input.use));
  if (!input.array_use.empty()) blocks.emplace_back(array_table(input.array_use));
  if (any)
    blocks.emplace_back(Paragraph{
        fmt::format("A tactel's newtons are those of {} over its centre. An object that lies on "
                    "several tactels, as in a grasp, shares its force among them: {}",
                    calibrated_on(input.model),
                    input.array_use.empty()
                        ? "its force is not known from single tactels; presses of protocol P12 "
                          "and `tactelier compare` tell how well the point spread predicts it."
                        : "the table of the whole array holds for it.")});
  add_evidence(input, blocks);
  blocks.emplace_back(Paragraph{fmt::format(
      "Check again with `tactelier check` and a session of protocol `check` (minutes): before each "
      "series of measurements, after an overload, and when the temperature is another.{}",
      remounting_included(input.model)
          ? ""
          : " The intervals don't include taking the sensor off and mounting it again: check then, "
            "too.")});
}

}  // namespace tactelier
