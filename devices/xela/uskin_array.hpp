#pragma once
// A XELA uSkin module on a CAN bus: an interface of Linux, or a USB adapter that speaks slcan. Each
// tactel has three channels: X, Y (shear), Z (normal). Lost messages spoil their round and are
// counted as damaged; a round that is lost as a whole nobody sees: there is no clock and no number.

#include <memory>
#include <string>

#include "devices/interface/tactile_array.hpp"
#include "devices/xela/can_bus.hpp"
#include "devices/xela/uskin_protocol.hpp"

namespace tactelier::devices {

struct UskinOptions {
  std::string url;  // "can:can0", or "serial:/dev/ttyUSB0?baud=3000000" of an adapter
  int rows = 4, columns = 4;
  int board = 1;
  std::uint32_t first_id = kUskinFirstId;  // of tactel 0; the others follow, row by row
};

class UskinArray final : public TactileArray {
 public:
  /// Fails with kUsage on options that make no sense, else as open_can_bus().
  static Result<std::unique_ptr<UskinArray>> open(const UskinOptions& options,
                                                  const Connector& connect);

  /// Opens the bus and triggers the board.
  Result<void> start() override;
  Result<void> read(std::vector<TactileFrame>& into, Timeout timeout) override;
  /// Closes the bus: no message that would end a board's stream is known.
  Result<void> stop() override;
  const TactileShape& shape() const override { return shape_; }
  const StreamCounters& counters() const override { return counters_; }

 private:
  UskinArray(const UskinOptions& options, std::unique_ptr<CanBus> bus);

  void take(const CanMessage& message, std::vector<TactileFrame>& into);

  UskinOptions options_;
  std::unique_ptr<CanBus> bus_;
  UskinRounds rounds_;
  TactileShape shape_;
  StreamCounters counters_;
};

}  // namespace tactelier::devices
