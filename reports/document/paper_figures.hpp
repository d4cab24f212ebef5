#pragma once
// The figures of a report for a paper: PDF as wide as one column (88 mm) and as two (180 mm), and
// what is drawn as CSV, SI.

#include "reports/document/paper_kit.hpp"

namespace tactelier {

struct PaperFigure {
  std::string name;     // "force-over-depth"
  std::string caption;  // LaTeX-free words
  std::vector<PaperFile> files;
};

/// Those of the summary and of the stages, each title once per chapter. Fails as figure_pdf() does.
Result<std::vector<PaperFigure>> paper_figures(const ReportDocument& report, const Job& job);

/// "quantity,x[m],y[N]" by series, or the cells of a map.
std::string figure_csv(const Figure& figure);

}  // namespace tactelier
