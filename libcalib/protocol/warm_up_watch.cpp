#include "libcalib/protocol/warm_up_watch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "libcalib/json_check.hpp"
#include "libcalib/protocol/plan_event.hpp"

namespace tactelier {
namespace {

constexpr double kMinute_s = 60;
constexpr double kMilli = 1e3;
constexpr double kBlock_s = 1;

double bound(const DriftWatch& watch) {
  const auto& drift = watch.drift();
  return drift ? std::abs(drift->per_s) + DriftWatch::kCoverage * drift->u_per_s : 0;
}

std::string left_words(std::optional<double> left_s) {
  if (!left_s || *left_s <= 0) return {};
  return fmt::format(", about {:.0f} min left", std::ceil(*left_s / kMinute_s));
}

}  // namespace

std::optional<std::pair<double, double>> WarmUpWatch::Blocks::add(double t_s, double value) {
  std::optional<std::pair<double, double>> ended;
  if (count_ > 0 && t_s - begun_s_ >= kBlock_s) {
    ended = {begun_s_, sum_ / count_};
    count_ = 0;
  }
  if (count_ == 0) {
    begun_s_ = t_s;
    sum_ = 0;
  }
  sum_ += value;
  ++count_;
  return ended;
}

WarmUpWatch::WarmUpWatch(const StillGate& gate)
    : gate_(gate),
      force_{DriftWatch(gate.drift_N_per_s), DriftWatch(gate.drift_N_per_s),
             DriftWatch(gate.drift_N_per_s)},
      temperature_(gate.temperature_K_per_s) {}

void WarmUpWatch::add_force(double t_s, const std::array<double, 3>& force_N) {
  for (std::size_t axis = 0; axis < force_.size(); ++axis)
    if (const auto mean = force_blocks_[axis].add(t_s, force_N[axis]))
      force_[axis].add(mean->first, mean->second);
}

void WarmUpWatch::add_temperature(double t_s, double temperature_degC) {
  has_temperature_ = true;
  if (const auto mean = temperature_blocks_.add(t_s, temperature_degC))
    temperature_.add(mean->first, mean->second);
}

bool WarmUpWatch::still() const {
  return std::all_of(force_.begin(), force_.end(),
                     [](const DriftWatch& axis) { return axis.still(); }) &&
         (!has_temperature_ || temperature_.still());
}

const DriftWatch& WarmUpWatch::worst_axis() const {
  return *std::max_element(
      force_.begin(), force_.end(),
      [](const DriftWatch& a, const DriftWatch& b) { return bound(a) < bound(b); });
}

std::string WarmUpWatch::force_words() const {
  const auto& worst = worst_axis();
  const double limit = kMilli * kMinute_s * gate_.drift_N_per_s;
  if (!worst.drift())
    return fmt::format("watching the force's zero for {:.0f} s first", DriftWatch::kLeast_s);
  const auto& drift = *worst.drift();
  return fmt::format("force zero drifts {:.1f} ± {:.1f} mN/min (limit {:.3g})",
                     kMilli * kMinute_s * drift.per_s,
                     kMilli * kMinute_s * DriftWatch::kCoverage * drift.u_per_s, limit);
}

std::string WarmUpWatch::describe() const {
  auto words = force_words();
  auto left_s = worst_axis().left_s();
  if (has_temperature_ && temperature_.drift()) {
    const auto& drift = *temperature_.drift();
    words += fmt::format(", temperature {:.2f} ± {:.2f} K/min (limit {:.3g})",
                         kMinute_s * drift.per_s, kMinute_s * DriftWatch::kCoverage * drift.u_per_s,
                         kMinute_s * gate_.temperature_K_per_s);
    const auto more_s = temperature_.left_s();
    left_s = left_s && more_s ? std::optional(std::max(*left_s, *more_s)) : std::nullopt;
  }
  return words + left_words(left_s);
}

std::string WarmUpWatch::event_data(double waited_s) const {
  const auto drift = worst_axis().drift().value_or(Drift{});
  nlohmann::json data{{"still", still()},
                      {"drift_mN_per_min", tidy(kMilli * kMinute_s * drift.per_s)},
                      {"u_drift_mN_per_min", tidy(kMilli * kMinute_s * drift.u_per_s)},
                      {"limit_mN_per_min", tidy(kMilli * kMinute_s * gate_.drift_N_per_s)},
                      {"waited_s", tidy(std::round(10 * waited_s) / 10)}};
  if (has_temperature_ && temperature_.drift()) {
    data["temperature_K_per_min"] = tidy(kMinute_s * temperature_.drift()->per_s);
    data["u_temperature_K_per_min"] = tidy(kMinute_s * temperature_.drift()->u_per_s);
    data["limit_K_per_min"] = tidy(kMinute_s * gate_.temperature_K_per_s);
  }
  return canonical(data);
}

}  // namespace tactelier
