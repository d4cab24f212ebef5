#include "devices/gauge/length_gauge.hpp"

#include <cmath>

namespace tactelier::devices {

Result<std::unique_ptr<LengthGauge>> LengthGauge::open(const LengthGaugeOptions& options,
                                                       const DeviceDescription& description,
                                                       const Connector& connect) {
  if (description.shape.size() != 1)
    return fail(ErrorCode::kInvalidInput, "device '{}' has {} readings per frame, a gauge has 1",
                description.name, description.shape.size());
  if (!std::isfinite(options.m_per_reading) || options.m_per_reading == 0)
    return fail(ErrorCode::kInvalidInput,
                "device '{}': m_per_reading is {}, a number other than 0 expected",
                description.name, options.m_per_reading);
  return FramedArray::open(options.url, description, connect)
      .map([&](std::unique_ptr<FramedArray> readings) {
        return std::unique_ptr<LengthGauge>(new LengthGauge(options, std::move(readings)));
      });
}

Result<void> LengthGauge::read(std::vector<LengthSample>& into, Timeout timeout) {
  frames_.clear();
  auto got = readings_->read(frames_, timeout);
  for (const auto& frame : frames_)
    into.push_back({frame.host_time_ns, frame.tick, frame.counts[0] * options_.m_per_reading});
  return got;
}

}  // namespace tactelier::devices
