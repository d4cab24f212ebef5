#pragma once
// What the drivers of both Weiss families do alike: ask and wait for the answer, take frames, count
// what is missing by the device's millisecond clock.

#include <memory>
#include <string_view>

#include "devices/interface/tactile_array.hpp"
#include "devices/weiss/weiss_frame.hpp"

namespace tactelier::devices {

class WeissArray : public TactileArray {
 public:
  Result<void> read(std::vector<TactileFrame>& into, Timeout timeout) override;
  const TactileShape& shape() const override { return shape_; }
  const StreamCounters& counters() const override { return counters_; }

 protected:
  /// `family`: "a Weiss WTS", for messages.
  WeissArray(WeissDialect dialect, std::string_view family, std::unique_ptr<Link> link);

  /// The reply's payload after its status; frames that come meanwhile are dropped. Fails with
  /// kTimeout when no reply comes in time, with kDeviceFault and the device's own words when it
  /// refuses.
  Result<Bytes> ask(std::uint8_t command, ByteView payload, Timeout answer);
  /// Throws away what has come and what comes until it is quiet for `quiet`, `most` in all.
  Result<void> discard(Timeout quiet, Timeout most);
  Result<void> send_unanswered(std::uint8_t command, ByteView payload);

  /// What is read from now on are frames of that many cells, handed on in that shape.
  void expect(std::size_t cells, const TactileShape& shape);
  /// A new stream: the time to its first frame says nothing.
  void begin_stream() { last_tick_.reset(); }

  /// Whether frames come at a period of their own, so that two at one time are the same.
  virtual bool periodic() const = 0;
  /// Frames that never came between two that did, `step_ms` (above 0) apart by the device's clock.
  virtual std::int64_t lost_in(std::int64_t step_ms) = 0;
  /// Those of a frame's cells that are handed on, in the order of the shape.
  virtual std::vector<double> counts_of(const std::vector<std::uint16_t>& cells) const = 0;

  Link& link() { return *link_; }

 private:
  Result<void> listen(Timeout timeout);
  void take(const WeissFrame<std::uint8_t>& frame, std::int64_t host_time_ns,
            std::vector<TactileFrame>& into);

  WeissDialect dialect_;
  std::string_view family_;
  std::unique_ptr<Link> link_;
  WeissFrameFinder finder_;
  std::size_t cells_ = 0;
  TactileShape shape_;
  UnwrappedCounter ticks_;
  std::optional<std::int64_t> last_tick_;
  StreamCounters counters_;
  Bytes buffer_;
  std::int64_t undecodable_ = 0, heard_ns_ = 0;
};

}  // namespace tactelier::devices
