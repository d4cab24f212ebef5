#include "reports/document/paper_figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "reports/document/pdf_writer.hpp"

namespace tactelier {
namespace {

constexpr double kPointsPerMm = 72 / 25.4;
constexpr std::array kWidths_mm{88, 180};

/// "gain κ, tactel 3" -> "gain-tactel-3".
std::string slug(const std::string& text) {
  std::string made;
  for (const char c : text) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    const bool upper = c >= 'A' && c <= 'Z';
    if (plain || upper)
      made += upper ? static_cast<char>(c - 'A' + 'a') : c;
    else if (!made.empty() && made.back() != '-')
      made += '-';
  }
  while (!made.empty() && made.back() == '-') made.pop_back();
  return made.empty() ? "figure" : made;
}

std::string axis_words(const PlotAxis& axis) {
  auto words =
      axis.quantity.find(',') == std::string::npos ? axis.quantity : '"' + axis.quantity + '"';
  return axis.unit.empty() ? words : fmt::format("{} [{}]", words, axis.unit);
}

std::string number(double value) {
  return std::isfinite(value) ? fmt::format("{:.9g}", value) : "";
}

std::string csv(const Plot& plot) {
  auto text = fmt::format("series,{},{}\n", axis_words(plot.x), axis_words(plot.y));
  for (std::size_t s = 0; s < plot.series.size(); ++s) {
    const auto& series = plot.series[s];
    const auto name = series.name.empty() ? fmt::format("{}", s + 1) : '"' + series.name + '"';
    for (std::size_t i = 0; i < series.x.size(); ++i)
      text += fmt::format("{},{},{}\n", name, number(series.x[i]), number(series.y[i]));
  }
  return text;
}

std::string csv(const ArrayMap& map) {
  auto text = fmt::format("tactel,x [m],y [m],value{}\n",
                          map.unit.empty() ? "" : fmt::format(" [{}]", map.unit));
  for (const auto& cell : map.cells)
    text += fmt::format("{},{},{},{}\n", cell.tactel, number(cell.x_m), number(cell.y_m),
                        cell.value ? number(*cell.value) : "");
  return text;
}

std::string title_of(const Figure& figure) {
  return std::visit([](const auto& one) { return one.title; }, figure);
}

std::string caption_of(const Chapter& chapter, const Figure& figure) {
  const auto alt = std::visit([](const auto& one) { return one.alt; }, figure);
  return fmt::format("{}: {}. {}", chapter.title, title_of(figure), alt);
}

Result<PaperFigure> paper_figure(const Chapter& chapter, const Figure& figure,
                                 const std::string& name) {
  PaperFigure made{name, caption_of(chapter, figure), {}};
  for (const int width_mm : kWidths_mm) {
    auto bytes = figure_pdf(figure, width_mm * kPointsPerMm);
    if (!bytes) return fail(bytes.error());
    made.files.push_back({fmt::format("figures/{}-{}mm.pdf", name, width_mm), std::move(*bytes)});
  }
  made.files.push_back({fmt::format("figures/{}.csv", name), figure_csv(figure)});
  return made;
}

bool for_papers(const Chapter& chapter) {
  return chapter.id == "summary" || chapter.id.starts_with("stage-");
}

}  // namespace

std::string figure_csv(const Figure& figure) {
  return std::visit([](const auto& one) { return csv(one); }, figure);
}

Result<std::vector<PaperFigure>> paper_figures(const ReportDocument& report, const Job& job) {
  std::vector<PaperFigure> all;
  std::set<std::string> taken, maps;
  for (const auto& chapter : report.chapters) {
    if (!for_papers(chapter)) continue;
    for (const auto& block : chapter.blocks) {
      const auto* figures = std::get_if<Figures>(&block);
      if (figures == nullptr) continue;
      for (const auto& figure : figures->figures) {
        if (job.stopped()) return Job::cancelled();
        const auto title = title_of(figure);
        // A stage shows again what the summary has.
        if (std::holds_alternative<ArrayMap>(figure) && !maps.insert(title).second) continue;
        auto name = slug(title);
        for (int i = 2; !taken.insert(name).second; ++i)
          name = fmt::format("{}-{}", slug(title), i);
        auto made = paper_figure(chapter, figure, name);
        if (!made) return fail(made.error());
        all.push_back(std::move(*made));
      }
    }
  }
  return all;
}

}  // namespace tactelier
