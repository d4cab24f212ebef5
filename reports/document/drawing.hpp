#pragma once
// A figure as lines, dots, boxes and words on a sheet of points (1/72 inch, y downwards): drawn
// once, for SVG and PDF alike.

#include <array>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "reports/document/document.hpp"

namespace tactelier {

using Rgb = std::uint32_t;  // 0xRRGGBB
using SheetPoint = std::array<double, 2>;

struct DrawnPath {  // pieces are joined lines
  std::vector<std::vector<SheetPoint>> pieces;
  double width = 1;
  Rgb color = 0;
  bool dashed = false;
};
struct DrawnDots {
  std::vector<SheetPoint> at;
  double radius = 1;
  Rgb color = 0;
};
struct DrawnBox {
  double x = 0, y = 0, width = 0, height = 0;
  Rgb fill = 0xffffff;
  bool bordered = false;
};
struct DrawnText {
  enum class Anchor { kStart, kMiddle, kEnd };
  double x = 0, y = 0;  // of the base line
  std::string text;
  double size = 8;
  Anchor anchor = Anchor::kStart;
  Rgb color = 0;
  bool bold = false;
  bool upward = false;  // turned by 90 degrees
};
using Drawn = std::variant<DrawnPath, DrawnDots, DrawnBox, DrawnText>;

struct Drawing {
  double width = 0, height = 0;
  std::string title, alt;
  std::vector<Drawn> items;  // later ones lie above
};

/// `width` in points; the height follows from the figure.
Drawing draw(const Figure& figure, double width);

// What both kinds of figures are made with.
inline constexpr Rgb kInk = 0x1a212b;      // text
inline constexpr Rgb kPale = 0x4b5666;     // labels, units: 7.4 on white
inline constexpr Rgb kGrid = 0xcdd3db;     // decoration

/// Room that words take, about: figures must not depend on the fonts of a machine.
double text_width(const std::string& text, double size);

Drawing draw_plot(const Plot& plot, double width);
Drawing draw_map(const ArrayMap& map, double width);

}  // namespace tactelier
