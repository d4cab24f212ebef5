#pragma once
// A Weiss WTS array (WTS 0614 and relatives): asks for its shape, streams raw frames at a fixed
// period. The device isn't tared: offsets are found in the recording.

#include <memory>
#include <string>

#include "devices/interface/tactile_array.hpp"
#include "devices/link/connector.hpp"
#include "devices/weiss/wts_protocol.hpp"

namespace tactelier::devices {

struct WtsOptions {
  std::string url;           // "serial:/dev/ttyACM0?baud=115200"
  int period_ms = 0;         // 0: as fast as the device can; else lost frames can be counted
  bool run_lengths = false;  // shorter frames while little is pressed
};

class WtsArray final : public TactileArray {
 public:
  /// Stops what streams, then asks for the matrix. Fails with kTimeout when nothing answers as a
  /// WTS does, with kDeviceFault and the device's own words when it refuses.
  static Result<std::unique_ptr<WtsArray>> open(const WtsOptions& options,
                                                const Connector& connect);

  Result<void> start() override;
  Result<void> read(std::vector<TactileFrame>& into, Timeout timeout) override;
  Result<void> stop() override;
  const TactileShape& shape() const override { return shape_; }
  const StreamCounters& counters() const override { return counters_; }
  const WtsMatrix& matrix() const { return matrix_; }

 private:
  WtsArray(const WtsOptions& options, std::unique_ptr<Link> link);

  /// The reply's payload after its status; frames that come meanwhile are dropped.
  Result<Bytes> ask(WtsCommand command, const Bytes& payload);
  Result<void> listen(Timeout timeout);
  void take(const WtsFrame& frame, std::int64_t host_time_ns, std::vector<TactileFrame>& into);

  WtsOptions options_;
  std::unique_ptr<Link> link_;
  WtsFrameFinder finder_;
  WtsMatrix matrix_;
  TactileShape shape_;
  UnwrappedCounter ticks_;
  std::optional<std::int64_t> last_tick_;
  StreamCounters counters_;
  Bytes buffer_;
  std::int64_t undecodable_ = 0, heard_ns_ = 0;
};

}  // namespace tactelier::devices
