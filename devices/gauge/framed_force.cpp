#include "devices/gauge/framed_force.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tactelier::devices {
namespace {

constexpr double kN_per_count = 1e-6;
constexpr double kNm_per_count = 1e-8;  // up to 21 N*m
constexpr std::uint32_t kAtItsEnd = 1;

std::int32_t to_count(double value) {
  constexpr double kMost = std::numeric_limits<std::int32_t>::max();
  return static_cast<std::int32_t>(std::clamp(std::round(value), -kMost - 1, kMost));
}

ForceScale scale_of(const OneAxisCell& cell) {
  ForceScale scale;
  scale.SI_per_count[2] = cell.N_per_reading * cell.step;
  scale.full_scale_SI[2] = cell.full_scale_N;
  return scale;
}

ForceScale scale_of(const SixGages& gages) {
  ForceScale scale;
  for (std::size_t axis = 0; axis < 6; ++axis)
    scale.SI_per_count[axis] = axis < 3 ? kN_per_count : kNm_per_count;
  scale.full_scale_SI = gages.calibration.full_scale_SI;
  return scale;
}

}  // namespace

FramedForce::FramedForce(const FramedForceOptions& options, std::unique_ptr<FramedArray> readings)
    : options_(options), readings_(std::move(readings)) {
  scale_ = std::visit([](const auto& kind) { return scale_of(kind); }, options_.kind);
}

Result<std::unique_ptr<FramedForce>> FramedForce::open(const FramedForceOptions& options,
                                                       const DeviceDescription& description,
                                                       const Connector& connect) {
  const auto* cell = std::get_if<OneAxisCell>(&options.kind);
  const std::size_t channels = cell != nullptr ? 1 : 6;
  if (description.shape.size() != channels)
    return fail(ErrorCode::kInvalidInput, "device '{}' has {} readings per frame, {} needs {}",
                description.name, description.shape.size(),
                cell != nullptr ? "a one-axis cell" : "a transducer of six gages", channels);
  if (cell != nullptr &&
      (!std::isfinite(cell->N_per_reading) || cell->N_per_reading == 0 || !(cell->step > 0)))
    return fail(ErrorCode::kInvalidInput,
                "device '{}': N_per_reading is {}, a number other than 0 expected",
                description.name, cell->N_per_reading);
  return FramedArray::open(options.url, description, connect)
      .map([&](std::unique_ptr<FramedArray> readings) {
        return std::unique_ptr<FramedForce>(new FramedForce(options, std::move(readings)));
      });
}

ForceSample FramedForce::sample_of(const TactileFrame& frame) {
  ForceSample sample;
  sample.host_time_ns = frame.host_time_ns;
  sample.record = frame.sequence.value_or(++records_);
  sample.tick = frame.tick.value_or(0);
  for (const double reading : frame.counts) {
    const bool low = options_.lowest_reading && reading <= *options_.lowest_reading;
    const bool high = options_.highest_reading && reading >= *options_.highest_reading;
    if (low || high) sample.status = kAtItsEnd;
  }
  sample.valid = sample.status == 0;
  if (const auto* cell = std::get_if<OneAxisCell>(&options_.kind)) {
    sample.counts[2] = to_count(frame.counts[0] / cell->step);
    return sample;
  }
  const auto& gages = std::get<SixGages>(options_.kind);
  GageVolts volts{};
  for (std::size_t gage = 0; gage < 6; ++gage)
    volts[gage] = frame.counts[gage] * gages.V_per_reading;
  const auto wrench = gages.calibration.wrench_SI(volts, gages.bias_V);
  for (std::size_t axis = 0; axis < 6; ++axis)
    sample.counts[axis] = to_count(wrench[axis] / scale_.SI_per_count[axis]);
  return sample;
}

Result<void> FramedForce::read(std::vector<ForceSample>& into, Timeout timeout) {
  frames_.clear();
  auto got = readings_->read(frames_, timeout);
  for (const auto& frame : frames_) into.push_back(sample_of(frame));
  return got;
}

std::string FramedForce::describe_status(std::uint32_t status) const {
  return (status & kAtItsEnd) != 0 ? "the converter is at the end of its range" : "";
}

}  // namespace tactelier::devices
