#include "devices/bench/virtual_bench.hpp"

#include <algorithm>
#include <cmath>

#include "libcalib/pad/random.hpp"
#include "libcalib/units.hpp"

namespace tactelier::devices {
namespace {

constexpr std::int64_t kStep_ns = 1'000'000;
constexpr double kBoxSampling_hz = 7000;
constexpr int kMostTactels = 4000;
constexpr double kFineStep_m = 1e-6;  // where the effects name no step

/// $-settings of a stage that can do what the effects say.
std::map<int, double> stage_settings(const pad::StageEffects& stage) {
  const auto or_else = [](double value, double otherwise) { return value > 0 ? value : otherwise; };
  const double steps_per_mm = 1e-3 / or_else(stage.step_m, kFineStep_m);
  const double xy_mm_min = m_to_mm(or_else(stage.xy_speed_m_s, 25e-3)) * 60;
  const double z_mm_min = m_to_mm(or_else(stage.z_speed_m_s, 8e-3)) * 60;
  const double a_mm_s2 = m_to_mm(or_else(stage.acceleration_m_s2, 0.5));
  return {{22, 1},
          {24, 120},
          {25, z_mm_min},
          {100, steps_per_mm},
          {101, steps_per_mm},
          {102, steps_per_mm},
          {110, xy_mm_min},
          {111, xy_mm_min},
          {112, z_mm_min},
          {120, a_mm_s2},
          {121, a_mm_s2},
          {122, a_mm_s2},
          {130, 80},
          {131, 80},
          {132, 40}};
}

/// The pad's own streams: true time, force at the box's sampling rate; the devices' clocks are in
/// the emulators.
pad::Effects without_clocks(pad::Effects effects) {
  effects.clock = {};
  effects.force.rate_hz = kBoxSampling_hz;
  return effects;
}

}  // namespace

VirtualBench::VirtualBench(const BenchSetup& setup, std::int64_t start_ns)
    : start_ns_(start_ns), pad_ns_(start_ns) {
  pad::Random random(setup.seed, "device crystals");
  const auto ppm = [&](double most) {
    return setup.effects.clock.own ? most * random.uniform(-1, 1) : 0;
  };
  box_.clock_ppm = ppm(setup.effects.clock.crystal_ppm);
  const auto& array = setup.truth.sensor.arrays.front();
  WtsBoard board;
  board.columns = array.columns;
  board.rows = array.rows;
  board.pitch_um = static_cast<int>(std::lround(array.pitch_x_m * 1e6));
  board.clock_ppm = ppm(setup.effects.clock.array_ppm);
  counts_.resize(static_cast<std::size_t>(setup.truth.sensor.tactels()));
  stage_ = std::make_unique<GrblEmulator>(
      GrblBoard{GrblDialect::kGrbl, 115200, stage_settings(setup.effects.stage), setup.power_up_mm},
      start_ns);
  force_ = std::make_unique<NetFtEmulator>(
      box_, [this](std::int64_t time_ns) { return wrench_at(time_ns); }, start_ns);
  web_ = std::make_unique<NetFtWebEmulator>(box_);
  tactile_ = std::make_unique<WtsEmulator>(
      board, [this](std::int64_t time_ns) { return counts_at(time_ns); }, start_ns);
}

Result<std::unique_ptr<VirtualBench>> VirtualBench::create(const BenchSetup& setup,
                                                           std::int64_t start_ns) {
  if (setup.truth.sensor.arrays.size() != 1 || setup.truth.sensor.tactels() > kMostTactels)
    return fail(ErrorCode::kInvalidInput,
                "the virtual bench presses one array of at most {} tactels", kMostTactels);
  auto pad = pad::Pad::create(setup.truth, without_clocks(setup.effects), setup.mount, setup.seed);
  if (!pad) return fail(pad.error());
  std::unique_ptr<VirtualBench> bench(new VirtualBench(setup, start_ns));
  bench->pad_ = std::make_unique<pad::Pad>(std::move(*pad));
  return bench;
}

Emulator* VirtualBench::device(std::string_view name) {
  if (name == "stage") return stage_.get();
  if (name == "force") return force_.get();
  return name == "tactile" ? tactile_.get() : nullptr;
}

void VirtualBench::run_until(std::int64_t now_ns) {
  while (pad_ns_ + kStep_ns <= now_ns) {
    pad_ns_ += kStep_ns;
    stage_->run_until(pad_ns_);
    const auto at_mm = stage_->true_position_mm();
    output_.clear();
    pad_->advance(static_cast<double>(kStep_ns) * 1e-9,
                  {mm_to_m(at_mm[0]), mm_to_m(at_mm[1]), mm_to_m(at_mm[2])}, output_);
    constexpr std::size_t kKept = 32;  // a few milliseconds at 7 kHz
    recent_force_.insert(recent_force_.end(), output_.force.begin(), output_.force.end());
    if (recent_force_.size() > kKept)
      recent_force_.erase(recent_force_.begin(),
                          recent_force_.end() - static_cast<std::ptrdiff_t>(kKept));
    if (!output_.frames.empty())
      counts_.assign(output_.counts.end() - static_cast<std::ptrdiff_t>(counts_.size()),
                     output_.counts.end());
  }
}

std::array<double, 6> VirtualBench::wrench_at(std::int64_t time_ns) {
  run_until(time_ns);
  const double t_s = static_cast<double>(time_ns - kStep_ns - start_ns_) * 1e-9;
  const auto after =
      std::find_if(recent_force_.rbegin(), recent_force_.rend(),
                   [&](const pad::ForceSample& sample) { return sample.stamp.true_s <= t_s; });
  return after == recent_force_.rend() ? std::array<double, 6>{} : after->wrench;
}

std::vector<double> VirtualBench::counts_at(std::int64_t time_ns) {
  run_until(time_ns);
  return counts_;
}

}  // namespace tactelier::devices
