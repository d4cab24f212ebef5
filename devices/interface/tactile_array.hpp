#pragma once
// What a tactile array can do, whoever made it. Frames hold the device's own numbers.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "devices/interface/force_sensor.hpp"
#include "devices/link/host_clock.hpp"
#include "libcalib/result.hpp"

namespace tactelier::devices {

/// One reading of all tactels.
struct TactileFrame {
  std::int64_t host_time_ns = 0;         // when its last byte was read
  std::optional<std::int64_t> tick;      // the device's clock, unwrapped; TactileShape::tick_s
  std::optional<std::int64_t> sequence;  // the device's number of it, unwrapped, or by its clock
  std::vector<double> counts;  // rows x columns x channels, row by row; whole numbers but for
                               // devices that send floating point
  std::uint32_t status = 0;    // the device's own word; 0 if it has none
};

struct TactileShape {
  int rows = 0, columns = 0, channels = 1;
  double tick_s = 0;      // seconds per tick; 0 without a clock
  bool floating = false;  // counts may have fractions

  std::size_t size() const { return static_cast<std::size_t>(rows * columns * channels); }
};

class TactileArray {
 public:
  virtual ~TactileArray() = default;

  virtual Result<void> start() = 0;

  /// Waits for at least one frame and appends what has come. Fails with kTimeout on silence, kIo
  /// when the wire is gone, kDeviceFault when the device refuses, kProtocol when nothing that comes
  /// can be a frame.
  virtual Result<void> read(std::vector<TactileFrame>& into, Timeout timeout) = 0;

  virtual Result<void> stop() = 0;

  virtual const TactileShape& shape() const = 0;
  /// `lost`: frames missing by sequence numbers, or by the device's clock where it has a fixed
  /// period; `malformed`: frames whose check or content was wrong.
  virtual const StreamCounters& counters() const = 0;
};

/// A device's counter of some bits, going on over its wrap-around. Steps of more than half its
/// range count as backwards.
class UnwrappedCounter {
 public:
  explicit UnwrappedCounter(int bits = 32) : bits_(bits) {}

  std::int64_t next(std::uint64_t counter);

 private:
  int bits_;
  bool started_ = false;
  std::uint64_t last_ = 0;
  std::int64_t value_ = 0;
};

}  // namespace tactelier::devices
