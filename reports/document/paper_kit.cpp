#include "reports/document/paper_kit.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "fitting/engine/stage.hpp"
#include "reports/document/latex_text.hpp"
#include "reports/document/paper_figures.hpp"
#include "reports/document/paper_sources.hpp"
#include "reports/document/parameter_rows.hpp"
#include "reports/fit_results.hpp"
#include "reports/quantity_text.hpp"

namespace tactelier {
namespace {

std::string sensor_words(const SensorModel& model) {
  const auto& sensor = model.sensor;
  auto name = sensor.vendor.empty() ? sensor.model : sensor.vendor + " " + sensor.model;
  if (name.empty()) name = sensor.name;
  auto words = fmt::format("The tactile array ({}{} tactels", name.empty() ? "" : name + ", ",
                           sensor.tactels());
  if (!model.serial.empty()) words += ", serial " + model.serial;
  return words + ")";
}

std::string in_unit(double value, double magnitude, std::string_view unit) {
  return fmt::format("{:.3g}", value * prefix_factor(magnitude, unit));
}

/// "from 0.1 to 4 N"; "" where nothing is known.
std::string range_words(const Validity::Range& range, std::string_view unit) {
  if (!range) return "";
  const auto [low, high] = *range;
  return fmt::format("{} to {} {}", in_unit(low, high, unit), in_unit(high, high, unit),
                     quantity_text(high, std::nullopt, unit).unit);
}

std::string presses_words(const SensorModel& model) {
  const auto used =
      std::ranges::count_if(model.presses, [](const PressRow& row) { return row.used; });
  auto words = fmt::format("{} presses", used);
  if (!model.provenance.indenters.empty())
    words += fmt::format(" with {}", fmt::join(model.provenance.indenters, " and "));
  std::vector<std::string> ranges;
  for (const auto& [range, unit, what] :
       {std::tuple{model.validity.force_N, "N", "forces"},
        std::tuple{model.validity.depth_m, "m", "depths"},
        std::tuple{model.validity.speed_m_per_s, "m/s", "speeds"}})
    if (const auto text = range_words(range, unit); !text.empty())
      ranges.push_back(fmt::format("{} of {}", what, text));
  if (!ranges.empty()) words += fmt::format(" ({})", fmt::join(ranges, ", "));
  return words;
}

std::string force_sensor_words(const SensorModel& model) {
  const auto& sensor = model.provenance.force_sensor;
  return sensor.empty() ? "" : fmt::format(" Forces were measured by {}.", sensor);
}

/// A mean over tactels has no one interval: its spread is told.
std::string value_words(const ResultRow& row) {
  const auto text = quantity_text(row.parameter);
  if (row.is_spread()) {
    const double magnitude = *row.parameter.value;
    const auto& unit = row.parameter.unit;
    return fmt::format("{} ({} to {})", in_unit(row.spread.median, magnitude, unit),
                       in_unit(row.spread.least, magnitude, unit),
                       in_unit(row.spread.greatest, magnitude, unit));
  }
  return text.uncertainty.empty() ? text.value
                                  : fmt::format("{} ± {}", text.value, text.uncertainty);
}

bool found_by(const std::vector<ResultRow>& rows, std::string_view stage) {
  return std::ranges::any_of(rows, [&](const ResultRow& row) { return row.stage == stage; });
}

std::string methods_tex(const SensorModel& model, const std::vector<ResultRow>& rows) {
  const auto& tool = model.tool.empty() ? "tactelier" : model.tool;
  auto text = latex(fmt::format("{} was calibrated from {}.{}", sensor_words(model),
                                presses_words(model), force_sensor_words(model)));
  text += fmt::format(" All parameters were fitted by least squares~\\cite{{ceres}} with {}.",
                      latex(tool));
  for (const auto& stage : stages())
    if (const auto* method = stage_method(stage.id);
        method != nullptr &&
        (found_by(rows, stage.id) || (stage.id == "time" && model.quality.contains("time"))))
      text += fmt::format("\n{}", method->sentence);
  text +=
      "\nStated intervals are expanded uncertainties for 95\\,\\% after the "
      "GUM~\\cite{jcgm100}: repetition with its serial correlation, the force sensor's "
      "certificate, and what repetition cannot show.\n";
  return text;
}

std::string parameters_tex(const std::vector<ResultRow>& rows) {
  std::string text =
      "% Of tactels: median (least to greatest). Else value and expanded uncertainty (95 %).\n"
      "\\begin{tabular}{llll}\n\\hline\nParameter & Value & Unit & Status \\\\\n\\hline\n";
  for (const auto& row : rows)
    text += fmt::format("{} & {} & {} & {} \\\\\n", latex(parameter_label(row.path)),
                        latex(value_words(row)), latex(quantity_text(row.parameter).unit),
                        latex(status_words(row.parameter)));
  return text + "\\hline\n\\end{tabular}\n";
}

/// SI, every digit, with the model's paths.
std::string parameters_csv(const std::vector<ResultRow>& rows) {
  std::string text = "path,value,u95,unit,least,median,greatest,tactels\n";
  for (const auto& row : rows) {
    const auto u = expanded_uncertainty(row.parameter);
    text += fmt::format("{},{:.9g},{},{},", row.path, *row.parameter.value,
                        u ? fmt::format("{:.4g}", *u) : "", row.parameter.unit);
    text += row.is_spread() ? fmt::format("{:.9g},{:.9g},{:.9g},{}\n", row.spread.least,
                                          row.spread.median, row.spread.greatest, row.spread.have)
                            : std::string(",,,\n");
  }
  return text;
}

std::string references_bib(const std::string& methods) {
  std::string text;
  for (const auto key : {"ceres", "jcgm100", "fritsch1984", "hayes1972", "hunt1975", "canudas1995",
                         "bell2002", "elandt2019"})
    if (methods.find(key) != std::string::npos)
      text += std::string(paper_source(key)->bibtex) + "\n";
  return text;
}

std::string paper_tex(const ReportDocument& report, const std::vector<PaperFigure>& figures) {
  auto text = fmt::format(
      "\\documentclass{{article}}\n\\usepackage[T1]{{fontenc}}\n\\usepackage[utf8]{{inputenc}}\n"
      "\\usepackage{{graphicx}}\n\\usepackage{{url}}\n\\title{{{}}}\n\\date{{{}}}\n"
      "\\begin{{document}}\n\\maketitle\n\n\\section*{{Methods}}\n\\input{{methods}}\n\n"
      "\\begin{{table}}[ht]\n\\centering\\small\n\\caption{{Parameters; of tactels the median and "
      "the range.}}\n\\input{{parameters}}\n\\end{{table}}\n",
      latex(report.title), latex(report.date.substr(0, 10)));
  for (const auto& figure : figures)
    text += fmt::format(
        "\n\\begin{{figure}}[ht]\n\\centering\n\\includegraphics{{{}}}\n\\caption{{{}}}\n"
        "\\end{{figure}}\n\\clearpage\n",
        figure.files.front().name, latex(figure.caption));
  return text + "\n\\bibliographystyle{unsrt}\n\\bibliography{references}\n\\end{document}\n";
}

}  // namespace

Result<std::vector<PaperFile>> paper_kit(const SensorModel& model, const ReportDocument& report,
                                         const Job& job) {
  auto figures = paper_figures(report, job);
  if (!figures) return fail(figures.error());
  const auto rows = found_rows(model);
  const auto methods = methods_tex(model, rows);
  std::vector<PaperFile> files{{"paper.tex", paper_tex(report, *figures)},
                               {"methods.tex", methods},
                               {"parameters.tex", parameters_tex(rows)},
                               {"parameters.csv", parameters_csv(rows)},
                               {"references.bib", references_bib(methods)}};
  for (auto& figure : *figures)
    std::move(figure.files.begin(), figure.files.end(), std::back_inserter(files));
  return files;
}

}  // namespace tactelier
