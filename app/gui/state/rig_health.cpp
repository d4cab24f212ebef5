#include "app/gui/state/rig_health.hpp"

#include <algorithm>

#include "app/gui/state/rig_link.hpp"
#include "app/gui/state/rig_snapshot.hpp"
#include "libcalib/units.hpp"

namespace tactelier::gui {
namespace {

template <class Device>
DeviceHealth named(const char* role, const devices::DeviceEntry<Device>& entry) {
  DeviceHealth health;
  health.role = role;
  health.driver = entry.driver->name;
  health.place = entry.options.text("url", entry.options.text("file"));
  return health;
}

/// `lamp`: of the safety bar, so that both say the same.
void judge(DeviceHealth& health, Lamp lamp, std::int64_t time_ns, double age_s) {
  if (time_ns == 0) {
    health.words = "nothing has come yet";
    return;
  }
  health.sample_ns = time_ns;
  if (lamp == Lamp::kBad) {
    health.state = HealthState::kBad;
    health.words = fmt::format("no data for {:.1f} s", age_s);
    return;
  }
  const bool lost = health.counters.lost > 0;
  health.state = lost ? HealthState::kLook : HealthState::kGood;
  health.words = lost ? counter_words(health.counters) : "good";
}

DeviceHealth stageHealth(const RigLink& rig, const RigSnapshot& now) {
  const auto& live = *rig.live();
  auto health = named("stage", *rig.facts().devices.stage);
  const auto& at = live.position_m;
  health.position_trusted = rig.status().position_trusted;
  health.values = fmt::format("{:.3f}, {:.3f}, {:.3f} mm, {}{}", m_to_mm(at[0]), m_to_mm(at[1]),
                              m_to_mm(at[2]), to_string(rig.status().stage),
                              *health.position_trusted ? "" : "; position void: not homed");
  judge(health, now.streams[2].lamp, live.stage_ns, rig.feed().stageAge_s());
  return health;
}

DeviceHealth forceHealth(const RigLink& rig, const RigSnapshot& now) {
  const auto& live = *rig.live();
  auto health = named("force", *rig.facts().devices.force);
  const auto& wrench = live.wrench_SI;
  health.values = fmt::format("{:.3f}, {:.3f}, {:.3f} N", wrench[0], wrench[1], wrench[2]);
  health.samples = rig.status().force_samples;
  health.counters.lost = rig.status().force_lost;
  health.rate_hz = rig.feed().forceRate_hz();
  health.force_N = now.force_N;
  judge(health, now.streams[0].lamp, live.force_ns, rig.feed().forceAge_s());
  return health;
}

DeviceHealth tactileHealth(const RigLink& rig, const RigSnapshot& now) {
  const auto& live = *rig.live();
  auto health = named("tactile", *rig.facts().devices.tactile);
  if (!rig.facts().sensor.arrays.empty()) {
    const auto& array = rig.facts().sensor.arrays.front();
    health.detail = fmt::format("{} x {} tactels", array.rows, array.columns);
  }
  if (!live.counts.empty()) {
    const auto [low, high] = std::minmax_element(live.counts.begin(), live.counts.end());
    health.values = fmt::format("{:.6g} to {:.6g} counts", *low, *high);
  }
  health.samples = rig.status().frames;
  health.counters.lost = rig.status().frames_lost;
  health.rate_hz = rig.feed().frameRate_hz();
  judge(health, now.streams[1].lamp, live.frame_ns, rig.feed().frameAge_s());
  return health;
}

}  // namespace

std::vector<DeviceHealth> rigHealth(const RigLink& rig) {
  std::vector<DeviceHealth> all;
  if (!rig.connected() || !rig.live()) return all;
  const auto now = snapshotOf(rig);
  const auto& devices = rig.facts().devices;
  if (devices.stage) all.push_back(stageHealth(rig, now));
  if (devices.force) all.push_back(forceHealth(rig, now));
  if (devices.tactile) all.push_back(tactileHealth(rig, now));
  return all;
}

}  // namespace tactelier::gui
