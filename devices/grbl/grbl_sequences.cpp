// The sequences of a GRBL stage that take more than one line: connecting, homing, stopping.

#include <algorithm>
#include <cmath>

#include "devices/grbl/grbl_stage.hpp"
#include "libcalib/units.hpp"

namespace tactelier::devices {
namespace {

constexpr Timeout kOpen{2000};
constexpr Timeout kBoot{3000};  // a board that resets when its port is opened takes 1.5 to 2 s
constexpr Timeout kReset{3000};
constexpr Timeout kAnswer{2000};
constexpr Timeout kListen{20};
constexpr Timeout kSend{500};
constexpr Timeout kRest{5000};
constexpr double kMost_s = 3600;

Timeout for_way(double length_m, double speed_m_per_s) {
  const double time_s = std::min(kMost_s, 5 + 2 * length_m / speed_m_per_s);
  return Timeout(static_cast<std::int64_t>(time_s * 1e3));
}

}  // namespace

Result<std::unique_ptr<GrblStage>> GrblStage::open(const GrblOptions& options,
                                                   const Connector& connect) {
  if (!(options.poll_hz >= 1 && options.poll_hz <= 20))
    return fail(ErrorCode::kUsage, "poll_hz {}: 1 to 20 expected", options.poll_hz);
  auto link = connect(options.url, kOpen);
  if (!link) return fail(link.error());
  std::unique_ptr<GrblStage> stage(new GrblStage(options, std::move(*link)));
  return stage->connect()
      .and_then([&] { return stage->read_settings(); })
      .and_then([&] {
        return stage->wait_for_state({StageState::kIdle, StageState::kAlarm}, kAnswer);
      })
      .map([&] {
        stage->planned_m_ = stage->last_.position_m;
        return std::move(stage);
      });
}

Result<void> GrblStage::wait_for_banner(Timeout timeout) {
  const auto deadline_ns = now_ns() + patient_ns(to_ns(timeout));
  while (!banner_seen_) {
    if (now_ns() >= deadline_ns) return fail(fall_silent("no answer to a reset"));
    if (auto heard = listen(kListen); !heard) return heard;
  }
  return {};
}

Result<void> GrblStage::reset() {
  const int sent_before = stops_sent_;
  banner_seen_ = false;
  expect_banner_ = true;
  reset_sent_ns_ = now_ns();
  if (auto sent = send_byte(grbl::kSoftReset); !sent) return sent;
  auto seen = wait_for_banner(kReset);
  expect_banner_ = false;
  stops_over_ = sent_before;
  return seen;
}

Result<void> GrblStage::connect() {
  expect_banner_ = true;
  auto seen = wait_for_banner(kBoot);
  expect_banner_ = false;
  if (!seen && seen.error().code == ErrorCode::kTimeout) seen = reset();
  fault_.clear();  // an alarm from before we came
  alarm_.reset();
  const bool late = !seen && seen.error().code == ErrorCode::kTimeout;
  if (late && heard_ns_ == 0)
    return fail(ErrorCode::kTimeout,
                "nothing answers at {}: no byte came; is it the right port? check power and cable",
                link_->url());
  if (late)
    return fail(ErrorCode::kTimeout,
                "{}: no GRBL answers; is it the right port, and its speed 115200 baud?",
                link_->url());
  doubt("not homed since it was connected");
  return seen;
}

Result<void> GrblStage::set(int number, double value) {
  const auto found = settings_.find(number);
  if (found != settings_.end() && found->second == value) return {};
  return command(fmt::format("${}={}\n", number, value), kAnswer).map([&] {
    settings_[number] = value;
  });
}

Result<void> GrblStage::keep_setting(int number, double value) {
  if (dialect_ == GrblDialect::kFluidNc)
    return fail(ErrorCode::kDeviceFault,
                "{}: FluidNC has its settings in a file: change its config.yaml", link_->url());
  if (auto sent = set(number, value); !sent) return sent;
  settings_.erase(number);
  if (auto listed = command("$$\n", kAnswer); !listed) return listed;
  const auto found = settings_.find(number);
  if (found != settings_.end() && found->second == value) return {};
  return fail(ErrorCode::kDeviceFault, "{}: it keeps ${}={:g}", link_->url(), number,
              found != settings_.end() ? found->second : std::nan(""));
}

Result<void> GrblStage::read_settings() {
  if (auto listed = command("$$\n", kAnswer); !listed) return listed;
  const auto value = [&](int number, double otherwise) {
    const auto found = settings_.find(number);
    return found != settings_.end() ? found->second : otherwise;
  };
  if (value(13, 0) != 0)
    return fail(ErrorCode::kDeviceFault, "{}: the stage reports inches; send it $13=0",
                link_->url());
  if (options_.write_settings && dialect_ != GrblDialect::kFluidNc) {
    auto done = set(1, 255).and_then([&] { return set(10, 3); });
    if (done && value(22, 0) != 0) done = set(20, 1);
    if (!done) return done;
  }
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const int number = static_cast<int>(axis);
    const double most = value(110 + number, 0), acceleration = value(120 + number, 0);
    const double travel = value(130 + number, 0);
    if (!(most > 0) || !(acceleration > 0) || !(travel > 0))
      return fail(ErrorCode::kDeviceFault,
                  "{}: the stage's settings ${}, ${}, ${} (speed, acceleration, travel) aren't all "
                  "above 0",
                  link_->url(), 110 + number, 120 + number, 130 + number);
    if (const double steps_per_mm = value(100 + number, 0); steps_per_mm > 0)
      travel_.step_m[axis] = mm_to_m(1) / steps_per_mm;
    travel_.most_speed_m_per_s[axis] = mm_to_m(most) / 60;
    travel_.acceleration_m_per_s2[axis] = mm_to_m(acceleration);
    travel_.high_m[axis] = options_.machine_zero_m[axis];
    travel_.low_m[axis] = travel_.high_m[axis] - mm_to_m(travel);
  }
  return {};
}

Result<void> GrblStage::home() {
  const auto homing_on = settings_.find(22);
  if (homing_on != settings_.end() && homing_on->second == 0)
    return fail(ErrorCode::kDeviceFault,
                "{}: homing is switched off; with reference switches on all axes, send $22=1",
                link_->url());
  const auto directions = settings_.find(23);
  if (directions != settings_.end() && (static_cast<int>(directions->second) & 4) != 0)
    return fail(ErrorCode::kDeviceFault,
                "{}: Z would home downwards, into the sensor ($23={}); move its switch to the top",
                link_->url(), directions->second);
  double way_m = 0, search_m_per_s = travel_.most_speed_m_per_s[2];
  for (std::size_t axis = 0; axis < 3; ++axis)
    way_m += 1.5 * (travel_.high_m[axis] - travel_.low_m[axis]);
  if (const auto search = settings_.find(25); search != settings_.end() && search->second > 0)
    search_m_per_s = mm_to_m(search->second) / 60;
  // A late answer would pass for that to $H; and after a hard or soft limit the firmware heeds
  // nothing but a reset (Grbl 1.1, protocol.c, protocol_exec_rt_system(): "Reset to continue").
  if (owed_ > 0 || alarm_) {
    if (auto again = reset(); !again) return again;
    fault_.clear();
    alarm_.reset();
  }
  report_due_ = false;
  homing_ = true;
  const auto homed = command("$H\n", for_way(way_m, search_m_per_s));
  homing_ = false;
  if (!homed) {
    if (told_to_stop()) (void)reset();  // a feed hold does nothing while it homes
    fault_.clear();
    reset_sent_ns_ = now_ns();  // the firmware resets itself then: limits.c, mc_reset()
    doubt("homing failed");
    return homed;
  }
  alarm_.reset();
  trusted_ = true;
  locked_ = false;
  auto idle = wait_until_idle(kAnswer);
  if (idle) planned_m_ = last_.position_m;
  return idle;
}

/// A line that was in the controller when the stop came is carried out behind it (Grbl, FluidNC) or
/// gone without an answer (grblHAL). Its answer is met with the stop bytes again (handle()); where
/// none comes, a "!" in Idle keeps it from being read until the reset that forgets it.
Result<void> GrblStage::come_to_rest() {
  const auto begun_ns = now_ns();
  const auto deadline_ns =
      begun_ns + patient_ns(to_ns(kRest)) + static_cast<std::int64_t>(braking_s_ * 1e9);
  if (!report_due_) asked_ns_ = std::min(asked_ns_, begun_ns - kStopping_ns);
  bool stood = false;
  for (std::int64_t seen_ns = begun_ns; now_ns() < deadline_ns;) {
    if (auto asked = ask_when_due(kStopping_ns); !asked) return asked;
    if (auto heard = listen(kListen); !heard) return heard;
    if (auto fine = fault_or_ok(); !fine) return fine;
    if (last_.host_time_ns <= seen_ns) continue;
    seen_ns = last_.host_time_ns;
    const bool idle = last_.state == StageState::kIdle;
    if (last_.state == StageState::kHold || last_.state == StageState::kAlarm) return {};
    // Twice: the first report may have been formatted before the bytes were acted upon.
    if (idle && stood && owed_ == 0) return {};
    const bool again = idle ? owed_ > 0 : stood;
    if (again)
      if (auto sent = link_->send(grbl::kStop, kSend); !sent) return sent;
    stood = idle;
  }
  return fail(ErrorCode::kTimeout, "{}: the stage is not at rest {} ms after a stop", link_->url(),
              kRest.count());
}

/// A hold keeps what waits in it; FluidNC may say Idle and read no more lines when a cancel met the
/// end of a jog (protocol_do_motion_cancel(), case State::Idle). At rest a reset costs no position.
Result<void> GrblStage::clear_stop() {
  const bool clear = last_.state == StageState::kIdle && dialect_ != GrblDialect::kFluidNc;
  if (clear || last_.state == StageState::kAlarm) return {};
  if (auto again = reset(); !again) return again;
  if (auto fine = fault_or_ok(); !fine) return fine;
  return wait_for_state({StageState::kIdle, StageState::kAlarm}, kAnswer);
}

Result<void> GrblStage::stop_jog() {
  stopping_ = true;
  auto still = link_->send(grbl::kStop, kSend).and_then([&] { return come_to_rest(); });
  stopping_ = false;
  if (still && told_to_stop())
    return fail(ErrorCode::kDeviceFault, "{}: the stage was told to stop", link_->url());
  if (still) still = clear_stop();
  if (still) planned_m_ = last_.position_m;
  return still;
}

Result<void> GrblStage::stop() {
  locked_ = true;
  if (!told_to_stop())
    if (auto held = hold_now(); !held) return held;
  const int dealt_with = stops_sent_;
  const auto stands = come_to_rest();
  if (!stands) return stands.error().code == ErrorCode::kIo ? stands : abort();
  if (last_.state == StageState::kAlarm) return {};
  if (auto clear = clear_stop(); !clear) return clear;
  stops_over_ = std::max(dealt_with, stops_over_.load());
  planned_m_ = last_.position_m;
  if (!options_.safe_z_m || !trusted_ || last_.position_m[2] >= *options_.safe_z_m) return {};
  auto above_m = last_.position_m;
  above_m[2] = std::min(*options_.safe_z_m, travel_.high_m[2]);
  if (auto up =
          command(encode_move(machine_from_rig_m(above_m), options_.retract_m_per_s), kAnswer);
      !up)
    return up;
  planned_m_ = above_m;
  return wait_until_idle(for_way(above_m[2] - last_.position_m[2], options_.retract_m_per_s));
}

Result<void> GrblStage::abort() {
  locked_ = true;
  doubt("it was stopped dead");
  if (auto again = reset(); !again) return again;
  fault_.clear();  // the alarm that the reset itself raises
  alarm_.reset();
  if (auto open = command("$X\n", kAnswer); !open) return open;
  if (auto idle = wait_for_state({StageState::kIdle, StageState::kAlarm}, kAnswer); !idle)
    return idle;
  planned_m_ = last_.position_m;
  const double room_m = std::max(0.0, travel_.high_m[2] - last_.position_m[2]);
  const double by_m = std::min(options_.abort_raise_m, room_m);
  if (!(by_m > 0)) return {};
  if (auto up = command(encode_raise(by_m, options_.retract_m_per_s), kAnswer); !up) return up;
  planned_m_[2] += by_m;
  return wait_until_idle(for_way(by_m, options_.retract_m_per_s));
}

}  // namespace tactelier::devices
