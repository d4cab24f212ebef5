#include "devices/gauge/framed_force.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tactelier::devices {
namespace {

constexpr double kMostCounts = std::numeric_limits<std::int32_t>::max();
constexpr std::int64_t kMostMalformed = 10;  // in a row: ForceSensor::read()

}  // namespace

FramedForce::FramedForce(const FramedForceOptions& options, std::optional<StatusWord> status,
                         std::unique_ptr<FramedArray> readings)
    : options_(options), status_(std::move(status)), readings_(std::move(readings)) {}

Result<std::unique_ptr<FramedForce>> FramedForce::open(const FramedForceOptions& options,
                                                       const DeviceDescription& description,
                                                       const Connector& connect) {
  const auto needed = options.readings.SI_per_reading.size();
  if (description.shape.size() != needed)
    return fail(ErrorCode::kInvalidInput, "device '{}' has {} readings per frame, {} needs {}",
                description.name, description.shape.size(),
                needed == 1 ? "a one-axis cell" : "a sensor of six channels", needed);
  auto with_ends = options;
  if (const auto range = description.reading_range()) {
    if (!with_ends.highest_reading) with_ends.highest_reading = range->second;
    if (!with_ends.lowest_reading && range->first != 0) with_ends.lowest_reading = range->first;
  }
  return FramedArray::open(options.url, description, connect, options.rate_hz)
      .map([&](std::unique_ptr<FramedArray> readings) {
        return std::unique_ptr<FramedForce>(
            new FramedForce(with_ends, description.status, std::move(readings)));
      });
}

bool FramedForce::at_its_end(double reading) const {
  return (options_.lowest_reading && reading <= *options_.lowest_reading) ||
         (options_.highest_reading && reading >= *options_.highest_reading);
}

ForceSample FramedForce::sample_of(const TactileFrame& frame) {
  ForceSample sample;
  sample.host_time_ns = frame.host_time_ns;
  sample.record = frame.sequence.value_or(++records_);
  sample.tick = frame.tick.value_or(0);
  sample.status = frame.status;
  bool ends = std::any_of(frame.counts.begin(), frame.counts.end(),
                          [&](double reading) { return at_its_end(reading); });
  const auto wrench_SI = options_.readings.wrench_SI(frame.counts);
  for (std::size_t axis = 0; axis < 6; ++axis) {
    const double worth_SI = scale().SI_per_count[axis];
    if (worth_SI == 0) continue;
    const double counts = std::round(wrench_SI[axis] / worth_SI);
    ends = ends || std::abs(counts) > kMostCounts;
    sample.counts[axis] =
        static_cast<std::int32_t>(std::clamp(counts, -kMostCounts - 1, kMostCounts));
  }
  if (ends) sample.status |= kAtItsEnd;
  sample.valid = !ends && (!status_ || status_->usable(frame.status));
  return sample;
}

Result<void> FramedForce::read(std::vector<ForceSample>& into, Timeout timeout) {
  frames_.clear();
  auto got = readings_->read(frames_, timeout);
  for (const auto& frame : frames_) into.push_back(sample_of(frame));
  const auto malformed = counters().malformed;
  if (!frames_.empty()) malformed_before_ = malformed;
  const bool few = malformed - malformed_before_ < kMostMalformed;
  if (!got && got.error().code == ErrorCode::kProtocol && few)
    return fail(ErrorCode::kTimeout, "{}", got.error().message);
  return got;
}

std::string FramedForce::describe_status(std::uint32_t status) const {
  auto text = status_ ? status_->describe(status & ~kAtItsEnd) : "";
  if ((status & kAtItsEnd) != 0)
    text += fmt::format("{}the converter is at the end of its range", text.empty() ? "" : "; ");
  return text;
}

}  // namespace tactelier::devices
