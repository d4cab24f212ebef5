#include "reports/document/plot_series.hpp"

#include <algorithm>
#include <cmath>

namespace tactelier {

PlotSeries thinned(PlotSeries series, std::size_t most) {
  const auto count = std::min(series.x.size(), series.y.size());
  series.x.resize(count);
  series.y.resize(count);
  if (count <= most || most < 2) return series;
  PlotSeries kept{series.name, series.look, {}, {}};
  for (std::size_t i = 0; i < most; ++i) {
    const auto from = i * (count - 1) / (most - 1);
    kept.x.push_back(series.x[from]);
    kept.y.push_back(series.y[from]);
  }
  return kept;
}

PlotSeries zero_line(std::span<const PlotSeries> series) {
  double least = INFINITY, greatest = -INFINITY;
  for (const auto& one : series)
    for (const double x : one.x)
      if (std::isfinite(x)) {
        least = std::min(least, x);
        greatest = std::max(greatest, x);
      }
  if (least > greatest) return {"", PlotSeries::Look::kLine, {}, {}};
  return {"", PlotSeries::Look::kLine, {least, greatest}, {0, 0}};
}

}  // namespace tactelier
