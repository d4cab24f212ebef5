#include "reports/document/pdf_text.hpp"

#include <numbers>

namespace tactelier {
namespace {

constexpr double kPointsPerInch = 72;

PangoContext* plain_context() {
  auto* context = pango_font_map_create_context(pango_cairo_font_map_get_default());
  pango_cairo_context_set_resolution(context, kPointsPerInch);
  auto* options = cairo_font_options_create();
  cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
  cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
  cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
  pango_cairo_context_set_font_options(context, options);
  cairo_font_options_destroy(options);
  pango_context_set_language(context, pango_language_from_string("en"));
  pango_context_set_round_glyph_positions(context, FALSE);
  return context;
}

}  // namespace

void set_color(cairo_t* cairo, Rgb color) {
  cairo_set_source_rgb(cairo, ((color >> 16U) & 0xffU) / 255.0, ((color >> 8U) & 0xffU) / 255.0,
                       (color & 0xffU) / 255.0);
}

TextSetter::TextSetter() : context_(plain_context()), layout_(pango_layout_new(context_.get())) {
  pango_layout_set_wrap(layout_.get(), PANGO_WRAP_WORD_CHAR);
}

bool TextSetter::has_fonts() {
  PangoFontFamily** families = nullptr;
  int count = 0;
  pango_font_map_list_families(pango_cairo_font_map_get_default(), &families, &count);
  g_free(families);
  return count > 0;
}

void TextSetter::set(const std::string& text, const TextStyle& style, double width) {
  if (!(style == style_)) {
    auto* font = pango_font_description_new();
    pango_font_description_set_family(
        font, style.mono ? "DejaVu Sans Mono,monospace" : "Noto Sans,DejaVu Sans,sans-serif");
    pango_font_description_set_weight(font, style.bold ? PANGO_WEIGHT_BOLD : PANGO_WEIGHT_NORMAL);
    pango_font_description_set_absolute_size(font, style.size * PANGO_SCALE);
    pango_layout_set_font_description(layout_.get(), font);
    pango_font_description_free(font);
    style_ = style;
  }
  pango_layout_set_width(layout_.get(), width > 0 ? static_cast<int>(width * PANGO_SCALE) : -1);
  pango_layout_set_text(layout_.get(), text.data(), static_cast<int>(text.size()));
}

TextSize TextSetter::measure(const std::string& text, const TextStyle& style, double width) {
  set(text, style, width);
  int w = 0, h = 0;
  pango_layout_get_size(layout_.get(), &w, &h);
  return {static_cast<double>(w) / PANGO_SCALE, static_cast<double>(h) / PANGO_SCALE};
}

void TextSetter::show(cairo_t* cairo, const std::string& text, const TextStyle& style, double x,
                      double y, double width) {
  set(text, style, width);
  set_color(cairo, style.color);
  cairo_move_to(cairo, x, y);
  pango_cairo_show_layout(cairo, layout_.get());
}

void TextSetter::show_on_line(cairo_t* cairo, const DrawnText& text) {
  if (text.text.empty()) return;
  const TextStyle style{text.size, text.bold, false, text.color};
  const auto size = measure(text.text, style, 0);
  const double part = text.anchor == DrawnText::Anchor::kStart    ? 0
                      : text.anchor == DrawnText::Anchor::kMiddle ? 0.5
                                                                  : 1;
  set_color(cairo, text.color);
  cairo_save(cairo);
  cairo_translate(cairo, text.x, text.y);
  if (text.upward) cairo_rotate(cairo, -std::numbers::pi / 2);
  cairo_move_to(cairo, -part * size.width,
                -static_cast<double>(pango_layout_get_baseline(layout_.get())) / PANGO_SCALE);
  pango_cairo_show_layout(cairo, layout_.get());
  cairo_restore(cairo);
}

}  // namespace tactelier
