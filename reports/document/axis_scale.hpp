#pragma once
// Ticks of one axis: steps of 1, 2, 5, at most eight, in the prefix that keeps numbers short.

#include <string>
#include <vector>

#include "reports/document/document.hpp"

namespace tactelier {

struct AxisTick {
  double value = 0;  // SI
  std::string text;
};

struct AxisScale {
  double low = 0, high = 1;  // SI; of a logarithmic axis > 0
  bool log = false;
  std::string label;  // "Force [mN]"
  std::vector<AxisTick> ticks;

  /// 0 at low, 1 at high.
  double part(double value) const;
};

/// A scale that holds all finite values; `with_zero`: 0 too, unless half of the axis would be empty
/// for it. Not one value: 0 to 1.
AxisScale axis_scale(const PlotAxis& axis, const std::vector<double>& values, bool with_zero,
                     int most_ticks);

/// "Force [mN]" for numbers as large as `magnitude`.
std::string axis_label(const PlotAxis& axis, double magnitude);

}  // namespace tactelier
