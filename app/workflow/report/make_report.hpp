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

/// `name`: the model's, for provenance. `files`, told apart by their content: recordings that the
/// model was fitted from give the plots of data and fit; others of the same sensor are compared
/// with the model and told as presses that the fit never saw, image presses of both as images;
/// other models of the sensor stand beside this one; verification records of its exports are told.
/// Fails with kInvalidInput for a file of another sensor, and for the model itself once more.
Result<MadeReport> make_report(const SensorModel& model, const std::string& name,
                               std::span<const std::filesystem::path> files, const Job& job);

enum class ReportKind { kHtml, kPdf };
/// By the file's extension; kUsage for another.
Result<ReportKind> report_kind(const std::filesystem::path& file);

Result<std::string> report_bytes(const ReportDocument& document, const std::filesystem::path& file,
                                 PaperSize paper);

}  // namespace tactelier
