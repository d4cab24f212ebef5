#pragma once
// Series for plots of data: thinned so that a file of a thousand tactels stays small.

#include <span>
#include <string>

#include "reports/document/document.hpp"

namespace tactelier {

/// Every n-th point, so that at most `most` are left; the last one stays.
PlotSeries thinned(PlotSeries series, std::size_t most);

/// A horizontal line at 0 over the series' range: what residuals are looked at beside.
PlotSeries zero_line(std::span<const PlotSeries> series);

}  // namespace tactelier
