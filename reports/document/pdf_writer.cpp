#include "reports/document/pdf_writer.hpp"

#include <cairo-pdf.h>
#include <fmt/format.h>

#include "reports/document/pdf_pages.hpp"

namespace tactelier {
namespace {

void paint(const DrawnPath& path, cairo_t* cairo, TextSetter&) {
  set_color(cairo, path.color);
  cairo_set_line_width(cairo, path.width);
  constexpr double kDash[] = {3, 2};
  cairo_set_dash(cairo, kDash, path.dashed ? 2 : 0, 0);
  for (const auto& piece : path.pieces)
    for (std::size_t i = 0; i < piece.size(); ++i)
      (i == 0 ? cairo_move_to : cairo_line_to)(cairo, piece[i][0], piece[i][1]);
  cairo_stroke(cairo);
}

/// Strokes without length, round: the smallest form of a dot.
void paint(const DrawnDots& dots, cairo_t* cairo, TextSetter&) {
  set_color(cairo, dots.color);
  cairo_set_line_width(cairo, 2 * dots.radius);
  cairo_set_line_cap(cairo, CAIRO_LINE_CAP_ROUND);
  for (const auto& at : dots.at) {
    cairo_move_to(cairo, at[0], at[1]);
    cairo_line_to(cairo, at[0], at[1]);
  }
  cairo_stroke(cairo);
  cairo_set_line_cap(cairo, CAIRO_LINE_CAP_BUTT);
}

void paint(const DrawnBox& box, cairo_t* cairo, TextSetter&) {
  cairo_rectangle(cairo, box.x, box.y, box.width, box.height);
  set_color(cairo, box.fill);
  cairo_fill(cairo);
  if (!box.bordered) return;
  cairo_rectangle(cairo, box.x, box.y, box.width, box.height);
  set_color(cairo, 0xffffff);
  cairo_set_line_width(cairo, 0.5);
  cairo_stroke(cairo);
}

void paint(const DrawnText& text, cairo_t* cairo, TextSetter& setter) {
  setter.show_on_line(cairo, text);
}

void paint(const PlacedBox& box, cairo_t* cairo, TextSetter&) {
  set_color(cairo, box.color);
  cairo_rectangle(cairo, box.x, box.y, box.width, box.height);
  cairo_fill(cairo);
}

void paint(const PlacedFigure& figure, cairo_t* cairo, TextSetter& setter) {
  cairo_save(cairo);
  cairo_translate(cairo, figure.x, figure.y);
  for (const auto& item : figure.drawing.items)
    std::visit([&](const auto& drawn) { paint(drawn, cairo, setter); }, item);
  cairo_restore(cairo);
}

void paint(const PlacedText& text, cairo_t* cairo, TextSetter& setter) {
  if (!text.destination.empty())
    cairo_tag_begin(cairo, CAIRO_TAG_DEST, fmt::format("name='{}'", text.destination).c_str());
  if (!text.link.empty())
    cairo_tag_begin(cairo, CAIRO_TAG_LINK, fmt::format("dest='{}'", text.link).c_str());
  setter.show(cairo, text.text, text.style, text.x, text.y, text.width);
  if (!text.link.empty()) cairo_tag_end(cairo, CAIRO_TAG_LINK);
  if (!text.destination.empty()) cairo_tag_end(cairo, CAIRO_TAG_DEST);
}

void paint(const Page& page, cairo_t* cairo, TextSetter& setter) {
  for (const auto& item : page.items)
    std::visit([&](const auto& placed) { paint(placed, cairo, setter); }, item);
}

cairo_status_t append(void* out, const unsigned char* data, unsigned int length) {
  static_cast<std::string*>(out)->append(reinterpret_cast<const char*>(data), length);
  return CAIRO_STATUS_SUCCESS;
}

/// The model's date, not the clock's: the same input gives the same bytes.
void describe(const LaidOutReport& report, cairo_surface_t* surface) {
  const auto date = report.date.size() == 20 ? report.date : std::string("1970-01-01T00:00:00Z");
  cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_TITLE, report.title.c_str());
  cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_SUBJECT, report.subtitle.c_str());
  cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATOR, "tactelier");
  cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATE_DATE, date.c_str());
  cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_MOD_DATE, date.c_str());
  for (const auto& [title, id] : report.bookmarks)
    cairo_pdf_surface_add_outline(surface, CAIRO_PDF_OUTLINE_ROOT, title.c_str(),
                                  fmt::format("dest='{}'", id).c_str(),
                                  static_cast<cairo_pdf_outline_flags_t>(0));
}

Result<void> check_fonts() {
  if (TextSetter::has_fonts()) return {};
  return fail(ErrorCode::kIo,
              "this machine has no font to write a PDF with: install fonts-noto-core or "
              "fonts-dejavu-core, or write the report as .html");
}

/// The file's bytes: a page each.
Result<std::string> pdf_of(const LaidOutReport& report) {
  std::string bytes;
  auto* surface = cairo_pdf_surface_create_for_stream(append, &bytes, report.width, report.height);
  auto* cairo = cairo_create(surface);
  describe(report, surface);
  TextSetter setter;
  for (const auto& page : report.pages) {
    paint(page, cairo, setter);
    cairo_show_page(cairo);
  }
  cairo_destroy(cairo);
  cairo_surface_finish(surface);
  const auto status = cairo_surface_status(surface);
  cairo_surface_destroy(surface);
  if (status != CAIRO_STATUS_SUCCESS)
    return fail(ErrorCode::kIo, "the PDF could not be written: {}", cairo_status_to_string(status));
  return bytes;
}

}  // namespace

Result<ReportPages> ReportPages::lay_out(const ReportDocument& document, PaperSize paper) {
  if (auto fonts = check_fonts(); !fonts) return fail(fonts.error());
  ReportPages pages;
  pages.laid_out_ = std::make_shared<const LaidOutReport>(laid_out(document, paper));
  return pages;
}

int ReportPages::count() const { return static_cast<int>(laid_out_->pages.size()); }

std::array<double, 2> ReportPages::size_pt() const { return {laid_out_->width, laid_out_->height}; }

std::string ReportPages::text(int page) const {
  std::string words;
  for (const auto& item : laid_out_->pages[static_cast<std::size_t>(page)].items) {
    if (const auto* text = std::get_if<PlacedText>(&item)) words += text->text + "\n";
    if (const auto* figure = std::get_if<PlacedFigure>(&item))
      words += figure->drawing.title + ". " + figure->drawing.alt + "\n";
  }
  return words;
}

Result<std::string> ReportPages::pdf() const { return pdf_of(*laid_out_); }

PageImage ReportPages::image(int page, double scale) const {
  PageImage image{
      static_cast<int>(laid_out_->width * scale), static_cast<int>(laid_out_->height * scale), {}};
  auto* surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, image.width, image.height);
  auto* cairo = cairo_create(surface);
  set_color(cairo, 0xffffff);
  cairo_paint(cairo);
  cairo_scale(cairo, scale, scale);
  TextSetter setter;
  paint(laid_out_->pages[static_cast<std::size_t>(page)], cairo, setter);
  cairo_destroy(cairo);
  cairo_surface_flush(surface);
  const auto* data = cairo_image_surface_get_data(surface);
  const auto stride = static_cast<std::size_t>(cairo_image_surface_get_stride(surface));
  for (int y = 0; y < image.height; ++y) {
    const auto* row =
        reinterpret_cast<const std::uint32_t*>(data + static_cast<std::size_t>(y) * stride);
    for (int x = 0; x < image.width; ++x) image.pixels.push_back(row[x] | 0xff000000U);
  }
  cairo_surface_destroy(surface);
  return image;
}

Result<std::string> pdf(const ReportDocument& document, PaperSize paper) {
  const auto pages = ReportPages::lay_out(document, paper);
  if (!pages) return fail(pages.error());
  return pages->pdf();
}

Result<std::string> figure_pdf(const Figure& figure, double width_pt) {
  constexpr double kEdge = 2;  // of lines that lie on the border
  if (auto fonts = check_fonts(); !fonts) return fail(fonts.error());
  LaidOutReport sheet;
  auto drawing = draw(figure, width_pt - 2 * kEdge);
  sheet.width = width_pt;
  sheet.height = drawing.height + 2 * kEdge;
  sheet.title = drawing.title;
  sheet.pages.push_back({{PlacedFigure{kEdge, kEdge, std::move(drawing)}}});
  return pdf_of(sheet);
}

}  // namespace tactelier
