// In place of pdf_*.cpp where this program was built without Pango.

#include "reports/document/pdf_writer.hpp"

namespace tactelier {

struct LaidOutReport {};

Result<ReportPages> ReportPages::lay_out(const ReportDocument&, PaperSize) {
  return fail(ErrorCode::kUsage,
              "this program was built without PDF: install libpango1.0-dev and build it again, or "
              "write the report as .html");
}

int ReportPages::count() const { return 0; }
std::array<double, 2> ReportPages::size_pt() const { return {1, 1}; }
std::string ReportPages::text(int) const { return {}; }
Result<std::string> ReportPages::pdf() const { return std::string(); }
PageImage ReportPages::image(int, double) const { return {}; }

Result<std::string> pdf(const ReportDocument& document, PaperSize paper) {
  return fail(ReportPages::lay_out(document, paper).error());
}

Result<std::string> figure_pdf(const Figure&, double) {
  return fail(ReportPages::lay_out({}, PaperSize::kA4).error());
}

}  // namespace tactelier
