#pragma once
// A recorded session as live devices: force sensor, tactile array and stage that say again, at the
// pace of then, what they said while it was recorded. For trying out a supervisor, a plot or a
// protocol without a rig.
//
// A sample comes when it arrived: host time = start + (arrival - begin) / speed, where arrival is
// t_host, or t of a stream on the host's clock, and begin is the first arrival of any stream. The
// first start() of any device starts all of them. Nothing is lost: what a slow reader leaves waits.

#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "devices/interface/force_sensor.hpp"
#include "devices/interface/motion_stage.hpp"
#include "devices/interface/tactile_array.hpp"
#include "libcalib/session/session.hpp"

namespace tactelier::devices {

/// What the devices of one replay share.
struct ReplayShared {
  Session session;
  HostClock& clock;
  double speed = 1;
  double begin_s = 0;
  std::optional<std::int64_t> start_ns;
  /// Its devices are read by threads of their own.
  std::unique_ptr<std::mutex> mutex = std::make_unique<std::mutex>();

  std::int64_t due_ns(double arrival_s) const;
};

/// One stream's rows in the order and at the time of their arrival, a second decoded at a time.
class ReplayStream {
 public:
  /// `wanted`: columns beside t and t_host; ones that the stream lacks are left out.
  ReplayStream(std::shared_ptr<ReplayShared> shared, StreamKind kind,
               const std::vector<std::string>& wanted);

  struct Row {
    std::int64_t host_time_ns = 0;
    double time_s = 0;           // on the stream's own clock
    std::vector<double> values;  // as columns(); NaN where the recording has none
  };
  /// Waits for at least one row and appends all that are due. Fails with kTimeout, at the end of
  /// the recording with kIo.
  Result<void> read(std::vector<Row>& into, Timeout timeout);
  void start();
  const std::vector<std::string>& columns() const { return columns_; }
  /// Index in columns(), nothing when the recording lacks it.
  std::optional<std::size_t> find(const std::string& name) const;

 private:
  /// Makes samples_ hold a row that hasn't been given, or finds the end.
  Result<bool> refill();

  std::shared_ptr<ReplayShared> shared_;
  StreamKind kind_;
  std::vector<std::string> columns_;  // what is read, t_host last where there is one
  bool arrival_ = false;
  Samples samples_;
  std::size_t next_ = 0;
  double window_s_ = 0, end_s_ = 0;
};

class Replay {
 public:
  /// Fails as Session::open() does, with kUsage on a speed of 0 or less, and with kInvalidInput on
  /// a stream on a clock of its own without t_host: nobody knows when it arrived.
  static Result<Replay> open(const std::filesystem::path& file, HostClock& clock, double speed = 1);

  /// Each fails with kInvalidInput when the recording has no such stream.
  Result<std::unique_ptr<ForceSensor>> force() const;
  Result<std::unique_ptr<TactileArray>> tactile() const;
  /// Reports positions; refuses to home, move and jog with kUsage.
  Result<std::unique_ptr<MotionStage>> stage() const;

 private:
  explicit Replay(std::shared_ptr<ReplayShared> shared) : shared_(std::move(shared)) {}

  std::shared_ptr<ReplayShared> shared_;
};

}  // namespace tactelier::devices
