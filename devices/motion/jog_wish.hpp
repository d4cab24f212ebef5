#pragma once
// A jog that a client wishes for while a run is paused: one increment at a time, the newest counts.
// Whoever moves the rig takes it; halt() ends also one that is under way. Any thread.

#include <atomic>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "libcalib/sensor/sensor_description.hpp"

namespace tactelier::rig {

struct JogWay {
  Vector3 by_m{};  // stage frame
  double speed_m_per_s = 0;
};

class JogWish {
 public:
  void want(const JogWay& way) {
    const std::lock_guard lock(mutex_);
    way_ = way;
    halted_ = false;
    refused_.clear();
  }
  void halt() {
    const std::lock_guard lock(mutex_);
    way_.reset();
    halted_ = true;
  }
  std::optional<JogWay> take() {
    const std::lock_guard lock(mutex_);
    moving_ = way_.has_value();
    return std::exchange(way_, std::nullopt);
  }
  bool halted() const { return halted_; }
  /// Why the last one was not carried out; "" when it was.
  void refuse(const std::string& why) {
    const std::lock_guard lock(mutex_);
    refused_ = why;
  }
  std::string refused() const {
    const std::lock_guard lock(mutex_);
    return refused_;
  }
  /// One waits or is under way.
  bool busy() const {
    const std::lock_guard lock(mutex_);
    return moving_ || way_;
  }

 private:
  mutable std::mutex mutex_;
  std::optional<JogWay> way_;
  std::string refused_;
  bool moving_ = false;
  std::atomic<bool> halted_{false};
};

}  // namespace tactelier::rig
