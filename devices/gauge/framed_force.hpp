#pragma once
// Force sensors whose readings come in frames or lines that a description covers: one-axis cells on
// an HX711-type converter (10 or 80 readings a second) and six gages behind a DAQ bridge, whose
// .cal file makes a wrench of them. Both are full force sensors.

#include <memory>
#include <optional>
#include <string>
#include <variant>

#include "devices/ati/cal_file.hpp"
#include "devices/framed/framed_array.hpp"
#include "devices/interface/force_sensor.hpp"

namespace tactelier::devices {

/// One channel, force along z. Counts are readings / step; a reading is worth N_per_reading.
struct OneAxisCell {
  double N_per_reading = 0;  // negative when pressing reads negative
  double full_scale_N = 0;   // 0: unknown
  double step = 1;           // resolution of the readings: 1 for integers
};

/// Six channels in volts, w = M (V - V_bias). Counts are 1 uN and 10 nN*m.
struct SixGages {
  GageCalibration calibration;
  double V_per_reading = 1;
  GageVolts bias_V{};
};

struct FramedForceOptions {
  std::string url;
  double rate_hz = 80;  // nominal
  std::variant<OneAxisCell, SixGages> kind;
  /// A reading at or beyond these is the converter's end, not a force. 24 bits: -8388608, 8388607.
  std::optional<double> lowest_reading, highest_reading;
};

class FramedForce final : public ForceSensor {
 public:
  /// Fails with kInvalidInput when the description hasn't one channel, or six.
  static Result<std::unique_ptr<FramedForce>> open(const FramedForceOptions& options,
                                                   const DeviceDescription& description,
                                                   const Connector& connect);

  Result<void> start() override { return readings_->start(); }
  Result<void> read(std::vector<ForceSample>& into, Timeout timeout) override;
  Result<void> stop() override { return readings_->stop(); }
  const ForceScale& scale() const override { return scale_; }
  double rate_hz() const override { return options_.rate_hz; }
  const StreamCounters& counters() const override { return readings_->counters(); }
  /// 1: a reading at the converter's end.
  std::string describe_status(std::uint32_t status) const override;

 private:
  FramedForce(const FramedForceOptions& options, std::unique_ptr<FramedArray> readings);

  ForceSample sample_of(const TactileFrame& frame);

  FramedForceOptions options_;
  std::unique_ptr<FramedArray> readings_;
  ForceScale scale_;
  std::vector<TactileFrame> frames_;
  std::int64_t records_ = 0;
};

}  // namespace tactelier::devices
