#include "fitting/recording/clock_map.hpp"

#include <algorithm>
#include <cassert>

namespace tactelier {
namespace {

using Knot = ClockMap::Knot;

/// Straight line through the two knots around x; `from` and `to` are members of Knot.
double along(const std::vector<Knot>& knots, double Knot::*from, double Knot::*to, double x) {
  const auto after = std::upper_bound(knots.begin() + 1, knots.end() - 1, x,
                                      [&](double value, const Knot& k) { return value < k.*from; });
  const Knot& b = *after;
  const Knot& a = *(after - 1);
  return a.*to + (x - a.*from) / (b.*from - a.*from) * (b.*to - a.*to);
}

}  // namespace

ClockMap::ClockMap(std::vector<Knot> knots) : knots_(std::move(knots)) {
  assert(knots_.size() >= 2);
}

double ClockMap::to_host_s(double device_s) const {
  const double host_s =
      knots_.empty() ? device_s : along(knots_, &Knot::device_s, &Knot::host_s, device_s);
  return host_s + shift_s_;
}

double ClockMap::to_device_s(double host_s) const {
  const double unshifted_s = host_s - shift_s_;
  return knots_.empty() ? unshifted_s : along(knots_, &Knot::host_s, &Knot::device_s, unshifted_s);
}

void ClockMap::to_host(std::span<double> time_s) const {
  if (identity()) return;
  for (double& t : time_s) t = to_host_s(t);
}

ClockMap ClockMap::advanced(double earlier_s) const {
  ClockMap map = *this;
  map.shift_s_ -= earlier_s;
  return map;
}

}  // namespace tactelier
