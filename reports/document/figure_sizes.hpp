#pragma once
// Widths of figures in points, the same on screen and paper: four small ones, three, two
// middle ones or one wide one fill the text's width.

#include "reports/document/document.hpp"

namespace tactelier {

inline constexpr double kTextWidth = 499;  // A4 and Letter less their margins
inline constexpr double kFigureGap = 14;

constexpr int figures_in_row(Figures::Size size) {
  switch (size) {
    case Figures::Size::kSmall:
      return 4;
    case Figures::Size::kThird:
      return 3;
    case Figures::Size::kMiddle:
      return 2;
    case Figures::Size::kWide:
      return 1;
  }
  return 1;
}
constexpr double figure_width(Figures::Size size) {
  const int count = figures_in_row(size);
  return (kTextWidth - (count - 1) * kFigureGap) / count;
}

}  // namespace tactelier
