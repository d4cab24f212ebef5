#pragma once
// 256-entry colour tables for maps: viridis for counts and newtons, cividis for parameters of the
// array, diverging for differences and correlations (symmetric about 0).

#include <QColor>
#include <QList>

namespace tactelier::gui {

enum class ColorMap { kViridis, kCividis, kDiverging };

/// For QImage::setColorTable; index 0 is the least value. kDiverging follows the theme: its middle
/// is the background.
QList<QRgb> colorTable(ColorMap map);

/// White on dark cells (luminance below 0.2), else near black.
QColor textOn(QRgb cell);

/// Index of `value` between `low` and `high`, clamped to 0 .. 255.
int colorIndex(double value, double low, double high);

}  // namespace tactelier::gui
