#include "devices/bench/virtual_bench.hpp"

#include <algorithm>
#include <cmath>

#include "libcalib/json_check.hpp"
#include "libcalib/pad/random.hpp"
#include "libcalib/units.hpp"

namespace tactelier::devices {
namespace {

constexpr std::string_view kWtsArray = "weiss-wts", kDsaArray = "weiss-dsa";
constexpr std::int64_t kStep_ns = 1'000'000;
constexpr double kBoxSampling_hz = 7000;
constexpr int kMaxTactels = 4000;
constexpr double kFineStep_m = 1e-6;  // where the effects name no step
// A bench that lives faster than real time may be kept from living for that long.
constexpr double kRemembered_s = 20;
constexpr double kPlateReach_m = 8e-3;  // from the middle of plate and reference pad

/// $-settings of a stage that can do what the effects say.
std::map<int, double> stage_settings(const BenchSetup& setup) {
  const auto& stage = setup.effects.stage;
  const auto& travel_m = setup.travel_m;
  const auto or_else = [](double value, double otherwise) { return value > 0 ? value : otherwise; };
  const double steps_per_mm = 1e-3 / or_else(stage.step_m, kFineStep_m);
  const double xy_mm_min = m_to_mm(or_else(stage.xy_speed_m_per_s, 25e-3)) * 60;
  const double z_mm_min = m_to_mm(or_else(stage.z_speed_m_per_s, 8e-3)) * 60;
  const double a_mm_per_s2 = m_to_mm(or_else(stage.acceleration_m_per_s2, 0.5));
  std::map<int, double> settings{{22, 1},
                                 {24, 120},
                                 {25, z_mm_min},
                                 {100, steps_per_mm},
                                 {101, steps_per_mm},
                                 {102, steps_per_mm},
                                 {110, xy_mm_min},
                                 {111, xy_mm_min},
                                 {112, z_mm_min},
                                 {120, a_mm_per_s2},
                                 {121, a_mm_per_s2},
                                 {122, a_mm_per_s2},
                                 {130, m_to_mm(travel_m[0])},
                                 {131, m_to_mm(travel_m[1])},
                                 {132, m_to_mm(travel_m[2])}};
  // FluidNC has them in a file of its own, which a driver doesn't write.
  if (setup.dialect.grbl == GrblDialect::kFluidNc) settings.insert({{1, 255}, {10, 3}, {20, 1}});
  return settings;
}

/// The same stage behind a Marlin; X and Y home to their lower ends.
MarlinBoard marlin_board(const BenchSetup& setup) {
  const auto settings = stage_settings(setup);
  MarlinBoard board;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const int number = static_cast<int>(axis);
    board.steps_per_mm[axis] = settings.at(100 + number);
    board.most_mm_per_s[axis] = settings.at(110 + number) / 60;
    board.acceleration_mm_per_s2[axis] = settings.at(120 + number);
    board.travel_mm[axis] = settings.at(130 + number);
    board.power_up_mm[axis] = board.travel_mm[axis] + setup.power_up_mm[axis];
  }
  board.home_mm_per_s = std::min(4.0, board.most_mm_per_s[2]);
  return board;
}

/// And behind Zaber axes, X and Y with their home end low, Z with it high.
ZaberBoard zaber_board(const BenchSetup& setup) {
  const auto settings = stage_settings(setup);
  ZaberBoard board;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const int number = static_cast<int>(axis);
    board.mm_per_step[axis] = m_to_mm(setup.zaber_step_m()[axis]);
    board.most_mm_per_s[axis] = settings.at(110 + number) / 60;
    board.acceleration_mm_per_s2[axis] = settings.at(120 + number);
    board.travel_mm[axis] = settings.at(130 + number);
    board.power_up_mm[axis] =
        axis == 2 ? -setup.power_up_mm[axis] : board.travel_mm[axis] + setup.power_up_mm[axis];
  }
  board.home_mm_per_s = board.most_mm_per_s[2];
  return board;
}

/// The pad's own streams: true time, force at the box's sampling rate; the devices' clocks are in
/// the emulators, and so is the way from command to motion.
pad::Effects without_clocks(pad::Effects effects) {
  effects.clock = {};
  effects.stage.command_delay_s = 0;
  effects.stage.late_start_least_s = effects.stage.late_start_most_s = 0;
  effects.force.rate_hz = kBoxSampling_hz;
  return effects;
}

/// The stage as its wire sees it: time passes for the whole bench before it passes for the stage,
/// so that the pad never misses a part of its way.
class BenchStage final : public Emulator {
 public:
  BenchStage(VirtualBench& bench, StageEmulator& stage) : bench_(bench), stage_(stage) {}
  void receive(ByteView bytes, int peer, std::int64_t now_ns) override {
    stage_.receive(bytes, peer, now_ns);
  }
  void run_until(std::int64_t now_ns) override {
    bench_.run_until(now_ns);
    stage_.run_until(now_ns);
  }
  std::int64_t next_ns() const override { return stage_.next_ns(); }
  std::optional<Outgoing> take(std::int64_t now_ns) override { return stage_.take(now_ns); }
  void inject(const Fault& fault, std::int64_t now_ns) override { stage_.inject(fault, now_ns); }
  std::vector<PendingFault> faults(std::int64_t now_ns) const override {
    return stage_.faults(now_ns);
  }
  void mend() override { stage_.mend(); }
  bool hung_up(std::int64_t now_ns) override { return stage_.hung_up(now_ns); }

 private:
  VirtualBench& bench_;
  StageEmulator& stage_;
};

}  // namespace

std::array<double, 3> BenchSetup::controller_zero_m() const {
  auto zero_m = machine_zero_m;
  const bool z_too = dialect.kind == StageDialect::Kind::kMarlin;
  for (std::size_t axis = 0; axis < (z_too ? 3 : 2) && dialect.homes_to_lower_ends(); ++axis)
    zero_m[axis] -= travel_m[axis];
  return zero_m;
}

std::array<double, 3> BenchSetup::zaber_step_m() const {
  constexpr double kFiner = 8;  // than a router's
  const double step_m = mm_to_m(1 / stage_settings(*this).at(102)) / kFiner;
  return {step_m, step_m, -step_m};
}

double BenchSetup::array_rate_hz() const {
  return array == kDsaArray ? std::min<double>(frame_rate_hz, kDsaFastest_hz) : frame_rate_hz;
}

VirtualBench::VirtualBench(const BenchSetup& setup, std::int64_t start_ns)
    : setup_(setup), start_ns_(start_ns), pad_ns_(start_ns) {
  pad::Random random(setup.seed, "device crystals");
  const auto ppm = [&](double most) {
    return setup.effects.clock.own ? most * random.uniform(-1, 1) : 0;
  };
  box_.clock_ppm = ppm(setup.effects.clock.crystal_ppm);
  box_.rdt_rate_hz = setup.force_rate_hz;
  box_.ratings = setup.force_ratings_SI;
  const double array_ppm = ppm(setup.effects.clock.array_ppm);
  encoder_ppm_ = ppm(setup.effects.clock.crystal_ppm);
  if (setup.dialect.kind == StageDialect::Kind::kZaber)
    stage_ = std::make_unique<ZaberEmulator>(zaber_board(setup), start_ns);
  else if (setup.dialect.kind == StageDialect::Kind::kMarlin)
    stage_ = std::make_unique<MarlinEmulator>(marlin_board(setup), start_ns);
  else
    stage_ = std::make_unique<GrblEmulator>(
        GrblBoard{setup.dialect.grbl, 115200, stage_settings(setup), setup.power_up_mm}, start_ns);
  stage_wire_ = std::make_unique<BenchStage>(*this, *stage_);
  force_ = std::make_unique<NetFtEmulator>(
      box_, [this](std::int64_t time_ns) { return wrench_at(time_ns); }, start_ns);
  web_ = std::make_unique<NetFtWebEmulator>(box_);
  command_ = std::make_unique<NetFtCommandEmulator>(box_, *force_);
  place_array(array_ppm, start_ns);
}

void VirtualBench::place_array(double clock_ppm, std::int64_t start_ns) {
  const auto& array = setup_.truth.sensor.arrays.front();
  auto counts = [this](std::int64_t time_ns) { return counts_at(time_ns); };
  if (setup_.array == kDsaArray) {
    DsaBoard board;
    board.matrices = {{array.columns, array.rows, array.pitch_x_m, array.pitch_y_m}};
    board.clock_ppm = clock_ppm;
    // A line that a DSA's 30 frames a second fill by half, where that is more than a serial one.
    const double raw_bits = 10 * (13 + 2.0 * board.matrices.front().cells());
    board.baud = std::max(setup_.array_baud, 2 * raw_bits * kDsaFastest_hz);
    board.fastest_hz = setup_.array_rate_hz();
    board.keeps_rate = true;
    tactile_ = std::make_unique<DsaEmulator>(std::move(board), std::move(counts), start_ns);
    return;
  }
  WtsBoard board;
  board.columns = array.columns;
  board.rows = array.rows;
  board.pitch_um = static_cast<int>(std::lround(array.pitch_x_m * 1e6));
  board.clock_ppm = clock_ppm;
  board.baud = setup_.array_baud;
  board.fastest_hz = setup_.array_rate_hz();
  tactile_ = std::make_unique<WtsEmulator>(board, std::move(counts), start_ns);
}

Result<std::unique_ptr<VirtualBench>> VirtualBench::create(const BenchSetup& setup,
                                                           std::int64_t start_ns) {
  if (setup.truth.sensor.arrays.size() != 1 || setup.truth.sensor.tactels() > kMaxTactels)
    return fail(ErrorCode::kInvalidInput,
                "the virtual bench presses one array of at most {} tactels", kMaxTactels);
  const std::array arrays{std::string(kWtsArray), std::string(kDsaArray)};
  if (std::find(arrays.begin(), arrays.end(), setup.array) == arrays.end())
    return fail(ErrorCode::kUsage, "the virtual bench has no array '{}'{}; there are {}",
                setup.array, did_you_mean(setup.array, arrays), fmt::join(arrays, ", "));
  auto pad = pad::Pad::create(setup.truth, without_clocks(setup.effects), setup.mount, setup.seed);
  if (!pad) return fail(pad.error());
  std::unique_ptr<VirtualBench> bench(new VirtualBench(setup, start_ns));
  bench->pad_ = std::make_unique<pad::Pad>(std::move(*pad));
  if (!setup.force_device.empty())
    if (auto placed = bench->place_framed_force(start_ns); !placed) return fail(placed.error());
  if (!setup.encoder) return bench;
  auto encoder = load_device_description("bench-encoder");
  if (!encoder) return fail(encoder.error());
  auto* raw = bench.get();
  bench->encoder_ = std::make_unique<FramedEmulator>(
      std::move(*encoder), FramedBoard{kBenchEncoder_hz, bench->encoder_ppm_, 0, 0},
      [raw](std::int64_t time_ns) {
        return std::vector{std::round(raw->carriage_at_m(time_ns) / kBenchEncoder_m)};
      },
      start_ns);
  return bench;
}

Result<void> VirtualBench::place_framed_force(std::int64_t start_ns) {
  auto device = load_device_description(setup_.force_device);
  if (!device) return fail(device.error());
  if (!device->wrench)
    return fail(ErrorCode::kInvalidInput,
                "'{}' describes no six-axis force sensor; 'tactelier devices list' names them",
                setup_.force_device);
  auto board =
      wrench_board(*device, framed_rate_hz(*device, setup_.force_rate_hz), setup_.force_ratings_SI);
  board.clock_ppm = box_.clock_ppm;
  auto counts =
      counts_of_wrench(*device, [this](std::int64_t time_ns) { return wrench_at(time_ns); });
  framed_force_ =
      std::make_unique<FramedEmulator>(std::move(*device), board, std::move(counts), start_ns);
  return {};
}

Emulator* VirtualBench::device(std::string_view name) {
  if (name == "stage") return stage_wire_.get();
  if (name == "force" && framed_force_) return framed_force_.get();
  if (name == "force") return force_.get();
  if (name == "encoder") return encoder_.get();
  return name == "tactile" ? tactile_.get() : nullptr;
}

void VirtualBench::lay_under_tip(std::optional<pad::Target> target, std::optional<double> top_m) {
  target_by_place_ = !target;
  target_ = target.value_or(pad::Target::kPad);
  pad_->set_target(target_, top_m);
}

void VirtualBench::choose_target(const Vector3& at_m) {
  const auto within = [&](double x_m, double y_m) {
    return std::hypot(at_m[0] - x_m, at_m[1] - y_m) < kPlateReach_m;
  };
  const auto near = [&](const std::optional<Vector3>& place_m) {
    return place_m && within((*place_m)[0], (*place_m)[1]);
  };
  const bool plate = near(setup_.plate_m), reference = near(setup_.reference_pad_m);
  const bool spring = near(setup_.leaf_spring_m);
  const bool ground = setup_.ground && within(setup_.ground->x_m, setup_.ground->y_m);
  const auto target = plate       ? pad::Target::kRigidPlate
                      : reference ? pad::Target::kReferencePad
                      : spring    ? pad::Target::kLeafSpring
                      : ground    ? pad::Target::kGround
                                  : pad::Target::kPad;
  if (target == target_) return;
  target_ = target;
  if (plate) return pad_->set_target(target, (*setup_.plate_m)[2]);
  if (reference) return pad_->set_target(target, (*setup_.reference_pad_m)[2]);
  if (spring) return pad_->set_target(target, (*setup_.leaf_spring_m)[2]);
  pad_->set_target(target, ground ? setup_.ground->z_m : std::nullopt);
}

void VirtualBench::run_until(std::int64_t now_ns) {
  while (pad_ns_ + kStep_ns <= now_ns) {
    pad_ns_ += kStep_ns;
    stage_->run_until(pad_ns_);
    const auto at_mm = stage_->true_position_mm();
    output_.clear();
    auto at_m = setup_.controller_zero_m();
    for (std::size_t axis = 0; axis < 3; ++axis)
      at_m[axis] += setup_.wrong_travel * mm_to_m(at_mm[axis]);
    tip_at_m_ = at_m;
    at_m[2] -= setup_.longer_tip_m;
    if (target_by_place_) choose_target(at_m);
    pad_->advance(static_cast<double>(kStep_ns) * 1e-9, at_m, output_);
    peak_N_ = std::max(peak_N_.load(), pad_->state().force_N);
    remember(output_);
  }
}

void VirtualBench::remember(const pad::PadOutput& output) {
  recent_force_.insert(recent_force_.end(), output.force.begin(), output.force.end());
  const auto tactels = static_cast<std::ptrdiff_t>(setup_.truth.sensor.tactels());
  for (std::size_t i = 0; i < output.frames.size(); ++i) {
    const auto first = output.counts.begin() + static_cast<std::ptrdiff_t>(i) * tactels;
    recent_frames_.push_back({output.frames[i].true_s, {first, first + tactels}});
  }
  const double oldest_s = static_cast<double>(pad_ns_ - start_ns_) * 1e-9 - kRemembered_s;
  if (encoder_) recent_heights_.push_back({pad_ns_, pad_->state().carriage_m});
  while (recent_heights_.size() > 1 &&
         static_cast<double>(recent_heights_.front().time_ns - start_ns_) * 1e-9 < oldest_s)
    recent_heights_.pop_front();
  while (recent_force_.size() > 1 && recent_force_.front().stamp.true_s < oldest_s)
    recent_force_.pop_front();
  while (recent_frames_.size() > 1 && recent_frames_.front().true_s < oldest_s)
    recent_frames_.pop_front();
}

std::array<double, 3> VirtualBench::beside_the_pad_N() const {
  auto force_N = push_N_;
  for (std::size_t axis = 0; axis < 3; ++axis)
    force_N[2] += setup_.cable_N_per_m[axis] * tip_at_m_[axis];
  const double turn_rad = setup_.mount.rz_rad - setup_.mount.force_rz_rad;
  const double c = std::cos(turn_rad), s = std::sin(turn_rad), sign = setup_.mount.press_sign;
  return {sign * (c * force_N[0] - s * force_N[1]), sign * (s * force_N[0] + c * force_N[1]),
          sign * force_N[2]};
}

std::array<double, 6> VirtualBench::wrench_at(std::int64_t time_ns) {
  run_until(time_ns);
  const double t_s = static_cast<double>(time_ns - kStep_ns - start_ns_) * 1e-9;
  const auto after = std::upper_bound(
      recent_force_.begin(), recent_force_.end(), t_s,
      [](double time_s, const pad::ForceSample& sample) { return time_s < sample.stamp.true_s; });
  auto wrench = after == recent_force_.begin() ? std::array<double, 6>{} : std::prev(after)->wrench;
  const auto more_N = beside_the_pad_N();
  const double step_N = setup_.effects.force.resolution_N;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    wrench[axis] += more_N[axis];
    if (step_N > 0) wrench[axis] = std::round(wrench[axis] / step_N) * step_N;
  }
  for (auto& part : wrench) part *= setup_.wrong_gain;
  return wrench;
}

double VirtualBench::carriage_at_m(std::int64_t time_ns) {
  run_until(time_ns);
  const auto after = std::upper_bound(
      recent_heights_.begin(), recent_heights_.end(), time_ns,
      [](std::int64_t at_ns, const Height& height) { return at_ns < height.time_ns; });
  return after == recent_heights_.begin() ? setup_.machine_zero_m[2] : std::prev(after)->carriage_m;
}

std::vector<double> VirtualBench::counts_at(std::int64_t time_ns) {
  run_until(time_ns);
  const double t_s = static_cast<double>(time_ns - start_ns_) * 1e-9;
  const auto after =
      std::upper_bound(recent_frames_.begin(), recent_frames_.end(), t_s,
                       [](double time_s, const Frame& frame) { return time_s < frame.true_s; });
  if (after != recent_frames_.begin()) return std::prev(after)->counts;
  return std::vector<double>(static_cast<std::size_t>(setup_.truth.sensor.tactels()));
}

}  // namespace tactelier::devices
