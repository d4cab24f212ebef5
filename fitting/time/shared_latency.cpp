#include "fitting/time/shared_latency.hpp"

#include <algorithm>
#include <cmath>

#include "fitting/statistics/quantiles.hpp"

namespace tactelier {
namespace {

constexpr double kLinks_s = 0.010;
constexpr double kImprobable = 0.001;

double weight_of(const Estimate& estimate) {
  return 1 / std::max(estimate.std * estimate.std, 1e-24);
}

}  // namespace

std::string device_pair(const SessionMetadata& metadata, StreamKind other) {
  const auto clock = [&](StreamKind kind) { return static_cast<int>(metadata.clock(kind)); };
  std::string pair = fmt::format("clocks {} {}", clock(StreamKind::kForce), clock(other));
  if (const auto& force = metadata.force_sensor)
    pair += fmt::format("; {} {}", force->model, force->serial);
  if (other == StreamKind::kStage)
    return pair + fmt::format("; rig {:.6g}", metadata.compliance_m_per_N.value_or(0));
  const auto& sensor = metadata.sensor;
  return pair + fmt::format("; {} {} {}", sensor.vendor, sensor.model, metadata.sensor_serial);
}

std::optional<SharedLatency> share_latencies(std::vector<Estimate> found) {
  if (found.empty()) return std::nullopt;
  if (found.size() == 1) return SharedLatency{found.front(), true};
  // Sums round alike in any order of the sessions.
  std::sort(found.begin(), found.end(), [](const Estimate& a, const Estimate& b) {
    return a.value != b.value ? a.value < b.value : a.std < b.std;
  });
  double weights = 0, mean = 0, chi2 = 0, dof = 0;
  for (const auto& one : found) {
    weights += weight_of(one);
    mean += weight_of(one) * one.value;
    dof += one.dof;
  }
  mean /= weights;
  for (const auto& one : found) chi2 += weight_of(one) * std::pow(one.value - mean, 2);
  const double others = static_cast<double>(found.size() - 1);
  const double birge = std::sqrt(std::max(1.0, chi2 / others));
  return SharedLatency{{mean, birge / std::sqrt(weights), dof},
                       chi2_survival(chi2, others) > kImprobable};
}

double assumed_latency_limit_s(double frame_s) { return frame_s + kLinks_s; }

}  // namespace tactelier
