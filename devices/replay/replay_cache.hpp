#pragma once
// The recordings that are open as devices. Each is opened once: its devices play in step.

#include <map>
#include <mutex>
#include <string>

#include "devices/replay/replay.hpp"

namespace tactelier::devices {

class ReplayCache {
 public:
  /// Fails as Replay::open(). The pointer lives as long as the cache. Any thread.
  Result<Replay*> open(const std::string& file, HostClock& clock);

 private:
  std::mutex mutex_;
  std::map<std::string, Replay> replays_;  // by file
};

}  // namespace tactelier::devices
