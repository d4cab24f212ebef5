#include "fitting/statistics/identified.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace tactelier {

double u_rectangular(double half_width) { return half_width / std::sqrt(3.0); }

double u_resolution(double step) { return step / std::sqrt(12.0); }

Budget combine(std::span<const Component> components) {
  double variance = 0;
  double spread = 0;  // sum of u^4 / dof
  for (const auto& part : components) {
    const double square = part.u * part.u;
    variance += square;
    spread += square * square / part.dof;
  }
  Budget budget;
  budget.u_c = std::sqrt(variance);
  budget.dof = spread > 0 ? variance * variance / spread : kManyDegrees;
  const double whole = std::floor(budget.dof);
  if (!(whole >= 1)) return budget;
  budget.k_95 = coverage_95(whole);
  budget.U_95 = budget.k_95 * budget.u_c;
  budget.U_9545 = t_quantile(normal_cdf(2), whole) * budget.u_c;
  return budget;
}

Estimate press_spread(std::span<const double> values) {
  const auto m = static_cast<double>(values.size());
  Estimate estimate{0, 0, m - 1};
  for (const double value : values) estimate.value += value / m;
  if (values.size() < 2) return {estimate.value, 0, 0};
  double squares = 0;
  for (const double value : values) squares += (value - estimate.value) * (value - estimate.value);
  estimate.std = std::sqrt(squares / (m - 1) / m);
  return estimate;
}

namespace {

bool has_error(const Estimate& estimate) {
  return std::isfinite(estimate.std) && estimate.std > 0 && estimate.dof >= 1;
}

double expanded(const Estimate& estimate, std::span<const Component> systematic) {
  std::vector<Component> parts{{"statistical", estimate.std, estimate.dof}};
  parts.insert(parts.end(), systematic.begin(), systematic.end());
  return combine(parts).U_95;
}

Parameter bare(double value, std::string unit, std::string from) {
  Parameter parameter;
  parameter.value = value;
  parameter.unit = std::move(unit);
  parameter.from = std::move(from);
  parameter.status = Status::kIdentified;
  return parameter;
}

}  // namespace

Parameter identified(const Estimate& estimate, std::string unit, std::string from,
                     std::span<const Component> systematic) {
  Parameter parameter = bare(estimate.value, std::move(unit), std::move(from));
  if (!has_error(estimate)) return parameter;
  const double half = coverage_95(estimate.dof) * estimate.std;
  parameter.std = estimate.std;
  parameter.ci95 = {estimate.value - half, estimate.value + half};
  parameter.u_total = expanded(estimate, systematic);
  return parameter;
}

Parameter not_seen(const Estimate& estimate, std::string unit, std::string from,
                   std::span<const Component> systematic) {
  Parameter parameter = bare(0, std::move(unit), std::move(from));
  parameter.status = Status::kNotSeen;
  parameter.reason = "NOT-SEEN none shows";
  if (!has_error(estimate)) return parameter;
  const double shown = std::max(0.0, estimate.value);
  parameter.ci95 = {0, shown + coverage_95(estimate.dof) * estimate.std};
  parameter.u_total = shown + expanded(estimate, systematic);
  parameter.reason += fmt::format(": it is below {:.2g} {}", *parameter.u_total, parameter.unit);
  return parameter;
}

Parameter single_reading(double value, std::string unit, std::string from,
                         std::span<const Component> systematic) {
  Parameter parameter = bare(value, std::move(unit), std::move(from));
  const double half = combine(systematic).U_95;
  if (half > 0) parameter.u_total = half;
  return parameter;
}

Parameter identified_log(const Estimate& log_estimate, std::string unit, std::string from,
                         std::span<const Component> systematic) {
  const double theta = std::exp(log_estimate.value);
  Parameter parameter = bare(theta, std::move(unit), std::move(from));
  if (!has_error(log_estimate)) return parameter;
  const double half = coverage_95(log_estimate.dof) * log_estimate.std;
  parameter.ci95 = {theta * std::exp(-half), theta * std::exp(half)};
  // Beyond 0.2 the interval is too lopsided for one standard error to stand for it.
  if (log_estimate.std < 0.2) parameter.std = theta * log_estimate.std;
  parameter.u_total = theta * std::expm1(expanded(log_estimate, systematic));
  return parameter;
}

}  // namespace tactelier
