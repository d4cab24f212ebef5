#pragma once
// tactelier report: a model, with the recordings where they are at hand, as a document to file.

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "libcalib/job.hpp"
#include "reports/document/document.hpp"
#include "reports/document/pdf_writer.hpp"

namespace tactelier {

struct SensorModel;

struct MadeReport {
  ReportDocument document;
  Warnings warnings;
};

/// `name`: the model's, for provenance. Recordings that the model was fitted from, told by their
/// content, give the plots of data and fit; others of the same sensor are compared with the model
/// and told as presses that the fit never saw. Fails with kInvalidInput for a recording of another
/// sensor.
Result<MadeReport> make_report(const SensorModel& model, const std::string& name,
                               std::span<const std::filesystem::path> sessions, const Job& job);

enum class ReportKind { kHtml, kPdf };
/// By the file's extension; kUsage for another.
Result<ReportKind> report_kind(const std::filesystem::path& file);

Result<std::string> report_bytes(const ReportDocument& document, const std::filesystem::path& file,
                                 PaperSize paper);

}  // namespace tactelier
