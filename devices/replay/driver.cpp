#include "devices/replay/driver.hpp"

#include <array>

#include "devices/replay/replay_cache.hpp"

namespace tactelier::devices {
namespace {

constexpr std::array kReplayOptions{
    OptionInfo{"file", OptionKind::kText, "recording to play, a .tact file", true}};

Result<Replay*> replay_of(const DriverOptions& options, const OpenContext& context) {
  auto replay = context.replays->open(options.file("file"), *context.clock);
  if (!replay) return fail(replay.error(), options.where());
  return *replay;
}

Result<std::unique_ptr<MotionStage>> open_stage_replay(const DriverOptions& options,
                                                       const OpenContext& context) {
  return replay_of(options, context).and_then([](Replay* replay) { return replay->stage(); });
}

Result<std::unique_ptr<ForceSensor>> open_force_replay(const DriverOptions& options,
                                                       const OpenContext& context) {
  return replay_of(options, context).and_then([](Replay* replay) { return replay->force(); });
}

Result<std::unique_ptr<TactileArray>> open_tactile_replay(const DriverOptions& options,
                                                          const OpenContext& context) {
  return replay_of(options, context).and_then([](Replay* replay) { return replay->tactile(); });
}

}  // namespace

constinit const Driver<MotionStage> kReplayStageDriver{
    "replay", "positions of a recording; refuses to move", kReplayOptions, open_stage_replay};
constinit const Driver<ForceSensor> kReplayForceDriver{"replay", "forces of a recording",
                                                       kReplayOptions, open_force_replay};
constinit const Driver<TactileArray> kReplayTactileDriver{"replay", "readings of a recording",
                                                          kReplayOptions, open_tactile_replay};

}  // namespace tactelier::devices
