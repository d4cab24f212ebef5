#pragma once
// A stage of three Zaber axes: of one controller (X-MCC) or of several devices in a chain. The
// position that it reports is read in the controller at that moment, also under way; a stop
// decelerates and keeps it.
//
// Requests carry an id and a checksum, one at a time, and are repeated while no answer comes; what
// has another id, or a wrong checksum, is counted and not believed. Speed and acceleration stand in
// each "move abs" (firmware 7.25 and later), so that no setting of the controller changes with
// them. A way of several axes is one order for each (interface/axis_orders.hpp); ways wait here,
// not in the controller, which has no queue: a second "move abs" replaces the first. That is what a
// way straight on, on the same axis and at the same speed, is sent for at once: it goes on without
// a stop.
//
// On trouble that a device tells (a stall, a limit sensor, a hand at its knob, its encoder) the
// stop goes out before anything is explained.

#include <atomic>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "devices/interface/axis_orders.hpp"
#include "devices/interface/motion_stage.hpp"
#include "devices/link/connector.hpp"
#include "devices/link/line_splitter.hpp"
#include "devices/zaber/zaber_protocol.hpp"

namespace tactelier::devices {

struct ZaberOptions {
  std::string url;                     // "serial:/dev/ttyACM0?baud=115200", "tcp:HOST:55550"
  std::array<int, 3> device{1, 1, 1};  // addresses of the devices that move x, y and z
  std::array<int, 3> axis{1, 2, 3};    // and which axis of them
  /// Way of a microstep in the rig's stage frame, negative where counts go up against the axis. The
  /// protocol tells no lengths; the data sheet does, for the resolution as delivered.
  StagePosition m_per_step{};
  int resolution = 64;             // microsteps per step that m_per_step was stated for
  bool encoders = true;            // report what encoders measure, where all axes have one
  bool write_settings = true;      // comm.checksum 1, knob.enable 0
  double poll_hz = 10;             // 1 .. 20 at rest; more while it moves
  std::optional<double> safe_z_m;  // a stop raises the tool to there
  double raise_m = 5e-3;           // how far it is raised from a place that isn't trusted
  double retract_m_per_s = 5e-3;
  double timeout_scale = 1;  // answers may take so many times longer
  /// Where the counts of 0 lie in the rig's stage frame.
  StagePosition machine_zero_m{};
};

/// What a device says of itself.
struct ZaberIdentity {
  int address = 0;
  std::string id, serial, firmware;  // device.id, system.serial, version
};

class ZaberStage final : public MotionStage {
 public:
  /// Opens the link and reads what the devices say of themselves. Fails with kDeviceFault on a
  /// firmware before 7.25, on another microstep resolution, on an axis without acceleration, and
  /// where something else answers; with kInvalidInput on options that can't be.
  static Result<std::unique_ptr<ZaberStage>> open(const ZaberOptions& options,
                                                  const Connector& connect);

  /// Z first, then X and Y together. Refused where the homing of Z would go down.
  Result<void> home() override;
  Result<void> move_to(const StagePosition& target_m, double speed_m_per_s) override;
  Result<void> jog(const StagePosition& by_m, double speed_m_per_s) override;
  Result<void> stop_jog() override;
  Result<void> poll(std::vector<StageSample>& into, Timeout timeout) override;
  Result<void> wait_until_idle(Timeout timeout) override;
  Result<void> stop() override;
  Result<void> abort() override;
  void unlock() override {
    locked_ = false;
    stops_over_ = stops_sent_.load();
  }
  /// "stop" to all devices of the chain, twice in one write: a device that finds a damaged line
  /// does nothing.
  Result<void> hold_now() override;
  /// "estop" likewise: no deceleration ("estop").
  Result<void> reset_now() override;
  double braking_s() const override { return braking_s_; }
  void on_report(std::function<void(const StageSample&)> tell) override {
    on_report_ = std::move(tell);
  }

  bool position_trusted() const override { return trusted_; }
  std::string position_doubt() const override { return trusted_ ? "" : doubt_; }
  bool silent() const override { return silent_; }
  const StageTravel& travel() const override { return travel_; }

  /// Size of a microstep.
  StagePosition step_m() const;
  const std::vector<ZaberIdentity>& identities() const { return identities_; }
  /// Whether positions are those of encoders.
  bool measured() const { return measured_; }
  StageState state() const { return last_.state; }
  /// Lines that made no sense or had a wrong checksum; answers that nobody waited for.
  std::int64_t malformed() const { return malformed_; }
  std::int64_t strays() const { return strays_; }
  std::int64_t repeated() const { return repeated_; }

 private:
  enum class Purpose { kAsk, kStatus, kMove, kOther };
  struct Request {
    struct Sent {
      int id;
      std::int64_t sent_ns;
    };
    int device, axis;  // device 0: all of devices_
    std::string command;
    Purpose purpose;
    bool repeatable;
    std::vector<Sent> sent;
    std::set<int> owed;
    std::vector<ZaberLine> replies;
    std::int64_t answered_ns = 0;  // the last reply
  };
  struct Way {
    StagePosition to_m{};
    double speed_m_per_s, acceleration_m_per_s2;
    StageState kind;
  };

  /// Of a way on one axis: a way with the same heading goes on without standing in between.
  struct Heading {
    std::size_t axis;
    bool up;
    double speed_m_per_s;
    bool operator==(const Heading&) const = default;
  };

  ZaberStage(const ZaberOptions& options, std::unique_ptr<Link> link);

  // ---- requests: zaber_lines.cpp ----
  /// Listens once, at most so long, and acts on what came. A time-out is no error here.
  Result<void> listen(Timeout timeout);
  void handle(const ZaberLine& line, std::int64_t time_ns);
  void complete();
  /// Trouble is met with a stop before it is told.
  void see_flag(const ZaberLine& line);
  void stop_first(std::string why);
  Result<void> send(int device, int axis, std::string command, Purpose purpose,
                    bool repeatable = true);
  Result<void> send_again();
  Result<void> write(std::string_view bytes);
  /// By a thread that may not wait: behind a line that is being written, not into it.
  Result<void> send_now(std::string_view command, int first_id);
  /// In the thread that owns the stage: somebody has sent a stop.
  void notice_stop();
  Result<void> check_silence();
  /// Waits until the request that is under way has been answered.
  Result<void> await();
  /// Sends a command and gives its answers; a refusal is kDeviceFault.
  Result<std::vector<ZaberLine>> command(int device, int axis, std::string text);
  Error refused(const ZaberLine& line, std::string_view command) const;
  bool told_to_stop() const { return stops_sent_ != stops_over_; }
  Result<void> stopped() const;

  // ---- ways and positions: zaber_stage.cpp ----
  Result<void> go_on(std::int64_t period_ns);
  std::optional<Heading> heading(const StagePosition& from_m, const Way& way) const;
  bool goes_straight_on() const;
  Result<void> begin_next_way();
  Result<void> send_order(const AxisOrder& order);
  void take_positions(const Request& request);
  std::int64_t period_ns() const;
  Result<void> begin_way(const StagePosition& to_m, double speed_m_per_s, StageState kind);
  Result<void> check_may_move(double speed_m_per_s, const StagePosition& from_m,
                              const StagePosition& to_m) const;
  bool way_left() const { return !ways_.empty() || !orders_.empty() || under_way_; }
  StagePosition end_m() const { return ways_.empty() ? way_end_m_ : ways_.back().to_m; }
  void forget_ways();
  void rest_here();

  // ---- zaber_sequences.cpp ----
  Result<void> connect();
  Result<void> look_at_device(int device);
  Result<void> look_at_axis(std::size_t axis);
  Result<double> setting(std::size_t axis, std::string_view name);
  /// What a device says to "get"; empty where it doesn't know that.
  Result<std::optional<std::string>> told(int device, int axis, std::string_view name);
  Result<void> set_up();
  Result<void> know_place();
  Result<void> see_references();
  Result<void> home_axes(const std::vector<std::size_t>& axes);
  Result<void> come_to_rest();
  Result<void> raise_tool(double by_m);

  void doubt(std::string why);
  Error fall_silent(const std::string& what);
  Result<void> fault_or_ok();
  std::int64_t now_ns() const { return link_->clock().now_ns(); }
  std::int64_t patient_ns(std::int64_t usual_ns) const {
    return static_cast<std::int64_t>(static_cast<double>(usual_ns) * options_.timeout_scale);
  }

  ZaberOptions options_;
  std::unique_ptr<Link> link_;
  LineSplitter splitter_;
  AxisScales scales_;
  std::set<int> devices_;
  StageTravel travel_;
  std::vector<ZaberIdentity> identities_;
  bool checksums_ = false, measured_ = false;

  std::deque<Way> ways_;            // that wait
  std::deque<AxisOrder> orders_;    // of the way under way, not yet sent
  StagePosition way_end_m_{};       // where that ends
  bool end_known_ = false;          // way_end_m_ is where it stands or goes
  bool under_way_ = false;          // its orders were taken, and no report has shown rest since
  bool relative_ = false;           // orders go by counts from here: no reference
  std::optional<Heading> heading_;  // of the way under way
  StageState way_kind_ = StageState::kRun;
  StageSample last_;
  AxisSteps last_steps_{};
  bool busy_ = false, no_reference_ = false;  // as last reported
  std::vector<StageSample> samples_;
  std::optional<Request> request_;
  std::vector<ZaberLine> answers_;      // of the last request of kOther
  std::deque<std::size_t> status_due_;  // axes that are asked for their own flags
  std::set<std::string> told_flags_;    // already told, until they are cleared
  int id_ = 0;
  std::int64_t asked_ns_ = 0;
  std::string fault_;  // not yet reported to the caller
  bool homing_ = false, trusted_ = false, locked_ = false, silent_ = false;
  std::string doubt_ = "not homed since it was connected";
  // By hold_now(), reset_now(); stop(), abort() go on from there.
  std::atomic<int> stops_sent_ = 0, stops_over_ = 0;
  int stops_noticed_ = 0;
  std::set<int> stop_owed_;  // devices that haven't answered the stop
  std::string stop_command_;
  std::int64_t stop_again_ns_ = 0;
  std::atomic<bool> dead_stop_ = false;  // an estop is among those not yet noticed
  std::recursive_timed_mutex sending_;   // a line goes whole, and none behind a stop
  std::atomic<double> braking_s_ = 0;
  std::function<void(const StageSample&)> on_report_;
  std::int64_t malformed_ = 0, strays_ = 0, repeated_ = 0;
};

}  // namespace tactelier::devices
