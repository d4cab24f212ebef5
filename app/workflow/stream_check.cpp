#include "app/workflow/stream_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace tactelier {
namespace {

constexpr double kClockError = 0.02;  // of a rate
constexpr std::int64_t kArrivalLate_ns = 20'000'000;
constexpr std::array<std::string_view, 6> kAxes{"Fx", "Fy", "Fz", "Tx", "Ty", "Tz"};

double between_s(std::int64_t from_ns, std::int64_t to_ns) {
  return static_cast<double>(to_ns - from_ns) * 1e-9;
}

}  // namespace

void UnusableRecords::add(const devices::ForceSample& sample, const devices::ForceSensor& sensor) {
  const auto& scale = sensor.scale();
  const auto wrench = scale.wrench_SI(sample);
  const bool beyond = devices::combined_load(wrench, scale) > devices::kOverload;
  if (sample.valid && !beyond) return;
  if (count++ == 0) {
    first_ns = sample.host_time_ns;
    cause = sample.valid ? "beyond the calibrated range" : sensor.describe_status(sample.status);
  }
  last_ns = sample.host_time_ns;
  for (std::size_t i = 0; i < kAxes.size(); ++i) {
    const double full_scale = scale.full_scale_SI[i] > 0 ? scale.full_scale_SI[i] : 1;
    const double load = std::abs(wrench[i]) / full_scale;
    if (load <= axis_load) continue;
    axis_load = load;
    axis = kAxes[i];
  }
}

void UnusableRecords::add(const UnusableRecords& later) {
  if (later.count == 0) return;
  if (count == 0) {
    first_ns = later.first_ns;
    cause = later.cause;
  }
  count += later.count;
  last_ns = later.last_ns;
  if (later.axis_load <= axis_load) return;
  axis_load = later.axis_load;
  axis = later.axis;
}

std::string words_of(const UnusableRecords& unusable, std::int64_t begin_ns) {
  if (unusable.count == 0) return {};
  const double first_s = between_s(begin_ns, unusable.first_ns);
  const double last_s = between_s(begin_ns, unusable.last_ns);
  const auto when = unusable.count == 1 ? fmt::format("{:.3f} s", first_s)
                                        : fmt::format("{:.3f} to {:.3f} s", first_s, last_s);
  return fmt::format("{} {} can't be used, {} after the first: {}{}", unusable.count,
                     unusable.count == 1 ? "record" : "records", when, unusable.cause,
                     unusable.axis.empty() ? "" : "; largest axis " + unusable.axis);
}

void StreamRate::add(std::int64_t samples, std::int64_t latest_ns,
                     const devices::StreamCounters& counters) {
  const auto breaks = counters.timeouts + counters.restarts;
  if (breaks != breaks_) begun_ = false;
  breaks_ = breaks;
  if (samples == 0) return;
  if (begun_) {
    records_ += samples + counters.lost - lost_;
    longest_pause_ns_ = std::max(longest_pause_ns_, latest_ns - latest_ns_);
  } else {
    begun_ = true;
    first_ns_ = latest_ns;
    records_ = longest_pause_ns_ = 0;
  }
  latest_ns_ = latest_ns;
  lost_ = counters.lost;
}

double StreamRate::span_s() const { return begun_ ? between_s(first_ns_, latest_ns_) : 0; }

std::optional<double> StreamRate::rate_hz() const {
  if (!(span_s() > 0)) return std::nullopt;
  return static_cast<double>(records_) / span_s();
}

double StreamRate::tolerance_hz(double stated_hz) const {
  const double late_s = between_s(0, std::max(kArrivalLate_ns, longest_pause_ns_));
  return stated_hz * (kClockError + 2 * late_s / span_s());
}

std::string StreamRate::words(double stated_hz) const {
  const auto sent_hz = rate_hz();
  if (!sent_hz) return {};
  const double tolerance = tolerance_hz(stated_hz);
  if (std::abs(*sent_hz - stated_hz) <= tolerance) return {};
  return fmt::format(
      "sends {:.1f} records/s, the device file states {:.6g} (+-{:.2g} allowed: 2 % for clocks, "
      "the "
      "rest for late arrivals within {:.1f} s)",
      *sent_hz, stated_hz, tolerance, span_s());
}

}  // namespace tactelier
