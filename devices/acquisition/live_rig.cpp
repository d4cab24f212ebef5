#include "devices/acquisition/live_rig.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

#include "libcalib/guarded.hpp"
#include "libcalib/json_check.hpp"
#include "libcalib/protocol/rig_plausibility.hpp"
#include "libcalib/session/json_get.hpp"
#include "libcalib/units.hpp"

namespace tactelier::rig {
namespace {

constexpr std::int64_t kLate_ns = 1'000'000'000;  // a mean waits for its first sample

using devices::Timeout;
using nlohmann::json;

template <class Call>
auto named(const char* role, Call call) {
  auto result = call();
  if (!result) return decltype(result)(fail(result.error(), role));
  return result;
}

}  // namespace

LiveRig::LiveRig(devices::DeviceFile devices, RigFile rig)
    : devices_(std::move(devices)), rig_(std::move(rig)) {
  connections_ = std::make_unique<devices::DeviceConnections>(devices_);
}

Result<std::unique_ptr<LiveRig>> LiveRig::open(devices::DeviceFile devices, RigFile rig) {
  std::unique_ptr<LiveRig> live(new LiveRig(std::move(devices), std::move(rig)));
  if (auto connected = live->connect(); !connected) return fail(connected.error());
  return live;
}

Result<void> LiveRig::connect_encoder() {
  if (devices_.aux.empty()) return {};
  if (devices_.aux.size() > 1)
    return fail(ErrorCode::kInvalidInput,
                "aux: {} length gauges, but one can be recorded, beside the stage's z: leave the "
                "others out of the device file",
                devices_.aux.size());
  auto encoder = named("aux 1", [&] { return connections_->open_gauge(0); });
  if (!encoder) return fail(encoder.error());
  shapes_.encoder = {(*encoder)->tick_s()};
  if (auto on = named("aux 1", [&] { return (*encoder)->start(); }); !on) return on;
  encoder_.put(std::move(*encoder));
  return {};
}

Result<void> LiveRig::connect() {
  if (!devices_.sensor)
    return fail(ErrorCode::kUsage,
                "the device file names no tactile array with its 'sensor': what is there to "
                "calibrate?");
  sensor_ = *devices_.sensor;
  auto force_opened = named("force sensor", [&] { return connections_->open_force(); });
  if (!force_opened) return fail(force_opened.error());
  const std::shared_ptr<devices::ForceSensor> force = std::move(*force_opened);
  force_.put(force);
  auto array_opened = named("tactile array", [&] { return connections_->open_tactile(); });
  if (!array_opened) return fail(array_opened.error());
  const std::shared_ptr<devices::TactileArray> array = std::move(*array_opened);
  array_.put(array);
  auto stage = named("stage", [&] { return connections_->open_stage(); });
  if (!stage) return fail(stage.error());
  stage_ = std::make_unique<PluggedStage>(std::move(*stage));
  const auto& reach = stage_->travel();
  RigMeans means{force->scale().full_scale_SI, {}};
  if (reach.low_m[2] < reach.high_m[2])
    means.travel_m = {reach.low_m[0],  reach.low_m[1],  reach.low_m[2],
                      reach.high_m[0], reach.high_m[1], reach.high_m[2]};
  if (auto sound = check_plausible(rig_, sensor_, means, "rig file"); !sound) return sound;
  readings_ =
      std::make_unique<RigReadings>(rig_.press_axis, sensor_, force->scale(), force->rate_hz());
  shapes_ = {force->scale(), force->rate_hz(), array->shape()};
  if (auto on = connect_encoder(); !on) return on;
  const auto limits = safety_limits(rig_, sensor_, force->rate_hz(), devices_.time_scale,
                                    connections_->world() != nullptr);
  supervisor_ = std::make_unique<Supervisor>(limits, force->scale());
  air_.forget(stage_->travel().high_m[2]);
  trips_.watch_stops(StopWatch(devices_.time_scale, limits.stage_age_s));
  stage_->on_report([this](const devices::StageSample& report) { see_stop(report); });
  if (auto on = named("force sensor", [&] { return force->start(); }); !on) return on;
  if (auto on = named("tactile array", [&] { return array->start(); }); !on) return on;
  run_thread("the thread that reads the force", &LiveRig::read_force);
  run_thread("the thread that reads the array", &LiveRig::read_array);
  if (encoder_.get()) run_thread("the thread that reads the encoder", &LiveRig::read_encoder);
  run_thread("the thread that watches ages", &LiveRig::watch);
  return {};
}

void LiveRig::run_thread(const char* who, void (LiveRig::*life)(const std::stop_token&)) {
  threads_.emplace_back([this, who, life](const std::stop_token& stop) {
    const auto lived = guarded(who, [&]() -> Result<void> {
      (this->*life)(stop);
      return {};
    });
    if (!lived) lock_rig(lived.error());
  });
}

LiveRig::~LiveRig() {
  for (auto& thread : threads_) thread.request_stop();
  threads_.clear();
  if (auto* world = connections_->world())
    for (const auto who : {devices::WorldReader::kForce, devices::WorldReader::kMover})
      world->mark(who, 0);
  if (const auto force = force_.get()) (void)force->stop();
  if (const auto array = array_.get()) (void)array->stop();
  if (const auto encoder = encoder_.get()) (void)encoder->stop();
}

std::shared_ptr<LiveRecording> LiveRig::tap() const {
  const std::lock_guard lock(mutex_);
  return tap_;
}

void LiveRig::raise(const Trip& trip) {
  const bool new_kind = trips_.keep(trip);
  const bool hardest = trips_.raise(trip, clock().now_ns(), stage_->braking_s());
  if (hardest) (void)(trip.action == TripAction::kAbort ? stage_->reset_now() : stage_->hold_now());
  if (hardest || new_kind) note_trip(trip);
}

void LiveRig::raise(LimitKind kind, const Error& error, TripAction action) {
  raise({kind, action, 0, 0, clock().now_ns(), error.message});
}

void LiveRig::raise_late(const std::optional<std::string>& why) {
  if (why) raise({LimitKind::kDevice, TripAction::kAbort, 0, 0, clock().now_ns(), *why});
}

void LiveRig::see_stop(const devices::StageSample& report) {
  using devices::StageState;
  const bool rests = report.state == StageState::kIdle || report.state == StageState::kHold ||
                     report.state == StageState::kAlarm;
  raise_late(trips_.see_report(report.host_time_ns, report.position_m, rests));
}

void LiveRig::pace_world(bool on) {
  if (auto* world = connections_->world())
    world->mark(devices::WorldReader::kMover, on ? clock().now_ns() : 0);
}

Result<void> LiveRig::stop_jog() {
  const auto now_ns = clock().now_ns();
  trips_.begin_stop(now_ns, stage_->braking_s());
  auto halted = stage_->stop_jog();
  note_stopped(now_ns);
  if (halted) trips_.end_stop();
  return halted;
}

void LiveRig::note_trip(const Trip& trip) {
  const bool force = trip.kind == LimitKind::kPadForce || trip.kind == LimitKind::kRigForce ||
                     trip.kind == LimitKind::kAirForce || trip.kind == LimitKind::kWrongAxis ||
                     trip.kind == LimitKind::kTare;
  const bool depth = trip.kind == LimitKind::kDepth || trip.kind == LimitKind::kTravel;
  const bool time = trip.kind == LimitKind::kForceAge || trip.kind == LimitKind::kArrayAge ||
                    trip.kind == LimitKind::kStageAge || trip.kind == LimitKind::kPressTime;
  json data{{"what", trip.text}, {"action", to_string(trip.action)}};
  const auto put = [&](const char* value, const char* limit, double factor) {
    data[value] = trip.value * factor;
    data[limit] = trip.limit * factor;
  };
  if (force) put("value_N", "limit_N", 1);
  if (depth) put("value_mm", "limit_mm", 1e3);
  if (time) put("value_s", "limit_s", 1);
  event("limit", canonical(data));  // a device's garbage may stand in the text
}

void LiveRig::press_stop() {
  ++stops_pressed_;
  raise({LimitKind::kStopButton, TripAction::kStop, 0, 0, clock().now_ns(), "stopped by hand"});
}

void LiveRig::lock_rig(const Error& why) { raise(LimitKind::kDevice, why); }

Result<void> LiveRig::pump(Timeout timeout) {
  open_stage_again();
  notice_new_force();
  stage_samples_.clear();
  const auto heard = stage_->poll(stage_samples_, timeout);
  for (const auto& sample : stage_samples_) take(sample);
  readings_->trust_stage(stage_->position_trusted());
  {
    const std::lock_guard lock(mutex_);
    stage_fault_ = heard ? "" : "stage: " + heard.error().message;
  }
  if (!heard && !lost_.is_lost(DeviceRole::kStage)) {
    const auto what = "stage: " + heard.error().message;
    raise(LimitKind::kDevice, {heard.error().code, what});
    if (heard.error().code == ErrorCode::kIo) {
      stage_->let_go();
      lost_.lost(DeviceRole::kStage, what);
    }
  }
  if (const auto tripped = trip()) return fail(ErrorCode::kDeviceFault, "{}", tripped->text);
  return {};
}

Result<void> LiveRig::secure() {
  auto tripped = trip();
  if (!tripped) return {};
  set_contact({});
  supervisor_->watch_ages(false, clock().now_ns());
  auto safe = tripped->action == TripAction::kAbort ? stage_->abort() : stage_->stop();
  note_stopped(tripped->host_time_ns);
  watch_air(AirWatch::kOff, false);
  if (const auto harder = trip(); harder && harder->action > tripped->action) {
    if (!safe) safe = stage_->abort();  // the stop came late
    tripped = harder;
  }
  const bool touched = tripped->kind == LimitKind::kAirForce ||
                       tripped->kind == LimitKind::kWrongAxis || tripped->kind == LimitKind::kTare;
  if (safe && touched) raise_tip();
  if (safe && !tripped->hard()) {
    ++soft_trips_;
    if (soft_trips_ > limits().soft_trips) {
      raise({LimitKind::kDevice, TripAction::kStop, 0, 0, clock().now_ns(),
             fmt::format("limits acted {} times: {}", soft_trips_, tripped->text)});
    } else {
      stage_->unlock();
      trips_.clear();
    }
  }
  stage_samples_.clear();
  (void)stage_->poll(stage_samples_, Timeout(1));
  for (const auto& sample : stage_samples_) take(sample);
  trips_.end_stop();
  readings_->trust_stage(stage_->position_trusted());
  return safe;
}

void LiveRig::raise_tip() {
  constexpr double kRaise_m = 2e-3, kSpeed_m_per_s = 2e-3;
  constexpr Timeout kRaised{5000};
  if (!stage_->position_trusted()) return;
  readings_->note_collision();
  trips_.end_stop();
  stage_samples_.clear();
  if (!stage_->poll(stage_samples_, Timeout(300))) return;
  for (const auto& sample : stage_samples_) take(sample);
  auto up_m = reading().stage.position_m;
  const double most_m = stage_->travel().high_m[2];
  if (up_m[2] >= most_m) return;
  up_m[2] = std::min(up_m[2] + kRaise_m, most_m);
  stage_->unlock();
  if (stage_->move_to(up_m, kSpeed_m_per_s)) (void)stage_->wait_until_idle(kRaised);
}

void LiveRig::in_free_air(bool yes) {
  const bool was = free_air_.exchange(yes);
  // After a trip the judging goes on until the stage stands: secure() ends it.
  if (!trip()) supervisor_->watch_air(yes ? AirWatch::kResting : AirWatch::kOff, true);
  if (yes || !was) return;
  const auto at = reading();
  if (!at.tared) return;
  const auto refused = tares_.add(at.bias_N, at.stage.position_m, at.force_ns);
  if (!refused) return;
  raise({LimitKind::kTare, TripAction::kRetract, refused->shift_N, refused->allowed_N, at.force_ns,
         fmt::format("the force's zero moved by {:+.3f} N since the last tare {:.1f} min ago "
                     "({:.3f} N are allowed): does the tip touch something, or has the sensor been "
                     "knocked?",
                     refused->shift_N, refused->after_s / 60, refused->allowed_N)});
}

Result<void> LiveRig::tare_at_top() {
  constexpr double kTare_s = 0.5;
  tares_.forget();
  free_air_ = true;
  const auto mean = quiet_mean(kTare_s, false);
  in_free_air(false);
  if (!mean) return fail(mean.error());
  const auto& sd_N = mean->wrench_sd_SI;
  supervisor_->set_air_zero({mean->wrench_SI[0], mean->wrench_SI[1], mean->wrench_SI[2]},
                            std::max({sd_N[0], sd_N[1], sd_N[2]}));
  const auto& raw = mean->wrench_SI;
  event("tare", nlohmann::json{{"before", raw}}.dump());
  const auto shift = raw_zeros_.add({raw, clock().now_ns()}, shapes_.force.full_scale_SI);
  if (!shift) return {};
  ++force_connections_;  // as another sensor: pushed and weighed before anything moves down
  return fail(ErrorCode::kDeviceFault,
              "ZERO-SHIFT {}: was it overloaded while the tip was changed (a chuck's torque), or "
              "does something touch the tip? Hold the sensor's own side of the chuck when you "
              "tighten it; weigh it (rig weigh), then go on",
              shift->describe());
}

void LiveRig::forget_zero() {
  tares_.forget();
  supervisor_->forget_air_zero();
}

void LiveRig::forget_tip() {
  forget_zero();
  readings_->set_pace(std::nullopt);
  air_.forget(stage_->travel().high_m[2]);
}

void LiveRig::watch_ages(bool on) { supervisor_->watch_ages(on, clock().now_ns()); }

Result<QuietMean> LiveRig::quiet_mean(double duration_s, bool frames) {
  readings_->begin_mean();
  const auto until_ns = clock().now_ns() + static_cast<std::int64_t>(duration_s * 1e9);
  Result<void> fine;
  // A busy computer may hand a batch over late; real silence is the supervisor's to notice.
  while (fine && (clock().now_ns() < until_ns ||
                  (!readings_->mean_begun(frames) && clock().now_ns() < until_ns + kLate_ns)))
    fine = pump(Timeout(5));
  auto mean = readings_->end_mean();
  if (!fine) return fail(fine.error());
  if (mean.force_samples == 0 || (frames && mean.frames == 0))
    return fail(ErrorCode::kTimeout, "no {} came within {:.1f} s",
                mean.force_samples == 0 ? "force" : "tactile frame",
                duration_s + 1e-9 * static_cast<double>(kLate_ns));
  return mean;
}

}  // namespace tactelier::rig
