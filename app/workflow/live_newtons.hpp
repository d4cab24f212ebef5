#pragma once
// tactelier apply --live: the array of a device file, frame by frame, in newtons. Opens and claims
// the array alone; nothing moves, and no other device of the file is touched.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/workflow/array_newtons.hpp"
#include "devices/registry/device_file.hpp"
#include "libcalib/job.hpp"

namespace tactelier {

struct LiveRequest {
  std::filesystem::path model, devices;  // model: in messages, where one is at hand
  std::string serial;                    // of the array that is connected; "": not told
  bool zero_at_start = true;             // else the model's
  double zero_s = 1;                     // how long the array is read at rest
  double most_s = 0;                     // end after so long; 0: when stopped
};

/// What is told before the first frame.
struct LiveBegin {
  std::string sensor, serial;              // of the model
  std::string place;                       // where the array is: "pty:/dev/pts/3"
  std::vector<std::array<int, 2>> arrays;  // rows, columns; tactels are numbered through
  std::size_t tactels = 0, calibrated = 0;
  bool total = false;
  bool zero_taken = false;
  std::size_t zero_frames = 0;
  double largest_shift_counts = 0;  // of the zero against the model's
  Warnings warnings;
};

/// One frame. Spans are valid during the call.
struct NewtonFrame {
  std::int64_t number = 0;  // of the frames that came, from 0
  double time_s = 0;        // when its last byte came, since frame 0
  std::span<const ReadingForce> tactels;
  std::optional<double> total_N;
};

/// Whoever takes the frames. Called in the thread of stream_newtons().
struct LiveListener {
  /// An error ends it before the first frame.
  std::function<Result<void>(const LiveBegin&)> begin;
  /// False ends the stream: nobody takes them any more.
  std::function<bool(const NewtonFrame&)> frame;
  /// All that had come are told; now is a good time to write them out.
  std::function<bool()> batch;
  /// Silence, losses, restarts.
  std::function<void(const std::string&)> say;
};

struct LiveReport {
  std::int64_t frames = 0;
  double time_s = 0;  // from the first to the last
  devices::StreamCounters counters;
  /// From a frame's last byte to the end of batch(), of this computer.
  double mean_latency_s = 0, worst_latency_s = 0;

  double rate_hz() const { return time_s > 0 ? static_cast<double>(frames - 1) / time_s : 0; }
};

/// Until it is stopped: an end, not an error. Fails with kInvalidInput when model and array don't
/// fit, with kUnidentifiable when no reading can become newtons, with kDeviceFault when somebody
/// else has the array or its wire is gone, with kTimeout when nothing comes at the start. An array
/// that falls silent is waited for.
Result<LiveReport> stream_newtons(const LiveRequest& request, const LiveListener& listener,
                                  const Job& job);
/// The same with a model that is at hand.
Result<LiveReport> stream_newtons(const SensorModel& model, const LiveRequest& request,
                                  const LiveListener& listener, const Job& job);

}  // namespace tactelier
