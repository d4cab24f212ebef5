// The dialogue of a Zaber stage: requests, their answers, and what comes unasked.

#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "devices/zaber/zaber_stage.hpp"

namespace tactelier::devices {
namespace {

constexpr Timeout kSend{500};
constexpr Timeout kSendNow{20};
constexpr Timeout kListen{20};
constexpr std::int64_t kSilence_ns = 1'000'000'000;
constexpr std::int64_t kMissing_ns = 200'000'000;    // an answer, before it is asked for again
constexpr std::int64_t kStopAgain_ns = 100'000'000;  // the same of a stop
constexpr int kIds = 90;                             // those from there on are of stops
constexpr int kStopId = 96, kDeadStopId = 98;

}  // namespace

ZaberStage::ZaberStage(const ZaberOptions& options, std::unique_ptr<Link> link)
    : options_(options), link_(std::move(link)) {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    scales_[axis] = {options.m_per_step[axis], options.machine_zero_m[axis]};
    devices_.insert(options.device[axis]);
  }
}

void ZaberStage::doubt(std::string why) {
  trusted_ = false;
  doubt_ = std::move(why);
}

Error ZaberStage::fall_silent(const std::string& what) {
  silent_ = true;
  request_.reset();
  forget_ways();
  doubt(what);
  return {ErrorCode::kTimeout, fmt::format("{}: {}", link_->url(), what)};
}

Result<void> ZaberStage::fault_or_ok() {
  if (fault_.empty()) return {};
  return fail(ErrorCode::kDeviceFault, "{}", std::exchange(fault_, {}));
}

Result<void> ZaberStage::stopped() const {
  return fail(ErrorCode::kDeviceFault, "{}: the stage was told to stop", link_->url());
}

Error ZaberStage::refused(const ZaberLine& line, std::string_view command) const {
  return {ErrorCode::kDeviceFault,
          fmt::format("{}: device {} axis {} refuses '{}': {}", link_->url(), line.device,
                      line.axis, command, zaber_refusal(line.data))};
}

/// An empty line ends what may have been cut off before it.
Result<void> ZaberStage::send_now(std::string_view command, int first_id) {
  if (first_id == kDeadStopId) dead_stop_ = true;
  ++stops_sent_;
  const auto text =
      "\n" + encode_zaber(0, 0, first_id, command) + encode_zaber(0, 0, first_id + 1, command);
  const std::unique_lock whole(sending_, kSendNow);  // held up for longer, it goes all the same
  return link_->send(view_of(text), kSendNow);
}

Result<void> ZaberStage::hold_now() { return send_now("stop", kStopId); }
Result<void> ZaberStage::reset_now() { return send_now("estop", kDeadStopId); }

Result<void> ZaberStage::write(std::string_view bytes) {
  const std::lock_guard whole(sending_);
  auto sent = link_->send(view_of(bytes), kSend);
  if (!sent) doubt("the connection to the stage broke");
  return sent;
}

void ZaberStage::notice_stop() {
  if (stops_noticed_ == stops_sent_) return;
  stops_noticed_ = stops_sent_.load();
  forget_ways();
  stop_owed_ = devices_;
  const bool dead = dead_stop_.exchange(false);
  if (dead) doubt("it was stopped dead");
  stop_command_ = dead ? "estop" : "stop";
  stop_again_ns_ = now_ns() + patient_ns(kStopAgain_ns);
  if (request_ && request_->purpose != Purpose::kAsk) request_.reset();
}

/// Also without anybody having asked for it. It does not lock: who hears of the trouble decides.
void ZaberStage::stop_first(std::string why) {
  const bool moves = way_left() || homing_ || last_.state != StageState::kIdle;
  forget_ways();
  if (moves) {
    stop_owed_ = devices_;
    stop_command_ = "stop";
    stop_again_ns_ = now_ns();
    (void)send_again();
  }
  if (request_ && request_->purpose == Purpose::kMove) request_.reset();
  fault_ = fmt::format("{}: {}", link_->url(), why);
  doubt(std::move(why));
}

void ZaberStage::see_flag(const ZaberLine& line) {
  const auto [kind, words] = zaber_flag(line.flag);
  if (kind == ZaberFlagKind::kNone && line.axis == 0)
    std::erase_if(told_flags_, [&](const std::string& told) {
      return told.starts_with(fmt::format("{} ", line.device));
    });
  if (kind == ZaberFlagKind::kNone) return;
  const auto where = line.axis == 0 ? fmt::format("device {}", line.device)
                                    : fmt::format("device {} axis {}", line.device, line.axis);
  if (kind == ZaberFlagKind::kNoReference) {
    if (!trusted_) return;
    if (line.axis != 0)
      return stop_first(
          fmt::format("{} has lost its reference ({}): power dip, reset?", where, line.flag));
    // It may be an axis that is none of ours.
    for (std::size_t axis = 0; axis < 3; ++axis)
      if (options_.device[axis] == line.device &&
          std::find(status_due_.begin(), status_due_.end(), axis) == status_due_.end())
        status_due_.push_back(axis);
    return;
  }
  const bool is_new = told_flags_.insert(fmt::format("{} {}", line.device, line.flag)).second;
  // Of before it was homed: homing clears it, or says that it is still there.
  if (is_new && (trusted_ || homing_ || way_left()))
    stop_first(fmt::format("{}: {} ({})", where, words, line.flag));
}

Result<void> ZaberStage::listen(Timeout timeout) {
  std::array<std::uint8_t, 4096> bytes{};
  const auto got = link_->receive(bytes, timeout);
  if (!got && got.error().code == ErrorCode::kTimeout) return {};
  if (!got) {
    doubt("the connection to the stage broke");
    return fail(got.error());
  }
  splitter_.add(ByteView(bytes).first(got->size));
  while (const auto text = splitter_.next()) {
    const auto line = parse_zaber_line(*text);
    if (line && (line->checked || !checksums_ || line->kind == ZaberLineKind::kInfo))
      handle(*line, got->host_time_ns);
    else
      ++malformed_;
  }
  return {};
}

void ZaberStage::handle(const ZaberLine& line, std::int64_t time_ns) {
  if (line.kind == ZaberLineKind::kInfo || !devices_.contains(line.device)) return;
  silent_ = false;
  if (line.kind == ZaberLineKind::kAlert) return see_flag(line);
  if (line.id && *line.id >= kStopId) {
    notice_stop();
    stop_owed_.erase(line.device);
    return see_flag(line);
  }
  const bool mine = request_ && line.id && request_->axis == line.axis &&
                    request_->owed.contains(line.device) &&
                    std::any_of(request_->sent.begin(), request_->sent.end(),
                                [&](const Request::Sent& sent) { return sent.id == *line.id; });
  if (!mine) {
    ++strays_;
    return;
  }
  request_->owed.erase(line.device);
  request_->replies.push_back(line);
  request_->answered_ns = time_ns;
  see_flag(line);  // before a report of this moment passes for a trusted one
  if (request_ && request_->owed.empty()) complete();
}

void ZaberStage::complete() {
  const auto done = std::move(*request_);
  request_.reset();
  switch (done.purpose) {
    case Purpose::kAsk:
      return take_positions(done);
    case Purpose::kStatus:
      return;
    case Purpose::kOther:
      answers_ = done.replies;
      return;
    case Purpose::kMove:
      if (done.replies.front().accepted) return;
      const auto why = refused(done.replies.front(), done.command).message;
      const bool trusted = trusted_;
      stop_first(why);
      trusted_ = trusted;  // where it is, it still tells
      fault_ = why;
      return;
  }
}

Result<void> ZaberStage::send(int device, int axis, std::string command, Purpose purpose,
                              bool repeatable) {
  const std::lock_guard whole(sending_);
  const bool moves = purpose == Purpose::kMove || purpose == Purpose::kOther;
  if (told_to_stop() && moves) return stopped();
  request_ = Request{device, axis, std::move(command), purpose, repeatable, {}, {}, {}, 0};
  request_->owed = device == 0 ? devices_ : std::set<int>{device};
  return send_again();
}

/// A stop that wasn't answered, or the request under way, with an id of its own.
Result<void> ZaberStage::send_again() {
  if (!stop_owed_.empty() && now_ns() >= stop_again_ns_) {
    stop_again_ns_ = now_ns() + patient_ns(kStopAgain_ns);
    const int id = stop_command_ == "stop" ? kStopId : kDeadStopId;
    return write("\n" + encode_zaber(0, 0, id, stop_command_));
  }
  if (!request_) return {};
  if (!request_->sent.empty()) ++repeated_;
  id_ = (id_ + 1) % kIds;
  request_->sent.push_back({id_, now_ns()});
  return write(encode_zaber(request_->device, request_->axis, id_, request_->command));
}

/// An answer may have come while nobody listened: the thread was held up.
Result<void> ZaberStage::check_silence() {
  if (!request_ || request_->sent.empty()) return {};
  if (now_ns() - request_->sent.front().sent_ns > patient_ns(kSilence_ns)) {
    if (auto heard = listen(Timeout(1)); !heard) return heard;
    if (!request_) return {};
    return fail(fall_silent(
        fmt::format("device {} has said nothing for 1 s", fmt::join(request_->owed, ", "))));
  }
  if (now_ns() - request_->sent.back().sent_ns <= patient_ns(kMissing_ns)) return {};
  return request_->repeatable ? send_again() : Result<void>{};
}

Result<void> ZaberStage::await() {
  while (request_) {
    const bool mine = request_->purpose == Purpose::kMove || request_->purpose == Purpose::kOther;
    if (auto heard = check_silence(); !heard) return heard;
    if (auto heard = listen(kListen); !heard) return heard;
    if (auto fine = fault_or_ok(); !fine) return fine;
    if (told_to_stop() && mine) {
      notice_stop();
      return stopped();
    }
  }
  return {};
}

Result<std::vector<ZaberLine>> ZaberStage::command(int device, int axis, std::string text) {
  answers_.clear();
  auto done = await().and_then([&] { return send(device, axis, text, Purpose::kOther); });
  if (done) done = await();
  if (!done) return fail(done.error());
  for (const auto& answer : answers_)
    if (!answer.accepted) return fail(refused(answer, text));
  return std::move(answers_);
}

}  // namespace tactelier::devices
