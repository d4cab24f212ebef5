// A plot as a drawing: axes with 1-2-5 ticks, dots for data, lines for models, a legend below.

#include <algorithm>
#include <array>
#include <cmath>

#include "reports/document/axis_scale.hpp"
#include "reports/document/drawing.hpp"

namespace tactelier {
namespace {

// Told apart in grey, too: dark, middle, light; the lines' own colours are the darker ones.
constexpr std::array<Rgb, 5> kColors{0x0b5fb3, 0xb3450b, 0x3c7a1e, 0x7a3c8f, 0x8a6d00};
constexpr Rgb kModel = 0x1a212b;
constexpr Rgb kFaint = 0xa3abb6;
constexpr double kAspect = 0.62;  // height of the frame over the figure's width
constexpr double kTitleSize = 8.5;
constexpr double kLabelSize = 7.5;
constexpr double kTickSize = 7;
constexpr double kSmallWidth = 150;  // below it there is room for a few ticks only

struct Frame {
  double left = 0, top = 0, right = 0, bottom = 0;
  AxisScale x, y;

  SheetPoint at(double vx, double vy) const {
    return {left + x.part(vx) * (right - left), bottom - y.part(vy) * (bottom - top)};
  }
};

bool drawable(const PlotSeries& series, std::size_t i, const Frame& frame) {
  return std::isfinite(series.x[i]) && std::isfinite(series.y[i]) &&
         (!frame.x.log || series.x[i] > 0) && (!frame.y.log || series.y[i] > 0);
}

std::vector<double> all_of(const Plot& plot, bool of_x) {
  std::vector<double> values;
  for (const auto& series : plot.series) {
    const auto& own = of_x ? series.x : series.y;
    values.insert(values.end(), own.begin(), own.end());
  }
  return values;
}

void draw_axes(const Frame& frame, double height, Drawing& drawing) {
  DrawnPath grid{{}, 0.4, kGrid};
  for (const auto& tick : frame.x.ticks) {
    const double x = frame.at(tick.value, frame.y.low)[0];
    grid.pieces.push_back({{x, frame.top}, {x, frame.bottom}});
    drawing.items.emplace_back(DrawnText{x, frame.bottom + kTickSize + 2, tick.text, kTickSize,
                                         DrawnText::Anchor::kMiddle, kPale});
  }
  for (const auto& tick : frame.y.ticks) {
    const double y = frame.at(frame.x.low, tick.value)[1];
    grid.pieces.push_back({{frame.left, y}, {frame.right, y}});
    drawing.items.emplace_back(DrawnText{frame.left - 3, y + 0.35 * kTickSize, tick.text, kTickSize,
                                         DrawnText::Anchor::kEnd, kPale});
  }
  drawing.items.emplace_back(std::move(grid));
  drawing.items.emplace_back(DrawnPath{
      {{{frame.left, frame.top}, {frame.left, frame.bottom}, {frame.right, frame.bottom}}}, 0.8, kPale});
  drawing.items.emplace_back(DrawnText{(frame.left + frame.right) / 2,
                                       frame.bottom + kTickSize + kLabelSize + 5, frame.x.label,
                                       kLabelSize, DrawnText::Anchor::kMiddle, kPale});
  drawing.items.emplace_back(DrawnText{kLabelSize, (frame.top + frame.bottom) / 2, frame.y.label,
                                       kLabelSize, DrawnText::Anchor::kMiddle, kPale, false, true});
  drawing.height = height;
}

Drawn drawn_series(const PlotSeries& series, Rgb color, const Frame& frame) {
  if (series.look != PlotSeries::Look::kLine) {
    DrawnDots dots{{}, 1.1, color};
    for (std::size_t i = 0; i < series.x.size(); ++i)
      if (drawable(series, i, frame)) dots.at.push_back(frame.at(series.x[i], series.y[i]));
    return dots;
  }
  DrawnPath path{{{}}, 1.2, color};
  for (std::size_t i = 0; i < series.x.size(); ++i) {
    if (drawable(series, i, frame))
      path.pieces.back().push_back(frame.at(series.x[i], series.y[i]));
    else if (!path.pieces.back().empty())
      path.pieces.emplace_back();
  }
  return path;
}

struct LegendEntry {
  std::string name;
  Rgb color = 0;
  bool line = false;
};

/// Entries from left to right, wrapped; returns where the last line ends.
double draw_legend(const std::vector<LegendEntry>& entries, double left, double width, double top,
                   Drawing& drawing) {
  double x = left, y = top;
  for (const auto& entry : entries) {
    const double room = 16 + text_width(entry.name, kTickSize);
    if (x > left && x + room > width) {
      x = left;
      y += kTickSize + 3;
    }
    const double middle = y - 0.35 * kTickSize;
    if (entry.line)
      drawing.items.emplace_back(DrawnPath{{{{x, middle}, {x + 9, middle}}}, 1.2, entry.color});
    else
      drawing.items.emplace_back(DrawnDots{{{x + 4.5, middle}}, 1.6, entry.color});
    drawing.items.emplace_back(
        DrawnText{x + 12, y, entry.name, kTickSize, DrawnText::Anchor::kStart, kPale});
    x += room;
  }
  return y;
}

}  // namespace

Drawing draw_plot(const Plot& plot, double width) {
  Drawing drawing{width, 0, plot.title, plot.alt, {}};
  const int ticks = width < kSmallWidth ? 3 : 6;
  Frame frame;
  frame.x = axis_scale(plot.x, all_of(plot, true), false, ticks);
  frame.y = axis_scale(plot.y, all_of(plot, false), !plot.y.log, ticks);
  double widest = 0;
  for (const auto& tick : frame.y.ticks)
    widest = std::max(widest, text_width(tick.text, kTickSize));
  frame.left = kLabelSize + 6 + widest;
  frame.right = width - 6;
  frame.top = plot.title.empty() ? 6 : kTitleSize + 8;
  frame.bottom = frame.top + kAspect * width;
  drawing.items.emplace_back(DrawnText{0, kTitleSize, plot.title, kTitleSize,
                                       DrawnText::Anchor::kStart, kInk, true});
  draw_axes(frame, 0, drawing);
  std::vector<LegendEntry> legend;
  std::size_t lines = 0, clouds = 0;
  for (const auto& series : plot.series) {
    const bool line = series.look == PlotSeries::Look::kLine;
    Rgb color = kFaint;
    if (line) color = lines++ == 0 ? kModel : kColors[lines % kColors.size()];
    if (series.look == PlotSeries::Look::kPoints) color = kColors[clouds++ % kColors.size()];
    drawing.items.push_back(drawn_series(series, color, frame));
    if (!series.name.empty()) legend.push_back({series.name, color, line});
  }
  double bottom = frame.bottom + kTickSize + kLabelSize + 8;
  if (!legend.empty())
    bottom = draw_legend(legend, frame.left, width, bottom + kTickSize, drawing) + 4;
  drawing.height = bottom + 2;
  return drawing;
}

}  // namespace tactelier
