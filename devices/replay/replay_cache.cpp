#include "devices/replay/replay_cache.hpp"

namespace tactelier::devices {

Result<Replay*> ReplayCache::open(const std::string& file, HostClock& clock) {
  const std::lock_guard lock(mutex_);
  if (const auto found = replays_.find(file); found != replays_.end()) return &found->second;
  auto opened = Replay::open(file, clock);
  if (!opened) return fail(opened.error());
  return &replays_.emplace(file, std::move(*opened)).first->second;
}

}  // namespace tactelier::devices
