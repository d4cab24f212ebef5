#include "devices/bench/bench_of_rig.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "libcalib/session/json_get.hpp"
#include "libcalib/synth/simulated_rig.hpp"

namespace tactelier::devices {
namespace {

constexpr double kSpare_m = 10e-3;
constexpr double kBelowSurface_m = 5e-3;
constexpr double kThickestLayer_m = 6e-3;  // that a simulated pad has
constexpr double kUartFrames_hz = 60;      // what 115200 baud carries of a WTS 0614
constexpr double kUsbBaud = 4e6;           // behind USB there is no line to wait for

/// Calibrated ranges of the Nano17 by calibration (docs/wire-formats.md 2). N, N*m.
struct Rating {
  std::string_view calibration;
  std::array<double, 6> SI;
};
constexpr std::array kRatings{Rating{"SI-12-0.12", {12, 12, 17, 0.12, 0.12, 0.12}},
                              Rating{"SI-25-0.25", {25, 25, 35, 0.25, 0.25, 0.25}},
                              Rating{"SI-50-0.5", {50, 50, 70, 0.5, 0.5, 0.5}}};

std::array<double, 6> ratings_of(const RigFile& rig) {
  const auto document = nlohmann::json::parse(rig.document);
  const auto* sensor = get_member(document, "force_sensor");
  const auto name = sensor != nullptr ? get_text(*sensor, "calibration") : "";
  const auto found = std::find_if(kRatings.begin(), kRatings.end(),
                                  [&](const Rating& rating) { return rating.calibration == name; });
  return found != kRatings.end() ? found->SI : kRatings[1].SI;
}

struct Box {
  Vector3 low{}, high{};
  void take(const Vector3& place_m) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      low[axis] = std::min(low[axis], place_m[axis]);
      high[axis] = std::max(high[axis], place_m[axis]);
    }
  }
};

/// Bare beside the pad, whether a file says so or not; how deep it lies is the pad's truth.
GroundPlace ground_of(const RigFile& rig) {
  constexpr double kBeside_m = -48e-3;  // along y, from the middle of the travel
  return rig.ground ? GroundPlace{rig.ground->x_m, rig.ground->y_m, {}}
                    : GroundPlace{0, kBeside_m, {}};
}

Box reach_of(const RigFile& rig, const SensorDescription& sensor) {
  if (rig.travel_m) {
    const auto& t = *rig.travel_m;
    return {{t[0], t[1], t[2]}, {t[3], t[4], t[5]}};
  }
  const auto& array = sensor.arrays.front();
  const double half_x_m = array.columns * array.pitch_x_m / 2;
  const double half_y_m = array.rows * array.pitch_y_m / 2;
  const auto centre_m = rig.stage_from_sensor_m({0, 0, 0});
  Box box{centre_m, centre_m};
  const double safe_m = rig.stage.safe_height_m;
  for (const double x_m : {-half_x_m, half_x_m})
    for (const double y_m : {-half_y_m, half_y_m})
      box.take(rig.stage_from_sensor_m({x_m, y_m, safe_m}));
  for (const auto& place_m : {rig.plate_m, rig.reference_pad_m, rig.park_m})
    if (place_m) box.take(*place_m);
  if (rig.leaf_spring) box.take(rig.leaf_spring->top_m);
  const auto ground = ground_of(rig);
  box.take({ground.x_m, ground.y_m, centre_m[2] - kThickestLayer_m});
  for (std::size_t axis = 0; axis < 3; ++axis) box.high[axis] += kSpare_m;
  box.low[0] -= kSpare_m;
  box.low[1] -= kSpare_m;
  box.low[2] -= kBelowSurface_m;
  return box;
}

}  // namespace

Result<BenchSetup> bench_setup_of(const RigFile& rig, const pad::PadTruth& truth,
                                  const pad::Effects& effects, std::uint64_t seed) {
  const auto mount = synth::mount_of(rig, truth.sensor);
  if (!mount) return fail(mount.error());
  BenchSetup setup;
  setup.truth = truth;
  setup.effects = synth::effects_with(rig, effects);
  auto& stage = setup.effects.stage;
  stage.acceleration_m_per_s2 = rig.stage.acceleration_m_per_s2;
  stage.xy_speed_m_per_s = rig.stage.xy_speed_m_per_s;
  stage.z_speed_m_per_s = rig.stage.z_speed_m_per_s;
  setup.mount = *mount;
  setup.seed = seed;
  const auto reach = reach_of(rig, truth.sensor);
  setup.machine_zero_m = reach.high;
  for (std::size_t axis = 0; axis < 3; ++axis)
    setup.travel_m[axis] = reach.high[axis] - reach.low[axis];
  setup.plate_m = rig.plate_m;
  setup.reference_pad_m = rig.reference_pad_m;
  if (rig.leaf_spring) setup.leaf_spring_m = rig.leaf_spring->top_m;
  setup.ground = ground_of(rig);
  setup.force_ratings_SI = ratings_of(rig);
  setup.force_rate_hz = static_cast<int>(std::lround(effects.force.rate_hz));
  setup.frame_rate_hz = truth.rate_hz;
  if (setup.frame_rate_hz > kUartFrames_hz) setup.array_baud = kUsbBaud;
  return setup;
}

}  // namespace tactelier::devices
