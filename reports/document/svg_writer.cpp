#include "reports/document/svg_writer.hpp"

#include <fmt/format.h>

#include "reports/document/markup_text.hpp"

namespace tactelier {
namespace {

/// A tenth of a point is finer than any screen shows; "-0.0" and ".0" are dropped.
std::string coordinate(double value) {
  auto text = fmt::format("{:.1f}", value);
  if (text.ends_with(".0")) text.resize(text.size() - 2);
  return text == "-0" ? "0" : text;
}

std::string color_text(Rgb color) { return fmt::format("#{:06x}", color); }

std::string points(const std::vector<SheetPoint>& piece) {
  std::string text;
  for (std::size_t i = 0; i < piece.size(); ++i)
    text += fmt::format("{}{} {}", i == 0 ? "M" : i == 1 ? "L" : " ", coordinate(piece[i][0]),
                        coordinate(piece[i][1]));
  return text;
}

void write(const DrawnPath& path, std::string& out) {
  std::string way;
  for (const auto& piece : path.pieces) way += points(piece);
  if (way.empty()) return;
  out += fmt::format("<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{}\"{}/>\n", way,
                     color_text(path.color), coordinate(path.width),
                     path.dashed ? " stroke-dasharray=\"3 2\"" : "");
}

/// One path of strokes without length: round caps make dots of them, at a few bytes each.
void write(const DrawnDots& dots, std::string& out) {
  if (dots.at.empty()) return;
  std::string way;
  for (const auto& at : dots.at)
    way += fmt::format("M{} {}h0", coordinate(at[0]), coordinate(at[1]));
  out += fmt::format(
      "<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{}\" stroke-linecap=\"round\"/>\n",
      way, color_text(dots.color), coordinate(2 * dots.radius));
}

void write(const DrawnBox& box, std::string& out) {
  out += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\"{}/>\n",
                     coordinate(box.x), coordinate(box.y), coordinate(box.width),
                     coordinate(box.height), color_text(box.fill),
                     box.bordered ? " stroke=\"#fff\" stroke-width=\".5\"" : "");
}

void write(const DrawnText& text, std::string& out) {
  if (text.text.empty()) return;
  const auto x = coordinate(text.x), y = coordinate(text.y);
  out += fmt::format("<text x=\"{}\" y=\"{}\" font-size=\"{}\" fill=\"{}\"", x, y,
                     coordinate(text.size), color_text(text.color));
  if (text.anchor != DrawnText::Anchor::kStart)
    out += fmt::format(" text-anchor=\"{}\"",
                       text.anchor == DrawnText::Anchor::kEnd ? "end" : "middle");
  if (text.bold) out += " font-weight=\"bold\"";
  if (text.upward) out += fmt::format(" transform=\"rotate(-90 {} {})\"", x, y);
  out += fmt::format(">{}</text>\n", escaped(text.text));
}

}  // namespace

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '"')
      out += "&quot;";
    else if (static_cast<unsigned char>(c) >= 0x20 || c == '\n' || c == '\t')
      out += c;
  }
  return out;
}

std::string svg(const Drawing& drawing) {
  auto out = fmt::format("<svg viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}\">\n",
                         coordinate(drawing.width), coordinate(drawing.height),
                         escaped(drawing.title + (drawing.title.empty() ? "" : ". ") + drawing.alt));
  for (const auto& item : drawing.items)
    std::visit([&](const auto& drawn) { write(drawn, out); }, item);
  return out + "</svg>\n";
}

}  // namespace tactelier
