#pragma once
// Force sensors whose readings come in frames or lines that a description covers: one-axis cells on
// an HX711-type converter (10 or 80 readings a second), six gages behind a DAQ bridge whose .cal
// file makes a wrench of them, and six-axis sensors that send forces and torques (Bota, Robotiq,
// Resense). They differ in what a reading is worth (force_readings.hpp); all are full force
// sensors.

#include <memory>
#include <optional>
#include <string>

#include "devices/framed/framed_array.hpp"
#include "devices/gauge/force_readings.hpp"

namespace tactelier::devices {

struct FramedForceOptions {
  std::string url;
  double rate_hz = 80;  // nominal
  ForceReadings readings;
  /// A reading at or beyond these is the converter's end, not a force. 24 bits: -8388608, 8388607.
  /// Where nothing is stated: the ends of the integers in a frame, 0 of unsigned ones left out.
  std::optional<double> lowest_reading, highest_reading;
};

class FramedForce final : public ForceSensor {
 public:
  /// Fails with kInvalidInput when the description has more or fewer readings than these.
  static Result<std::unique_ptr<FramedForce>> open(const FramedForceOptions& options,
                                                   const DeviceDescription& description,
                                                   const Connector& connect);

  Result<void> start() override { return readings_->start(); }
  Result<void> read(std::vector<ForceSample>& into, Timeout timeout) override;
  Result<void> stop() override { return readings_->stop(); }
  const ForceScale& scale() const override { return options_.readings.scale; }
  double rate_hz() const override { return options_.rate_hz; }
  const StreamCounters& counters() const override { return readings_->counters(); }
  /// The device's own word; above it kAtItsEnd.
  std::string describe_status(std::uint32_t status) const override;

  /// A reading at the end of its range, or a force beyond what counts can hold.
  static constexpr std::uint32_t kAtItsEnd = 1U << 31U;

 private:
  FramedForce(const FramedForceOptions& options, std::optional<StatusWord> status,
              std::unique_ptr<FramedArray> readings);

  ForceSample sample_of(const TactileFrame& frame);
  bool at_its_end(double reading) const;

  FramedForceOptions options_;
  std::optional<StatusWord> status_;
  std::unique_ptr<FramedArray> readings_;
  std::vector<TactileFrame> frames_;
  std::int64_t records_ = 0;
  std::int64_t malformed_before_ = 0;  // until the last sample
};

}  // namespace tactelier::devices
