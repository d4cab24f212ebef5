#pragma once
// Sends pictures of the rig to everybody who watches. Nobody is waited for: a client whose socket
// is full misses frames until it has read what lies there.

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "devices/acquisition/live_picture.hpp"
#include "devices/link/descriptor.hpp"

namespace tactelier::rig {

/// The connections; one thread sends, any may add.
class LiveWatchers {
 public:
  void add(devices::Descriptor client);
  /// Those that still listen.
  std::size_t size() const;
  /// Never blocks. Who has gone is forgotten.
  void send(const LiveFrame& frame);

 private:
  struct Watcher {
    devices::Descriptor socket;
    std::string rest;  // of a frame that went out in part
  };
  /// False once the other end is gone.
  static bool push(Watcher& watcher, const std::string& bytes);

  mutable std::mutex mutex_;
  std::vector<Watcher> watchers_;
};

/// 60 frames a second while somebody watches, in a thread of its own.
class LiveFeed {
 public:
  /// Both must outlive this. `clock`: the rig's.
  LiveFeed(LivePicture& picture, devices::HostClock& clock);
  void add(devices::Descriptor client);
  std::size_t watchers() const { return watchers_.size(); }

 private:
  void work(const std::stop_token& stop);

  LivePicture& picture_;
  devices::HostClock& clock_;
  LiveWatchers watchers_;
  std::mutex mutex_;
  std::condition_variable_any wake_;
  std::jthread thread_;  // last: it uses the rest
};

}  // namespace tactelier::rig
