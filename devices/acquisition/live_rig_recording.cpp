// LiveRig: its recording.

#include <cmath>

#include "devices/acquisition/live_rig.hpp"
#include "devices/acquisition/session_document.hpp"

namespace tactelier::rig {

std::int64_t LiveRig::begin_of(std::chrono::system_clock::time_point created) const {
  const std::chrono::duration<double, std::nano> since = std::chrono::system_clock::now() - created;
  return clock().now_ns() - std::llround(since.count() * devices_.time_scale);
}

void LiveRig::begin_recording(std::unique_ptr<LiveRecording> recording) {
  const std::lock_guard lock(mutex_);
  const auto before = reading();
  // Gaps count from here: a batch at hand may hold the first.
  (void)recording->losses(StreamKind::kForce, before.force, clock().now_ns());
  (void)recording->losses(StreamKind::kTactile, before.array, clock().now_ns());
  if (shapes_.encoder)
    (void)recording->losses(StreamKind::kStage, before.encoder, clock().now_ns());
  tap_ = std::move(recording);
}

Result<void> LiveRig::record_to(const std::filesystem::path& file,
                                const SessionMetadata& metadata) {
  const auto created = time_of_utc(metadata.created);
  auto recording = LiveRecording::start(file, metadata, shapes_,
                                        created ? begin_of(*created) : clock().now_ns());
  if (!recording) return fail(recording.error());
  begin_recording(std::move(*recording));
  return {};
}

Result<void> LiveRig::resume_recording(const std::filesystem::path& file,
                                       const std::string& created, Warnings& warnings) {
  const auto when = time_of_utc(created);
  if (!when)
    return fail(ErrorCode::kInvalidInput, "{}: doesn't say when it was created", file.string());
  auto recording =
      LiveRecording::resume(file, shapes_, begin_of(*when), clock().now_ns(), warnings);
  if (!recording) return fail(recording.error());
  begin_recording(std::move(*recording));
  return {};
}

Result<void> LiveRig::end_recording() {
  std::shared_ptr<LiveRecording> ended;
  {
    const std::lock_guard lock(mutex_);
    ended = std::exchange(tap_, nullptr);
  }
  if (!ended) return {};
  // Readers may still hold it for the batch at hand: what they push then comes too late.
  return ended->close();
}

void LiveRig::event(std::string_view name, std::string_view data) {
  const auto recording = tap();
  if (!recording) return;
  if (auto kept = recording->event(clock().now_ns(), name, data); !kept)
    raise(LimitKind::kRecorder, kept.error());
}

void LiveRig::moved(const Move& move, std::int64_t queued_ns, std::int64_t answered_ns,
                    std::int64_t ends_ns) {
  const auto recording = tap();
  if (!recording) return;
  if (auto kept = recording->moved(move, queued_ns, answered_ns, ends_ns); !kept)
    raise(LimitKind::kRecorder, kept.error());
}

void LiveRig::note_stopped(std::int64_t host_time_ns) {
  const auto recording = tap();
  if (!recording) return;
  if (auto kept = recording->stopped(host_time_ns); !kept)
    raise(LimitKind::kRecorder, kept.error());
}

void LiveRig::withdraw(int press) {
  const auto recording = tap();
  if (!recording) return;
  if (auto kept = recording->withdraw(press); !kept) raise(LimitKind::kRecorder, kept.error());
}

}  // namespace tactelier::rig
