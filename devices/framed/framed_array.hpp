#pragma once
// The driver for every tactile board that a description covers (frame_description.hpp).

#include <memory>
#include <string>
#include <variant>

#include "devices/framed/clock_numbers.hpp"
#include "devices/framed/frame_finder.hpp"
#include "devices/framed/text_frames.hpp"
#include "devices/link/connector.hpp"

namespace tactelier::devices {

/// One frame's bytes into readings. Fails with kProtocol when a field lies outside the frame.
Result<TactileFrame> decode_frame(const DeviceDescription& device, ByteView frame);

class FramedArray final : public TactileArray {
 public:
  /// `url` may leave the baud rate to the description. Waits as the description asks for.
  /// `rate_hz`: of a stream of fixed period; frames with a clock and no number are numbered by it.
  static Result<std::unique_ptr<FramedArray>> open(const std::string& url,
                                                   DeviceDescription description,
                                                   const Connector& connect, double rate_hz = 0);

  Result<void> start() override;
  Result<void> read(std::vector<TactileFrame>& into, Timeout timeout) override;
  Result<void> stop() override;
  const TactileShape& shape() const override { return device_.shape; }
  const StreamCounters& counters() const override { return counters_; }

 private:
  FramedArray(DeviceDescription device, std::unique_ptr<Link> link, double rate_hz);

  bool answers() const { return device_.frame.kind == Framing::kAnswer; }
  std::int64_t next_poll_ns() const;
  Result<void> poll_when_due(std::vector<TactileFrame>& into);
  void take(const Received& received, std::vector<TactileFrame>& into);
  void take_found(std::int64_t host_time_ns, std::vector<TactileFrame>& into);
  void take(TactileFrame frame, std::vector<TactileFrame>& into);

  DeviceDescription device_;
  std::unique_ptr<Link> link_;
  std::variant<FrameFinder, TextFrameFinder> finder_;
  UnwrappedCounter ticks_, sequences_;
  std::optional<ClockNumbers> by_clock_;
  std::optional<std::int64_t> last_sequence_;
  StreamCounters counters_;
  Bytes buffer_;
  std::int64_t polled_ns_ = 0, heard_ns_ = 0;
  std::int64_t undecodable_ = 0, polls_ = 0;
};

}  // namespace tactelier::devices
