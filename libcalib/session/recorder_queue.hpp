#pragma once
// What was pushed and isn't written yet: rows by stream, events and edits. The pushing side fills
// one half under a short lock, the writer swaps it for an empty one; memory grows only while the
// disk stalls, up to `capacity` rows.

#include <array>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

#include "libcalib/result.hpp"
#include "libcalib/session/events.hpp"
#include "libcalib/session/stream.hpp"

namespace tactelier {

struct PendingRows {
  /// By stream, row after row.
  std::array<std::vector<std::int64_t>, kStreamKinds.size()> values;
  std::vector<Event> events;
  std::vector<Edit> edits;
  std::uint64_t rows = 0;

  bool empty() const { return rows == 0 && events.empty() && edits.empty(); }
  void clear();
};

class RecorderQueue {
 public:
  RecorderQueue(std::span<const StreamInfo> streams, std::size_t capacity, double capacity_s);

  /// Times before this one are refused.
  void begin_after(StreamKind stream, std::int64_t last_time);
  Result<void> push(StreamKind stream, std::span<const std::int64_t> row);
  Result<void> push(const Event& event);
  Result<void> push(const Edit& edit);
  /// From now on every push fails with this error; the first one counts.
  void end(const Error& error);
  std::optional<Error> ended() const;

  /// Waits until something is there and `hold` has passed since the first of it, or until `stop`,
  /// then swaps it into `taken` (which is empty). False: stopped, and nothing is left.
  bool take(PendingRows& taken, std::chrono::milliseconds hold, const std::stop_token& stop);

 private:
  using Clock = std::chrono::steady_clock;
  struct Stream {
    bool there = false;
    std::size_t columns = 0;
    std::int64_t last_time = kMissing;
  };
  Result<void> admit();
  template <typename T>
  Result<void> add(const T& what, std::vector<T> PendingRows::*list);

  std::size_t capacity_;
  double capacity_s_;
  mutable std::mutex mutex_;
  std::condition_variable_any filled_;
  std::array<Stream, kStreamKinds.size()> streams_;
  PendingRows pending_;
  Clock::time_point first_pushed_;
  std::optional<Error> error_;
};

}  // namespace tactelier
