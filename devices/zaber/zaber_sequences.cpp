// The sequences of a Zaber stage that take more than one request: connecting, homing, stopping.

#include <algorithm>
#include <cmath>

#include "devices/zaber/zaber_stage.hpp"
#include "libcalib/units.hpp"

namespace tactelier::devices {
namespace {

constexpr Timeout kOpen{2000};
constexpr Timeout kListen{20};
constexpr Timeout kRest{1000};
constexpr std::int64_t kPlace_ns = 2'000'000'000;
constexpr std::int64_t kHome_ns = 600'000'000'000;
constexpr std::int64_t kHoming_ns = 50'000'000;  // between questions
constexpr double kMost_s = 3600;
constexpr double kLeastFirmware = 7.25;  // "move abs" with a speed and an acceleration
constexpr std::string_view kAxes = "XYZ";

Timeout for_way(double length_m, double speed_m_per_s) {
  const double time_s = std::min(kMost_s, 5 + 2 * length_m / speed_m_per_s);
  return Timeout(static_cast<std::int64_t>(time_s * 1e3));
}

std::optional<double> number_in(const std::string& text) {
  const auto values = zaber_values(text);
  return values.size() == 1 ? values.front() : std::nullopt;
}

Result<void> check_options(const ZaberOptions& options) {
  if (!(options.poll_hz >= 1 && options.poll_hz <= 20))
    return fail(ErrorCode::kUsage, "poll_hz {}: 1 to 20 expected", options.poll_hz);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const double step_m = std::abs(options.m_per_step[axis]);
    if (!(step_m > 0) || !std::isfinite(step_m))
      return fail(ErrorCode::kInvalidInput, "um_per_step of {} is {}: not 0 expected", kAxes[axis],
                  options.m_per_step[axis] * 1e6);
    for (std::size_t other = 0; other < axis; ++other)
      if (options.device[axis] == options.device[other] &&
          options.axis[axis] == options.axis[other])
        return fail(ErrorCode::kInvalidInput,
                    "{} and {} are both said to be axis {} of device {} (axes, devices)",
                    kAxes[other], kAxes[axis], options.axis[axis], options.device[axis]);
  }
  return {};
}

}  // namespace

Result<std::unique_ptr<ZaberStage>> ZaberStage::open(const ZaberOptions& options,
                                                     const Connector& connect) {
  if (auto fine = check_options(options); !fine) return fail(fine.error());
  auto link = connect(options.url, kOpen);
  if (!link) return fail(link.error());
  std::unique_ptr<ZaberStage> stage(new ZaberStage(options, std::move(*link)));
  return stage->connect().and_then([&] { return stage->know_place(); }).map([&] {
    return std::move(stage);
  });
}

Result<std::optional<std::string>> ZaberStage::told(int device, int axis, std::string_view name) {
  answers_.clear();
  auto asked = await().and_then(
      [&] { return send(device, axis, fmt::format("get {}", name), Purpose::kOther); });
  if (asked) asked = await();
  if (!asked) return fail(asked.error());
  if (answers_.empty() || !answers_.front().accepted) return std::nullopt;
  return answers_.front().data;
}

Result<double> ZaberStage::setting(std::size_t axis, std::string_view name) {
  const int device = options_.device[axis], number = options_.axis[axis];
  const auto text = told(device, number, name);
  if (!text) return fail(text.error());
  const auto value = *text ? number_in(**text) : std::nullopt;
  if (value) return *value;
  return fail(ErrorCode::kDeviceFault, "{}: device {} axis {} tells no {}: '{}'", link_->url(),
              device, number, name, text->value_or("refused"));
}

Result<void> ZaberStage::look_at_device(int device) {
  ZaberIdentity identity{device, {}, {}, {}};
  const auto note = [&](std::string_view name, std::string& into) {
    auto text = told(device, 0, name);
    if (text && *text) into = **text;
    return text;
  };
  if (auto version = note("version", identity.firmware); !version)
    return fail(version.error().code,
                "{}: device {} doesn't answer: is it powered, is this its port and baud rate "
                "(115200), and does it speak ASCII (comm.protocol 2)? {}",
                link_->url(), device, version.error().message);
  const double firmware = number_in(identity.firmware).value_or(0);
  if (!(firmware >= kLeastFirmware))
    return fail(ErrorCode::kDeviceFault,
                "{}: device {} has firmware '{}'; {} is needed: before it a move takes no speed of "
                "its own",
                link_->url(), device, identity.firmware.substr(0, 20), kLeastFirmware);
  if (auto id = note("device.id", identity.id); !id) return fail(id.error());
  if (auto serial = note("system.serial", identity.serial); !serial) return fail(serial.error());
  identities_.push_back(identity);
  const auto count = told(device, 0, "system.axiscount");
  if (!count) return fail(count.error());
  const double axes = number_in(count->value_or("1")).value_or(1);
  for (std::size_t axis = 0; axis < 3; ++axis)
    if (options_.device[axis] == device && options_.axis[axis] > axes)
      return fail(ErrorCode::kDeviceFault, "{}: device {} has {} axes, and {} is to be its axis {}",
                  link_->url(), device, axes, kAxes[axis], options_.axis[axis]);
  return {};
}

/// "resolution" is refused by devices without a stepper.
Result<void> ZaberStage::look_at_axis(std::size_t axis) {
  const int device = options_.device[axis], number = options_.axis[axis];
  const auto resolution = told(device, number, "resolution");
  if (!resolution) return fail(resolution.error());
  if (*resolution && number_in(**resolution) != options_.resolution)
    return fail(ErrorCode::kDeviceFault,
                "{}: {} has {} microsteps per step, and um_per_step is stated for {}: state it "
                "for the resolution that is set, and that as resolution",
                link_->url(), kAxes[axis], **resolution, options_.resolution);
  const double step_m = std::abs(scales_[axis].m_per_step), sign = scales_[axis].m_per_step;
  const auto low = setting(axis, "limit.min"), high = setting(axis, "limit.max");
  const auto speed = setting(axis, "maxspeed");
  const auto up = setting(axis, "motion.accelonly"), down = setting(axis, "motion.decelonly");
  for (const auto* value : {&low, &high, &speed, &up, &down})
    if (!*value) return fail(value->error());
  if (!(*high > *low) || !(*speed > 0) || !(std::min(*up, *down) > 0))
    return fail(ErrorCode::kDeviceFault,
                "{}: {} has no travel, speed or acceleration (limit.min {}, limit.max {}, maxspeed "
                "{}, accel {} and {}; an acceleration of 0 is none at all): set them",
                link_->url(), kAxes[axis], *low, *high, *speed, *up, *down);
  const double a_m = scales_[axis].zero_m + *low * sign, b_m = scales_[axis].zero_m + *high * sign;
  travel_.low_m[axis] = std::min(a_m, b_m);
  travel_.high_m[axis] = std::max(a_m, b_m);
  travel_.step_m[axis] = step_m;
  travel_.most_speed_m_per_s[axis] = steps_per_s_of(*speed) * step_m;
  travel_.acceleration_m_per_s2[axis] = steps_per_s2_of(std::min(*up, *down)) * step_m;
  travel_.least_speed_m_per_s = std::max(travel_.least_speed_m_per_s, steps_per_s_of(1) * step_m);
  const auto encoder = told(device, number, "encoder.pos");
  if (!encoder) return fail(encoder.error());
  measured_ = measured_ && *encoder && number_in(**encoder);
  return {};
}

Result<void> ZaberStage::connect() {
  if (auto sent = write("\n"); !sent) return sent;
  if (auto noise = discard_input(*link_, Timeout(50), Timeout(500)); !noise) return noise;
  for (const int device : devices_)
    if (auto seen = look_at_device(device); !seen) return seen;
  if (auto set = set_up(); !set) return set;
  measured_ = options_.encoders;
  for (std::size_t axis = 0; axis < 3; ++axis)
    if (auto seen = look_at_axis(axis); !seen) return seen;
  silent_ = false;
  fault_.clear();  // of before: homing clears its flags
  doubt("not homed since it was connected");
  return {};
}

/// Both are kept in the controller ("comm.checksum", "knob.enable").
Result<void> ZaberStage::set_up() {
  bool checked = true;
  for (const int device : devices_) {
    if (options_.write_settings)
      if (auto set = command(device, 0, "set comm.checksum 1"); !set) return fail(set.error());
    const auto checksum = told(device, 0, "comm.checksum");
    if (!checksum) return fail(checksum.error());
    checked = checked && checksum->value_or("0") == "1";
  }
  checksums_ = checked;
  for (std::size_t axis = 0; axis < 3 && options_.write_settings; ++axis) {
    const auto set = command(options_.device[axis], options_.axis[axis], "set knob.enable 0");
    if (!set && set.error().code != ErrorCode::kDeviceFault) return fail(set.error());
  }
  return {};
}

Result<void> ZaberStage::know_place() {
  const auto begun_ns = now_ns();
  asked_ns_ = 0;
  while (last_.host_time_ns < begun_ns) {
    if (auto went = go_on(0); !went) return went;
    if (auto heard = listen(kListen); !heard) return heard;
    if (auto fine = fault_or_ok(); !fine) return fine;
    if (now_ns() - begun_ns > patient_ns(kPlace_ns))
      return fail(ErrorCode::kDeviceFault, "{}: the stage tells no position of X, Y and Z",
                  link_->url());
  }
  if (!way_left()) rest_here();
  return {};
}

Result<void> ZaberStage::home_axes(const std::vector<std::size_t>& axes) {
  for (const auto axis : axes)
    if (auto sent = command(options_.device[axis], options_.axis[axis], "home"); !sent)
      return fail(sent.error());
  const auto begun_ns = now_ns();
  while (true) {
    if (auto went = go_on(kHoming_ns); !went) return went;
    if (auto heard = listen(kListen); !heard) return heard;
    if (auto fine = fault_or_ok(); !fine) return fine;
    if (told_to_stop()) return stopped();
    if (last_.host_time_ns >= begun_ns && !busy_) return {};
    if (now_ns() - begun_ns > patient_ns(kHome_ns))
      return fail(ErrorCode::kTimeout, "{}: it has been homing for {} s", link_->url(),
                  kHome_ns / 1'000'000'000);
  }
}

/// Each axis by itself: the flag of a device is that of any of its axes.
Result<void> ZaberStage::see_references() {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const auto status = command(options_.device[axis], options_.axis[axis], "");
    if (!status) return fail(status.error());
    const auto flag = zaber_flag(status->front().flag);
    if (flag.kind != ZaberFlagKind::kNone)
      return fail(ErrorCode::kDeviceFault, "{}: {} after homing: {} ({})", link_->url(),
                  kAxes[axis], flag.words, status->front().flag);
  }
  return {};
}

/// Most devices home towards their motor, where counts begin ("home"): Z must hang from there.
Result<void> ZaberStage::home() {
  if (scales_[2].m_per_step > 0)
    return fail(ErrorCode::kDeviceFault,
                "{}: Z homes towards the count 0, which lies below: into the sensor. Mount it with "
                "its home end up, and state um_per_step of Z as negative",
                link_->url());
  forget_ways();
  if (told_to_stop()) return stopped();
  stop_owed_.clear();
  status_due_.clear();
  fault_.clear();
  doubt("homing failed");
  request_.reset();
  Result<void> homed;
  for (const int device : devices_)
    if (homed) homed = command(device, 0, "warnings clear").map([](const auto&) {});
  told_flags_.clear();  // what is still there is told again
  homing_ = true;
  if (homed) homed = set_up();
  if (homed) homed = home_axes({2});
  if (homed) homed = home_axes({0, 1});
  if (homed) homed = see_references();
  homing_ = false;
  if (!homed) {
    fault_.clear();
    doubt("homing failed");
    return homed;
  }
  trusted_ = true;
  locked_ = false;
  braking_s_ = 0;
  end_known_ = false;
  samples_.clear();  // of homing
  return know_place();
}

/// Two reports of rest from one place end the watch of a stop (devices/supervision/stop_watch.hpp).
Result<void> ZaberStage::come_to_rest() {
  notice_stop();
  const auto braking_ms = static_cast<std::int64_t>(braking_s_ * 1e3);
  const Timeout rest{kRest.count() + braking_ms};
  return wait_until_idle(rest).and_then([&] { return wait_until_idle(rest); });
}

Result<void> ZaberStage::stop_jog() {
  forget_ways();
  stop_owed_ = devices_;
  stop_command_ = "stop";
  stop_again_ns_ = now_ns();
  auto still = send_again().and_then([&] { return come_to_rest(); });
  if (still && told_to_stop()) return stopped();
  if (still) rest_here();
  return still;
}

Result<void> ZaberStage::raise_tool(double by_m) {
  stop_owed_.clear();
  fault_.clear();
  rest_here();
  if (!no_reference_) by_m = std::min(by_m, travel_.high_m[2] - last_.position_m[2]);
  if (!(by_m > 0)) return {};
  auto up_m = last_.position_m;
  up_m[2] += by_m;
  const double speed_m_per_s = std::min(options_.retract_m_per_s, travel_.most_speed_m_per_s[2]);
  return begin_way(up_m, speed_m_per_s, StageState::kRun).and_then([&] {
    return wait_until_idle(for_way(by_m, speed_m_per_s));
  });
}

/// From a place that is trusted to the safe height; from another one, where the tip may press on
/// something, by a few millimetres.
Result<void> ZaberStage::stop() {
  locked_ = true;
  if (!told_to_stop())
    if (auto held = hold_now(); !held) return held;
  const int dealt_with = stops_sent_;
  const auto stands = come_to_rest();
  if (!stands) return stands.error().code == ErrorCode::kIo ? stands : abort();
  stops_over_ = std::max(dealt_with, stops_over_.load());
  if (!trusted_) return raise_tool(options_.raise_m);
  if (!options_.safe_z_m) return {};
  return raise_tool(*options_.safe_z_m - last_.position_m[2]);
}

Result<void> ZaberStage::abort() {
  locked_ = true;
  if (auto held = reset_now(); !held) return held;
  const int dealt_with = stops_sent_;
  doubt("it was stopped dead");
  auto stands = come_to_rest();
  fault_.clear();
  if (!stands) return stands;
  stops_over_ = std::max(dealt_with, stops_over_.load());
  return raise_tool(options_.raise_m);
}

}  // namespace tactelier::devices
