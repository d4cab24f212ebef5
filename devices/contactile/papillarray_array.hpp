#pragma once
// One of the PapillArrays of a Contactile controller: per pillar the force (N) or the displacement
// of its tip (mm) along X, Y and Z, as the controller makes it of what its photodiodes see. Lost
// packets are counted by their number.

#include <memory>
#include <string>

#include "devices/contactile/papillarray_protocol.hpp"
#include "devices/interface/tactile_array.hpp"
#include "devices/link/connector.hpp"

namespace tactelier::devices {

struct PapillArrayOptions {
  std::string url;             // "serial:/dev/ttyACM0"
  int array = 0;               // which of those in a packet
  bool displacements = false;  // in place of forces
  int rate_hz = 0;             // one of kPapillArrayRates_hz; 0: as the controller is set
  bool change_settings = true;
};

class PapillArray final : public TactileArray {
 public:
  /// Listens for a packet: it tells how many pillars there are. Fails with kUsage on a rate that
  /// the controller doesn't have, with kTimeout when no packet comes, with kInvalidInput when there
  /// is no such array.
  static Result<std::unique_ptr<PapillArray>> open(const PapillArrayOptions& options,
                                                   const Connector& connect);

  /// Sets the rate. Sends no bias: whether nothing lies on the pillars only you know.
  Result<void> start() override;
  Result<void> read(std::vector<TactileFrame>& into, Timeout timeout) override;
  /// Sends nothing: no command that ends the packets is known.
  Result<void> stop() override { return {}; }
  const TactileShape& shape() const override { return shape_; }
  const StreamCounters& counters() const override { return counters_; }

 private:
  PapillArray(const PapillArrayOptions& options, std::unique_ptr<Link> link);

  Result<void> learn_shape();
  Result<void> listen(Timeout timeout);
  void take(const PapillArrayPacket& packet, std::vector<TactileFrame>& into);

  PapillArrayOptions options_;
  std::unique_ptr<Link> link_;
  PapillArrayFinder finder_;
  TactileShape shape_;
  UnwrappedCounter numbers_;
  std::optional<std::int64_t> last_number_;
  StreamCounters counters_;
  Bytes buffer_;
  std::int64_t heard_ns_ = 0, undecodable_ = 0;
};

}  // namespace tactelier::devices
