#include "reports/document/pdf_pages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "reports/document/figure_sizes.hpp"

namespace tactelier {
namespace {

constexpr double kTop = 44, kBottom = 46;
constexpr double kCellGap = 7;
constexpr double kRowGap = 2.2;
constexpr TextStyle kTitle{17, true};
constexpr TextStyle kHeading{12.5, true};
constexpr TextStyle kCaption{8.5, true};
constexpr TextStyle kHead{7.5, true, false, kPale};
constexpr TextStyle kBody{8.5};
constexpr TextStyle kCellText{7.5};
constexpr TextStyle kSmall{7.2, false, false, kPale};
constexpr TextStyle kMono{8, false, true};

TextStyle style_of(Tone tone) {
  if (tone == Tone::kEquation) return kMono;
  return tone == Tone::kNote ? kSmall : kBody;
}

struct ToneColors {
  Rgb bar = 0, back = 0;
};
ToneColors colors_of(Tone tone) {
  if (tone == Tone::kGood) return {0x1b6e34, 0xe9f5ec};
  if (tone == Tone::kLook) return {0x8a5a00, 0xfdf3dc};
  if (tone == Tone::kBad) return {0xb3151f, 0xfbe9ea};
  return {0, 0xf8f9fa};
}
bool boxed(Tone tone) { return tone != Tone::kPlain && tone != Tone::kNote; }

/// Fills pages from top to bottom.
class Composer {
 public:
  explicit Composer(PaperSize paper) {
    report_.width = paper == PaperSize::kA4 ? 595.276 : 612;
    report_.height = paper == PaperSize::kA4 ? 841.89 : 792;
    left_ = (report_.width - kTextWidth) / 2;
    turn_page();
  }

  void turn_page() {
    report_.pages.emplace_back();
    y_ = kTop;
  }

  LaidOutReport& report() { return report_; }

  void text(const std::string& text, const TextStyle& style, double after) {
    const auto size = setter_.measure(text, style, kTextWidth);
    need(size.height);
    put(PlacedText{left_, y_, kTextWidth, text, style, "", ""});
    y_ += size.height + after;
  }

  /// Returns the number of its page.
  int heading(const Chapter& chapter) {
    constexpr double kWithHeading = 90;  // of what follows stays on its page
    if (y_ > kTop) y_ += 10;
    const auto size = setter_.measure(chapter.title, kHeading, kTextWidth);
    need(size.height + kWithHeading);
    put(PlacedText{left_, y_, kTextWidth, chapter.title, kHeading, chapter.id, ""});
    y_ += size.height + 3;
    put(PlacedBox{left_, y_, kTextWidth, 0.8, kPale});
    y_ += 6;
    return static_cast<int>(report_.pages.size());
  }

  void contents_line(const std::string& title, const std::string& id, const std::string& number) {
    const auto size = setter_.measure(title, kBody, kTextWidth - 40);
    put(PlacedText{left_, y_, kTextWidth - 40, title, kBody, "", id});
    const auto wide = setter_.measure(number, kBody, 0).width;
    put(PlacedText{left_ + kTextWidth - wide, y_, 0, number, kBody, "", id});
    y_ += size.height + 4;
  }

  void add(const Paragraph& paragraph) {
    const auto style = style_of(paragraph.tone);
    if (!boxed(paragraph.tone)) return text(paragraph.text, style, 4);
    constexpr double kPad = 5;
    const double width = kTextWidth - 3 * kPad;
    const auto size = setter_.measure(paragraph.text, style, width);
    need(size.height + 2 * kPad);
    const auto colors = colors_of(paragraph.tone);
    put(PlacedBox{left_, y_, kTextWidth, size.height + 2 * kPad, colors.back});
    if (paragraph.tone != Tone::kEquation)
      put(PlacedBox{left_, y_, 2.5, size.height + 2 * kPad, colors.bar});
    put(PlacedText{left_ + 2 * kPad, y_ + kPad, width, paragraph.text, style, "", ""});
    y_ += size.height + 2 * kPad + 5;
  }

  void add(const ReportTable& table) {
    const auto widths = column_widths(table);
    const double head = row_height(table.columns, kHead, widths);
    need(setter_.measure(table.caption, kCaption, kTextWidth).height + head + 40);
    text(table.caption, kCaption, 3);
    head_row(table, widths, head);
    for (const auto& row : table.rows) {
      std::vector<std::string> words;
      for (const auto& cell : row) words.push_back(cell.text);
      const double height = row_height(words, kCellText, widths);
      if (y_ + height > bottom()) {
        turn_page();
        head_row(table, widths, head);
      }
      put_row(words, kCellText, widths);
      y_ += height;
      put(PlacedBox{left_, y_ - 0.6, kTextWidth, 0.3, kGrid});
    }
    y_ += 9;
  }

  void add(const Figures& figures) {
    const auto in_row = static_cast<std::size_t>(figures_in_row(figures.size));
    const double width = figure_width(figures.size);
    for (std::size_t i = 0; i < figures.figures.size(); i += in_row) {
      std::vector<Drawing> row;
      double height = 0;
      for (auto j = i; j < std::min(i + in_row, figures.figures.size()); ++j) {
        row.push_back(draw(figures.figures[j], width));
        height = std::max(height, row.back().height);
      }
      need(height);
      double x = left_;
      for (auto& drawing : row) {
        put(PlacedFigure{x, y_, std::move(drawing)});
        x += width + kFigureGap;
      }
      y_ += height + 8;
    }
  }

 private:
  double bottom() const { return report_.height - kBottom; }
  void put(Placed item) { report_.pages.back().items.push_back(std::move(item)); }
  void need(double height) {
    if (y_ > kTop && y_ + height > bottom()) turn_page();
  }

  /// What cells want; where that is too much, the widest columns give way.
  std::vector<double> column_widths(const ReportTable& table) {
    constexpr std::size_t kLooked = 200;  // rows; longer tables are alike
    std::vector<double> widths;
    for (const auto& column : table.columns)
      widths.push_back(setter_.measure(column, kHead, 0).width);
    for (std::size_t r = 0; r < std::min(table.rows.size(), kLooked); ++r)
      for (std::size_t c = 0; c < widths.size(); ++c)
        widths[c] = std::max(widths[c], setter_.measure(table.rows[r][c].text, kCellText, 0).width);
    const double room = kTextWidth - kCellGap * static_cast<double>(widths.size() - 1);
    const auto together = [&](double limit) {
      return std::accumulate(
          widths.begin(), widths.end(), 0.0,
          [&](double sum, double width) { return sum + std::min(width, limit); });
    };
    double most = room;
    if (together(room) > room) {
      most = 0;
      for (double step = room / 2; step > 0.05; step /= 2)
        if (together(most + step) <= room) most += step;
    }
    for (auto& width : widths) width = std::min(width, most) + 0.1;
    return widths;
  }

  double row_height(const std::vector<std::string>& words, const TextStyle& style,
                    const std::vector<double>& widths) {
    double height = 0;
    for (std::size_t c = 0; c < words.size(); ++c)
      height = std::max(height, setter_.measure(words[c], style, widths[c]).height);
    return height + 2 * kRowGap;
  }

  void put_row(const std::vector<std::string>& words, const TextStyle& style,
               const std::vector<double>& widths) {
    double x = left_;
    for (std::size_t c = 0; c < words.size(); ++c) {
      if (!words[c].empty())
        put(PlacedText{x, y_ + kRowGap, widths[c], words[c], style, "", ""});
      x += widths[c] + kCellGap;
    }
  }

  void head_row(const ReportTable& table, const std::vector<double>& widths, double height) {
    put_row(table.columns, kHead, widths);
    y_ += height;
    put(PlacedBox{left_, y_ - 0.8, kTextWidth, 0.8, kPale});
  }

  LaidOutReport report_;
  TextSetter setter_;
  double left_ = 0, y_ = 0;
};

/// Returns the number of the page where it begins.
int add_chapter(const Chapter& chapter, Composer& composer) {
  const int begin = composer.heading(chapter);
  for (const auto& block : chapter.blocks)
    std::visit([&](const auto& content) { composer.add(content); }, block);
  return begin;
}

void number_pages(const ReportDocument& document, LaidOutReport& report) {
  const double left = (report.width - kTextWidth) / 2, y = report.height - 30;
  TextSetter setter;
  for (std::size_t i = 0; i < report.pages.size(); ++i) {
    const auto number = fmt::format("{} / {}", i + 1, report.pages.size());
    const double wide = setter.measure(number, kSmall, 0).width;
    auto& items = report.pages[i].items;
    items.emplace_back(PlacedText{left, y, 0, document.title + " · " + document.footer, kSmall, "", ""});
    items.emplace_back(PlacedText{left + kTextWidth - wide, y, 0, number, kSmall, "", ""});
  }
}

}  // namespace

LaidOutReport laid_out(const ReportDocument& document, PaperSize paper) {
  Composer composer(paper);
  composer.text(fmt::format("{}, {}", document.subtitle, document.date), kSmall, 2);
  composer.text(document.title, kTitle, 6);
  std::vector<int> begins;
  std::size_t contents = 0;
  for (std::size_t i = 0; i < document.chapters.size(); ++i) {
    if (i == 1) {  // the page that will list what follows
      composer.turn_page();
      contents = composer.report().pages.size() - 1;
      composer.turn_page();
    }
    begins.push_back(add_chapter(document.chapters[i], composer));
  }
  auto report = std::move(composer.report());
  if (contents > 0) {
    Composer list(paper);
    list.heading({"contents", "Contents", {}});
    for (std::size_t i = 0; i < document.chapters.size(); ++i)
      list.contents_line(document.chapters[i].title, document.chapters[i].id,
                         std::to_string(begins[i]));
    report.pages[contents] = std::move(list.report().pages.front());
  }
  number_pages(document, report);
  report.title = document.title;
  report.subtitle = document.subtitle;
  report.date = document.date;
  for (const auto& chapter : document.chapters)
    report.bookmarks.emplace_back(chapter.title, chapter.id);
  return report;
}

}  // namespace tactelier
