#pragma once
// Samples of live devices as rows of a recording: the devices' own integers with their scale, the
// host's time beside. Host time counts from the recording's begin.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <shared_mutex>
#include <vector>

#include "devices/gauge/length_gauge.hpp"
#include "devices/interface/force_sensor.hpp"
#include "devices/interface/motion_stage.hpp"
#include "devices/interface/tactile_array.hpp"
#include "libcalib/session/moves.hpp"
#include "libcalib/session/recorder.hpp"
#include "libcalib/session/session.hpp"

namespace tactelier::rig {

/// The note of an edit that withdraws a press during its recording: it is done again.
constexpr const char* kWithdrawn = "withdrawn at the rig, done again";

/// What the streams are like: decides columns and clocks.
struct StreamShapes {
  devices::ForceScale force;
  double force_rate_hz = 1000;
  std::optional<devices::TactileShape> array;
  struct Encoder {
    double tick_s = 0;  // of its own clock; 0 without one
  };
  std::optional<Encoder> encoder = {};  // beside the stage's z
};

std::vector<StreamInfo> stream_infos(const StreamShapes& shapes);
/// "clocks" of session.json: a stream that carries its own time is on its own clock.
std::map<StreamKind, Clock> stream_clocks(const StreamShapes& shapes);

/// Any thread, a stream from one thread each.
class LiveRecording {
 public:
  /// `begin_ns`: host time that is 0 s in the recording; samples before it are left out.
  static Result<std::unique_ptr<LiveRecording>> start(const std::filesystem::path& file,
                                                      const SessionMetadata& metadata,
                                                      const StreamShapes& shapes,
                                                      std::int64_t begin_ns);

  /// Goes on with a file that was cut off or closed. A stream whose device counts from anew is
  /// moved to where the time between leaves it. `begin_ns` is put back where host time would run
  /// backwards (somebody set the computer's clock), with a warning. What was open when the file was
  /// cut off ends at its last sample. Fails with kInvalidInput when its streams are other ones.
  static Result<std::unique_ptr<LiveRecording>> resume(const std::filesystem::path& file,
                                                       const StreamShapes& shapes,
                                                       std::int64_t begin_ns, std::int64_t now_ns,
                                                       Warnings& warnings);

  /// Fail with kIo when the disk doesn't take them any more.
  Result<void> push(const devices::ForceSample& sample);
  Result<void> push(const devices::TactileFrame& frame);
  /// With an encoder the stage's rows come at the encoder's samples: x, y, z are what the stage
  /// said last, z_enc is zeroed onto z at the first sample at which the stage rests.
  Result<void> push(const devices::StageSample& sample);
  Result<void> push(const devices::LengthSample& sample);
  /// `data`: a JSON object.
  Result<void> event(std::int64_t host_time_ns, std::string_view name, std::string_view data);
  /// A line that the stage has taken (libcalib/session/moves.hpp), queued and answered at these
  /// host times, and over at `ends_ns` unless it is stopped. Times and number of `move` are filled
  /// in. Of the thread that moves, as is stopped().
  Result<void> moved(Move move, std::int64_t queued_ns, std::int64_t answered_ns,
                     std::int64_t ends_ns);
  /// The line that runs is cut short, and those that wait behind it are forgotten.
  Result<void> stopped(std::int64_t host_time_ns);
  /// A press that somebody takes back: an edit leaves it out of every fit, and can be taken back.
  Result<void> withdraw(int press);
  /// Tells the recording how many samples are known to be lost by now.
  Result<void> losses(StreamKind stream, const devices::StreamCounters& counters,
                      std::int64_t host_time_ns);

  double seconds(std::int64_t host_time_ns) const;
  std::uint64_t committed_rows() const { return recorder_->committed_rows(); }
  const std::filesystem::path& file() const { return file_; }
  /// Once; what is pushed later is left out.
  Result<void> close();

 private:
  LiveRecording(std::filesystem::path file, const StreamShapes& shapes, std::int64_t begin_ns)
      : file_(std::move(file)), shapes_(shapes), begin_ns_(begin_ns) {}
  /// A device's own ticks after a resume.
  struct OwnTicks {
    bool follows = false;  // one that the file has; the first row tells the shift
    std::int64_t last_tick = 0, last_host_ns = 0;
    double tick_s = 0;
    std::int64_t shift = 0;
    std::int64_t of(std::int64_t tick, std::int64_t host_ns);
  };
  Result<void> continue_from(const Session& before, std::int64_t now_ns, Warnings& warnings);
  Result<void> push_row(StreamKind kind, const std::vector<std::int64_t>& row);

  std::filesystem::path file_;
  StreamShapes shapes_;
  std::int64_t begin_ns_;
  std::unique_ptr<Recorder> recorder_;
  std::vector<std::int64_t> force_row_, array_row_, stage_row_;
  OwnTicks force_ticks_, array_ticks_, encoder_ticks_;
  std::mutex stage_mutex_;
  std::optional<devices::StageSample> stage_said_;  // with an encoder: what its rows repeat
  std::optional<double> encoder_zero_m_;
  std::int64_t last_stage_ns_ = 0;
  std::array<std::int64_t, kStreamKinds.size()> lost_{};
  std::array<bool, kStreamKinds.size()> lost_known_{};
  std::shared_mutex closing_;
  bool closed_ = false;
  struct Sent {
    int line = 0;
    std::int64_t ends_ns = 0;
  };
  std::vector<Sent> sent_;  // that may not be over yet
  int last_line_ = 0;
  std::mutex event_mutex_;
  std::int64_t last_event_ns_ = 0;
};

}  // namespace tactelier::rig
