#pragma once
// Where everything of a report lies on its pages.

#include <string>
#include <variant>
#include <vector>

#include "reports/document/pdf_text.hpp"
#include "reports/document/pdf_writer.hpp"

namespace tactelier {

struct PlacedText {
  double x = 0, y = 0, width = 0;  // width 0: one line
  std::string text;
  TextStyle style;
  std::string destination;  // a chapter's id: links and bookmarks lead here
  std::string link;         // leads to that chapter
};
struct PlacedBox {
  double x = 0, y = 0, width = 0, height = 0;
  Rgb color = 0;
};
struct PlacedFigure {
  double x = 0, y = 0;
  Drawing drawing;
};
using Placed = std::variant<PlacedBox, PlacedFigure, PlacedText>;

struct Page {
  std::vector<Placed> items;
};

struct LaidOutReport {
  double width = 0, height = 0;  // points
  std::string title, subtitle, date;
  std::vector<std::pair<std::string, std::string>> bookmarks;  // chapter's title and id
  std::vector<Page> pages;
};

LaidOutReport laid_out(const ReportDocument& document, PaperSize paper);

}  // namespace tactelier
