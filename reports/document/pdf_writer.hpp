#pragma once
// A report as pages: A4 or Letter, with a contents page, page numbers, bookmarks. The window's
// preview shows the same pages. By Pango and Cairo, which are found when the program is built;
// without them lay_out() names the package.

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "libcalib/result.hpp"
#include "reports/document/document.hpp"

namespace tactelier {

enum class PaperSize { kA4, kLetter };

/// Opaque, row by row from the top, 0xffRRGGBB.
struct PageImage {
  int width = 0, height = 0;
  std::vector<std::uint32_t> pixels;
};

struct LaidOutReport;

class ReportPages {
 public:
  /// Fails with kIo where this build has no PDF or the machine has no font.
  static Result<ReportPages> lay_out(const ReportDocument& document, PaperSize paper);

  int count() const;
  /// Width and height of every page, points.
  std::array<double, 2> size_pt() const;
  /// What stands on a page, line by line: for those who can't see it.
  std::string text(int page) const;
  /// The file's bytes: the same for the same document and fonts.
  Result<std::string> pdf() const;
  /// `scale`: pixels per point. 0 <= page < count(). May be called on any thread.
  PageImage image(int page, double scale) const;

 private:
  std::shared_ptr<const LaidOutReport> laid_out_;
};

Result<std::string> pdf(const ReportDocument& document, PaperSize paper);
/// One figure on a page of its own size. Fails as lay_out() does.
Result<std::string> figure_pdf(const Figure& figure, double width_pt);

}  // namespace tactelier
