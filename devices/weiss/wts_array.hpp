#pragma once
// A Weiss WTS array (WTS 0614 and relatives): asks for its shape, streams raw frames at a fixed
// period. The device isn't tared: offsets are found in the recording.

#include <string>

#include "devices/link/connector.hpp"
#include "devices/weiss/weiss_array.hpp"
#include "devices/weiss/wts_protocol.hpp"

namespace tactelier::devices {

struct WtsOptions {
  std::string url;           // "serial:/dev/ttyACM0?baud=115200"
  int period_ms = 0;         // 0: as fast as the device can; else lost frames can be counted
  bool run_lengths = false;  // shorter frames while little is pressed
};

class WtsArray final : public WeissArray {
 public:
  /// Stops what streams, then asks for the matrix. Fails with kTimeout when nothing answers as a
  /// WTS does, with kDeviceFault and the device's own words when it refuses.
  static Result<std::unique_ptr<WtsArray>> open(const WtsOptions& options,
                                                const Connector& connect);

  Result<void> start() override;
  Result<void> stop() override;
  const WtsMatrix& matrix() const { return matrix_; }

 private:
  WtsArray(const WtsOptions& options, std::unique_ptr<Link> link);

  Result<Bytes> ask(WtsCommand command, const Bytes& payload);
  bool periodic() const override { return options_.period_ms > 0; }
  std::int64_t lost_in(std::int64_t step_ms) override;
  std::vector<double> counts_of(const std::vector<std::uint16_t>& cells) const override {
    return {cells.begin(), cells.end()};
  }

  WtsOptions options_;
  WtsMatrix matrix_;
};

}  // namespace tactelier::devices
