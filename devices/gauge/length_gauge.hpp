#pragma once
// A second opinion on depth: encoder, LVDT or dial gauge with a data line. Where the stage's own
// position is only commanded, this one is measured (column z_enc of a session).

#include <memory>
#include <string>
#include <vector>

#include "devices/framed/framed_array.hpp"

namespace tactelier::devices {

struct LengthSample {
  std::int64_t host_time_ns = 0;
  std::optional<std::int64_t> tick;  // the device's clock, unwrapped
  double position_m = 0;             // of the gauge's own zero, its sign set by m_per_reading
};

struct LengthGaugeOptions {
  std::string url;
  double m_per_reading = 0;  // negative when the gauge counts up as the indenter goes down
};

class LengthGauge {
 public:
  /// Fails with kInvalidInput when the description hasn't exactly one reading per frame.
  static Result<std::unique_ptr<LengthGauge>> open(const LengthGaugeOptions& options,
                                                   const DeviceDescription& description,
                                                   const Connector& connect);

  Result<void> start() { return readings_->start(); }
  /// As TactileArray::read().
  Result<void> read(std::vector<LengthSample>& into, Timeout timeout);
  Result<void> stop() { return readings_->stop(); }
  const StreamCounters& counters() const { return readings_->counters(); }
  /// Of LengthSample::tick; 0 without a clock.
  double tick_s() const { return readings_->shape().tick_s; }

 private:
  LengthGauge(const LengthGaugeOptions& options, std::unique_ptr<FramedArray> readings)
      : options_(options), readings_(std::move(readings)) {}

  LengthGaugeOptions options_;
  std::unique_ptr<FramedArray> readings_;
  std::vector<TactileFrame> frames_;
};

}  // namespace tactelier::devices
