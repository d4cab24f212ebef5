// Ways of a Marlin stage, and where it is.
#include "devices/marlin/marlin_stage.hpp"

#include <algorithm>
#include <cmath>

#include "devices/interface/stage_travel.hpp"
#include "libcalib/units.hpp"

namespace tactelier::devices {
namespace {

constexpr Timeout kAnswer{2000};
constexpr Timeout kListen{20};
constexpr std::int64_t kWay_ns = 25'000'000;       // between questions while pieces are to be sent
constexpr std::int64_t kFast_ns = 50'000'000;      // while something is awaited
constexpr std::int64_t kStalled_ns = 500'000'000;  // so long after its end and without a step
constexpr std::int64_t kStopped_ns = 100'000'000;  // the same behind a stop
constexpr std::int64_t kReply_ns = 10'000'000;     // reading the counters and sending 70 bytes

}  // namespace

Result<void> MarlinStage::hold_now() { return send_now(marlin::kQuickStop); }
Result<void> MarlinStage::reset_now() { return send_now(marlin::kQuickStop); }

StepCounts MarlinStage::steps_of(const StagePosition& at_m) const {
  StepCounts steps{};
  for (std::size_t axis = 0; axis < 3; ++axis)
    steps[axis] =
        std::llround(m_to_mm(at_m[axis] - options_.machine_zero_m[axis]) * steps_per_mm_[axis]);
  return steps;
}

StagePosition MarlinStage::place_of(const StepCounts& steps) const {
  StagePosition at_m{};
  for (std::size_t axis = 0; axis < 3; ++axis)
    at_m[axis] = options_.machine_zero_m[axis] +
                 mm_to_m(static_cast<double>(steps[axis]) / steps_per_mm_[axis]);
  return at_m;
}

/// It rests when everything was sent and it is there, or when it has not made a step for long after
/// it should be.
StageState MarlinStage::state_by(const StepCounts& steps, std::int64_t time_ns) {
  if (homing_) return StageState::kHome;
  if (halted_) return StageState::kAlarm;
  if (steps != last_steps_ || unchanged_ns_ == 0) unchanged_ns_ = time_ns;
  const bool there = steps == steps_of(ways_.planned_end_m());
  const bool stalled = time_ns - unchanged_ns_ > patient_ns(kStalled_ns) &&
                       time_ns - ways_.over_ns() > patient_ns(kStalled_ns);
  const bool stopped = told_to_stop() && time_ns - unchanged_ns_ > patient_ns(kStopped_ns);
  return (!ways_.waiting() && there) || stalled || stopped ? StageState::kIdle : way_kind_;
}

/// The answer to "M114 R": step counts of the moment before it was written (module/motion.cpp,
/// report_real_position()). A question that had to wait behind M410 was answered at once when lines
/// were read again. Unasked ones tell where the planned moves end.
void MarlinStage::handle_position(const StepCounts& steps) {
  if (!line_ || line_->purpose != Purpose::kAsk) return;
  const bool waited = line_->sent_ns < stopped_ns_ + kQuickStop_ns;
  const auto middle_ns = line_->sent_ns + (heard_ns_ - line_->sent_ns) / 2;
  const auto time_ns = waited ? std::max(middle_ns, heard_ns_ - kReply_ns) : middle_ns;
  const auto at_m = place_of(steps);
  ways_.see(at_m, time_ns);
  const auto state = state_by(steps, time_ns);
  last_steps_ = steps;
  last_ = {time_ns, at_m, state, trusted_};
  if (state == StageState::kIdle && !ways_.waiting() && !line_is_move()) {
    braking_s_ = 0;
    if (ways_.planned()) ways_.see(ways_.planned_end_m(), time_ns);
  }
  samples_.push_back(last_);
  if (on_report_) on_report_(last_);
}

std::int64_t MarlinStage::period_ns() const {
  if (ways_.waiting()) return kWay_ns;
  const auto usual_ns = static_cast<std::int64_t>(1e9 / options_.poll_hz);
  return told_to_stop() ? std::min(usual_ns, kFast_ns) : usual_ns;
}

Result<void> MarlinStage::go_on(std::int64_t period_ns) {
  notice_stop();
  if (halted_) return fail(fall_silent("the printer has halted: press its reset button"));
  if (line_) return check_silence();
  if (unsure_) return send_sync();
  const auto piece = told_to_stop() ? std::nullopt : ways_.due();
  if (piece) {
    const auto sent = send(encode_piece(*piece), Purpose::kMove);
    if (sent) ways_.plan(*piece, now_ns());
    return sent;
  }
  if (now_ns() - asked_ns_ < period_ns) return {};
  asked_ns_ = now_ns();
  return send("M114 R", Purpose::kAsk);
}

std::string MarlinStage::encode_piece(const Piece& piece) const {
  auto target_m = place_of(steps_of(piece.to_m));  // Marlin would round
  for (std::size_t axis = 0; axis < 3; ++axis) target_m[axis] -= options_.machine_zero_m[axis];
  return encode_marlin_move(target_m, piece.speed_m_per_s);
}

Result<void> MarlinStage::poll(std::vector<StageSample>& into, Timeout timeout) {
  const auto deadline_ns = now_ns() + to_ns(timeout);
  do {
    if (auto went = go_on(period_ns()); !went) return went;
    auto heard = listen(std::min(time_left(deadline_ns, now_ns()), line_ ? kListen : Timeout(5)));
    into.insert(into.end(), samples_.begin(), samples_.end());
    samples_.clear();
    if (!heard) return heard;
    if (auto fine = fault_or_ok(); !fine) return fine;
  } while (now_ns() < deadline_ns);
  if (!silent_) return {};
  return fail(ErrorCode::kTimeout, "{}: the stage is silent", link_->url());
}

Result<void> MarlinStage::wait_until_idle(Timeout timeout) {
  const auto begun_ns = now_ns();
  const auto deadline_ns = begun_ns + patient_ns(to_ns(timeout));
  asked_ns_ = std::min(asked_ns_, begun_ns - kFast_ns);
  while (true) {
    if (auto went = go_on(ways_.waiting() ? kWay_ns : kFast_ns); !went) return went;
    if (auto heard = listen(kListen); !heard) return heard;
    if (auto fine = fault_or_ok(); !fine) return fine;
    if (last_.host_time_ns >= begun_ns && last_.state == StageState::kIdle) return {};
    if (now_ns() >= deadline_ns)
      return fail(ErrorCode::kTimeout, "{}: the stage is not at rest after {} ms", link_->url(),
                  timeout.count());
  }
}

/// Marlin moves a target that lies outside to the end of the travel and says nothing
/// (module/motion.cpp, apply_motion_limits()), and slows a feed down likewise.
Result<void> MarlinStage::check_may_move(double speed_m_per_s, const StagePosition& from_m,
                                         const StagePosition& to_m) const {
  if (locked_)
    return fail(ErrorCode::kDeviceFault,
                "the stage was stopped and is locked; nothing was sent. Unlock it when the cause "
                "is gone");
  const double least_m_per_s = travel_.least_speed_m_per_s;
  const double most_m_per_s = along_way(travel_.most_speed_m_per_s, from_m, to_m);
  if (!(speed_m_per_s >= least_m_per_s) || !(speed_m_per_s <= most_m_per_s * (1 + 1e-9)))
    return fail(ErrorCode::kInvalidInput,
                "a speed of {:.4g} mm/s is outside {:.4g} to {:.4g} mm/s; nothing was sent",
                m_to_mm(speed_m_per_s), m_to_mm(least_m_per_s), m_to_mm(most_m_per_s));
  return check_travel(travel_, to_m);
}

Result<void> MarlinStage::move_to(const StagePosition& target_m, double speed_m_per_s) {
  if (!trusted_)
    return fail(ErrorCode::kDeviceFault,
                "the stage's position is not known ({}); home it first. Nothing was sent", doubt_);
  if (auto may = check_may_move(speed_m_per_s, ways_.end_m(), target_m); !may) return may;
  return begin_way(target_m, speed_m_per_s, StageState::kRun);
}

Result<void> MarlinStage::jog(const StagePosition& by_m, double speed_m_per_s) {
  const auto from_m = ways_.end_m();
  auto to_m = from_m;
  for (std::size_t axis = 0; axis < 3; ++axis) to_m[axis] += by_m[axis];
  // Before homing the travel means nothing; the operator sees where the tool goes.
  if (!trusted_) {
    auto inside_m = travel_.high_m;
    for (std::size_t axis = 0; axis < 3; ++axis) inside_m[axis] -= std::abs(by_m[axis]);
    if (auto may = check_may_move(speed_m_per_s, inside_m, travel_.high_m); !may) return may;
  } else if (auto may = check_may_move(speed_m_per_s, from_m, to_m); !may) {
    return may;
  }
  return begin_way(to_m, speed_m_per_s, StageState::kJog);
}

/// Braking is known before the line goes: a stop may come while its answer is awaited.
Result<void> MarlinStage::begin_way(const StagePosition& to_m, double speed_m_per_s,
                                    StageState kind) {
  if (told_to_stop()) return stopped();
  const auto from_m = ways_.end_m();
  if (steps_of(from_m) == steps_of(to_m) && !ways_.waiting()) {
    ways_.move_end(to_m);
    return {};
  }
  const double most_m_per_s2 = std::min(along_way(travel_.acceleration_m_per_s2, from_m, to_m),
                                        travel_acceleration_m_per_s2_);
  braking_s_ = std::max(braking_s_.load(), PlannedWays::run_on_s(speed_m_per_s, most_m_per_s2));
  way_kind_ = kind;
  const bool rests = !ways_.waiting() && !ways_.planned();
  ways_.add(to_m, speed_m_per_s, most_m_per_s2);
  if (!rests) return {};
  const auto begun_ns = now_ns();
  // The first piece: whether it is taken.
  while (!(ways_.planned() && !line_is_move())) {
    if (auto went = go_on(kWay_ns); !went) return give_up_way(went);
    if (auto heard = listen(kListen); !heard) return give_up_way(heard);
    if (auto fine = fault_or_ok(); !fine) return give_up_way(fine);
    if (told_to_stop()) return give_up_way(stopped());
    if (now_ns() - begun_ns > patient_ns(to_ns(kAnswer)))
      return give_up_way(
          fail(fall_silent(fmt::format("no answer to a move within {} ms", kAnswer.count()))));
  }
  return {};
}

Result<void> MarlinStage::give_up_way(Result<void> why) {
  ways_.forget_waiting();
  return why;
}

}  // namespace tactelier::devices
