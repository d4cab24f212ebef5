#pragma once
// What a paper needs of a calibration: a methods paragraph with its numbers, the parameters as a
// LaTeX table, figures for one and two columns with their data, the sources of the methods as
// BibTeX, and a document that puts them together.

#include <string>
#include <vector>

#include "libcalib/job.hpp"
#include "libcalib/model_file/sensor_model.hpp"
#include "reports/document/document.hpp"

namespace tactelier {

struct PaperFile {
  std::string name;  // "figures/force-over-depth-88mm.pdf"
  std::string bytes;
};

/// paper.tex, methods.tex, parameters.tex, references.bib, parameters.csv, figures/. `report`: the
/// model's, whose figures are taken. The same input gives the same bytes. Fails with kIo where this
/// build has no PDF or the machine has no font.
Result<std::vector<PaperFile>> paper_kit(const SensorModel& model, const ReportDocument& report,
                                         const Job& job);

}  // namespace tactelier
