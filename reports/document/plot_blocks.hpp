#pragma once
// What the plots of all stages share: axes, sizes, and what stands where there is no plot.

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "libcalib/result.hpp"
#include "reports/document/document.hpp"
#include "reports/document/plot_series.hpp"

namespace tactelier {

using Look = PlotSeries::Look;
using Plots = Result<std::vector<Block>>;

constexpr std::size_t kMostPoints = 400;  // of a series
constexpr PlotAxis kDepthAxis{"Depth", "m", false};
constexpr PlotAxis kForceAxis{"Force", "N", false};

inline std::vector<Block> one_row(std::vector<Figure> figures) {
  if (figures.empty()) return {};
  return {Figures{Figures::Size::kMiddle, std::move(figures)}};
}

/// Residuals about a zero line.
inline Plot residual_plot(std::string title, PlotAxis x, PlotAxis y, std::vector<PlotSeries> series,
                          std::string alt) {
  auto zero = zero_line(series);
  if (!zero.x.empty()) series.push_back(std::move(zero));
  return {std::move(title), std::move(x), std::move(y), std::move(series), std::move(alt)};
}

/// What can't be drawn says why; damage and cancellation end the report.
template <class Curve>
std::optional<Plots> without(const Result<Curve>& curve) {
  if (curve) return std::nullopt;
  if (curve.error().code != ErrorCode::kUnidentifiable) return Plots(fail(curve.error()));
  return Plots(std::vector<Block>{Paragraph{"No plot: " + curve.error().message, Tone::kNote}});
}

}  // namespace tactelier
