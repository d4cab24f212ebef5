#pragma once
// A stage behind GRBL 1.1, grblHAL or FluidNC. One line is sent at a time and its answer awaited;
// real-time bytes go ahead of it. Positions are trusted from homing until an alarm, a restart, a
// hang-up or silence could have lost steps.

#include <atomic>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "devices/grbl/commanded_motion.hpp"
#include "devices/interface/motion_stage.hpp"
#include "devices/link/connector.hpp"

namespace tactelier::devices {

struct GrblOptions {
  std::string url;                 // "serial:/dev/ttyUSB0?baud=115200"
  double poll_hz = 10;             // 1 .. 20
  bool write_settings = true;      // $1=255, $10=3 and soft limits; FluidNC keeps its own in a file
  std::optional<double> safe_z_m;  // where a stop retracts to; a stop stays where it is without
  double abort_raise_m = 5e-3;     // how far an abort raises the tool
  double retract_m_per_s = 5e-3;
  double timeout_scale = 1;  // answers may take so many times longer
  /// Where the machine's zero lies in the rig's stage frame. GRBL counts downwards from its
  /// reference switches; rig files, plans and everybody above this driver use the rig's frame.
  StagePosition machine_zero_m{};
};

class GrblStage final : public MotionStage {
 public:
  /// Opens the link, which resets many boards, and waits for the banner; where none comes, asks for
  /// it with a soft reset. Then reads the settings and, unless told otherwise, keeps the motors
  /// powered ($1=255), soft limits on and reports in machine coordinates. Fails with kDeviceFault
  /// when the machine is set to inches or something else answers.
  static Result<std::unique_ptr<GrblStage>> open(const GrblOptions& options,
                                                 const Connector& connect);

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
  Result<void> hold_now() override;
  Result<void> reset_now() override;
  double braking_s() const override { return braking_s_; }
  void on_report(std::function<void(const StageSample&)> tell) override {
    on_report_ = std::move(tell);
  }

  bool position_trusted() const override { return trusted_; }
  std::string position_doubt() const override { return trusted_ ? "" : doubt_; }
  bool silent() const override { return silent_; }
  const StageTravel& travel() const override { return travel_; }

  /// Reconstructed from the commanded moves, corrected by the reports.
  StagePosition position_at(std::int64_t host_time_ns) const { return motion_.at(host_time_ns); }
  GrblDialect dialect() const { return dialect_; }
  const std::map<int, double>& settings() const { return settings_; }
  /// $number=value, for good, and read back. Fails with kDeviceFault where the controller refuses
  /// or keeps another value.
  Result<void> keep_setting(int number, double value);
  StageState state() const { return last_.state; }
  /// Lines that made no sense, damaged reports among them.
  std::int64_t malformed() const { return malformed_; }

 private:
  static constexpr std::int64_t kStopping_ns = 25'000'000;  // between questions while it stops

  GrblStage(const GrblOptions& options, std::unique_ptr<Link> link);

  Result<void> connect();
  Result<void> read_settings();
  Result<void> set(int number, double value);

  /// Listens once, at most so long, and acts on what came. A time-out is no error here.
  Result<void> listen(Timeout timeout);
  void handle(const GrblLine& line);
  void handle_report(const GrblReport& report);
  StagePosition machine_from_rig_m(const StagePosition& at_m) const;
  Result<void> send_byte(std::uint8_t byte);
  /// By a thread that may not wait: behind a line that is being written, not into it.
  Result<void> send_now(ByteView bytes);
  /// Whether a stop byte was sent since the last stop was dealt with.
  bool told_to_stop() const { return stops_sent_ != stops_over_; }
  Result<void> ask_when_due(std::int64_t period_ns);
  /// Sends a line and waits for its answer.
  Result<void> command(const std::string& line, Timeout timeout);
  Result<void> wait_for_banner(Timeout timeout);
  /// Asks for reports until the state is one of these.
  Result<void> wait_for_state(std::initializer_list<StageState> states, Timeout timeout);
  Result<void> reset();
  /// Until it stands and nothing that was sent can move it any more. Ends in kIdle, kHold or
  /// kAlarm.
  Result<void> come_to_rest();
  /// What a stop leaves in the controller is thrown away, at rest.
  Result<void> clear_stop();
  Result<void> send_motion(const std::string& line, const StagePosition& to_m,
                           double speed_m_per_s);
  Result<void> check_may_move(double speed_m_per_s, const StagePosition& from_m,
                              const StagePosition& to_m) const;
  void doubt(std::string why);
  Error fall_silent(const std::string& what);
  Result<void> fault_or_ok();
  std::int64_t now_ns() const { return link_->clock().now_ns(); }
  std::int64_t patient_ns(std::int64_t usual_ns) const {
    return static_cast<std::int64_t>(static_cast<double>(usual_ns) * options_.timeout_scale);
  }

  GrblOptions options_;
  std::unique_ptr<Link> link_;
  GrblLineSplitter splitter_;
  GrblDialect dialect_ = GrblDialect::kGrbl;
  std::map<int, double> settings_;
  StageTravel travel_;
  CommandedMotion motion_;

  StageSample last_;
  StagePosition planned_m_{};  // where the last accepted move ends
  StagePosition offset_m_{};   // WCO
  std::vector<StageSample> samples_;
  std::int64_t asked_ns_ = 0, unanswered_ns_ = 0;
  bool report_due_ = false, homing_ = false, expect_banner_ = false, banner_seen_ = false;
  std::int64_t heard_ns_ = 0;
  int owed_ = 0;   // lines that were sent and not answered
  int error_ = 0;  // of the last answer
  std::optional<int> alarm_;
  std::string fault_;  // not yet reported to the caller
  bool trusted_ = false, locked_ = false, silent_ = false;
  std::string doubt_ = "not homed since it was connected";
  // By hold_now(), reset_now(); stop(), abort() go on from there.
  std::atomic<int> stops_sent_ = 0, stops_over_ = 0;
  std::recursive_timed_mutex sending_;  // a line goes whole, and none behind a stop
  bool stopping_ = false;               // stop_jog() is at work
  std::atomic<double> braking_s_ = 0;
  std::function<void(const StageSample&)> on_report_;
  std::atomic<std::int64_t> reset_sent_ns_ = std::numeric_limits<std::int64_t>::min() / 2;
  std::int64_t malformed_ = 0;
};

}  // namespace tactelier::devices
