#include "libcalib/synth/simulated_run.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <span>
#include <utility>

#include "libcalib/protocol/plan_event.hpp"
#include "libcalib/session/moves.hpp"

namespace tactelier::synth {
namespace {

constexpr double kStep_s = 1e-3;
constexpr double kGauge_mm = 0.01;  // resolution of the dial gauge
constexpr double kGravity_m_per_s2 = 9.80665;

/// A dead weight of a given area stands on a round foot.
Indenter round_foot(double area_m2) {
  Indenter foot;
  foot.shape = IndenterShape::kCylinder;
  foot.diameter_m = 2 * std::sqrt(area_m2 / std::numbers::pi);
  return foot;
}

Decimal microseconds(double t_s) { return {std::llround(t_s * 1e6), -6}; }

bool touches(Phase phase) {
  return phase == Phase::kLoad || phase == Phase::kHold || phase == Phase::kSlide ||
         phase == Phase::kOscillate;
}

}  // namespace

SimulatedRun::SimulatedRun(const Plan& plan, const RigFile& rig, const SensorDescription& sensor,
                           pad::Pad& pad, double press_sign, const pad::StageEffects& stage,
                           double collision_s)
    : run_(plan, 0),
      frame_(rig, sensor),
      sensor_(&sensor),
      pad_(&pad),
      indenter_(plan.indenter ? plan.indenter->indenter : Indenter{}),
      acceleration_m_per_s2_(plan.acceleration_m_per_s2),
      prepared_ahead_s_(stage.prepared_ahead_s),
      collision_s_(collision_s),
      press_sign_(press_sign),
      regulator_(stage.step_m),
      spring_basis_{rig.leaf_spring.value_or(LeafSpring{}), rig.compliance_m_per_N.value_or(0),
                    rig.force_gain_u_percent} {}

Result<void> SimulatedRun::note(double t_s, const PlannedEvent& event, std::vector<Event>& events) {
  // A compression below the gauge's resolution is no reading.
  const auto data = answer_mm_ > 0 ? data_with_answer(event, answer_mm_) : event.data;
  auto made = make_event(microseconds(t_s), event.name, data, "protocol");
  if (!made) return fail(made.error());
  events.push_back(std::move(*made));
  return {};
}

/// What a rig would send. Under a regulated force this is the way along the surface; the height
/// follows the force.
Result<void> SimulatedRun::note_move(std::vector<Event>& events) {
  const auto& motion = run_.motion();
  if (!motion.is_line() || motion.duration_s() == 0) return {};
  Move move;
  move.line = ++lines_;
  move.from_m = frame_.stage_from_plan_m(motion.from_m());
  move.to_m = frame_.stage_from_plan_m(motion.end_m());
  // The tilt of the surface makes it longer; it takes as long.
  const double longer = distance_m(move.from_m, move.to_m) / motion.path_m();
  move.speed_m_per_s = longer * motion.top_speed_m_per_s();
  move.acceleration_m_per_s2 = longer * acceleration_m_per_s2_;
  move.queued_s = run_.begin_s();
  move.answered_s = run_.begin_s();
  auto event = move_event(move);
  if (!event) return fail(event.error());
  events.push_back(std::move(*event));
  return {};
}

Result<void> SimulatedRun::brake(double t_s, EarlyEnd why, std::vector<Event>& events) {
  const bool moves = run_.motion().is_line() && t_s < run_.end_s() && !run_.stopping();
  run_.stop(t_s, why);
  if (!moves) return {};
  auto event = move_stop_event(lines_, t_s);
  if (!event) return fail(event.error());
  events.push_back(std::move(*event));
  return {};
}

/// Between two touches the tip waits below the pad's face, where no pad is.
bool SimulatedRun::over_ground(const Vector3& at_m) const {
  constexpr double kThere_m = 1e-6;
  return ground_m_ && std::hypot(at_m[0] - (*ground_m_)[0], at_m[1] - (*ground_m_)[1]) < kThere_m;
}

void SimulatedRun::choose_target() {
  const auto& segment = run_.segment();
  auto top_m = run_.position_m(run_.begin_s());
  top_m[2] = segment.surface_z_m;
  switch (segment.touch) {
    case Touch::kPlate:
      return pad_->set_target(pad::Target::kRigidPlate, frame_.stage_from_plan_m(top_m)[2]);
    case Touch::kReference:
      return pad_->set_target(pad::Target::kReferencePad, frame_.stage_from_plan_m(top_m)[2]);
    case Touch::kSpring:
      return pad_->set_target(pad::Target::kLeafSpring, frame_.stage_from_plan_m(top_m)[2]);
    case Touch::kGround:
      ground_m_ = top_m;
      return pad_->set_target(pad::Target::kGround);
    case Touch::kPad:
      return pad_->set_target(pad::Target::kPad);
    case Touch::kAir:
      return pad_->set_target(over_ground(top_m) ? pad::Target::kGround : pad::Target::kPad);
  }
}

Result<void> SimulatedRun::lay_by_hand(const ByHand& what) {
  if (what.on_force_sensor) {
    pad_->hang(what.mass_kg * kGravity_m_per_s2);
    return {};
  }
  pad::Resting weight;
  weight.indenter = what.indenter ? what.indenter->indenter : round_foot(what.area_m2);
  weight.attitude = {what.rz_rad, what.tilt_x_rad, what.tilt_y_rad};
  weight.x_m = what.x_m;
  weight.y_m = what.y_m;
  weight.mass_kg = what.mass_kg;
  const auto compression_m = pad_->rest(weight);
  if (!compression_m) return fail(compression_m.error());
  answer_mm_ = tidy(std::round(*compression_m * 1e3 / kGauge_mm) * kGauge_mm);
  return {};
}

Result<void> SimulatedRun::begin_segment(std::vector<Event>& events) {
  const auto& segment = run_.segment();
  choose_target();
  if (segment.indenter) {
    indenter_ = segment.indenter->indenter;
    if (auto set = pad_->set_indenter(indenter_, {segment.rz_rad, 0, 0}); !set) return set;
  }
  if (segment.by_hand && segment.phase != Phase::kPrompt)
    if (auto laid = lay_by_hand(*segment.by_hand); !laid) return laid;
  if (segment.starts_clock) saturation_.restart();
  regulator_.restart();
  warm_up_.reset();
  if (segment.still) warm_up_.emplace(*segment.still);
  for (const auto& event : segment.at_begin)
    if (auto noted = note(run_.begin_s(), event, events); !noted) return noted;
  return note_move(events);
}

Result<void> SimulatedRun::end_segment(std::vector<Event>& events) {
  const auto& segment = run_.segment();
  if (segment.by_hand && segment.phase == Phase::kPrompt) {
    // Lies there until another prompt lays nothing.
    if (segment.by_hand->mass_kg == 0)
      pad_->lift_weight();
    else if (auto laid = lay_by_hand(*segment.by_hand); !laid)
      return laid;
  } else if (segment.by_hand) {
    if (segment.by_hand->on_force_sensor)
      pad_->hang(0);
    else
      pad_->lift_weight();
  }
  // What was to stop it came in the last of the motion prepared.
  if (stop_) run_.stop(run_.end_s(), stop_->why);
  stop_.reset();
  if (auto told = tell_findings(segment, events); !told) return told;
  for (const auto& event : segment.at_end)
    if (auto noted = note(run_.end_s(), event, events); !noted) return noted;
  run_.advance({0, 0, regulator_.correction_m()});
  return {};
}

/// What a wait for stillness or presses of the leaf spring have found.
Result<void> SimulatedRun::tell_findings(const Segment& segment, std::vector<Event>& events) {
  if (segment.phase == Phase::kHold && segment.touch == Touch::kSpring)
    spring_.add(frame_.stage_from_plan_m(run_.position_m(run_.end_s()))[2], force_.force_N());
  if (segment.ends_spring) {
    const auto found = spring_.find(spring_basis_);
    spring_.clear();
    if (found)
      if (auto told = note(run_.end_s(), {"spring", found->event_data(), ""}, events); !told)
        return told;
  }
  if (!segment.still) return {};
  const double waited_s = run_.end_s() - run_.begin_s();
  if (auto told = note(run_.end_s(), {"warm_up", warm_up_->event_data(waited_s), ""}, events);
      !told)
    return told;
  if (warm_up_->still() || !segment.still->required) return {};
  return fail(ErrorCode::kTimeout,
              "NOT-WARM {} after {:.0f} s: the rig is not warm, or something "
              "beside it changes",
              warm_up_->describe(), waited_s);
}

void SimulatedRun::watch_stillness(const pad::PadOutput& output, const Marks& before) {
  for (const auto& sample : std::span(output.force).subspan(before.force))
    warm_up_->add_force(sample.stamp.true_s,
                        {sample.wrench[0], sample.wrench[1], sample.wrench[2]});
  for (const auto& sample : std::span(output.temperature).subspan(before.temperature))
    warm_up_->add_temperature(sample.stamp.true_s, sample.temperature_degC);
  if (warm_up_->still()) run_.stop(t_s_, EarlyEnd::kAim);
}

Result<void> SimulatedRun::watch(const pad::PadOutput& output, const Marks& before,
                                 double clearance_m, std::vector<Event>& events) {
  const auto& segment = run_.segment();
  const bool in_free_air = segment.phase == Phase::kWait && segment.touch == Touch::kAir;
  for (const auto& sample : std::span(output.force).subspan(before.force))
    force_.see(press_sign_ * sample.wrench[2], in_free_air);
  if (segment.tactel) {
    const auto tactels = static_cast<std::size_t>(sensor_->tactels());
    const double sign = sensor_->falling ? -1 : 1;
    for (std::size_t i = before.frames; i < output.frames.size(); ++i)
      saturation_.see(sign * output.counts[i * tactels + static_cast<std::size_t>(*segment.tactel)],
                      force_.force_N());
  }
  if (warm_up_) watch_stillness(output, before);
  if (!touches(segment.phase) || segment.by_hand) return {};
  ContactReading reading;
  reading.force_N = force_.force_N();
  reading.depth_m = -clearance_m;
  reading.pressure_Pa =
      expected_pressure_Pa(reading.force_N, indenter_, std::max(0.0, -clearance_m), *sensor_);
  reading.saturated = saturation_.saturated();
  reading.since_clock_s = run_.since_clock_s(t_s_);
  if (segment.phase == Phase::kLoad) regulator_.learn(reading.force_N, reading.depth_m);
  if (stop_) return {};
  if (const auto end = ended_by(segment, reading)) stop_ = {t_s_ + prepared_ahead_s_, *end};
  return stop_ && prepared_ahead_s_ == 0 ? brake(t_s_, stop_->why, events) : Result<void>{};
}

Result<void> SimulatedRun::step(pad::PadOutput& output, std::vector<Event>& events) {
  if (!std::exchange(begun_, true))
    if (auto started = begin_segment(events); !started) return started;
  const double next_s = static_cast<double>(++steps_) * kStep_s;
  if (stop_ && stop_->at_s <= next_s)
    if (auto braked = brake(stop_->at_s, stop_->why, events); !braked) return braked;
  while (run_.running() && run_.end_s() <= next_s) {
    if (auto ended = end_segment(events); !ended) return ended;
    if (run_.running())
      if (auto started = begin_segment(events); !started) return started;
  }
  if (collision_s_ > t_s_ && collision_s_ <= next_s) pad_->bump();
  t_s_ = next_s;
  if (!run_.running()) return {};
  auto at_m = run_.position_m(t_s_);
  const auto& regulate_N = run_.segment().regulate_N;
  at_m[2] += regulate_N ? regulator_.step(kStep_s, *regulate_N, force_.force_N())
                        : regulator_.correction_m();
  const Marks before{output.force.size(), output.frames.size(), output.temperature.size()};
  pad_->advance(kStep_s, frame_.stage_from_plan_m(at_m), output);
  return watch(output, before, at_m[2] - run_.segment().surface_z_m, events);
}

}  // namespace tactelier::synth
