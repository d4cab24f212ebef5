#include "libcalib/session/recorder_queue.hpp"

namespace tactelier {

void PendingRows::clear() {
  for (auto& stream : values) stream.clear();
  events.clear();
  edits.clear();
  rows = 0;
}

RecorderQueue::RecorderQueue(std::span<const StreamInfo> streams, std::size_t capacity,
                             double capacity_s)
    : capacity_(capacity), capacity_s_(capacity_s) {
  for (const auto& stream : streams)
    streams_[static_cast<std::size_t>(stream.kind)] = {true, stream.columns.size()};
}

/// Room for one more, or the end of the recording. With the lock held.
Result<void> RecorderQueue::admit() {
  if (error_) return tl::unexpected<Error>(*error_);
  if (pending_.rows + pending_.events.size() >= capacity_) {
    error_ = Error{ErrorCode::kIo,
                   fmt::format("the disk did not keep up: {} rows ({:g} s) wait to be written; the "
                               "recording has ended, use a faster disk or close what writes to it",
                               capacity_, capacity_s_)};
    return tl::unexpected<Error>(*error_);
  }
  if (pending_.empty()) first_pushed_ = Clock::now();
  return {};
}

void RecorderQueue::begin_after(StreamKind stream, std::int64_t last_time) {
  const std::lock_guard lock(mutex_);
  streams_[static_cast<std::size_t>(stream)].last_time = last_time;
}

Result<void> RecorderQueue::push(StreamKind kind, std::span<const std::int64_t> row) {
  bool was_empty = false;
  {
    const std::lock_guard lock(mutex_);
    auto& stream = streams_[static_cast<std::size_t>(kind)];
    if (!stream.there)
      return fail(ErrorCode::kInvalidInput, "stream '{}' was not announced", to_string(kind));
    if (row.size() != stream.columns)
      return fail(ErrorCode::kInvalidInput, "stream '{}': a row of {} values, {} columns",
                  to_string(kind), row.size(), stream.columns);
    if (row.front() == kMissing || row.front() < stream.last_time)
      return fail(ErrorCode::kInvalidInput, "stream '{}': time runs backwards ({} after {})",
                  to_string(kind), row.front(), stream.last_time);
    was_empty = pending_.empty();
    if (auto room = admit(); !room) return room;
    stream.last_time = row.front();
    auto& values = pending_.values[static_cast<std::size_t>(kind)];
    values.insert(values.end(), row.begin(), row.end());
    ++pending_.rows;
  }
  if (was_empty) filled_.notify_one();
  return {};
}

template <typename T>
Result<void> RecorderQueue::add(const T& what, std::vector<T> PendingRows::*list) {
  {
    const std::lock_guard lock(mutex_);
    if (auto room = admit(); !room) return room;
    (pending_.*list).push_back(what);
  }
  filled_.notify_one();
  return {};
}

Result<void> RecorderQueue::push(const Event& event) { return add(event, &PendingRows::events); }

Result<void> RecorderQueue::push(const Edit& edit) { return add(edit, &PendingRows::edits); }

void RecorderQueue::end(const Error& error) {
  const std::lock_guard lock(mutex_);
  if (!error_) error_ = error;
}

std::optional<Error> RecorderQueue::ended() const {
  const std::lock_guard lock(mutex_);
  return error_;
}

bool RecorderQueue::take(PendingRows& taken, std::chrono::milliseconds hold,
                         const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  filled_.wait(lock, stop, [&] { return !pending_.empty(); });
  if (pending_.empty()) return false;
  filled_.wait_until(lock, stop, first_pushed_ + hold, [] { return false; });
  std::swap(taken, pending_);
  return true;
}

}  // namespace tactelier
