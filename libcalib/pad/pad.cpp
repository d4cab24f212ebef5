#include "libcalib/pad/pad.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "libcalib/pad/ghosting.hpp"
#include "libcalib/pad/streams.hpp"
#include "libcalib/pad/touch.hpp"

namespace tactelier::pad {
namespace {

constexpr double kCollisionDecay_s = 0.05;
constexpr double kCollision_hz = 30;
constexpr double kTwoPi = 2 * std::numbers::pi;
constexpr double kRung_s = 1e-4;  // a fiftieth of the fastest ringing

Result<void> check(const PadTruth& truth) {
  if (truth.sensor.arrays.empty() ||
      truth.tactels.size() != static_cast<std::size_t>(truth.sensor.tactels()))
    return fail(ErrorCode::kInvalidInput, "{} tactels have a truth, the sensor has {}",
                truth.tactels.size(), truth.sensor.tactels());
  if (truth.sensor.channels != 1)
    return fail(ErrorCode::kInvalidInput, "sensors with {} channels are not simulated",
                truth.sensor.channels);
  if (!(truth.layer.foundation_modulus_Pa_per_m > 0) || !(truth.layer.thickness_m > 0))
    return fail(ErrorCode::kInvalidInput,
                "the truth has no stiffness: give foundation_modulus or k_punch, and thickness_m");
  if (!(truth.rate_hz > 0))
    return fail(ErrorCode::kInvalidInput, "the truth has no frame rate: give timing.rate_hz");
  return {};
}

}  // namespace

void PadOutput::clear() {
  force.clear();
  stage.clear();
  frames.clear();
  counts.clear();
  temperature.clear();
}

struct Pad::Impl {
  Impl(const PadTruth& truth_, const Effects& effects_, const Mount& mount_, std::uint64_t seed,
       Spread spread)
      : effects(effects_),
        mount(mount_),
        touch(truth_, effects_, std::move(spread)),
        stage(effects_.stage, seed),
        streams(truth_, effects_, seed),
        readout(truth_, effects_.reading, streams.frame_s(), seed),
        operator_draws(seed, "operator"),
        placing_draws(seed, "placing by hand") {
    Random rig(seed, "rig");
    draws.surface_error_m = effects.surface.unknown_height_m * rig.uniform(-1, 1);
    const double direction = rig.uniform(0, kTwoPi);
    draws.tilt_x_rad = mount.tilt_x_rad + effects.surface.tilt_rad * std::cos(direction);
    draws.tilt_y_rad = mount.tilt_y_rad + effects.surface.tilt_rad * std::sin(direction);
    draws.force_gain = streams.force_sensor().gain();
    draws.force_gains = streams.force_sensor().gains();
    draws.force_skew = streams.force_clock().skew();
    draws.stage_skew = streams.stage_clock().skew();
    draws.tactile_skew = streams.tactile_clock().skew();
    for (std::size_t axis = 0; axis < 3; ++axis)
      if (const auto& rotor = stage.rung()[axis]) {
        draws.ring_hz.push_back(rotor->frequency_hz());
        draws.ring_damping.push_back(rotor->damping_ratio());
      }
    draws.tactels.assign(readout.tactels().begin(), readout.tactels().end());
  }

  Point in_sensor_frame(const Vector3& stage_m) const {
    const double x = mount.mirror ? -stage_m[0] : stage_m[0];
    const double c = std::cos(mount.rz_rad);
    const double s = std::sin(mount.rz_rad);
    const Point p{c * x - s * stage_m[1] + mount.x_m, s * x + c * stage_m[1] + mount.y_m};
    const double ct = std::cos(-shift_rz_rad);
    const double st = std::sin(-shift_rz_rad);
    const Point q{p.x_m - shift.x_m, p.y_m - shift.y_m};
    return {ct * q.x_m - st * q.y_m, st * q.x_m + ct * q.y_m};
  }

  double surface_m(Point p, double t_s) const {
    return mount.z0_m + draws.surface_error_m + effects.surface.drift_m_per_s * t_s +
           std::tan(draws.tilt_x_rad) * p.y_m - std::tan(draws.tilt_y_rad) * p.x_m;
  }

  /// The layer is as thick everywhere, measured across it.
  double thickness_along_z_m() const {
    return touch.thickness_m() * std::sqrt(1 + std::pow(std::tan(draws.tilt_x_rad), 2) +
                                           std::pow(std::tan(draws.tilt_y_rad), 2));
  }

  /// What the force sensor feels: the pad's force on the indenter, turned into its own frame.
  Wrench wrench_now(Point stage_tip) const {
    // The layer pushes along the surface's normal: (tan tilt_y, -tan tilt_x, 1) for small tilts.
    const double slope_x = on_pad ? std::tan(draws.tilt_y_rad) : 0;
    const double slope_y = on_pad ? -std::tan(draws.tilt_x_rad) : 0;
    const Point f{state.force_N * slope_x - state.friction_N.x_m,
                  state.force_N * slope_y - state.friction_N.y_m};
    const double c = std::cos(-mount.force_rz_rad) * mount.press_sign;
    const double s = std::sin(-mount.force_rz_rad) * mount.press_sign;
    const double fx = c * f.x_m - s * f.y_m;
    const double fy = s * f.x_m + c * f.y_m;
    const double fz = mount.press_sign * (state.force_N - hung_N);
    double rx = 0, ry = 0;
    if (state.force_N > 0) {
      const Point off{state.pressure_centre_m.x_m - stage_tip.x_m,
                      state.pressure_centre_m.y_m - stage_tip.y_m};
      rx = std::cos(-mount.force_rz_rad) * off.x_m - std::sin(-mount.force_rz_rad) * off.y_m;
      ry = std::sin(-mount.force_rz_rad) * off.x_m + std::cos(-mount.force_rz_rad) * off.y_m;
    }
    rx += mount.tip_m[0];
    ry += mount.tip_m[1];
    const double rz = mount.tip_m[2];
    return {fx, fy, fz, ry * fz - rz * fy, rz * fx - rx * fz, rx * fy - ry * fx};
  }

  void add_collision(Wrench& wrench, double t_s) const {
    const double since = t_s - collision_s;
    if (since > 20 * kCollisionDecay_s) return;
    const double shock = effects.operator_.collision_N * std::exp(-since / kCollisionDecay_s) *
                         std::sin(kTwoPi * kCollision_hz * since);
    for (std::size_t i = 0; i < 3; ++i) wrench[i] += shock;
  }

  /// Where a hand puts it that wants to put it there.
  Resting placed(Resting weight) {
    weight.x_m += effects.operator_.placing_m * placing_draws.normal();
    weight.y_m += effects.operator_.placing_m * placing_draws.normal();
    weight.attitude.rz_rad += effects.operator_.placing_rad * placing_draws.normal();
    return weight;
  }

  Result<void> mount_indenter() {
    return touch.set_indenter(
        indenter, {attitude.rz_rad - shift_rz_rad, attitude.tilt_x_rad - draws.tilt_x_rad,
                   attitude.tilt_y_rad - draws.tilt_y_rad});
  }

  /// In pieces that show how axes ring; between two places of the path the stage goes straight.
  void advance(double dt_s, const Vector3& stage_m, PadOutput& output) {
    const bool rings = stage.rung()[0].has_value();
    const int pieces = rings && on_path ? std::max(1, static_cast<int>(dt_s / kRung_s + 0.5)) : 1;
    for (int i = 1; i < pieces; ++i) {
      const double part = static_cast<double>(i) / pieces;
      Vector3 at_m;
      for (std::size_t axis = 0; axis < at_m.size(); ++axis)
        at_m[axis] = path_m[axis] + part * (stage_m[axis] - path_m[axis]);
      step(dt_s / pieces, at_m, output);
    }
    step(dt_s / pieces, stage_m, output);
    path_m = stage_m;
    on_path = true;
  }

  void step(double dt_s, const Vector3& stage_m, PadOutput& output) {
    const double compensated = dt_s - carry_s;
    const double t_s = state.t_s + compensated;
    carry_s = (t_s - state.t_s) - compensated;
    const auto position = stage.step(dt_s, stage_m);
    const Point tip = in_sensor_frame(position.actual_m);
    state.t_s = t_s;
    state.carriage_m = position.actual_m[2];
    state.surface_m = top_m.value_or(surface_m(tip, t_s) - below_face_m);
    const double height = position.actual_m[2] - state.surface_m;
    const auto result = touch.step(dt_s, tip, -height);
    if (result.begun) readout.begin_press();
    state.tip_m = {tip.x_m, tip.y_m, -result.contact.depth_m};
    state.depth_m = result.contact.depth_m;
    state.force_N = result.contact.force_N;
    state.friction_N = result.friction_N;
    if (touch.refresh_shares_due(streams.reads_before(t_s))) readout.set_shares(touch.shares());
    state.pressure_centre_m = touch.pressure_centre_m();

    Instant now{t_s, wrench_now(tip), on_pad ? state.force_N : 0, position.reported_m,
                position.stepping};
    if (effects.operator_.collision_N > 0) add_collision(now.wrench, t_s);
    if (first) {
      before.reported_m = now.reported_m;
      first = false;
    }
    streams.sample(before, now, readout, output);
    before = now;
  }

  Effects effects;
  Mount mount;
  Touch touch;
  StageMotion stage;
  Streams streams;
  Readout readout;
  Random operator_draws, placing_draws;
  RigDraws draws;
  PadState state;
  double carry_s = 0;  // of the sum of time steps (Kahan)
  Instant before;
  bool first = true;
  Vector3 path_m{0, 0, 0};  // of the stage, so far
  bool on_path = false;
  bool on_pad = true;
  double below_face_m = 0;  // of the ground
  std::optional<double> top_m;
  double hung_N = 0;
  Indenter indenter;
  Attitude attitude;
  Point shift;
  double shift_rz_rad = 0;
  double collision_s = -1e9;
};

Pad::Pad(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Pad::Pad(Pad&&) noexcept = default;
Pad& Pad::operator=(Pad&&) noexcept = default;
Pad::~Pad() = default;

Result<Pad> Pad::create(const PadTruth& truth, const Effects& effects, const Mount& mount,
                        std::uint64_t seed) {
  if (const auto ok = check(truth); !ok) return fail(ok.error());
  auto spread = Spread::create(truth.sensor, truth.spread);
  if (!spread) return fail(spread.error());
  Pad pad(std::make_unique<Impl>(truth, effects, mount, seed, std::move(*spread)));
  if (const auto set = pad.set_indenter(truth.calibration_indenter, {}); !set)
    return fail(set.error());
  return pad;
}

Result<void> Pad::set_indenter(const Indenter& indenter, const Attitude& attitude) {
  impl_->indenter = indenter;
  impl_->attitude = attitude;
  return impl_->mount_indenter();
}

void Pad::set_target(Target target, std::optional<double> top_m) {
  impl_->touch.set_target(target);
  impl_->on_pad = target == Target::kPad;
  impl_->top_m = target == Target::kPad ? std::nullopt : top_m;
  impl_->below_face_m = target == Target::kGround ? impl_->thickness_along_z_m() : 0;
}

void Pad::hang(double force_N) { impl_->hung_N = force_N; }

Result<double> Pad::rest(const Resting& weight) {
  const auto rest = impl_->touch.rest(impl_->placed(weight));
  if (!rest) return fail(rest.error());
  impl_->readout.lay_N(rest->forces_N);
  return rest->compression_m;
}

void Pad::lift_weight() { impl_->readout.lift(); }

void Pad::advance(double dt_s, const Vector3& stage_m, PadOutput& output) {
  impl_->advance(dt_s, stage_m, output);
}

void Pad::bump() { impl_->collision_s = impl_->state.t_s; }

void Pad::remount() {
  auto& random = impl_->operator_draws;
  const double direction = random.uniform(0, kTwoPi);
  const double length = impl_->effects.operator_.remount_shift_m;
  impl_->shift.x_m += length * std::cos(direction);
  impl_->shift.y_m += length * std::sin(direction);
  impl_->shift_rz_rad +=
      (random.uniform() < 0.5 ? -1 : 1) * impl_->effects.operator_.remount_turn_rad;
  impl_->draws.shift_x_m = impl_->shift.x_m;
  impl_->draws.shift_y_m = impl_->shift.y_m;
  impl_->draws.shift_rz_rad = impl_->shift_rz_rad;
  (void)impl_->mount_indenter();  // the shape was accepted before
}

const PadState& Pad::state() const { return impl_->state; }
const RigDraws& Pad::draws() const { return impl_->draws; }
std::span<const double> Pad::shares() const { return impl_->touch.shares(); }

Result<std::vector<double>> centre_shares(const PadTruth& truth, const ReadingEffects& reading) {
  const auto spread = Spread::create(truth.sensor, truth.spread);
  if (!spread) return fail(spread.error());
  const auto outlines = spread->outlines();
  const auto footprint =
      Footprint::create(truth.calibration_indenter, {}, truth.layer.thickness_m, outlines);
  if (!footprint) return fail(footprint.error());
  std::vector<PressurePoint> points;
  footprint->pressure(truth.layer.thickness_m / 4, spread->resolution_m(), points);
  std::vector<double> all(spread->tactels()), read(spread->tactels());
  std::vector<double> own;
  for (int i = 0; i < truth.sensor.tactels(); ++i) {
    const auto p = truth.sensor.position_m(i);
    spread->shares(points, p[0], p[1], all);
    add_ghosts(truth.sensor, reading, all, read);
    own.push_back(read[static_cast<std::size_t>(i)]);
  }
  return own;
}

}  // namespace tactelier::pad
