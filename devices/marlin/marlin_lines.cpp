// The dialogue of a Marlin stage: numbered lines, their answers, and what comes unasked.

#include <algorithm>
#include <array>

#include "devices/marlin/marlin_stage.hpp"
#include "libcalib/units.hpp"

namespace tactelier::devices {
namespace {

constexpr Timeout kSend{500};
constexpr Timeout kSendNow{20};
constexpr Timeout kListen{20};
constexpr std::int64_t kSilence_ns = 1'000'000'000;
constexpr std::int64_t kMissing_ns = 500'000'000;  // an answer to a question or a piece
constexpr std::int64_t kSyncMissing_ns = 900'000'000;
constexpr int kMostTimes = 3;
constexpr std::string_view kToken = "tactelier ";

}  // namespace

MarlinStage::MarlinStage(const MarlinOptions& options, std::unique_ptr<Link> link)
    : options_(options), link_(std::move(link)) {
  // Slower than the lowest step rate that the planner begins with (module/planner.cpp,
  // MINIMAL_STEP_RATE): tried down to 0.02 mm/s.
  travel_.least_speed_m_per_s = 0.01e-3;
}

void MarlinStage::doubt(std::string why) {
  trusted_ = false;
  doubt_ = std::move(why);
}

Error MarlinStage::fall_silent(const std::string& what) {
  silent_ = true;
  unsure_ = true;
  line_.reset();
  doubt(what);
  return {ErrorCode::kTimeout, fmt::format("{}: {}", link_->url(), what)};
}

Result<void> MarlinStage::fault_or_ok() {
  if (fault_.empty()) return {};
  return fail(ErrorCode::kDeviceFault, "{}", std::exchange(fault_, {}));
}

Result<void> MarlinStage::stopped() const {
  return fail(ErrorCode::kDeviceFault, "{}: the stage was told to stop", link_->url());
}

Result<void> MarlinStage::send_now(std::string_view bytes) {
  ++stops_sent_;
  stopped_ns_ = now_ns();
  const std::unique_lock whole(sending_, kSendNow);  // held up for longer, it goes all the same
  return link_->send(view_of(bytes), kSendNow);
}

Result<void> MarlinStage::listen(Timeout timeout) {
  std::array<std::uint8_t, 4096> bytes{};
  const auto got = link_->receive(bytes, timeout);
  if (!got && got.error().code == ErrorCode::kTimeout) return {};
  if (!got) {
    doubt("the connection to the stage broke");
    return fail(got.error());
  }
  splitter_.add(ByteView(bytes).first(got->size));
  while (const auto line = splitter_.next()) {
    const auto parsed = parse_marlin_line(*line);
    if (!parsed) {
      ++malformed_;
      continue;
    }
    if (parsed->kind != MarlinLineKind::kOther) {
      heard_ns_ = got->host_time_ns;
      silent_ = false;
    }
    handle(*parsed);
  }
  return {};
}

void MarlinStage::handle(const MarlinLine& line) {
  switch (line.kind) {
    case MarlinLineKind::kOk:
      return handle_ok();
    case MarlinLineKind::kResend:
      return handle_resend(line.number);
    case MarlinLineKind::kStart:
      return handle_start();
    case MarlinLineKind::kPosition:
      return handle_position(line.steps);
    case MarlinLineKind::kFirmware:
      firmware_ = line.text;
      return;
    case MarlinLineKind::kCapability:
      capabilities_[line.text] = line.on;
      return;
    case MarlinLineKind::kSetting:
    case MarlinLineKind::kReach:
      return note_setting(line);
    case MarlinLineKind::kSwitch:
      switches_.insert(line.text);
      return;
    case MarlinLineKind::kSwitchHit:
      if (homing_) return;
      doubt("it ran into a limit switch");
      fault_ = fmt::format("{}: a limit switch was hit ({})", link_->url(), line.text);
      ways_.forget_waiting();
      late_move_ = true;  // the pieces that are planned would go on
      return stop_late_move();
    case MarlinLineKind::kHalted:
      halted_ = true;
      line_.reset();
      doubt("the printer has halted: press its reset button");
      fault_ = fmt::format("{}: {} Press the printer's reset button, then connect again",
                           link_->url(), line.text);
      return;
    case MarlinLineKind::kError:
      // What asks for a line again says so in the next one.
      if (line.text.find("Last Line") == std::string::npos)
        fault_ = fmt::format("{}: {}", link_->url(), line.text);
      return;
    case MarlinLineKind::kUnknown:
      if (line_ && line_->purpose != Purpose::kAsk)
        fault_ = fmt::format("{}: it doesn't know the command {}", link_->url(), line.text);
      return;
    case MarlinLineKind::kEcho:
    case MarlinLineKind::kOther:
      if (line_ && line_->purpose == Purpose::kSync && line.text.starts_with(kToken) &&
          line_->command.ends_with(line.text)) {
        line_->token_seen = true;
        stop_late_move();
      }
      return;
    case MarlinLineKind::kBusy:
      return;
  }
}

/// A move that was in the controller when the stop came begins only now.
void MarlinStage::stop_late_move() {
  if (!std::exchange(late_move_, false)) return;
  (void)link_->send(view_of(marlin::kQuickStop), kSendNow);
  stopped_ns_ = now_ns();
  unsure_ = true;
}

void MarlinStage::handle_ok() {
  if (resend_ok_ > 0) {
    --resend_ok_;
    return send_again();
  }
  stop_late_move();
  if (!line_ || (line_->purpose == Purpose::kSync && !line_->token_seen)) return;
  if (line_->purpose == Purpose::kSync) unsure_ = false;
  if (line_->purpose == Purpose::kSync || line_->purpose == Purpose::kMove) move_owed_ = false;
  line_.reset();
}

void MarlinStage::notice_stop() {
  if (stops_noticed_ == stops_sent_) return;
  stops_noticed_ = stops_sent_.load();
  ways_.forget_waiting();
  late_move_ = move_owed_;
  unsure_ = true;  // M410 has an "ok" of its own
  if (line_ && line_->purpose != Purpose::kAsk) line_.reset();
}

void MarlinStage::send_again() {
  if (!line_) return;
  ++resent_;
  ++line_->times;
  line_->sent_ns = now_ns();
  (void)link_->send(view_of(numbered_line(line_->number, line_->command)), kSend);
}

/// Marlin throws away what it had received behind a damaged line (gcode/queue.cpp,
/// gcode_line_error()); here there is never more than that line.
void MarlinStage::handle_resend(std::int64_t number) {
  ++resend_ok_;
  if (line_ && number == line_->number && line_->times < kMostTimes) return;
  doubt("lines to the stage were lost");
  fault_ = fmt::format("{}: it asks for line {}, {}: cable, or another program at this port?",
                       link_->url(), number,
                       line_ ? fmt::format("{} was sent {} times", line_->number, line_->times)
                             : "nothing was under way");
  resend_ok_ = 0;
  number_ = number - 1;
  line_.reset();
  unsure_ = true;
}

void MarlinStage::handle_start() {
  const bool expected = !std::exchange(started_, true);
  number_ = 0;
  resend_ok_ = 0;
  halted_ = false;
  line_.reset();
  restarted_ = true;
  if (expected) return;
  ways_.forget_waiting();
  doubt("the controller restarted by itself");
  fault_ = fmt::format("{}: the controller restarted by itself (power dip, reset button?)",
                       link_->url());
}

void MarlinStage::note_setting(const MarlinLine& line) {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const auto value = line.values[axis];
    const double mm = value.value_or(0);
    if (line.kind == MarlinLineKind::kReach) {
      const double zero_m = options_.machine_zero_m[axis];
      if (value) travel_.low_m[axis] = zero_m + mm_to_m(mm);
      if (line.most[axis]) travel_.high_m[axis] = zero_m + mm_to_m(*line.most[axis]);
    } else if (value && line.text == "M92") {
      steps_per_mm_[axis] = mm;
      if (mm > 0) travel_.step_m[axis] = mm_to_m(1) / mm;
    } else if (value && line.text == "M203") {
      travel_.most_speed_m_per_s[axis] = mm_to_m(mm);
    } else if (value && line.text == "M201") {
      travel_.acceleration_m_per_s2[axis] = mm_to_m(mm);
    }
  }
  if (line.text == "M204" && line.travel) travel_acceleration_m_per_s2_ = mm_to_m(*line.travel);
}

Result<void> MarlinStage::send(const std::string& command, Purpose purpose) {
  const std::lock_guard whole(sending_);
  // Questions may wait in it; Marlin answers them once it reads lines again.
  const bool moves = purpose == Purpose::kMove || purpose == Purpose::kOther;
  if (told_to_stop() && moves) return stopped();
  if (halted_)
    return fail(ErrorCode::kDeviceFault, "{}: the printer has halted; press its reset button",
                link_->url());
  if (!line_) waits_since_ns_ = now_ns();
  line_ = Sent{++number_, command, purpose, now_ns(), 1, false};
  if (purpose == Purpose::kMove) move_owed_ = true;
  if (auto sent = link_->send(view_of(numbered_line(number_, command)), kSend); !sent) {
    doubt("the connection to the stage broke");
    return sent;
  }
  return {};
}

/// "echo:busy: processing" during a long command counts as being heard.
Result<void> MarlinStage::check_silence() {
  if (!line_) return {};
  const auto reads_lines_ns = stopped_ns_ + kQuickStop_ns;
  const auto unanswered_ns = now_ns() - std::max(waits_since_ns_, reads_lines_ns);
  const auto quiet_ns = now_ns() - std::max({waits_since_ns_, heard_ns_, reads_lines_ns});
  // Marlin says every 2 s that it is busy, until M113 has been heard.
  if (quiet_ns > patient_ns(homing_ ? 3 * kSilence_ns : kSilence_ns))
    return fail(fall_silent("the stage has said nothing for 1 s"));
  if (homing_ || line_->purpose == Purpose::kOther) return {};
  if (unanswered_ns > patient_ns(2 * kSilence_ns))
    return fail(fall_silent(fmt::format("no answer to '{}' within 2 s", line_->command)));
  const auto missing_ns = line_->purpose == Purpose::kSync ? kSyncMissing_ns : kMissing_ns;
  if (now_ns() - std::max(line_->sent_ns, reads_lines_ns) <= patient_ns(missing_ns)) return {};
  // Its "ok" may still come, and must not be another's. That the next number is taken proves that
  // this line was.
  unsure_ = true;
  return send_sync();
}

Result<void> MarlinStage::send_sync() {
  return send(fmt::format("M118 {}{}", kToken, number_ + 1), Purpose::kSync);
}

Result<void> MarlinStage::await(Timeout timeout) {
  const auto deadline_ns = now_ns() + patient_ns(to_ns(timeout));
  while (line_) {
    const bool mine = line_->purpose == Purpose::kMove || line_->purpose == Purpose::kOther;
    if (now_ns() >= deadline_ns)
      return fail(fall_silent(
          fmt::format("no answer to '{}' within {} ms", line_->command, timeout.count())));
    if (auto heard = check_silence(); !heard) return heard;
    if (auto heard = listen(kListen); !heard) return heard;
    if (auto fine = fault_or_ok(); !fine) return fine;
    if (told_to_stop() && line_ && mine) {
      notice_stop();
      return stopped();
    }
  }
  return {};
}

Result<void> MarlinStage::command(const std::string& text, Timeout timeout) {
  auto ready = unsure_ ? sync(timeout) : await(timeout);
  return ready.and_then([&] { return send(text, Purpose::kOther); }).and_then([&] {
    return await(timeout);
  });
}

Result<void> MarlinStage::sync(Timeout timeout) {
  notice_stop();
  line_.reset();
  return send_sync().and_then([&] { return await(timeout); });
}

}  // namespace tactelier::devices
