#pragma once
// What a force/torque sensor can do, whoever made it. Samples keep the device's own integers; the
// scale says what a count is worth.

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "devices/link/host_clock.hpp"
#include "libcalib/result.hpp"

namespace tactelier::devices {

/// One reading: Fx, Fy, Fz, Tx, Ty, Tz in the sensor's frame. A one-axis cell fills Fz alone.
struct ForceSample {
  std::int64_t host_time_ns = 0;  // arrival
  std::int64_t record = 0;        // the device's number of it, unwrapped: record / rate is its time
  std::int64_t tick = 0;          // the device's free-running clock, unwrapped; 0 if it has none
  std::array<std::int32_t, 6> counts{};
  std::uint32_t status = 0;  // the device's own word
  bool valid = true;         // false: the device says that these counts mean nothing
};

struct ForceScale {
  std::array<double, 6> SI_per_count{};   // N, N, N, N*m, N*m, N*m; 0 where there is no such axis
  std::array<double, 6> full_scale_SI{};  // calibrated range, +-; 0 when unknown

  std::array<double, 6> wrench_SI(const ForceSample& sample) const {
    std::array<double, 6> wrench{};
    for (std::size_t axis = 0; axis < 6; ++axis)
      wrench[axis] = SI_per_count[axis] * sample.counts[axis];
    return wrench;
  }
};

/// How much of the calibrated range a wrench takes, all axes together:
///   load = sqrt(sum over axes (w / full scale)^2)        1 = one axis at its end, the others 0
/// An axis without a known range counts nothing.
double combined_load(const std::array<double, 6>& wrench_SI, const ForceScale& scale);

/// Above this the sensor is overloaded: 105 % of the combined range.
constexpr double kOverload = 1.05;

/// What a stream has lived through since it was opened.
struct StreamCounters {
  std::int64_t received = 0;      // samples handed over
  std::int64_t lost = 0;          // numbers that never came, or came too late
  std::int64_t lost_in_host = 0;  // of these, datagrams that this computer had no room for
  std::int64_t duplicates = 0;
  std::int64_t out_of_order = 0;  // came after their successor and were dropped; counted as lost
  std::int64_t malformed = 0;
  std::int64_t timeouts = 0;
  std::int64_t restarts = 0;  // numbering began anew
};

class ForceSensor {
 public:
  virtual ~ForceSensor() = default;

  /// Begins to stream; again after a time-out to take the stream back.
  virtual Result<void> start() = 0;

  /// Waits for at least one sample and appends what has come. Fails with kTimeout on silence, kIo
  /// when the wire is gone, kProtocol after ten messages that make no sense, kDeviceFault when the
  /// device has stopped measuring; samples appended before that stay.
  virtual Result<void> read(std::vector<ForceSample>& into, Timeout timeout) = 0;

  virtual Result<void> stop() = 0;

  /// Samples have arrived that read() has not handed over: what is late then is this computer and
  /// not the sensor. False where nobody can tell. Any thread.
  virtual bool unread() const { return false; }

  virtual const ForceScale& scale() const = 0;
  virtual double rate_hz() const = 0;  // nominal
  virtual const StreamCounters& counters() const = 0;
  /// "saturated; internal temperature": a sample's status in words, empty when healthy.
  virtual std::string describe_status(std::uint32_t status) const = 0;
};

}  // namespace tactelier::devices
