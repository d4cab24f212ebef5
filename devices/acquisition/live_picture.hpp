#pragma once
// The newest of each stream, put down by the threads that read it and picked up by whoever shows
// it. Writers never wait: while somebody picks up, the extremes of the force are kept for the next
// sample, a frame or position that comes just then is left out.

#include <algorithm>
#include <mutex>

#include "devices/acquisition/live_frame.hpp"
#include "devices/interface/motion_stage.hpp"
#include "devices/interface/tactile_array.hpp"

namespace tactelier::rig {

class LivePicture {
 public:
  /// From the thread that reads the force. `force_N`: pressing positive, tared.
  void see(std::int64_t time_ns, const std::array<double, 6>& wrench_SI, double force_N);
  /// From the thread that reads the array.
  void see(const devices::TactileFrame& frame);
  /// From the thread that moves the stage.
  void see(const devices::StageSample& sample);

  /// What is known now; extremes of the force since it was called last. One thread.
  LiveFrame take();

 private:
  struct Span {
    bool any = false;
    double min_N = 0, max_N = 0;
    void add(double force_N);
  };
  std::mutex force_mutex_, array_mutex_, stage_mutex_;
  Span waiting_;  // of the force's thread
  Span span_;     // of force_mutex_
  LiveFrame force_, array_, stage_;
};

}  // namespace tactelier::rig
