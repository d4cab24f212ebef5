#pragma once
// How long this computer keeps threads waiting: a thread of its own wakes every millisecond and
// notes by how much it came late.

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>

namespace tactelier::rig {

class StallMeter {
 public:
  StallMeter() : thread_([this](const std::stop_token& stop) { run(stop); }) {}

  double longest_s() const { return longest_s_; }

 private:
  void run(const std::stop_token& stop) {
    using Clock = std::chrono::steady_clock;
    constexpr auto kPeriod = std::chrono::milliseconds(1);
    for (auto due = Clock::now() + kPeriod; !stop.stop_requested(); due = Clock::now() + kPeriod) {
      std::this_thread::sleep_until(due);
      const double late_s = std::chrono::duration<double>(Clock::now() - due).count();
      longest_s_ = std::max(longest_s_.load(), late_s);
    }
  }

  std::atomic<double> longest_s_ = 0;
  std::jthread thread_;
};

}  // namespace tactelier::rig
