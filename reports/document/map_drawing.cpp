// A map of the array as a drawing: +x to the right, +y upwards as in the sensor frame, cividis,
// cells without a value crossed, a scale below.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "reports/document/axis_scale.hpp"
#include "reports/document/drawing.hpp"
#include "reports/quantity_text.hpp"

namespace tactelier {
namespace {

// Nuñez, Anderton and Renslow, PLoS ONE 13(7), 2018: reads the same without red and green.
constexpr std::array<Rgb, 10> kCividis{0x00224e, 0x123570, 0x3b496c, 0x575d6d, 0x707173,
                                       0x8a8678, 0xa59c74, 0xc3b369, 0xe1cc55, 0xfee838};
// Blue for less, orange for more, white for nothing between: after Okabe and Ito, Color Universal
// Design, 2008.
constexpr std::array<Rgb, 3> kDiverging{0x0072b2, 0xffffff, 0xd55e00};
constexpr Rgb kNoValue = 0xe9ecf0;
constexpr double kTitleSize = 8.5;
constexpr double kScaleSize = 7;
constexpr double kScaleHeight = 5;
constexpr double kMostAspect = 1.2;      // height over width of the cells
constexpr double kSmallestNumber = 5;    // size below which numbers in cells are left out
constexpr double kSmallestShare = 5e-3;  // of a given range, likewise

/// Three digits, and no exponent where the number itself is as short.
std::string short_text(double value) {
  const double size = std::abs(value);
  return size >= 999.5 && size < 1e5 ? fmt::format("{:.0f}", value) : fmt::format("{:.3g}", value);
}

Rgb mixed(Rgb a, Rgb b, double part) {
  Rgb color = 0;
  for (const unsigned shift : {16U, 8U, 0U}) {
    const double from = (a >> shift) & 0xffU, to = (b >> shift) & 0xffU;
    color |= static_cast<Rgb>(std::lround(from + part * (to - from))) << shift;
  }
  return color;
}

Rgb color_at(std::span<const Rgb> colors, double part) {
  const double at = std::clamp(part, 0.0, 1.0) * static_cast<double>(colors.size() - 1);
  const auto below = std::min(static_cast<std::size_t>(at), colors.size() - 2);
  return mixed(colors[below], colors[below + 1], at - static_cast<double>(below));
}

struct Extent {
  double left = INFINITY, right = -INFINITY, low = INFINITY, high = -INFINITY;
};

Extent extent_of(const ArrayMap& map) {
  Extent all;
  for (const auto& cell : map.cells) {
    all.left = std::min(all.left, cell.x_m - cell.width_m / 2);
    all.right = std::max(all.right, cell.x_m + cell.width_m / 2);
    all.low = std::min(all.low, cell.y_m - cell.height_m / 2);
    all.high = std::max(all.high, cell.y_m + cell.height_m / 2);
  }
  return all;
}

struct Values {
  double least = INFINITY, greatest = -INFINITY, factor = 1;
  std::string unit;
  bool differences = false;
  bool any() const { return least <= greatest; }
  double most() const { return std::max(std::abs(least), std::abs(greatest)); }
  double part(double value) const {
    return greatest > least ? (value - least) / (greatest - least) : 0.5;
  }
  Rgb color(double part) const {
    return differences ? color_at(kDiverging, part) : color_at(kCividis, part);
  }
  /// Whether words on it must be light.
  bool dark(double part) const { return differences ? part < 0.1 || part > 0.95 : part < 0.5; }
};

Values values_of(const ArrayMap& map) {
  Values values;
  for (const auto& cell : map.cells)
    if (cell.value) {
      values.least = std::min(values.least, *cell.value);
      values.greatest = std::max(values.greatest, *cell.value);
    }
  if (values.any() && map.range) {
    values.least = (*map.range)[0];
    values.greatest = (*map.range)[1];
  }
  values.differences = map.differences;
  const double most = values.any() ? values.most() : 1;
  values.factor = prefix_factor(most, map.unit);
  values.unit = quantity_text(most, std::nullopt, map.unit).unit;
  return values;
}

void draw_cells(const ArrayMap& map, const Values& values, double scale, const Extent& extent,
                double left, double top, Drawing& drawing) {
  DrawnPath crosses{{}, 0.6, kPale};
  for (const auto& cell : map.cells) {
    const double w = cell.width_m * scale, h = cell.height_m * scale;
    const double x = left + (cell.x_m - extent.left) * scale - w / 2;
    const double y = top + (extent.high - cell.y_m) * scale - h / 2;
    const auto fill = cell.value ? values.color(values.part(*cell.value)) : kNoValue;
    drawing.items.emplace_back(DrawnBox{x, y, w, h, fill, true});
    if (!cell.value) {
      crosses.pieces.push_back({{x + w / 4, y + h / 4}, {x + 3 * w / 4, y + 3 * h / 4}});
      crosses.pieces.push_back({{x + 3 * w / 4, y + h / 4}, {x + w / 4, y + 3 * h / 4}});
      continue;
    }
    if (map.range && std::abs(*cell.value) < kSmallestShare * values.most()) continue;
    const auto text = short_text(*cell.value * values.factor);
    const double size = std::min({0.9 * w / std::max(1.0, text_width(text, 1)), 0.6 * h, 8.0});
    if (size < kSmallestNumber) continue;
    const bool dark = values.dark(values.part(*cell.value));
    drawing.items.emplace_back(DrawnText{x + w / 2, y + h / 2 + 0.35 * size, text, size,
                                         DrawnText::Anchor::kMiddle, dark ? 0xffffffU : kInk});
  }
  if (!crosses.pieces.empty()) drawing.items.emplace_back(std::move(crosses));
}

void draw_scale(const Values& values, bool missing, double y, Drawing& drawing) {
  constexpr int kSteps = 24;
  const double width = 0.45 * drawing.width;
  for (int i = 0; i < kSteps; ++i)
    drawing.items.emplace_back(DrawnBox{i * width / kSteps, y, width / kSteps + 0.3, kScaleHeight,
                                        values.color((i + 0.5) / kSteps), false});
  const auto text = [&](double value) { return short_text(value * values.factor); };
  const double base = y + kScaleHeight + kScaleSize + 1;
  drawing.items.emplace_back(
      DrawnText{0, base, text(values.least), kScaleSize, DrawnText::Anchor::kStart, kPale});
  drawing.items.emplace_back(
      DrawnText{width, base, text(values.greatest) + (values.unit.empty() ? "" : " ") + values.unit,
                kScaleSize, DrawnText::Anchor::kEnd, kPale});
  if (missing)
    drawing.items.emplace_back(
        DrawnText{drawing.width, base, "× no value", kScaleSize, DrawnText::Anchor::kEnd, kPale});
}

}  // namespace

Drawing draw_map(const ArrayMap& map, double width) {
  Drawing drawing{width, 0, map.title, map.alt, {}};
  const auto extent = extent_of(map);
  const auto values = values_of(map);
  const double across = extent.right - extent.left, up = extent.high - extent.low;
  double scale = across > 0 ? width / across : 1;
  if (up * scale > kMostAspect * width) scale = kMostAspect * width / up;
  drawing.items.emplace_back(
      DrawnText{0, kTitleSize, map.title, kTitleSize, DrawnText::Anchor::kStart, kInk, true});
  const double top = kTitleSize + 5;
  draw_cells(map, values, scale, extent, (width - across * scale) / 2, top, drawing);
  const double below = top + std::max(0.0, up * scale) + 4;
  const bool missing = std::any_of(map.cells.begin(), map.cells.end(),
                                   [](const MapCell& cell) { return !cell.value; });
  if (values.any()) draw_scale(values, missing, below, drawing);
  drawing.height = below + kScaleHeight + kScaleSize + 5;
  return drawing;
}

}  // namespace tactelier
