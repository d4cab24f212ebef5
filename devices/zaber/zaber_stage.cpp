// Ways of a Zaber stage, and where it is.
#include "devices/zaber/zaber_stage.hpp"

#include <algorithm>
#include <cmath>

#include "devices/interface/stage_travel.hpp"
#include "libcalib/units.hpp"

namespace tactelier::devices {
namespace {

constexpr Timeout kListen{20};
constexpr std::int64_t kWay_ns = 25'000'000;   // between questions while it moves
constexpr std::int64_t kFast_ns = 10'000'000;  // while rest is awaited

}  // namespace

StagePosition ZaberStage::step_m() const {
  StagePosition step_m{};
  for (std::size_t axis = 0; axis < 3; ++axis) step_m[axis] = std::abs(scales_[axis].m_per_step);
  return step_m;
}

void ZaberStage::forget_ways() {
  if (way_left()) end_known_ = false;
  ways_.clear();
  orders_.clear();
  under_way_ = false;
}

void ZaberStage::rest_here() {
  way_end_m_ = last_.position_m;
  end_known_ = true;
}

/// Each device answered for all of its axes at once.
void ZaberStage::take_positions(const Request& request) {
  AxisSteps steps{};
  bool busy = false, lost = false;
  for (const auto& reply : request.replies) {
    busy |= reply.busy;
    lost |= zaber_flag(reply.flag).kind == ZaberFlagKind::kNoReference;
  }
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const auto reply =
        std::find_if(request.replies.begin(), request.replies.end(),
                     [&](const ZaberLine& line) { return line.device == options_.device[axis]; });
    const auto number = static_cast<std::size_t>(options_.axis[axis]);
    const auto values = zaber_values(reply->data);
    if (!reply->accepted || values.size() < number || !values[number - 1]) {
      ++malformed_;
      return;
    }
    steps[axis] = std::llround(*values[number - 1]);
  }
  const auto& id = request.replies.back().id;
  const auto sent = std::find_if(request.sent.begin(), request.sent.end(),
                                 [&](const Request::Sent& one) { return one.id == *id; });
  const auto time_ns = sent->sent_ns + (request.answered_ns - sent->sent_ns) / 2;
  if (!busy && orders_.empty()) under_way_ = false;
  const bool rests = !busy && !way_left();
  auto state = homing_ ? StageState::kHome : way_kind_;
  if (rests && !homing_) state = StageState::kIdle;
  busy_ = busy;
  no_reference_ = lost;
  last_steps_ = steps;
  last_ = {time_ns, place_of(scales_, steps), state, trusted_};
  if (rests) braking_s_ = 0;
  if (rests && !end_known_) rest_here();
  samples_.push_back(last_);
  if (on_report_) on_report_(last_);
}

std::int64_t ZaberStage::period_ns() const {
  if (way_left() || told_to_stop()) return kWay_ns;
  return static_cast<std::int64_t>(1e9 / options_.poll_hz);
}

Result<void> ZaberStage::send_order(const AxisOrder& order) {
  const auto& here = last_steps_[order.axis];
  const auto to = relative_ ? order.to_steps - here : order.to_steps;
  under_way_ = true;
  return send(options_.device[order.axis], options_.axis[order.axis],
              fmt::format("move {} {} {} {}", relative_ ? "rel" : "abs", to,
                          zaber_speed(order.speed_steps_per_s),
                          zaber_acceleration(order.acceleration_steps_per_s2)),
              Purpose::kMove, !relative_);
}

std::optional<ZaberStage::Heading> ZaberStage::heading(const StagePosition& from_m,
                                                       const Way& way) const {
  const auto from = steps_at(scales_, from_m), to = steps_at(scales_, way.to_m);
  std::optional<Heading> only;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (to[axis] == from[axis]) continue;
    if (only) return std::nullopt;
    only = Heading{axis, to[axis] > from[axis], way.speed_m_per_s};
  }
  return only;
}

bool ZaberStage::goes_straight_on() const {
  return under_way_ && !relative_ && orders_.empty() && !ways_.empty() && heading_ &&
         heading(way_end_m_, ways_.front()) == heading_;
}

/// Braking is known before an order goes: a stop may come while its answer is awaited.
Result<void> ZaberStage::begin_next_way() {
  auto way = ways_.front();
  ways_.pop_front();
  heading_ = heading(way_end_m_, way);
  while (heading_ && !ways_.empty() && heading(way.to_m, ways_.front()) == heading_) {
    way.to_m = ways_.front().to_m;
    ways_.pop_front();
  }
  auto orders = axis_orders(scales_, steps_at(scales_, way_end_m_), steps_at(scales_, way.to_m),
                            way.speed_m_per_s, way.acceleration_m_per_s2);
  way_end_m_ = way.to_m;
  // Of an axis with a tiny part of the way, speed rounded down would have it come seconds later.
  if (orders.size() > 1)
    for (auto& order : orders) order.speed_steps_per_s = told_steps_per_s(order.speed_steps_per_s);
  orders_.assign(orders.begin(), orders.end());
  if (orders_.empty()) return {};
  way_kind_ = way.kind;
  relative_ = !trusted_;
  braking_s_ = way.speed_m_per_s / way.acceleration_m_per_s2;
  const auto order = orders_.front();
  orders_.pop_front();
  return send_order(order);
}

Result<void> ZaberStage::go_on(std::int64_t period_ns) {
  notice_stop();
  if (!stop_owed_.empty() && now_ns() >= stop_again_ns_) return send_again();
  if (request_) return check_silence();
  if (!told_to_stop() && !orders_.empty()) {
    const auto order = orders_.front();
    orders_.pop_front();
    return send_order(order);
  }
  if (!told_to_stop() && !ways_.empty() && (!under_way_ || goes_straight_on()))
    return begin_next_way();
  if (!status_due_.empty()) {
    const auto axis = status_due_.front();
    status_due_.pop_front();
    return send(options_.device[axis], options_.axis[axis], "", Purpose::kStatus);
  }
  if (now_ns() - asked_ns_ < period_ns) return {};
  asked_ns_ = now_ns();
  const int device = devices_.size() == 1 ? *devices_.begin() : 0;
  return send(device, 0, measured_ ? "get encoder.pos" : "get pos", Purpose::kAsk);
}

Result<void> ZaberStage::poll(std::vector<StageSample>& into, Timeout timeout) {
  const auto deadline_ns = now_ns() + to_ns(timeout);
  do {
    if (auto went = go_on(period_ns()); !went) return went;
    auto heard =
        listen(std::min(time_left(deadline_ns, now_ns()), request_ ? kListen : Timeout(5)));
    into.insert(into.end(), samples_.begin(), samples_.end());
    samples_.clear();
    if (!heard) return heard;
    if (auto fine = fault_or_ok(); !fine) return fine;
  } while (now_ns() < deadline_ns);
  if (!silent_) return {};
  return fail(ErrorCode::kTimeout, "{}: the stage is silent", link_->url());
}

Result<void> ZaberStage::wait_until_idle(Timeout timeout) {
  const auto begun_ns = now_ns();
  const auto deadline_ns = begun_ns + patient_ns(to_ns(timeout));
  asked_ns_ = std::min(asked_ns_, begun_ns - kFast_ns);
  while (true) {
    if (auto went = go_on(way_left() ? kWay_ns : kFast_ns); !went) return went;
    if (auto heard = listen(kListen); !heard) return heard;
    if (auto fine = fault_or_ok(); !fine) return fine;
    if (last_.host_time_ns >= begun_ns && last_.state == StageState::kIdle && !way_left())
      return {};
    if (now_ns() >= deadline_ns)
      return fail(ErrorCode::kTimeout, "{}: the stage is not at rest after {} ms", link_->url(),
                  timeout.count());
  }
}

Result<void> ZaberStage::check_may_move(double speed_m_per_s, const StagePosition& from_m,
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

Result<void> ZaberStage::move_to(const StagePosition& target_m, double speed_m_per_s) {
  if (!trusted_)
    return fail(ErrorCode::kDeviceFault,
                "the stage's position is not known ({}); home it first. Nothing was sent", doubt_);
  if (auto may = check_may_move(speed_m_per_s, end_m(), target_m); !may) return may;
  return begin_way(target_m, speed_m_per_s, StageState::kRun);
}

Result<void> ZaberStage::jog(const StagePosition& by_m, double speed_m_per_s) {
  if (!end_known_)
    if (auto known = know_place(); !known) return known;
  const auto from_m = end_m();
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

/// Returns when its orders have been taken, or it stands behind another.
Result<void> ZaberStage::begin_way(const StagePosition& to_m, double speed_m_per_s,
                                   StageState kind) {
  if (told_to_stop()) return stopped();
  if (!end_known_)
    if (auto known = know_place(); !known) return known;
  const double most_m_per_s2 = along_way(travel_.acceleration_m_per_s2, end_m(), to_m);
  if (steps_at(scales_, end_m()) == steps_at(scales_, to_m) && !way_left()) {
    way_end_m_ = to_m;
    return {};
  }
  const bool waits = way_left();
  stop_owed_.clear();
  ways_.push_back({to_m, speed_m_per_s, most_m_per_s2, kind});
  if (waits && !goes_straight_on()) return {};
  auto begun = await().and_then([&] { return begin_next_way(); });
  while (begun) {
    begun = await();
    if (begun && told_to_stop()) begun = stopped();
    if (!begun || orders_.empty()) break;
    const auto order = orders_.front();
    orders_.pop_front();
    begun = send_order(order);
  }
  if (!begun) forget_ways();
  return begun;
}

}  // namespace tactelier::devices
