#include "devices/motion/runner.hpp"

#include <algorithm>
#include <cmath>

#include "libcalib/guarded.hpp"
#include "libcalib/protocol/plan_run.hpp"

namespace tactelier::rig {
namespace {

bool touches(Phase phase) {
  return phase == Phase::kLoad || phase == Phase::kHold || phase == Phase::kUnload ||
         phase == Phase::kSlide || phase == Phase::kOscillate;
}

bool has_event(const std::vector<PlannedEvent>& events, std::string_view name) {
  return std::any_of(events.begin(), events.end(),
                     [&](const PlannedEvent& event) { return event.name == name; });
}

}  // namespace

Runner::Runner(LiveRig& live, const RigFile& rig, const Plan& plan,
               OperatorInterface& operator_at_rig, RunControl& control, std::stop_token stop)
    : live_(live),
      rig_(rig),
      plan_(plan),
      operator_(operator_at_rig),
      control_(control),
      stop_(std::move(stop)),
      motion_(live, rig, live.sensor(), stop_),
      descent_(live, motion_, rig.step_z_m.value_or(0)),
      regulator_(rig.step_z_m.value_or(0)),
      ended_s_(plan.segments.size(), 0),
      time_left_(plan),
      indenter_(plan.indenter) {}

Result<RunReport> Runner::run(std::size_t from_segment, int presses_before) {
  index_ = from_segment;
  presses_ = presses_before;
  for (std::size_t i = 0; i < from_segment; ++i)
    if (plan_.segments[i].indenter) indenter_ = plan_.segments[i].indenter;
  const double begun_s = motion_.now_s();
  live_.readings().reset_peak();
  live_.watch_ages(true);
  auto done = follow_guarded();
  if (!done) close_open_events("aborted");
  if (live_.trip()) {
    if (auto safe = live_.secure(); !safe && done) done = safe;
  } else if (auto up = motion_.retreat(); !up) {
    if (live_.trip()) (void)live_.secure();
    if (done) done = up;
  }
  live_.watch_ages(false);
  live_.in_free_air(false);
  live_.readings().expect_air(false);
  live_.set_contact({});
  report_.presses = presses_;
  report_.duration_s = motion_.now_s() - begun_s;
  report_.peak_force_N = live_.reading().peak_N;
  if (!done) return fail(done.error());
  return report_;
}

/// What nobody foresaw stops the rig first; then it is an error like any other.
Result<void> Runner::follow_guarded() {
  bool foreseen = false;
  auto done = guarded("the run", [&] {
    auto followed = follow();
    foreseen = true;
    return followed;
  });
  if (!foreseen) live_.lock_rig(done.error());
  return done;
}

Result<void> Runner::follow() {
  while (true) {
    if (auto followed = follow_known(); !followed || !report_.complete) return followed;
    const auto more = plan_grew();
    if (!more) return fail(more.error());
    if (!*more) return {};
  }
}

Result<bool> Runner::plan_grew() {
  if (!on_end) return false;
  if (auto up = motion_.retreat(); !up) return fail(up.error());
  auto more = on_end();
  if (!more || !*more) return more;
  ended_s_.resize(plan_.segments.size(), 0);
  return true;
}

Result<void> Runner::follow_known() {
  while (index_ < plan_.segments.size()) {
    segment_begun_s_ = motion_.now_s();
    reported_s_ = 0;  // a new piece is told in any case
    report_progress();
    if (control_.finish && open_.empty()) {
      report_.complete = false;
      return {};
    }
    if (open_.empty() && control_.undo.exchange(false)) {
      undo_last();
      continue;
    }
    const auto done = carry_out(plan_.segments[index_]);
    if (done && new_tip_) {
      report_.goes_on_at = index_;
      report_.complete = false;
      return {};
    }
    if (done) continue;
    live_.readings().expect_air(false);
    if (!live_.trip()) return done;
    if (auto safe = live_.secure(); !safe) return safe;
    const bool to_ground = plan_.steps[plan_.segments[index_].step].name == steps::Ground::kName;
    const std::string hint =
        to_ground
            ? "; on the way to the ground beside the pad: does ground_mm lie over the pad, or "
              "the ground higher than it says?"
            : "";
    if (live_.trip()) return fail(ErrorCode::kDeviceFault, "{}{}", live_.trip()->text, hint);
    close_open_events("aborted");
    ++report_.aborted;
    report_.warnings.push_back(
        {"LIMIT", done.error().message + hint, fmt::format("press {}", presses_)});
    if (auto up = motion_.retreat(); !up) return up;
    index_ = after_press(index_);
  }
  return {};
}

void Runner::report_progress() {
  constexpr double kEvery_s = 1;
  const double now_s = motion_.now_s();
  if (!on_progress || now_s < reported_s_ + kEvery_s) return;
  reported_s_ = now_s;
  const auto& step = plan_.steps[plan_.segments[index_].step];
  const double left_s = time_left_.left_s(index_, now_s - segment_begun_s_);
  on_progress({index_, plan_.segments.size(), std::max(0.0, time_left_.total_s() - left_s), left_s,
               presses_, fmt::format("{} {}", step.label, step.name), waits_for_});
}

std::size_t Runner::after_press(std::size_t from) const {
  for (auto i = from; i < plan_.segments.size(); ++i)
    if (has_event(plan_.segments[i].at_end, "press_end") ||
        (i > from && plan_.segments[i].phase == Phase::kTravel))
      return plan_.segments[i].phase == Phase::kTravel ? i : i + 1;
  return plan_.segments.size();
}

std::function<bool()> Runner::condition(const Segment& segment) {
  return [this, &segment] {
    report_progress();
    const auto reading = live_.reading();
    ContactReading contact;
    contact.force_N = reading.force_N;
    contact.depth_m =
        segment.surface_z_m - motion_.frame().plan_from_stage_m(reading.stage.position_m)[2];
    if (indenter_)
      contact.pressure_Pa = expected_pressure_Pa(reading.force_N, indenter_->indenter,
                                                 std::max(0.0, contact.depth_m), live_.sensor());
    contact.saturated = reading.saturated;
    contact.step_N = descent_.step_N();
    contact.since_clock_s = motion_.now_s() - clock_s_;
    if (segment.phase == Phase::kLoad) regulator_.learn(contact.force_N, contact.depth_m);
    const auto end = ended_by(segment, contact);
    if (near_range(reading)) {
      next_ = segment.after_until;
      return true;
    }
    if (open_.has("press")) {
      skipping_ = skipping_ || control_.skip.exchange(false);
      undoing_ = undoing_ || control_.undo.exchange(false);
      if (skipping_ || undoing_) {
        next_ = segment.after_until;
        return true;
      }
    } else if (control_.skip.exchange(false)) {  // a slide: it ends here
      next_ = segment.after_until;
      return true;
    }
    if (end) next_ = *end == EarlyEnd::kUntil ? segment.after_until : index_ + 1;
    return end.has_value();
  };
}

/// A press far off the force sensor's axis, as a plate's on a tilted pad, turns the sensor more
/// than it loads it: it ends before the supervisor would lock the rig at the range's end, which a
/// resumed recording would meet again.
bool Runner::near_range(const RigReading& reading) {
  constexpr double kNear = 0.92;  // of the limit
  if (!open_.has("press") || reading.sensor_load < kNear * live_.limits().sensor_load) return false;
  if (near_range_press_ == presses_) return true;
  near_range_press_ = presses_;
  const auto text = fmt::format(
      "at {:.3g} N the force sensor carries {:.0f} % of its range, torque included: the press ends "
      "here. Is the pad tilted, or pressed far from the tool's axis?",
      reading.force_N, 100 * reading.sensor_load);
  report_.warnings.push_back({"NEAR-RANGE", text, fmt::format("press {}", presses_)});
  note("NEAR-RANGE " + text);
  return true;
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
  contact.compliance_m_per_N = rig_.compliance_m_per_N.value_or(0);
  contact.since_ns = static_cast<std::int64_t>(clock_s_ * 1e9);
  live_.set_contact(contact);
  live_.in_free_air(segment.phase == Phase::kWait && segment.touch == Touch::kAir);
  live_.readings().expect_air(segment.touch == Touch::kAir &&
                              (segment.phase == Phase::kWait || segment.phase == Phase::kTravel));
  if (!segment.starts_clock) return;
  clock_s_ = motion_.now_s();
  live_.readings().watch_tactel(segment.tactel);
}

Result<void> Runner::carry_out(const Segment& segment) {
  if (open_.empty() && !touches(segment.phase) && live_.reading().collided)
    if (auto looked = collided(segment); !looked) return looked;
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
      if (auto gone = motion_.go(way_m, segment.speed_m_per_s); !gone) return gone;
      if (way_m[2] != to_m[2])
        if (auto gone = motion_.go(to_m, segment.speed_m_per_s); !gone) return gone;
      break;
    }
    case Phase::kUnload:
      if (auto gone = motion_.go(target_of(segment), segment.speed_m_per_s, Path::kInContact);
          !gone)
        return gone;
      break;
    case Phase::kWait: {
      if (segment.still) {
        ended = wait_until_still(segment);
        break;
      }
      double duration_s = segment.motion.duration_s();
      if (segment.rest_after && ended_s_[*segment.rest_after] > 0)
        duration_s = segment.rest_s - (motion_.now_s() - ended_s_[*segment.rest_after]);
      ended = motion_.rest(duration_s, [this] {
        report_progress();
        return false;
      });
      break;
    }
    case Phase::kLoad:
      ended = load(segment);
      break;
    case Phase::kHold:
      ended = segment.touch == Touch::kSpring ? read_spring(segment) : hold(segment);
      break;
    case Phase::kSlide:
      ended = motion_.go_until(target_of(segment), segment.speed_m_per_s, condition(segment),
                               Path::kAlongSurface);
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
  time_left_.took(index_, ended_s_[index_] - segment_begun_s_);
  if (segment.phase == Phase::kHold && segment.touch == Touch::kReference)
    compare_reference(segment);
  if (segment.ends_spring) tell_spring(segment);
  for (const auto& event : segment.at_end) emit(event);
  index_ = next_;
  return {};
}

}  // namespace tactelier::rig
