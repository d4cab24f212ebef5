#pragma once
// Live recording: devices push rows, a writer thread of its own encodes, writes and commits at most
// every 250 ms. A ring of several seconds lies between, because a sync can stall for seconds.

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>

#include "libcalib/session/session_writer.hpp"

namespace tactelier {

class Recorder {
 public:
  struct Options {
    std::chrono::milliseconds commit_every{200};
    std::chrono::seconds ring{10};   // how long the disk may stall
    double rows_per_second = 20000;  // all streams together; sizes the ring
  };

  static Result<std::unique_ptr<Recorder>> start(const std::filesystem::path& file,
                                                 const SessionMetadata& metadata,
                                                 std::span<const StreamInfo> streams,
                                                 const Options& options);
  virtual ~Recorder() = default;  // closes like close(), errors lost

  /// One row of device integers, in the order of the stream's columns, "t" first. Any thread; never
  /// waits. Fails with kIo once the ring is full or the disk failed: a recording never drops
  /// silently, its owner must stop the rig.
  virtual Result<void> push(StreamKind stream, std::span<const std::int64_t> row) = 0;
  virtual Result<void> push(const Event& event) = 0;
  /// Rows that were committed so far.
  virtual std::uint64_t committed_rows() const = 0;
  /// Writes what is left and closes to one file.
  virtual Result<void> close() = 0;
};

}  // namespace tactelier
