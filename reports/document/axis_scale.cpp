#include "reports/document/axis_scale.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "reports/quantity_text.hpp"

namespace tactelier {
namespace {

/// 1, 2 or 5 times a power of ten, at least `wanted`.
double round_step(double wanted) {
  const double power = std::pow(10, std::floor(std::log10(wanted)));
  for (const double times : {1.0, 2.0, 5.0})
    if (times * power >= wanted * (1 - 1e-9)) return times * power;
  return 10 * power;
}

std::string shortest(double value) {
  const auto text = fmt::format("{:.6g}", std::abs(value) < 1e-12 ? 0.0 : value);
  return text.starts_with('-') ? "−" + text.substr(1) : text;
}

void linear_ticks(double factor, int most, AxisScale& scale) {
  const double step = round_step((scale.high - scale.low) * factor / most);
  const double first = std::ceil(scale.low * factor / step - 1e-9);
  const double last = std::floor(scale.high * factor / step + 1e-9);
  for (double i = first; i <= last; ++i) scale.ticks.push_back({i * step / factor, shortest(i * step)});
}

void log_ticks(double factor, int most, AxisScale& scale) {
  const double first = std::ceil(std::log10(scale.low * factor) - 1e-9);
  const double last = std::floor(std::log10(scale.high * factor) + 1e-9);
  const double step = std::max(1.0, std::ceil((last - first + 1) / most));
  for (double i = first; i <= last; i += step)
    scale.ticks.push_back({std::pow(10, i) / factor, shortest(std::pow(10, i))});
}

}  // namespace

double AxisScale::part(double value) const {
  if (log) return std::log(value / low) / std::log(high / low);
  return (value - low) / (high - low);
}

std::string axis_label(const PlotAxis& axis, double magnitude) {
  const auto unit = quantity_text(magnitude, std::nullopt, axis.unit).unit;
  return fmt::format("{} [{}]", axis.quantity, unit.empty() ? "–" : unit);
}

AxisScale axis_scale(const PlotAxis& axis, const std::vector<double>& values, bool with_zero,
                     int most_ticks) {
  AxisScale scale;
  scale.log = axis.log;
  double low = INFINITY, high = -INFINITY;
  const auto hold = [&](double value) {
    if (!std::isfinite(value) || (axis.log && value <= 0)) return;
    low = std::min(low, value);
    high = std::max(high, value);
  };
  for (const double value : values) hold(value);
  if (low > high) low = axis.log ? 0.1 : 0, high = 1;
  // Where 0 would take half of the axis, data are looked at by themselves.
  const double near = std::min(std::abs(low), std::abs(high));
  const bool far = near > 0.5 * std::max(std::abs(low), std::abs(high));
  if (with_zero && !axis.log && !(far && low * high > 0)) hold(0);
  if (axis.log) {
    scale.low = low / 1.2;
    scale.high = high * 1.2;
  } else {
    const double room = high > low ? 0.04 * (high - low) : std::max(0.5 * std::abs(high), 0.5);
    scale.low = with_zero && low == 0 ? 0 : low - room;
    scale.high = with_zero && high == 0 ? 0 : high + room;
  }
  const double magnitude = std::max(std::abs(scale.low), std::abs(scale.high));
  const double factor = prefix_factor(magnitude, axis.unit);
  scale.label = axis_label(axis, magnitude);
  if (axis.log)
    log_ticks(factor, most_ticks, scale);
  else
    linear_ticks(factor, most_ticks, scale);
  return scale;
}

}  // namespace tactelier
