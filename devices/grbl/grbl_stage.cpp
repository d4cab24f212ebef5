#include "devices/grbl/grbl_stage.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "devices/interface/stage_travel.hpp"
#include "libcalib/units.hpp"

namespace tactelier::devices {
namespace {

constexpr Timeout kSend{500};
constexpr Timeout kSendNow{20};
constexpr Timeout kAnswer{2000};
constexpr Timeout kListen{20};
constexpr std::int64_t kSilence_ns = 1'000'000'000;
constexpr std::int64_t kOwnBanner_ns = 1'500'000'000;  // a reset is answered by then
constexpr std::int64_t kAgain_ns = 250'000'000;        // a lost answer is asked for again
constexpr std::int64_t kFast_ns = 50'000'000;   // between questions while something is awaited
constexpr double kSlowest_m_per_s = 1e-3 / 60;  // 1 mm/min: the firmware raises slower feeds to it

}  // namespace

GrblStage::GrblStage(const GrblOptions& options, std::unique_ptr<Link> link)
    : options_(options), link_(std::move(link)) {
  travel_.least_speed_m_per_s = kSlowest_m_per_s;
}

void GrblStage::doubt(std::string why) {
  trusted_ = false;
  doubt_ = std::move(why);
}

Error GrblStage::fall_silent(const std::string& what) {
  silent_ = true;
  doubt(what);
  return {ErrorCode::kTimeout, fmt::format("{}: {}", link_->url(), what)};
}

Result<void> GrblStage::send_byte(std::uint8_t byte) {
  auto sent = link_->send({&byte, 1}, kSend);
  if (!sent) doubt("the connection to the stage broke");
  return sent;
}

Result<void> GrblStage::send_now(ByteView bytes) {
  ++stops_sent_;
  const std::unique_lock whole(sending_, kSendNow);  // held up for longer, it goes all the same
  return link_->send(bytes, kSendNow);
}

Result<void> GrblStage::hold_now() { return send_now(grbl::kStop); }

Result<void> GrblStage::reset_now() {
  constexpr std::uint8_t kByte = grbl::kSoftReset;
  reset_sent_ns_ = now_ns();
  return send_now({&kByte, 1});
}

Result<void> GrblStage::listen(Timeout timeout) {
  std::array<std::uint8_t, 4096> bytes{};
  const auto got = link_->receive(bytes, timeout);
  if (!got && got.error().code == ErrorCode::kTimeout) return {};
  if (!got) {
    doubt("the connection to the stage broke");
    return fail(got.error());
  }
  heard_ns_ = got->host_time_ns;
  splitter_.add(ByteView(bytes).first(got->size));
  while (const auto line = splitter_.next()) {
    if (const auto parsed = parse_grbl_line(*line))
      handle(*parsed);
    else
      ++malformed_;
  }
  return {};
}

void GrblStage::handle(const GrblLine& line) {
  silent_ = false;
  switch (line.kind) {
    case GrblLineKind::kOk:
    case GrblLineKind::kError:
      if (owed_ > 0) --owed_;
      error_ = line.number;
      // It was in the controller when the stop came, and may have begun after it.
      if (told_to_stop() || stopping_) (void)link_->send(grbl::kStop, kSendNow);
      break;
    case GrblLineKind::kAlarm:
      alarm_ = line.number;
      fault_ = fmt::format("{}: alarm {}: {}", link_->url(), line.number,
                           describe_grbl_alarm(line.number, dialect_));
      if (!grbl_alarm_keeps_position(line.number, dialect_))
        doubt(fmt::format("alarm {}: {}", line.number, describe_grbl_alarm(line.number, dialect_)));
      break;
    case GrblLineKind::kBanner:
      dialect_ = line.dialect;
      banner_seen_ = true;
      report_due_ = false;
      owed_ = 0;  // lines that waited are forgotten
      if (!expect_banner_ && now_ns() - reset_sent_ns_ > kOwnBanner_ns) {
        doubt("the controller restarted by itself");
        fault_ = fmt::format("{}: the controller restarted by itself (power dip, reset button?)",
                             link_->url());
      }
      break;
    case GrblLineKind::kReport:
      handle_report(line.report);
      break;
    case GrblLineKind::kSetting:
      settings_[line.number] = line.value;
      break;
    case GrblLineKind::kMessage:
    case GrblLineKind::kOther:
      break;
  }
}

void GrblStage::handle_report(const GrblReport& report) {
  if (report.work_offset_m) offset_m_ = *report.work_offset_m;
  auto at_m = report.machine_m.value_or(StagePosition{});
  if (!report.machine_m)
    for (std::size_t axis = 0; axis < 3; ++axis)
      at_m[axis] = (*report.work_m)[axis] + offset_m_[axis];
  for (std::size_t axis = 0; axis < 3; ++axis) at_m[axis] += options_.machine_zero_m[axis];
  const auto stamp_ns = report_due_ ? asked_ns_ + (heard_ns_ - asked_ns_) / 2 : heard_ns_;
  report_due_ = false;
  last_ = {stamp_ns, at_m, report.state, trusted_};
  const bool known_move = report.state == StageState::kRun || report.state == StageState::kHolding;
  if (report.state == StageState::kRun) motion_.correct(at_m, stamp_ns);
  if (!known_move) motion_.rest_at(at_m);
  samples_.push_back(last_);
  if (report.state == StageState::kIdle && owed_ == 0) braking_s_ = 0;
  if (on_report_) on_report_(last_);
}

StagePosition GrblStage::machine_from_rig_m(const StagePosition& at_m) const {
  auto machine_m = at_m;
  for (std::size_t axis = 0; axis < 3; ++axis) machine_m[axis] -= options_.machine_zero_m[axis];
  return machine_m;
}

Result<void> GrblStage::ask_when_due(std::int64_t period_ns) {
  if (homing_) return {};  // it does not answer while it homes
  if (report_due_ && now_ns() - unanswered_ns_ > patient_ns(kSilence_ns)) {
    report_due_ = false;
    return fail(fall_silent("the stage has said nothing for 1 s"));
  }
  if (now_ns() - asked_ns_ < (report_due_ ? std::max(period_ns, kAgain_ns) : period_ns)) return {};
  asked_ns_ = now_ns();
  if (!report_due_) unanswered_ns_ = asked_ns_;
  report_due_ = true;
  return send_byte(grbl::kStatus);
}

Result<void> GrblStage::fault_or_ok() {
  if (fault_.empty()) return {};
  return fail(ErrorCode::kDeviceFault, "{}", std::exchange(fault_, {}));
}

/// A line that reaches the controller behind a feed hold is stored and not answered, one behind the
/// reset would be carried out: after a stop byte nothing is sent and nothing waited for.
Result<void> GrblStage::command(const std::string& line, Timeout timeout) {
  const auto stopped = [&] {
    return fail(ErrorCode::kDeviceFault, "{}: the stage was told to stop", link_->url());
  };
  {
    const std::lock_guard whole(sending_);
    if (told_to_stop()) return stopped();
    ++owed_;
    if (auto sent = link_->send(view_of(line), kSend); !sent) {
      doubt("the connection to the stage broke");
      return sent;
    }
  }
  const auto text = std::string_view(line).substr(0, line.find('\n'));
  const auto begun_ns = now_ns();
  const auto deadline_ns = begun_ns + patient_ns(to_ns(timeout));
  while (owed_ > 0) {
    if (now_ns() >= deadline_ns)
      return fail(
          fall_silent(fmt::format("no answer to '{}' within {} ms", text, timeout.count())));
    // Some controllers answer only what they are asked (grbl-sim), and an answer may get lost.
    if (now_ns() - begun_ns >= kAgain_ns)
      if (auto asked = ask_when_due(kAgain_ns); !asked) return asked;
    if (auto heard = listen(kListen); !heard) return heard;
    if (auto fine = fault_or_ok(); !fine) return fine;
    if (told_to_stop() && owed_ > 0) return stopped();
  }
  if (error_ == 0) return {};
  return fail(ErrorCode::kDeviceFault, "{}: the stage refuses '{}': error {}: {}", link_->url(),
              text, error_, describe_grbl_error(error_, dialect_));
}

Result<void> GrblStage::poll(std::vector<StageSample>& into, Timeout timeout) {
  const auto usual_ns = static_cast<std::int64_t>(1e9 / options_.poll_hz);
  const auto period_ns = told_to_stop() ? std::min(usual_ns, kStopping_ns) : usual_ns;
  const auto deadline_ns = now_ns() + to_ns(timeout);
  do {
    if (auto asked = ask_when_due(period_ns); !asked) return asked;
    auto heard = listen(std::min(time_left(deadline_ns, now_ns()), kListen));
    into.insert(into.end(), samples_.begin(), samples_.end());
    samples_.clear();
    if (!heard) return heard;
    if (auto fine = fault_or_ok(); !fine) return fine;
  } while (now_ns() < deadline_ns);
  if (!silent_) return {};
  return fail(ErrorCode::kTimeout, "{}: the stage is silent", link_->url());
}

Result<void> GrblStage::wait_for_state(std::initializer_list<StageState> states, Timeout timeout) {
  const auto deadline_ns = now_ns() + patient_ns(to_ns(timeout));
  const auto begun_ns = now_ns();
  asked_ns_ = std::min(asked_ns_, begun_ns - kFast_ns);
  while (true) {
    if (auto asked = ask_when_due(kFast_ns); !asked) return asked;
    if (auto heard = listen(kListen); !heard) return heard;
    if (auto fine = fault_or_ok(); !fine) return fine;
    const bool fresh = last_.host_time_ns >= begun_ns;
    if (fresh && std::find(states.begin(), states.end(), last_.state) != states.end()) return {};
    if (now_ns() >= deadline_ns)
      return fail(ErrorCode::kTimeout, "{}: the stage is not at rest after {} ms", link_->url(),
                  timeout.count());
  }
}

Result<void> GrblStage::wait_until_idle(Timeout timeout) {
  const auto deadline_ns = now_ns() + to_ns(timeout);
  // Twice: the first report may have been formatted before the last line was planned.
  for (int times = 0; times < 2; ++times) {
    const auto left = time_left(deadline_ns, now_ns());
    if (auto idle = wait_for_state({StageState::kIdle}, left); !idle) return idle;
  }
  return {};
}

Result<void> GrblStage::check_may_move(double speed_m_per_s, const StagePosition& from_m,
                                       const StagePosition& to_m) const {
  if (locked_)
    return fail(ErrorCode::kDeviceFault,
                "the stage was stopped and is locked; nothing was sent. Unlock it when the cause "
                "is gone");
  const double most_m_per_s = along_way(travel_.most_speed_m_per_s, from_m, to_m);
  if (!(speed_m_per_s >= kSlowest_m_per_s) || !(speed_m_per_s <= most_m_per_s * (1 + 1e-9)))
    return fail(ErrorCode::kInvalidInput,
                "a speed of {:.4g} mm/s is outside {:.4g} to {:.4g} mm/s; nothing was sent",
                m_to_mm(speed_m_per_s), m_to_mm(kSlowest_m_per_s), m_to_mm(most_m_per_s));
  return check_travel(travel_, to_m);
}

Result<void> GrblStage::move_to(const StagePosition& target_m, double speed_m_per_s) {
  if (!trusted_)
    return fail(ErrorCode::kDeviceFault,
                "the stage's position is not known ({}); home it first. Nothing was sent", doubt_);
  const auto from_m = planned_m_;
  if (auto may = check_may_move(speed_m_per_s, from_m, target_m); !may) return may;
  if (auto sent = send_motion(encode_move(machine_from_rig_m(target_m), speed_m_per_s), target_m,
                              speed_m_per_s);
      !sent)
    return sent;
  const double acceleration = along_way(travel_.acceleration_m_per_s2, from_m, target_m);
  if (std::isfinite(acceleration) && acceleration > 0)
    motion_.add(TrapezoidMove(from_m, target_m, speed_m_per_s, acceleration), heard_ns_);
  return {};
}

Result<void> GrblStage::jog(const StagePosition& by_m, double speed_m_per_s) {
  const auto from_m = planned_m_;
  StagePosition to_m = from_m;
  for (std::size_t axis = 0; axis < 3; ++axis) to_m[axis] += by_m[axis];
  // Before homing the travel means nothing; the operator sees where the tool goes.
  const auto checked_m = trusted_ ? to_m : travel_.high_m;
  const auto checked_from_m = trusted_ ? from_m : travel_.high_m;
  if (auto may = check_may_move(speed_m_per_s, checked_from_m, checked_m); !may) return may;
  return send_motion(encode_jog(by_m, speed_m_per_s), to_m, speed_m_per_s);
}

/// Braking is known before the line goes: a stop may come while its answer is awaited.
Result<void> GrblStage::send_motion(const std::string& line, const StagePosition& to_m,
                                    double speed_m_per_s) {
  const double most_m_per_s2 = along_way(travel_.acceleration_m_per_s2, planned_m_, to_m);
  if (std::isfinite(most_m_per_s2))
    braking_s_ = std::max(braking_s_.load(), speed_m_per_s / most_m_per_s2);
  if (auto sent = command(line, kAnswer); !sent) return sent;
  planned_m_ = to_m;
  return {};
}

}  // namespace tactelier::devices
