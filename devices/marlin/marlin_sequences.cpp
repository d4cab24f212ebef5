// The sequences of a Marlin stage that take more than one line: connecting, homing, stopping.

#include <algorithm>
#include <cmath>

#include "devices/marlin/marlin_stage.hpp"
#include "libcalib/units.hpp"

namespace tactelier::devices {
namespace {

constexpr Timeout kOpen{2000};
constexpr Timeout kBoot{3000};
constexpr Timeout kAnswer{2000};
constexpr Timeout kListen{20};
constexpr Timeout kSend{500};
constexpr Timeout kRest{5000};
constexpr Timeout kHalt{3000};
constexpr Timeout kHome{600'000};  // it says that it is busy as long as it is
constexpr int kGreetings = 4;
constexpr double kMost_s = 3600;
constexpr double kPullOff_m = 1e-3, kPullOff_m_per_s = 2e-3;
constexpr std::int64_t kQuickStopTaken_ns = 100'000'000;

Timeout for_way(double length_m, double speed_m_per_s) {
  const double time_s = std::min(kMost_s, 5 + 2 * length_m / speed_m_per_s);
  return Timeout(static_cast<std::int64_t>(time_s * 1e3));
}

}  // namespace

Result<std::unique_ptr<MarlinStage>> MarlinStage::open(const MarlinOptions& options,
                                                       const Connector& connect) {
  if (!(options.poll_hz >= 1 && options.poll_hz <= 20))
    return fail(ErrorCode::kUsage, "poll_hz {}: 1 to 20 expected", options.poll_hz);
  auto link = connect(options.url, kOpen);
  if (!link) return fail(link.error());
  std::unique_ptr<MarlinStage> stage(new MarlinStage(options, std::move(*link)));
  return stage->connect()
      .and_then([&] { return stage->look(); })
      .and_then([&] { return stage->set_up(); })
      .and_then([&] { return stage->know_place(); })
      .map([&] { return std::move(stage); });
}

/// A board that is reset by opening its port says "start"; another one answers at once.
Result<void> MarlinStage::connect() {
  const auto boot_ns = now_ns() + patient_ns(to_ns(kBoot));
  while (!started_ && now_ns() < boot_ns)
    if (auto heard = listen(kListen); !heard) return heard;
  started_ = true;
  Result<void> greeted;
  for (int times = 0; times < kGreetings; ++times) {
    fault_.clear();
    if (auto sent = link_->send(view_of("\n\n"), kSend); !sent) return sent;
    unsure_ = false;
    line_.reset();
    number_ = -1;
    greeted = command("M110 N0", kAnswer);
    if (greeted || greeted.error().code == ErrorCode::kIo) break;
  }
  silent_ = false;
  doubt("not homed since it was connected");
  if (greeted || greeted.error().code != ErrorCode::kTimeout) return greeted;
  if (heard_ns_ == 0)
    return fail(ErrorCode::kTimeout,
                "nothing answers at {}: is it the right port, and the printer's baud rate (115200, "
                "250000)? check power and cable",
                link_->url());
  return greeted;
}

Result<void> MarlinStage::look() {
  for (const auto* question : {"M115", "M119", "M503", "M211"})
    if (auto told = command(question, kAnswer); !told) return told;
  if (!firmware_.starts_with("Marlin"))
    return fail(ErrorCode::kDeviceFault, "{}: no Marlin answers, but '{}'", link_->url(),
                firmware_.substr(0, 40));
  if (!capabilities_["EMERGENCY_PARSER"])
    return fail(ErrorCode::kDeviceFault,
                "{}: this firmware can't be stopped: a stop would wait behind the moves. Build it "
                "with EMERGENCY_PARSER (Configuration_adv.h)",
                link_->url());
  for (std::size_t axis = 0; axis < 3; ++axis)
    if (!(steps_per_mm_[axis] > 0) || !(travel_.most_speed_m_per_s[axis] > 0) ||
        !(travel_.acceleration_m_per_s2[axis] > 0) ||
        !(travel_.high_m[axis] > travel_.low_m[axis]) || !(travel_acceleration_m_per_s2_ > 0))
      return fail(ErrorCode::kDeviceFault,
                  "{}: the printer doesn't tell steps, speed, acceleration and travel of all axes "
                  "(M503: M92, M203, M201, M204; M211)",
                  link_->url());
  for (auto& axis : travel_.acceleration_m_per_s2)
    axis = std::min(axis, travel_acceleration_m_per_s2_);
  return {};
}

Result<void> MarlinStage::set_up() {
  for (const auto* order : {"G21", "G90", "M84 S0", "M113 S1"})
    if (auto done = command(order, kAnswer); !done) return done;
  restarted_ = false;
  return {};
}

Result<void> MarlinStage::know_place() {
  for (int times = 0; times < kGreetings; ++times) {
    const auto heard = samples_.size();
    auto asked = unsure_ ? sync(kAnswer) : await(kAnswer);
    if (asked) asked = send("M114 R", Purpose::kAsk);
    if (asked) asked = await(kAnswer);
    if (!asked) return asked;
    if (samples_.size() == heard) continue;
    ways_.rest_at(last_.position_m);
    return {};
  }
  return fail(ErrorCode::kDeviceFault,
              "{}: the printer tells no step counts of X, Y and Z (M114 R): machines whose motors "
              "are no axes (CoreXY, delta) can't be used",
              link_->url());
}

/// Only the ends that it homes to must have a switch (inc/SanityCheck.h): with an upper one and no
/// lower one, nor a probe, Z can only home upwards.
Result<void> MarlinStage::check_home_up() const {
  const bool down = switches_.contains("z_min") || switches_.contains("z_probe");
  if (switches_.contains("z_max") && !down) return {};
  return fail(ErrorCode::kDeviceFault,
              "{}: Z may home downwards, into the sensor (it has {}); move its switch to the top, "
              "Z_HOME_DIR 1 with USE_ZMAX_PLUG alone (Configuration.h)",
              link_->url(), down ? "a lower switch or a probe" : "no upper switch");
}

/// It is over when the line behind it is carried out: an "ok" alone may be an older one's.
Result<void> MarlinStage::home_axes(const std::string& order) {
  if (auto ready = await(kAnswer); !ready) return ready;
  if (auto sent = send(order, Purpose::kOther); !sent) return sent;
  if (auto sent = send_sync(); !sent) return sent;
  const auto deadline_ns = now_ns() + to_ns(kHome);
  while (line_) {
    if (auto heard = check_silence(); !heard) return heard;
    if (auto heard = listen(kListen); !heard) return heard;
    if (auto fine = fault_or_ok(); !fine) return fine;
    if (told_to_stop()) return end_homing();
    if (now_ns() > deadline_ns)
      return fail(ErrorCode::kTimeout, "{}: it has been homing for {} s", link_->url(),
                  kHome.count() / 1000);
  }
  return {};
}

/// M410 has ended the way; a second later the firmware would go on to the next part of homing, or
/// halt by itself (module/endstops.cpp, validate_homing_move()).
Result<void> MarlinStage::end_homing() {
  const auto stopped_ns = now_ns();
  while (now_ns() - stopped_ns < kQuickStopTaken_ns)
    if (auto heard = listen(kListen); !heard) return heard;
  if (auto sent = link_->send(view_of(marlin::kKill), kSend); !sent) return sent;
  while (!halted_ && now_ns() - stopped_ns < patient_ns(to_ns(kHalt)))
    if (auto heard = listen(kListen); !heard) return heard;
  halted_ = true;
  line_.reset();
  fault_.clear();
  return fail(ErrorCode::kDeviceFault,
              "{}: homing was stopped, which halts the printer: press its reset button, then "
              "connect again",
              link_->url());
}

/// Off the switch, and whether the firmware does what positions rest on.
Result<void> MarlinStage::try_firmware() {
  const auto go_steps = [&](const StepCounts& target, double speed_m_per_s) {
    auto to_m = place_of(target);
    for (std::size_t axis = 0; axis < 3; ++axis) to_m[axis] -= options_.machine_zero_m[axis];
    return command(encode_marlin_move(to_m, speed_m_per_s), kAnswer).and_then([&] {
      return know_place();
    });
  };
  const auto arrive = [&](const StepCounts& target, Timeout timeout) -> Result<bool> {
    const auto deadline_ns = now_ns() + patient_ns(to_ns(timeout));
    while (last_steps_ != target && now_ns() < deadline_ns) {
      if (auto heard = listen(kListen); !heard) return fail(heard.error());
      if (auto known = know_place(); !known) return fail(known.error());
    }
    return last_steps_ == target;
  };
  if (auto known = know_place(); !known) return known;
  const auto top = last_steps_;
  auto target = top;
  target[2] -= std::llround(m_to_mm(kPullOff_m) * steps_per_mm_[2]);
  const double speed_m_per_s = std::min(kPullOff_m_per_s, travel_.most_speed_m_per_s[2]);
  if (auto sent = go_steps(target, speed_m_per_s); !sent) return sent;
  if (last_steps_ == target)
    return fail(ErrorCode::kDeviceFault,
                "{}: this firmware tells where it was sent and not where it is. Build it with "
                "M114_REALTIME (Configuration_adv.h)",
                link_->url());
  auto arrived = arrive(target, for_way(kPullOff_m, speed_m_per_s));
  if (arrived && !*arrived)
    return fail(ErrorCode::kDeviceFault,
                "{}: 1 mm below the switch it stands {} steps from where it was sent: take home "
                "offset (M206), bed levelling (M420) and joined axes out of the firmware",
                link_->url(), last_steps_[2] - target[2]);
  --target[2];
  if (arrived)
    if (auto sent = go_steps(target, speed_m_per_s); !sent) return sent;
  if (arrived) arrived = arrive(target, kAnswer);
  if (!arrived) return fail(arrived.error());
  if (*arrived) return {};
  return fail(ErrorCode::kDeviceFault,
              "{}: this firmware drops single steps. Build it with MIN_STEPS_PER_SEGMENT 1 "
              "(Configuration_adv.h)",
              link_->url());
}

Result<void> MarlinStage::home() {
  if (auto up = check_home_up(); !up) return up;
  ways_.forget_waiting();
  if (auto ready = sync(kAnswer); !ready) return ready;
  if (told_to_stop()) return stopped();
  if (restarted_)
    if (auto ready = set_up(); !ready) return ready;
  fault_.clear();
  doubt("homing failed");
  homing_ = true;
  auto homed = home_axes("G28 Z").and_then([&] { return home_axes("G28 X Y"); });
  // Levelling bends Z, and comes back with homing (gcode/calibrate/G28.cpp).
  if (homed && capabilities_["LEVELING_DATA"]) homed = command("M420 S0", kAnswer);
  if (homed) homed = try_firmware();
  homing_ = false;
  if (!homed) {
    fault_.clear();
    doubt(halted_ ? "the printer has halted: press its reset button" : "homing failed");
    return homed;
  }
  trusted_ = true;
  locked_ = false;
  braking_s_ = 0;
  samples_.clear();  // of the way off the switch
  return know_place();
}

/// Nothing that was sent can move it any more, and two reports show rest.
Result<void> MarlinStage::come_to_rest() {
  notice_stop();
  const auto deadline_ns = now_ns() + patient_ns(to_ns(kRest));
  while (unsure_) {
    if (auto answered = sync(kRest); !answered) return answered;
    if (now_ns() > deadline_ns) break;
  }
  return wait_until_idle(kRest).and_then([&] { return wait_until_idle(kRest); });
}

Result<void> MarlinStage::stop_jog() {
  ways_.forget_waiting();
  auto still = wait_until_idle(kRest);
  if (still && told_to_stop()) return stopped();
  if (still) ways_.rest_at(last_.position_m);
  return still;
}

Result<void> MarlinStage::stop_dead_and_raise(std::optional<double> to_z_m) {
  locked_ = true;
  if (!told_to_stop())
    if (auto held = hold_now(); !held) return held;
  const int dealt_with = stops_sent_;
  doubt("it was stopped dead");
  if (halted_)
    return fail(ErrorCode::kDeviceFault, "{}: the printer has halted; press its reset button",
                link_->url());
  auto stands = come_to_rest();
  fault_.clear();
  if (!stands) return stands;
  ways_.rest_at(last_.position_m);
  stops_over_ = std::max(dealt_with, stops_over_.load());
  auto up_m = last_.position_m;
  const double by_m = std::max(options_.raise_m, to_z_m.value_or(up_m[2]) - up_m[2]);
  up_m[2] = std::min(up_m[2] + by_m, travel_.high_m[2]);
  if (!(up_m[2] > last_.position_m[2])) return {};
  const double speed_m_per_s = std::min(options_.retract_m_per_s, travel_.most_speed_m_per_s[2]);
  return begin_way(up_m, speed_m_per_s, StageState::kRun).and_then([&] {
    return wait_until_idle(for_way(by_m, speed_m_per_s));
  });
}

Result<void> MarlinStage::stop() { return stop_dead_and_raise(options_.safe_z_m); }
Result<void> MarlinStage::abort() { return stop_dead_and_raise(std::nullopt); }

}  // namespace tactelier::devices
