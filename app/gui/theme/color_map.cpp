#include "app/gui/theme/color_map.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "app/gui/theme/theme.hpp"

namespace tactelier::gui {
namespace {

using Anchors = std::array<QRgb, 11>;

constexpr Anchors kViridis{0x440154, 0x482475, 0x414487, 0x355f8d, 0x2a788e, 0x21918c,
                           0x22a884, 0x44bf70, 0x7ad151, 0xbddf26, 0xfde725};
constexpr Anchors kCividis{0x00224e, 0x123570, 0x3b496c, 0x575d6d, 0x707173, 0x8a8678,
                           0xa59c74, 0xc3b369, 0xe1cc55, 0xfee838, 0xfee838};
constexpr std::size_t kCividisSize = 10;
constexpr Anchors kDivergingLight{0x001261, 0x033e7d, 0x1e6f9d, 0x71a8c4, 0xc9dde7, 0xf1efec,
                                  0xeacebd, 0xd39774, 0xbe6533, 0x8b2706, 0x590008};
constexpr Anchors kDivergingDark{0x9eb0ff, 0x5ba4db, 0x2d7597, 0x1a4256, 0x11191e, 0x15110f,
                                 0x280d01, 0x501803, 0x8a4030, 0xc5756c, 0xffadad};

int mix(int a, int b, double share) { return static_cast<int>(std::lround(a + share * (b - a))); }

QList<QRgb> interpolate(const Anchors& anchors, std::size_t count) {
  QList<QRgb> table;
  for (int i = 0; i < 256; ++i) {
    const double at = i / 255.0 * static_cast<double>(count - 1);
    const auto below = std::min(static_cast<std::size_t>(at), count - 2);
    const double share = at - static_cast<double>(below);
    const QRgb a = anchors[below];
    const QRgb b = anchors[below + 1];
    table.append(qRgb(mix(qRed(a), qRed(b), share), mix(qGreen(a), qGreen(b), share),
                      mix(qBlue(a), qBlue(b), share)));
  }
  return table;
}

double linear(int channel) {
  const double c = channel / 255.0;
  return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
}

}  // namespace

QList<QRgb> colorTable(ColorMap map) {
  switch (map) {
    case ColorMap::kViridis:
      return interpolate(kViridis, kViridis.size());
    case ColorMap::kCividis:
      return interpolate(kCividis, kCividisSize);
    case ColorMap::kDiverging:
      return interpolate(theme().dark() ? kDivergingDark : kDivergingLight, kDivergingDark.size());
  }
  return {};
}

QColor textOn(QRgb cell) {
  // Relative luminance, WCAG 2.1.
  const double luminance =
      0.2126 * linear(qRed(cell)) + 0.7152 * linear(qGreen(cell)) + 0.0722 * linear(qBlue(cell));
  return luminance < 0.2 ? QColor(Qt::white) : QColor::fromRgb(0x11, 0x11, 0x11);
}

int colorIndex(double value, double low, double high) {
  if (!(high > low)) return 0;
  return static_cast<int>(std::clamp((value - low) / (high - low) * 255.0 + 0.5, 0.0, 255.0));
}

}  // namespace tactelier::gui
