#include "fitting/stiffness/stiffness_loop.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "fitting/statistics/line_fit.hpp"
#include "fitting/stiffness/stiffness_press.hpp"

namespace tactelier {
namespace {

constexpr double kShallow = 0.3;  // of the largest depth: clear of the contact point
constexpr double kDeep = 0.9;     // clear of where the stage brakes
constexpr std::size_t kMinRows = 8;
constexpr double kSameSpeed = 0.1;

struct Way {
  Estimate slope;  // N/m
  double speed_m_per_s = 0;
};

std::optional<Way> way(const PressLoop& press, std::size_t begin, std::size_t end, double from_m,
                       double to_m) {
  std::vector<double> depth_m, force_N, time_s;
  for (std::size_t i = begin; i < end; ++i) {
    if (press.depth_m[i] < from_m || press.depth_m[i] > to_m) continue;
    depth_m.push_back(press.depth_m[i]);
    force_N.push_back(press.force_N[i]);
    time_s.push_back(press.time_s[i]);
  }
  if (depth_m.size() < kMinRows) return std::nullopt;
  const auto line = fit_line(depth_m, force_N);
  if (!line || !(line->slope > 0)) return std::nullopt;
  std::vector<double> residuals(depth_m.size());
  for (std::size_t i = 0; i < residuals.size(); ++i)
    residuals[i] = line->residual(depth_m[i], force_N[i]);
  const double duration_s = time_s.back() - time_s.front();
  if (!(duration_s > 0)) return std::nullopt;
  return Way{widened(line->slope, line->u_slope, residuals, 2),
             std::abs(depth_m.back() - depth_m.front()) / duration_s};
}

}  // namespace

std::optional<HalfWidth> hysteresis_half_width(const PressLoop& press) {
  const std::size_t rows = press.depth_m.size();
  if (press.peak >= rows || press.out >= rows) return std::nullopt;
  const double deepest_m = *std::max_element(press.depth_m.begin(), press.depth_m.end());
  if (!(deepest_m > 0)) return std::nullopt;
  const double from_m = kShallow * deepest_m;
  const double to_m = std::min(kDeep * deepest_m, press.seen_m);
  const auto in = way(press, 0, press.peak + 1, from_m, to_m);
  const auto out = way(press, press.out, rows, from_m, to_m);
  if (!in || !out) return std::nullopt;
  if (std::abs(in->speed_m_per_s - out->speed_m_per_s) > kSameSpeed * in->speed_m_per_s)
    return std::nullopt;
  const double sum = in->slope.value + out->slope.value;
  return HalfWidth{
      {(in->slope.value - out->slope.value) / sum, std::hypot(in->slope.std, out->slope.std) / sum,
       std::min(in->slope.dof, out->slope.dof)},
      in->speed_m_per_s};
}

}  // namespace tactelier
