#include "libcalib/session/recorder.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <thread>
#include <utility>

#include "libcalib/guarded.hpp"
#include "libcalib/session/recorder_queue.hpp"

namespace tactelier {
namespace {

/// Cuts `rows` rows into stretches of about kChunkSpan_s, equal to one row: a short remainder
/// would cost a whole chunk.
std::size_t chunks_for(std::size_t rows, double span_s) {
  const double by_time = std::isfinite(span_s) ? std::round(span_s / kChunkSpan_s) : 1;
  const auto by_size = (rows + kMaxChunkRows - 1) / kMaxChunkRows;
  return std::clamp(static_cast<std::size_t>(std::clamp(by_time, 1.0, 1e9)), by_size, rows);
}

StreamChunk cut(std::span<const std::int64_t> rows, std::size_t columns) {
  StreamChunk chunk;
  chunk.columns.resize(columns);
  const auto count = rows.size() / columns;
  for (std::size_t column = 0; column < columns; ++column) {
    auto& values = chunk.columns[column].mantissas;
    values.reserve(count);
    for (std::size_t row = 0; row < count; ++row) values.push_back(rows[row * columns + column]);
  }
  return chunk;
}

class ThreadedRecorder final : public Recorder {
 public:
  ThreadedRecorder(SessionWriter writer, std::span<const StreamInfo> streams,
                   const Options& options)
      : writer_(std::move(writer)),
        streams_(streams.begin(), streams.end()),
        options_(options),
        queue_(streams, capacity(options), static_cast<double>(options.ring.count())),
        thread_([this](const std::stop_token& stop) { run(stop); }) {}

  ~ThreadedRecorder() override { (void)close(); }

  Result<void> push(StreamKind stream, std::span<const std::int64_t> row) override {
    return queue_.push(stream, row);
  }
  Result<void> push(const Event& event) override { return queue_.push(event); }
  Result<void> push(const Edit& edit) override { return queue_.push(edit); }
  std::uint64_t committed_rows() const override { return committed_rows_; }
  Result<void> close() override;

  /// Rows before the stream's last one are refused.
  void begin_after(const SessionWriter::StreamEnd& end) {
    if (!std::isfinite(end.last_s)) return;
    const double tick_s = end.info.columns.front().to_si();
    queue_.begin_after(end.info.kind,
                       static_cast<std::int64_t>(std::ceil(end.last_s / tick_s - 1e-6)));
  }

 private:
  static std::size_t capacity(const Options& options) {
    return static_cast<std::size_t>(
        std::max(1.0, options.rows_per_second * static_cast<double>(options.ring.count())));
  }
  void run(const std::stop_token& stop);
  Result<void> write(const PendingRows& pending);
  Result<void> write_stream(const StreamInfo& stream, std::span<const std::int64_t> values);

  SessionWriter writer_;
  std::vector<StreamInfo> streams_;
  Options options_;
  RecorderQueue queue_;
  std::atomic<std::uint64_t> committed_rows_ = 0;
  bool closed_ = false;
  std::jthread thread_;
};

void ThreadedRecorder::run(const std::stop_token& stop) {
  PendingRows pending;
  while (queue_.take(pending, options_.commit_every, stop)) {
    const auto written = guarded("the thread that writes", [&] {
      return write(pending).and_then([&] { return writer_.commit(); });
    });
    if (!written) return queue_.end(fail(written.error(), "the recording has ended").value());
    committed_rows_ += pending.rows;
    pending.clear();
    if (options_.on_commit) options_.on_commit(committed_rows_);
  }
}

Result<void> ThreadedRecorder::write(const PendingRows& pending) {
  for (const auto& stream : streams_) {
    const auto& values = pending.values[static_cast<std::size_t>(stream.kind)];
    if (values.empty()) continue;
    if (auto done = write_stream(stream, values); !done) return done;
  }
  for (const auto& event : pending.events)
    if (auto done = writer_.add_event(event); !done) return done;
  for (const auto& edit : pending.edits)
    if (auto done = writer_.add_edit(edit); !done) return done;
  return {};
}

Result<void> ThreadedRecorder::write_stream(const StreamInfo& stream,
                                            std::span<const std::int64_t> values) {
  const auto columns = stream.columns.size();
  const auto rows = values.size() / columns;
  const auto first = static_cast<double>(values.front());
  const auto last = static_cast<double>(values[(rows - 1) * columns]);
  const auto chunks = chunks_for(rows, (last - first) * stream.columns.front().to_si());
  for (std::size_t chunk = 0; chunk < chunks; ++chunk) {
    const auto begin = rows * chunk / chunks;
    const auto end = rows * (chunk + 1) / chunks;
    const auto stretch = values.subspan(begin * columns, (end - begin) * columns);
    if (auto done = writer_.append(stream.kind, cut(stretch, columns)); !done) return done;
  }
  return {};
}

Result<void> ThreadedRecorder::close() {
  if (std::exchange(closed_, true)) return {};
  thread_.request_stop();
  thread_.join();
  if (const auto error = queue_.ended()) return tl::unexpected<Error>(*error);
  return writer_.finish();
}

}  // namespace

Result<std::unique_ptr<Recorder>> Recorder::start(const std::filesystem::path& file,
                                                  const SessionMetadata& metadata,
                                                  std::span<const StreamInfo> streams,
                                                  const Options& options) {
  auto writer = SessionWriter::create(file, metadata);
  if (!writer) return fail(writer.error());
  for (const auto& stream : streams)
    if (auto added = writer->add_stream(stream); !added) return fail(added.error());
  if (auto done = writer->commit(); !done) return fail(done.error());
  return std::make_unique<ThreadedRecorder>(std::move(*writer), streams, options);
}

Result<std::unique_ptr<Recorder>> Recorder::resume(const std::filesystem::path& file,
                                                   const Options& options) {
  auto writer = SessionWriter::reopen(file);
  if (!writer) return fail(writer.error());
  const auto ends = writer->stream_ends();
  std::vector<StreamInfo> streams;
  for (const auto& end : ends) streams.push_back(end.info);
  auto recorder = std::make_unique<ThreadedRecorder>(std::move(*writer), streams, options);
  for (const auto& end : ends) recorder->begin_after(end);
  return recorder;
}

}  // namespace tactelier
