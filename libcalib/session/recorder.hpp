#pragma once
// Live recording: devices push rows, a writer thread of its own encodes, writes and commits at most
// every 250 ms. A ring of several seconds lies between, because a sync can stall for seconds.

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>

#include "libcalib/session/session_writer.hpp"

namespace tactelier {

class Recorder {
 public:
  struct Options {
    std::chrono::milliseconds commit_every{200};  // what arrived is on the disk after this time
    std::chrono::seconds ring{10};                // how long the disk may stall
    double rows_per_second = 20000;               // all streams together; sizes the ring
    /// Called by the writer thread after each commit, with committed_rows().
    std::function<void(std::uint64_t)> on_commit;
  };

  static Result<std::unique_ptr<Recorder>> start(const std::filesystem::path& file,
                                                 const SessionMetadata& metadata,
                                                 std::span<const StreamInfo> streams,
                                                 const Options& options);
  /// Goes on with a file that was cut off or closed, with the streams that it has.
  static Result<std::unique_ptr<Recorder>> resume(const std::filesystem::path& file,
                                                  const Options& options);
  virtual ~Recorder() = default;  // closes like close(), errors lost

  /// One row of device integers, in the order of the stream's columns, "t" first. Any thread; never
  /// waits for the disk. Fails with kInvalidInput on a row that isn't one (wrong length, time
  /// missing or running backwards): that row alone isn't recorded. Fails with kIo once the ring is
  /// full or the disk failed: the recording has ended, its owner must stop the rig. What was pushed
  /// before is still written; nothing is dropped silently.
  virtual Result<void> push(StreamKind stream, std::span<const std::int64_t> row) = 0;
  virtual Result<void> push(const Event& event) = 0;
  virtual Result<void> push(const Edit& edit) = 0;
  /// Rows that were committed so far.
  virtual std::uint64_t committed_rows() const = 0;
  /// Writes what is left and closes to one file. After an error it returns that error and leaves
  /// the file unfinished (Session::finished() is false), as a crash would. Once; no push() after
  /// it.
  virtual Result<void> close() = 0;
};

}  // namespace tactelier
