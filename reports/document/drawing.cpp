#include "reports/document/drawing.hpp"

#include <algorithm>

namespace tactelier {

Drawing draw(const Figure& figure, double width) {
  if (const auto* plot = std::get_if<Plot>(&figure)) return draw_plot(*plot, width);
  return draw_map(std::get<ArrayMap>(figure), width);
}

double text_width(const std::string& text, double size) {
  constexpr double kMeanWidth = 0.56;  // of a character, of the size
  const auto characters = std::count_if(text.begin(), text.end(), [](char byte) {
    return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U;
  });
  return kMeanWidth * size * static_cast<double>(characters);
}

}  // namespace tactelier
