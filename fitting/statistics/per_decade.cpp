#include "fitting/statistics/per_decade.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "fitting/statistics/line_fit.hpp"
#include "fitting/statistics/serial.hpp"

namespace tactelier {
namespace {

constexpr std::size_t kLeastRows = 50;
constexpr double kLeastSpan = 3;  // last over first time

}  // namespace

std::optional<Estimate> share_per_decade(std::span<const double> since_s,
                                         std::span<const double> level) {
  if (since_s.size() < kLeastRows || !(since_s.front() > 0) ||
      since_s.back() < kLeastSpan * since_s.front())
    return std::nullopt;
  std::vector<double> decades;
  for (const double since : since_s) decades.push_back(std::log10(since));
  const auto line = fit_line(decades, level);
  if (!line || line->intercept == 0) return std::nullopt;
  std::vector<double> residuals;
  for (std::size_t i = 0; i < decades.size(); ++i)
    residuals.push_back(line->residual(decades[i], level[i]));
  const double widened = serial_inflation(std::clamp(lag1(residuals), 0.0, 0.999));
  return Estimate{line->slope / line->intercept,
                  std::abs(line->u_slope / line->intercept) * widened, line->dof};
}

Estimate mean_of_holds(std::span<const Estimate> holds) {
  std::vector<double> values;
  double squares = 0;
  for (const auto& hold : holds) {
    values.push_back(hold.value);
    squares += hold.std * hold.std;
  }
  Estimate mean = press_spread(values);
  const double within = std::sqrt(squares) / static_cast<double>(holds.size());
  if (holds.size() >= 3 && mean.std >= within) return mean;
  mean.std = within;
  mean.dof = holds.front().dof;
  return mean;
}

}  // namespace tactelier
