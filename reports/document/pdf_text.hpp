#pragma once
// Words on a page, laid out by Pango the same on every surface: 72 points to the inch, no hints.

#include <pango/pangocairo.h>

#include <memory>
#include <string>

#include "reports/document/drawing.hpp"

namespace tactelier {

struct TextStyle {
  double size = 8.5;
  bool bold = false;
  bool mono = false;
  Rgb color = kInk;

  bool operator==(const TextStyle&) const = default;
};

struct TextSize {
  double width = 0, height = 0;
};

/// One layout, used over and over. Belongs to the thread that made it.
class TextSetter {
 public:
  TextSetter();
  /// `width` in points; 0: one line, however long.
  TextSize measure(const std::string& text, const TextStyle& style, double width);
  /// Upper left corner at x, y.
  void show(cairo_t* cairo, const std::string& text, const TextStyle& style, double x, double y,
            double width);
  /// Base line at x, y; for figures.
  void show_on_line(cairo_t* cairo, const DrawnText& text);
  /// Whether the machine has a font at all.
  static bool has_fonts();

 private:
  void set(const std::string& text, const TextStyle& style, double width);
  struct Unref {
    void operator()(void* object) const { g_object_unref(object); }
  };
  std::unique_ptr<PangoContext, Unref> context_;
  std::unique_ptr<PangoLayout, Unref> layout_;
  TextStyle style_{.size = 0};
};

void set_color(cairo_t* cairo, Rgb color);

}  // namespace tactelier
