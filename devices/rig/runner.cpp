#include "devices/rig/runner.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "libcalib/json_check.hpp"
#include "libcalib/protocol/plan_event.hpp"
#include "libcalib/protocol/plan_run.hpp"

namespace tactelier::rig {
namespace {

using nlohmann::json;

constexpr double kLook_s = 0.1;  // between two corrections of a force
constexpr double kCorrection_m_s = 0.4e-3;
constexpr double kLeastCorrection_m = 0.5e-6;
constexpr double kAhead_s = 0.15;  // an oscillation is queued so far ahead
constexpr double kRange = 0.95;    // of the force sensor, for whatever is queued
constexpr int kTries = 3;
constexpr double kZeroShift_N = 0.05;
constexpr std::int64_t kLostFrames = 10;
constexpr double kSideShare = 0.25, kSide_N = 0.2;  // of the press's peak, and beside it
constexpr double kReferenceMoved_m = 20e-6;

bool touches(Phase phase) {
  return phase == Phase::kLoad || phase == Phase::kHold || phase == Phase::kUnload ||
         phase == Phase::kSlide || phase == Phase::kOscillate;
}

bool has_event(const std::vector<PlannedEvent>& events, std::string_view name) {
  return std::any_of(events.begin(), events.end(),
                     [&](const PlannedEvent& event) { return event.name == name; });
}

Vector3 plus(const Vector3& a, const Vector3& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }
Vector3 minus(const Vector3& a, const Vector3& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}

/// Speed of a line from rest to rest that takes so long, or as near as the acceleration allows.
double speed_for_duration(double length_m, double duration_s, double acceleration_m_s2) {
  const double at = acceleration_m_s2 * duration_s;
  const double root = at * at - 4 * acceleration_m_s2 * length_m;
  return root > 0 ? (at - std::sqrt(root)) / 2 : std::sqrt(acceleration_m_s2 * length_m);
}

}  // namespace

Runner::Runner(LiveRig& live, const RigFile& rig, const Plan& plan, OperatorDesk& desk,
               RunControl& control, std::stop_token stop)
    : live_(live),
      rig_(rig),
      plan_(plan),
      desk_(desk),
      control_(control),
      stop_(std::move(stop)),
      motion_(live, rig, live.sensor(), stop_),
      descent_(live, motion_),
      regulator_(rig.step_z_m.value_or(0)),
      ended_s_(plan.segments.size(), 0),
      indenter_(plan.indenter) {}

Result<RunReport> Runner::run(std::size_t from_segment, int presses_before) {
  index_ = from_segment;
  presses_ = presses_before;
  for (std::size_t i = 0; i < from_segment; ++i)
    if (plan_.segments[i].indenter) indenter_ = plan_.segments[i].indenter;
  const double begun_s = motion_.now_s();
  live_.reset_peak();
  live_.watch_ages(true);
  auto done = follow();
  if (!done) close_open_events("aborted");
  if (live_.trip()) {
    if (auto safe = live_.secure(); !safe && done) done = safe;
  } else if (auto up = motion_.retreat(); !up) {
    if (live_.trip()) (void)live_.secure();
    if (done) done = up;
  }
  live_.watch_ages(false);
  live_.in_free_air(false);
  live_.expect_air(false);
  live_.set_contact({});
  report_.presses = presses_;
  report_.duration_s = motion_.now_s() - begun_s;
  report_.peak_force_N = live_.reading().peak_N;
  if (!done) return fail(done.error());
  return report_;
}

Result<void> Runner::follow() {
  while (index_ < plan_.segments.size()) {
    if (on_progress) {
      const auto& segment = plan_.segments[index_];
      const auto& step = plan_.steps[segment.step];
      on_progress({index_, plan_.segments.size(), segment.begin_s, plan_.duration_s, presses_,
                   fmt::format("{} {}", step.label, step.name)});
    }
    if (control_.finish && open_.empty()) {
      report_.complete = false;
      return {};
    }
    const auto done = carry_out(plan_.segments[index_]);
    if (done) continue;
    live_.expect_air(false);
    if (!live_.trip()) return done;
    if (auto safe = live_.secure(); !safe) return safe;
    if (live_.trip()) return fail(ErrorCode::kDeviceFault, "{}", live_.trip()->text);
    close_open_events("aborted");
    ++report_.aborted;
    report_.warnings.push_back({"LIMIT", done.error().message, fmt::format("press {}", presses_)});
    if (auto up = motion_.retreat(); !up) return up;
    index_ = after_press(index_);
  }
  return {};
}

std::size_t Runner::after_press(std::size_t from) const {
  for (auto i = from; i < plan_.segments.size(); ++i)
    if (has_event(plan_.segments[i].at_end, "press_end") ||
        (i > from && plan_.segments[i].phase == Phase::kTravel))
      return plan_.segments[i].phase == Phase::kTravel ? i : i + 1;
  return plan_.segments.size();
}

Vector3 Runner::target_of(const Segment& segment) const {
  if (!segment.keeps_displacement) return segment.motion.end_m();
  return plus(motion_.at_m(), minus(segment.motion.end_m(), segment.motion.from_m()));
}

std::function<bool()> Runner::condition(const Segment& segment) {
  return [this, &segment] {
    const auto reading = live_.reading();
    ContactReading contact;
    contact.force_N = reading.force_N;
    contact.depth_m =
        segment.surface_z_m - motion_.frame().plan_from_stage_m(reading.stage.position_m)[2];
    if (indenter_)
      contact.pressure_Pa = expected_pressure_Pa(reading.force_N, indenter_->indenter,
                                                 std::max(0.0, contact.depth_m), live_.sensor());
    contact.saturated = reading.saturated;
    contact.since_clock_s = motion_.now_s() - clock_s_;
    if (segment.phase == Phase::kLoad) regulator_.learn(contact.force_N, contact.depth_m);
    const auto end = ended_by(segment, contact);
    if (control_.skip.exchange(false) && press_) {
      skipping_ = true;
      next_ = segment.after_until;
      return true;
    }
    if (end) next_ = *end == EarlyEnd::kUntil ? segment.after_until : index_ + 1;
    return end.has_value();
  };
}

void Runner::begin_contact(const Segment& segment) {
  ContactState contact;
  contact.touching = touches(segment.phase) && !segment.by_hand;
  contact.on_pad = segment.touch == Touch::kPad;
  if (contact.touching && indenter_)
    contact.pressure_per_N = expected_pressure_Pa(1, indenter_->indenter, 0.2e-3, live_.sensor());
  auto top_m = motion_.at_m();
  top_m[2] = segment.surface_z_m;
  contact.surface_z_m = motion_.frame().stage_from_plan_m(top_m)[2];
  contact.give_m_per_N = rig_.compliance_m_per_N.value_or(0);
  contact.since_ns = static_cast<std::int64_t>(clock_s_ * 1e9);
  live_.set_contact(contact);
  live_.in_free_air(segment.phase == Phase::kWait && segment.touch == Touch::kAir);
  live_.expect_air(segment.touch == Touch::kAir &&
                   (segment.phase == Phase::kWait || segment.phase == Phase::kTravel));
  if (!segment.starts_clock) return;
  clock_s_ = motion_.now_s();
  live_.watch_tactel(segment.tactel);
}

Result<bool> Runner::load(const Segment& segment) {
  const auto target_m = target_of(segment);
  if (target_m[2] > motion_.at_m()[2])
    return motion_.go_until(target_m, segment.speed_m_s, condition(segment));
  const auto& limits = live_.limits();
  const auto sensor_N = sensor_press_limit_N(limits, live_.shapes().force, rig_);
  DescentGoal goal;
  goal.to_z_m = target_m[2];
  goal.surface_z_m = segment.surface_z_m;
  goal.speed_m_s = segment.speed_m_s;
  goal.touch = segment.touch;
  goal.ceiling_N = rig_.limits.max_force_N.value_or(1);
  if (segment.touch == Touch::kPad)
    goal.ceiling_N = std::min(goal.ceiling_N, limits.pad_force_N.value_or(goal.ceiling_N));
  if (sensor_N) goal.ceiling_N = std::min(goal.ceiling_N, kRange * *sensor_N);
  return descent_.go(goal, condition(segment));
}

Result<bool> Runner::hold(const Segment& segment) {
  const double duration_s = segment.motion.duration_s();
  if (segment.by_hand)
    if (auto laid = desk_.lay(segment.by_hand); !laid) return fail(laid.error());
  if (!segment.regulate_N) {
    auto rested = motion_.rest(duration_s, condition(segment));
    if (segment.by_hand)
      if (auto taken = desk_.lay(std::nullopt); !taken) return fail(taken.error());
    return rested;
  }
  const auto met = condition(segment);
  const auto base_m = motion_.at_m();
  const double begun_s = motion_.now_s();
  double looked_s = begun_s;
  double squares = 0, worst_N = 0;
  int looks = 0;
  regulator_.restart();
  while (motion_.now_s() - begun_s < duration_s) {
    const auto ended = motion_.rest(kLook_s, met);
    if (!ended || *ended) return ended;
    const double now_s = motion_.now_s();
    const double force_N = live_.reading().force_N;
    const double error_N = force_N - *segment.regulate_N;
    squares += error_N * error_N;
    worst_N = std::max(worst_N, std::abs(error_N));
    ++looks;
    const double correction_m = regulator_.step(now_s - looked_s, *segment.regulate_N, force_N);
    looked_s = now_s;
    auto to_m = base_m;
    to_m[2] += correction_m;
    const double deepest_m = live_.limits().depth_m.value_or(1);
    to_m[2] = std::max(to_m[2], segment.surface_z_m - deepest_m);
    if (std::abs(to_m[2] - motion_.at_m()[2]) < kLeastCorrection_m) continue;
    if (auto moved = motion_.go(to_m, kCorrection_m_s); !moved) return fail(moved.error());
  }
  if (looks > 0)
    live_.event("note",
                canonical(json{{"text", fmt::format("{:.3f} N held with an error of {:.3f} N rms, "
                                                    "{:.3f} N at most, looked at {} times",
                                                    *segment.regulate_N, std::sqrt(squares / looks),
                                                    worst_N, looks)}}));
  return false;
}

/// Half period by half period: straight moves from turn to turn, each as long as half a period.
Result<bool> Runner::oscillate(const Segment& segment) {
  const auto centre_m = motion_.at_m();
  const auto& motion = segment.motion;
  const double duration_s = motion.duration_s();
  const double begun_s = motion_.now_s();
  const auto met = condition(segment);
  constexpr double kFine_s = 1e-3;
  double queued_s = 0;
  auto last_m = motion.from_m();
  double turn_s = 0;
  for (double t_s = kFine_s; t_s <= duration_s; t_s += kFine_s) {
    const auto before = motion.velocity_m_s(t_s - kFine_s), now = motion.velocity_m_s(t_s);
    const double turned = before[0] * now[0] + before[1] * now[1] + before[2] * now[2];
    const bool last = t_s + kFine_s > duration_s;
    if (turned > 0 && !last) continue;
    if (!last && distance_m(motion.position_m(t_s), last_m) < kLeastCorrection_m) continue;
    const auto to_m = motion.position_m(last ? duration_s : t_s);
    const double length_m = distance_m(last_m, to_m);
    if (length_m > kLeastCorrection_m) {
      const double acceleration = rig_.stage.acceleration_m_s2;
      const double v = speed_for_duration(length_m, t_s - turn_s, acceleration);
      const auto place_m = plus(centre_m, minus(to_m, motion.from_m()));
      if (auto sent = motion_.queue(place_m, std::max(v, 1e-5)); !sent) return fail(sent.error());
    }
    last_m = to_m;
    turn_s = t_s;
    queued_s = t_s;
    while (motion_.now_s() - begun_s < queued_s - kAhead_s) {
      if (auto heard = live_.pump(devices::Timeout(2)); !heard) return fail(heard.error());
      if (stop_.stop_requested() || met()) {
        if (auto halted = live_.stage().stop_jog(); !halted) return fail(halted.error());
        if (stop_.stop_requested()) return fail(ErrorCode::kCancelled, "stopped on request");
        return true;
      }
    }
  }
  if (auto settled = motion_.settle(); !settled) return fail(settled.error());
  return false;
}

/// Nothing moves meanwhile, and hands may be at the rig.
Result<Answer> Runner::ask(const Question& question) {
  live_.watch_ages(false);
  live_.expect_air(false);
  auto answer = desk_.ask(question, [this]() -> Result<void> {
    if (stop_.stop_requested()) return fail(ErrorCode::kCancelled, "stopped on request");
    return live_.pump(devices::Timeout(10));
  });
  live_.watch_ages(true);
  return answer;
}

Result<void> Runner::prompt(const Segment& segment) {
  const auto answer = ask({segment.prompt, segment.answer_key, segment.indenter, segment.rz_rad});
  if (!answer) return fail(answer.error());
  answer_ = answer->value;
  if (segment.indenter) {
    indenter_ = segment.indenter;
    descent_.forget();
  }
  return {};
}

Result<void> Runner::paused() {
  live_.event("pause", R"({"text": "on request"})");
  if (auto up = motion_.retreat(); !up) return up;
  live_.watch_ages(false);
  while (control_.pause) {
    if (stop_.stop_requested()) return fail(ErrorCode::kCancelled, "stopped on request");
    if (auto heard = live_.pump(devices::Timeout(10)); !heard) return heard;
  }
  live_.watch_ages(true);
  live_.event("resume", R"({"text": "after a pause"})");
  return {};
}

Result<void> Runner::bumped() {
  live_.event("note", R"({"text": "a knock against the rig"})");
  report_.warnings.push_back(
      {"BUMP", "a knock against the rig was felt in the air", fmt::format("press {}", presses_)});
  live_.expect_air(false);
  if (auto up = motion_.retreat(); !up) return up;
  live_.forget_bump();
  if (!on_bump) return {};
  auto fine = on_bump();
  live_.watch_ages(true);
  return fine;
}

void Runner::compare_reference(const Segment& segment) {
  const auto reading = live_.reading();
  const double k = regulator_.stiffness_N_per_m();
  const double z_m = motion_.frame().plan_from_stage_m(reading.stage.position_m)[2];
  const double aim_N = segment.regulate_N.value_or(reading.force_N);
  // Where it would stand under exactly the force that was aimed at.
  const double at_aim_m = k > 0 ? z_m + (reading.force_N - aim_N) / k : z_m;
  const double moved_m = at_aim_m - reference_z_m_.value_or(at_aim_m);
  if (!reference_z_m_) reference_z_m_ = at_aim_m;
  if (std::abs(moved_m) <= kReferenceMoved_m) return;
  reference_z_m_ = at_aim_m;  // asked once
  reference_doubt_ = fmt::format(
      "the reference pad's height moved by {:+.0f} um since its last good touch ({:.0f} um are "
      "allowed): the frame, the tip or the pad has shifted",
      moved_m * 1e6, kReferenceMoved_m * 1e6);
}

Result<void> Runner::ask_about_reference() {
  const auto text = *std::exchange(reference_doubt_, std::nullopt);
  live_.event("pause", canonical(json{{"text", text}}));
  report_.warnings.push_back({"REFERENCE", text, fmt::format("after press {}", presses_)});
  if (auto up = motion_.retreat(); !up) return up;
  if (auto answer = ask({text + ". Go on?", "", {}, 0}); !answer) return fail(answer.error());
  live_.event("resume", R"({"text": "after the reference pad's height had moved"})");
  return {};
}

Result<void> Runner::carry_out(const Segment& segment) {
  if (open_.empty() && !touches(segment.phase) && live_.reading().bumped)
    if (auto looked = bumped(); !looked) return looked;
  if (open_.empty() && reference_doubt_)
    if (auto asked = ask_about_reference(); !asked) return asked;
  if (control_.pause && open_.empty() && !touches(segment.phase))
    if (auto waited = paused(); !waited) return waited;
  begin_contact(segment);
  for (const auto& event : segment.at_begin) emit(event);
  next_ = index_ + 1;
  Result<bool> ended = false;
  switch (segment.phase) {
    case Phase::kTravel: {
      const auto to_m = target_of(segment);
      const auto from_m = motion_.at_m();
      // After a limit acted the tip may be elsewhere than planned: straight up first.
      const bool sideways = std::hypot(to_m[0] - from_m[0], to_m[1] - from_m[1]) > 1e-6;
      if (sideways && from_m[2] < rig_.stage.safe_height_m)
        if (auto up = motion_.retreat(); !up) return up;
      auto way_m = to_m;
      if (sideways) way_m[2] = std::max(way_m[2], motion_.at_m()[2]);
      if (auto gone = motion_.go(way_m, segment.speed_m_s); !gone) return gone;
      if (way_m[2] != to_m[2])
        if (auto gone = motion_.go(to_m, segment.speed_m_s); !gone) return gone;
      break;
    }
    case Phase::kUnload:
      if (auto gone = motion_.go(target_of(segment), segment.speed_m_s); !gone) return gone;
      break;
    case Phase::kWait: {
      double duration_s = segment.motion.duration_s();
      if (segment.rest_after && ended_s_[*segment.rest_after] > 0)
        duration_s = segment.rest_s - (motion_.now_s() - ended_s_[*segment.rest_after]);
      ended = motion_.rest(duration_s);
      break;
    }
    case Phase::kLoad:
      ended = load(segment);
      break;
    case Phase::kHold:
      ended = hold(segment);
      break;
    case Phase::kSlide:
      ended = motion_.go_until(target_of(segment), segment.speed_m_s, condition(segment),
                               Way::kAlongSurface);
      break;
    case Phase::kOscillate:
      ended = oscillate(segment);
      break;
    case Phase::kPrompt:
      if (auto asked = prompt(segment); !asked) return asked;
      break;
  }
  if (!ended) return fail(ended.error());
  return end_segment();
}

Result<void> Runner::end_segment() {
  const auto& segment = plan_.segments[index_];
  ended_s_[index_] = motion_.now_s();
  if (segment.phase == Phase::kHold && segment.touch == Touch::kReference)
    compare_reference(segment);
  for (const auto& event : segment.at_end) emit(event);
  index_ = next_;
  return {};
}

std::string Runner::verdict() const {
  const auto reading = live_.reading();
  if (std::abs(reading.bias_N - press_->zero_N) > kZeroShift_N)
    return fmt::format("the force's zero moved by {:.3f} N", reading.bias_N - press_->zero_N);
  if (reading.bumped) return "a knock against the rig";
  if (reading.side_N > kSide_N + kSideShare * reading.press_N)
    return fmt::format("a side load of {:.2f} N", reading.side_N);
  if (reading.array.lost - press_->lost > kLostFrames)
    return fmt::format("{} tactile frames were lost", reading.array.lost - press_->lost);
  return {};
}

void Runner::emit(const PlannedEvent& planned) {
  auto event = planned;
  if (answer_ && !event.answer_key.empty()) event.data = data_with_answer(event, *answer_);
  auto data = json::parse(event.data);
  if (event.name == "press_begin") {
    const int number = data["press"].get<int>();
    const bool again = press_ && press_->planned == number;
    const int tries = again ? press_->tries + 1 : 1;
    const auto reading = live_.reading();
    press_ = Press{index_, number, tries, reading.bias_N, reading.array.lost};
    live_.begin_press();
    ++presses_;
  }
  if (data.contains("press") && press_) data["press"] = presses_;
  if (event.name == "press_end" && std::exchange(skipping_, false)) {
    data["outcome"] = "aborted";
    ++report_.aborted;
  } else if (event.name == "press_end" && press_) {
    auto bad = verdict();
    if (control_.repeat.exchange(false)) bad = "asked for";
    if (!bad.empty() && data.value("outcome", "ok") == "ok" && press_->tries < kTries) {
      data["outcome"] = "repeated";
      ++report_.repeated;
      next_ = press_->segment;
      live_.event(
          "note",
          canonical(json{{"text", fmt::format("press {} is done again: {}", presses_, bad)}}));
    }
  }
  event.data = canonical(data);
  live_.event(event.name, event.data);
  open_.see(event.name, event.data);
}

void Runner::close_open_events(std::string_view outcome) {
  for (const auto& end : open_.close(outcome)) live_.event(end.name, end.data);
}

}  // namespace tactelier::rig
