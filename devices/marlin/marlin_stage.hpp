#pragma once
// A stage behind Marlin: a 3D printer whose tool is an indenter. Marlin can't be told to slow down.
// It goes to the end of what is planned, or it stops dead (M410), which may cost steps. So every
// way is sent in short pieces (planned_ways.hpp): stop_jog() sends no more of them and the position
// keeps; a stop is M410 and the position is void until homing.
//
// One numbered line is sent at a time and its "ok" awaited; a line that Marlin didn't understand is
// sent again. Positions are step counts, which only "M114 R" of a firmware with M114_REALTIME tells
// under way; homing finds out whether this one does. For one second after M410 Marlin reads no line
// (module/planner.cpp, quick_stop()), and carries out what waited then: its "ok" is met with M410
// again, before the 100 ms are over that a first move waits in the planner.

#include <atomic>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "devices/interface/motion_stage.hpp"
#include "devices/link/connector.hpp"
#include "devices/link/line_splitter.hpp"
#include "devices/marlin/marlin_protocol.hpp"
#include "devices/marlin/planned_ways.hpp"

namespace tactelier::devices {

struct MarlinOptions {
  std::string url;                 // "serial:/dev/ttyUSB0?baud=115200"
  double poll_hz = 10;             // 1 .. 20 at rest; more while a way is being sent
  std::optional<double> safe_z_m;  // a stop raises the tool to there, at least by raise_m
  double raise_m = 5e-3;           // how far an abort raises the tool
  double retract_m_per_s = 5e-3;
  double timeout_scale = 1;  // answers may take so many times longer
  /// Where the machine's zero lies in the rig's stage frame.
  StagePosition machine_zero_m{};
};

class MarlinStage final : public MotionStage {
 public:
  /// Opens the link, which resets many boards, and reads what the firmware says of itself. Keeps
  /// the motors powered (M84 S0) and asks for a word a second during long commands (M113 S1);
  /// neither is kept in the printer. Fails with kDeviceFault on a firmware without
  /// EMERGENCY_PARSER, on motors that are no axes, or where something else answers.
  static Result<std::unique_ptr<MarlinStage>> open(const MarlinOptions& options,
                                                   const Connector& connect);

  /// Z first and up, then X and Y; then 1 mm down, on which the firmware must tell where the stage
  /// is and go single steps. A stop in the middle halts the printer.
  Result<void> home() override;
  Result<void> move_to(const StagePosition& target_m, double speed_m_per_s) override;
  Result<void> jog(const StagePosition& by_m, double speed_m_per_s) override;
  Result<void> stop_jog() override;
  Result<void> poll(std::vector<StageSample>& into, Timeout timeout) override;
  Result<void> wait_until_idle(Timeout timeout) override;
  /// Stops dead, as abort(); raises the tool to the safe height, by step counts.
  Result<void> stop() override;
  Result<void> abort() override;
  void unlock() override {
    locked_ = false;
    stops_over_ = stops_sent_.load();
  }
  Result<void> hold_now() override;
  /// M410 as well: behind M112 the stage goes on for 0.6 s, longer than what is planned lasts, and
  /// then without power.
  Result<void> reset_now() override;
  double braking_s() const override { return braking_s_; }
  void on_report(std::function<void(const StageSample&)> tell) override {
    on_report_ = std::move(tell);
  }

  bool position_trusted() const override { return trusted_; }
  std::string position_doubt() const override { return trusted_ ? "" : doubt_; }
  bool silent() const override { return silent_; }
  const StageTravel& travel() const override { return travel_; }

  const StagePosition& steps_per_mm() const { return steps_per_mm_; }
  StageState state() const { return last_.state; }
  /// What it says behind FIRMWARE_NAME.
  const std::string& firmware() const { return firmware_; }
  /// Lines that made no sense, damaged reports among them; lines that had to be sent again.
  std::int64_t malformed() const { return malformed_; }
  std::int64_t resent() const { return resent_; }

 private:
  enum class Purpose { kMove, kAsk, kSync, kOther };
  struct Sent {
    std::int64_t number;
    std::string command;
    Purpose purpose;
    std::int64_t sent_ns;
    int times = 1;
    bool token_seen = false;
  };
  static constexpr std::int64_t kQuickStop_ns = 1'000'000'000;  // in which it reads no line

  MarlinStage(const MarlinOptions& options, std::unique_ptr<Link> link);

  // ---- lines: marlin_lines.cpp ----
  /// Listens once, at most so long, and acts on what came. A time-out is no error here.
  Result<void> listen(Timeout timeout);
  void handle(const MarlinLine& line);
  void handle_ok();
  void stop_late_move();
  /// In the thread that owns the stage: another one has sent a stop.
  void notice_stop();
  void handle_resend(std::int64_t number);
  void handle_start();
  void handle_position(const StepCounts& steps);
  void note_setting(const MarlinLine& line);
  void send_again();
  /// Sends it; nothing goes behind a stop.
  Result<void> send(const std::string& command, Purpose purpose);
  /// By a thread that may not wait: behind a line that is being written, not into it.
  Result<void> send_now(std::string_view bytes);
  /// Waits until the line that is under way has been answered.
  Result<void> await(Timeout timeout);
  /// Sends a line and waits for its answer.
  Result<void> command(const std::string& text, Timeout timeout);
  /// Until everything sent before has been carried out; no "ok" of before counts any more.
  Result<void> sync(Timeout timeout);
  Result<void> send_sync();
  Result<void> check_silence();
  bool told_to_stop() const { return stops_sent_ != stops_over_; }
  Result<void> stopped() const;

  // ---- reports and ways: marlin_stage.cpp ----
  /// Whatever is due: a piece, or a question for the position.
  Result<void> go_on(std::int64_t period_ns);
  std::int64_t period_ns() const;
  std::string encode_piece(const Piece& piece) const;
  bool line_is_move() const { return line_ && line_->purpose == Purpose::kMove; }
  Result<void> give_up_way(Result<void> why);
  StageState state_by(const StepCounts& steps, std::int64_t time_ns);
  Result<void> begin_way(const StagePosition& to_m, double speed_m_per_s, StageState kind);
  Result<void> check_may_move(double speed_m_per_s, const StagePosition& from_m,
                              const StagePosition& to_m) const;
  StepCounts steps_of(const StagePosition& at_m) const;
  StagePosition place_of(const StepCounts& steps) const;

  // ---- marlin_sequences.cpp ----
  Result<void> connect();
  Result<void> look();
  Result<void> set_up();
  Result<void> know_place();
  Result<void> home_axes(const std::string& order);
  Result<void> end_homing();
  Result<void> check_home_up() const;
  Result<void> try_firmware();
  Result<void> come_to_rest();
  Result<void> stop_dead_and_raise(std::optional<double> to_z_m);

  void doubt(std::string why);
  Error fall_silent(const std::string& what);
  Result<void> fault_or_ok();
  std::int64_t now_ns() const { return link_->clock().now_ns(); }
  std::int64_t patient_ns(std::int64_t usual_ns) const {
    return static_cast<std::int64_t>(static_cast<double>(usual_ns) * options_.timeout_scale);
  }

  MarlinOptions options_;
  std::unique_ptr<Link> link_;
  LineSplitter splitter_;
  StageTravel travel_;
  StagePosition steps_per_mm_{};
  double travel_acceleration_m_per_s2_ = std::numeric_limits<double>::infinity();
  std::map<std::string, bool> capabilities_;
  std::set<std::string> switches_;
  std::string firmware_;

  PlannedWays ways_;
  StageState way_kind_ = StageState::kRun;
  StageSample last_;
  StepCounts last_steps_{};
  std::int64_t unchanged_ns_ = 0;  // since when last_steps_ are what they are
  std::vector<StageSample> samples_;
  std::int64_t asked_ns_ = 0;
  std::int64_t number_ = 0;  // of the last line
  std::optional<Sent> line_;
  int resend_ok_ = 0;       // an "ok" that ends a "Resend:"
  bool unsure_ = false;     // an answer is missing, and may come late
  bool move_owed_ = false;  // a move was sent and not answered
  bool late_move_ = false;  // it was when the stop came
  std::int64_t heard_ns_ = 0, waits_since_ns_ = 0;
  std::string fault_;  // not yet reported to the caller
  bool started_ = false, homing_ = false, halted_ = false, restarted_ = false;
  bool trusted_ = false, locked_ = false, silent_ = false;
  std::string doubt_ = "not homed since it was connected";
  // By hold_now(), reset_now(); stop(), abort() go on from there.
  std::atomic<int> stops_sent_ = 0, stops_over_ = 0;
  int stops_noticed_ = 0;
  std::atomic<std::int64_t> stopped_ns_ = std::numeric_limits<std::int64_t>::min() / 2;
  std::recursive_timed_mutex sending_;  // a line goes whole, and none behind a stop
  std::atomic<double> braking_s_ = 0;
  std::function<void(const StageSample&)> on_report_;
  std::int64_t malformed_ = 0, resent_ = 0;
};

}  // namespace tactelier::devices
