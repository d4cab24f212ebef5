// What the devices of a rig tell of themselves, for its first rig file.

#include <cmath>

#include "app/workflow/rig_draft.hpp"
#include "devices/ati/netft.hpp"
#include "devices/server/device_claim.hpp"

namespace tactelier {
namespace {

using devices::Timeout;

constexpr std::int64_t kListen_ns = 1'000'000'000;

/// A second of it at rest.
Result<std::array<double, 3>> noise_N(devices::ForceSensor& sensor, devices::HostClock& clock) {
  if (auto on = sensor.start(); !on) return fail(on.error());
  std::vector<devices::ForceSample> samples;
  const auto until_ns = clock.now_ns() + kListen_ns;
  while (clock.now_ns() < until_ns)
    if (auto read = sensor.read(samples, Timeout(500)); !read) return fail(read.error());
  (void)sensor.stop();
  std::array<double, 3> sum{}, squares{}, noise{};
  for (const auto& sample : samples)
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const double force_N = sensor.scale().wrench_SI(sample)[axis];
      sum[axis] += force_N;
      squares[axis] += force_N * force_N;
    }
  const auto n = static_cast<double>(samples.size());
  for (std::size_t axis = 0; axis < 3 && n > 1; ++axis)
    noise[axis] = std::sqrt(std::max(0.0, (squares[axis] - sum[axis] * sum[axis] / n) / (n - 1)));
  return noise;
}

void take(const devices::MotionStage& stage, RigFindings& findings) {
  findings.travel = stage.travel();
  for (std::size_t axis = 0; axis < 3; ++axis)
    if (const double step_m = findings.travel.step_m[axis]; step_m > 0)
      findings.step_m[axis] = step_m;
}

}  // namespace

Result<RigFindings> look_at_rig(const devices::DeviceFile& file) {
  if (!file.sensor)
    return fail(ErrorCode::kUsage,
                "the device file names no tactile array with its 'sensor': what is there to "
                "calibrate?");
  const auto claim = rig::DeviceClaim::take(file, {"'tactelier rig new'", {}, {}});
  if (!claim) return fail(claim.error());
  devices::DeviceConnections connections(file);
  connections.leave_settings_alone();
  RigFindings findings;
  findings.sensor = *file.sensor;
  const auto stage = connections.open_stage();
  if (!stage) return fail(stage.error(), "stage");
  take(**stage, findings);
  findings.position_rate_hz = file.stage->options.number("poll_hz", findings.position_rate_hz);
  const auto force = connections.open_force();
  if (!force) return fail(force.error(), "force sensor");
  findings.force = (*force)->scale();
  findings.force_rate_hz = (*force)->rate_hz();
  if (const auto* box = dynamic_cast<const devices::NetFt*>(force->get()))
    findings.force_model = box->config().product;
  const auto noise = noise_N(**force, connections.clock());
  if (!noise) return fail(noise.error(), "force sensor");
  findings.force_noise_N = *noise;
  const auto array = connections.open_tactile();
  if (!array) return fail(array.error(), "tactile array");
  return findings;
}

}  // namespace tactelier
