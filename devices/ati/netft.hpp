#pragma once
// An ATI Net F/T box (Nano17, Mini40, ...): its scale comes from its web page, or by its command
// interface where that can't be had, or from the user, for boxes that tell it nowhere (OnRobot HEX,
// rdt_protocol.hpp); its samples come as UDP datagrams. The driver never biases the
// box: a tare is ours and stands in the recording.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "devices/ati/netft_config.hpp"
#include "devices/ati/rdt_sequence.hpp"
#include "devices/interface/force_sensor.hpp"
#include "devices/link/connector.hpp"

namespace tactelier::devices {

struct NetFtOptions {
  std::string url;             // "udp:192.168.1.1:49152"
  std::string http;            // "http://192.168.1.1"; empty: the command interface alone
  std::optional<int> rate_hz;  // 1 .. 7000; as the box is set when not given
  double timeout_scale = 1;    // web page and command interface may take so many times longer
  std::string command = "";    // "tcp:192.168.1.1:49151"; empty: the web page alone
  std::array<double, 6> full_scale_SI{};  // N, N*m: the command interface doesn't tell it
  bool write_settings = true;             // false: the box stays as it is set
  std::optional<double> counts_per_N = {}, counts_per_Nm = {};  // stated: nobody is asked
  std::optional<int> period_ms = {};  // OnRobot's set speed; with stated counts only
};

class NetFt final : public ForceSensor {
 public:
  /// Reads the box's page and, when another rate is asked for, sets it and reads the page again:
  /// one request at a time with pauses, because the box ignores what comes too fast. The box may
  /// choose the next higher rate it can make. Without a page the command interface tells units and
  /// counts; it can't set the rate nor tell the tool transform, which is set to none.
  /// With stated counts nothing is asked of the box, and any status but 0 makes a sample invalid:
  /// whose table it is, nobody said.
  /// Fails with what page, reply or link say, with kUsage when none of these ways, more than one
  /// that states or no range is given, and with kDeviceFault when RDT is switched off, the rate
  /// wasn't taken, or (write_settings) the box moves the wrench itself: ranges and limits are about
  /// the sensor's own origin.
  static Result<std::unique_ptr<NetFt>> open(const NetFtOptions& options, const Connector& connect);

  /// Stops what runs, throws away what is queued and asks for records until they come, ten times in
  /// all. Fails with kTimeout when none do.
  Result<void> start() override;
  Result<void> read(std::vector<ForceSample>& into, Timeout timeout) override;
  /// Fails only when the link is gone; a box that doesn't hear the first stop gets a second.
  Result<void> stop() override;
  bool unread() const override { return link_->readable(); }

  const ForceScale& scale() const override { return config_.scale; }
  double rate_hz() const override { return rate_hz_; }
  const StreamCounters& counters() const override { return counters_; }
  std::string describe_status(std::uint32_t status) const override;

  const NetFtConfig& config() const { return config_; }

 private:
  NetFt(NetFtConfig config, std::unique_ptr<Link> link, const NetFtOptions& options);

  Result<void> request(RdtCommand command, std::uint32_t count = 0);
  Result<void> request_start();
  /// Appends what a datagram brings that is new.
  Result<void> take(ByteView datagram, const Received& received, std::vector<ForceSample>& into);
  Result<void> take(const RdtRecord& record, std::int64_t host_time_ns,
                    std::vector<ForceSample>& into);
  Result<void> malformed(const std::string& why);

  NetFtConfig config_;
  std::unique_ptr<Link> link_;
  double rate_hz_;
  bool stated_;                   // its counts are
  std::optional<int> period_ms_;  // to be set at each start
  RdtSequence sequence_;
  StreamCounters counters_;
  Bytes buffer_;
  std::vector<ForceSample> early_;  // came while start() waited for them
  int malformed_in_a_row_ = 0;
  std::uint32_t dropped_ = 0;
};

}  // namespace tactelier::devices
