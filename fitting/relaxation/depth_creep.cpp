#include "fitting/relaxation/depth_creep.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "fitting/statistics/line_fit.hpp"
#include "fitting/statistics/robust.hpp"
#include "fitting/statistics/serial.hpp"

namespace tactelier {

std::optional<DepthCreep> depth_creep(std::span<const double> since_s,
                                      std::span<const double> depth) {
  if (since_s.size() < 40 || !(since_s.front() > 0)) return std::nullopt;
  std::vector<double> decades;
  for (const double t : since_s) decades.push_back(std::log10(t));
  const auto line = fit_line(decades, depth);
  if (!line) return std::nullopt;
  std::vector<double> residuals;
  for (std::size_t i = 0; i < depth.size(); ++i)
    residuals.push_back(line->residual(decades[i], depth[i]));
  constexpr std::size_t kPart = 3;
  return DepthCreep{median(depth.last(kPart)) - median(depth.first(kPart)), line->slope,
                    line->u_slope * serial_inflation(std::clamp(lag1(residuals), 0.0, 0.9999))};
}

}  // namespace tactelier
