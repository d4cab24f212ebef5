#pragma once
// The steps that a growing recording is to go on with, from whoever chooses them to the thread that
// moves the rig. One mutex; put() is for any thread, the rest for that one.

#include <mutex>
#include <optional>

#include "devices/server/rig_messages.hpp"

namespace tactelier::rig {

class FurtherSteps {
 public:
  /// A recording that grows begins or ends; what was put before is void.
  void open(bool wanted) {
    const std::lock_guard lock(mutex_);
    open_ = wanted;
    put_.reset();
  }
  /// Fails with kUsage where nobody waits for steps, or those before haven't been taken yet.
  Result<void> put(messages::FurtherOrder order) {
    const std::lock_guard lock(mutex_);
    if (!open_)
      return fail(ErrorCode::kUsage, "further: no recording runs that takes further steps");
    if (put_) return fail(ErrorCode::kUsage, "further: the steps before these have not begun yet");
    put_ = std::move(order);
    return {};
  }
  std::optional<messages::FurtherOrder> take() {
    const std::lock_guard lock(mutex_);
    return std::exchange(put_, std::nullopt);
  }

 private:
  std::mutex mutex_;
  bool open_ = false;
  std::optional<messages::FurtherOrder> put_;
};

}  // namespace tactelier::rig
