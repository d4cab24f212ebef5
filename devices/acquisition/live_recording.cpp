#include "devices/acquisition/live_recording.hpp"

#include <fmt/format.h>

#include <cmath>
#include <mutex>

namespace tactelier::rig {
namespace {

constexpr double kStage_mm = 1e-4;
constexpr double kEncoder_mm = 1e-6;
constexpr double kFloating_counts = 1e-6;  // devices that send floating point

bool own_clock(const devices::TactileShape& shape) { return shape.tick_s > 0; }
bool own_clock(const StreamShapes::Encoder& encoder) { return encoder.tick_s > 0; }

template <class Shape>
ColumnInfo time_column(const Shape& shape) {
  return own_clock(shape) ? ColumnInfo{"t", "s", shape.tick_s} : ColumnInfo{"t", "ns", 1};
}

StreamInfo stage_info(const std::optional<StreamShapes::Encoder>& encoder) {
  StreamInfo stage{StreamKind::kStage,
                   {encoder ? time_column(*encoder) : ColumnInfo{"t", "ns", 1}}};
  for (const auto* name : {"x", "y", "z"}) stage.columns.push_back({name, "mm", kStage_mm});
  if (!encoder) return stage;
  stage.columns.push_back({"z_enc", "mm", kEncoder_mm});
  if (own_clock(*encoder)) stage.columns.push_back({"t_host", "ns", 1});
  return stage;
}

/// Whole numbers stay what they are; devices without a converter's range send fractions.
std::int64_t whole(double value, double unit) { return std::llround(value / unit); }

std::string column_name(const devices::TactileShape& shape, std::size_t index) {
  const auto channels = static_cast<std::size_t>(shape.channels);
  if (channels == 1) return fmt::format("{}", index);
  const auto channel = index % channels;
  if (channels == 3) return fmt::format("{}.{}", index / channels, "xyz"[channel]);
  return fmt::format("{}.{}", index / channels, channel);
}

}  // namespace

std::vector<StreamInfo> stream_infos(const StreamShapes& shapes) {
  StreamInfo force{StreamKind::kForce, {{"t", "s", 1 / shapes.force_rate_hz}}};
  constexpr std::array kAxes{"Fx", "Fy", "Fz", "Tx", "Ty", "Tz"};
  for (std::size_t axis = 0; axis < 6; ++axis)
    if (shapes.force.SI_per_count[axis] != 0)
      force.columns.push_back(
          {kAxes[axis], axis < 3 ? "N" : "N*m", shapes.force.SI_per_count[axis]});
  force.columns.push_back({"t_host", "ns", 1});
  force.columns.push_back({"status", "", 1});
  std::vector<StreamInfo> infos{force, stage_info(shapes.encoder)};
  if (!shapes.array) return infos;
  const auto& shape = *shapes.array;
  StreamInfo array{StreamKind::kTactile, {time_column(shape)}};
  for (std::size_t i = 0; i < shape.size(); ++i)
    array.columns.push_back({column_name(shape, i), "", shape.floating ? kFloating_counts : 1});
  if (own_clock(shape)) array.columns.push_back({"t_host", "ns", 1});
  infos.push_back(array);
  return infos;
}

std::map<StreamKind, Clock> stream_clocks(const StreamShapes& shapes) {
  const bool encoder_clock = shapes.encoder && own_clock(*shapes.encoder);
  std::map<StreamKind, Clock> clocks{
      {StreamKind::kForce, Clock::kOwn},
      {StreamKind::kStage, encoder_clock ? Clock::kOwn : Clock::kHost}};
  if (shapes.array)
    clocks[StreamKind::kTactile] = own_clock(*shapes.array) ? Clock::kOwn : Clock::kHost;
  return clocks;
}

Result<std::unique_ptr<LiveRecording>> LiveRecording::start(const std::filesystem::path& file,
                                                            const SessionMetadata& metadata,
                                                            const StreamShapes& shapes,
                                                            std::int64_t begin_ns) {
  std::unique_ptr<LiveRecording> live(new LiveRecording(file, shapes, begin_ns));
  const auto infos = stream_infos(shapes);
  auto recorder = Recorder::start(file, metadata, infos, {});
  if (!recorder) return fail(recorder.error());
  live->recorder_ = std::move(*recorder);
  return live;
}

Result<void> LiveRecording::close() {
  const std::unique_lock lock(closing_);
  closed_ = true;
  return recorder_->close();
}

double LiveRecording::seconds(std::int64_t host_time_ns) const {
  return static_cast<double>(host_time_ns - begin_ns_) * 1e-9;
}

/// A row that the recording can't hold (its device's clock ran backwards after a restart) is left
/// out alone; what ends the recording is passed on.
Result<void> LiveRecording::push_row(StreamKind kind, const std::vector<std::int64_t>& row) {
  const std::shared_lock lock(closing_);
  if (closed_) return {};
  auto pushed = recorder_->push(kind, row);
  if (!pushed && pushed.error().code == ErrorCode::kInvalidInput) return {};
  return pushed;
}

Result<void> LiveRecording::push(const devices::ForceSample& sample) {
  if (sample.host_time_ns < begin_ns_) return {};
  force_row_.assign(1, force_ticks_.of(sample.record, sample.host_time_ns - begin_ns_));
  for (std::size_t axis = 0; axis < 6; ++axis)
    if (shapes_.force.SI_per_count[axis] != 0) force_row_.push_back(sample.counts[axis]);
  force_row_.push_back(sample.host_time_ns - begin_ns_);
  force_row_.push_back(sample.status);
  return push_row(StreamKind::kForce, force_row_);
}

Result<void> LiveRecording::push(const devices::TactileFrame& frame) {
  if (frame.host_time_ns < begin_ns_ || !shapes_.array) return {};
  const auto& shape = *shapes_.array;
  const auto host_ns = frame.host_time_ns - begin_ns_;
  const bool own = own_clock(shape);
  if (own && !frame.tick) return {};
  array_row_.assign(1, own ? array_ticks_.of(*frame.tick, host_ns) : host_ns);
  for (const double counts : frame.counts)
    array_row_.push_back(whole(counts, shape.floating ? kFloating_counts : 1));
  if (own) array_row_.push_back(host_ns);
  return push_row(StreamKind::kTactile, array_row_);
}

Result<void> LiveRecording::push(const devices::StageSample& sample) {
  if (shapes_.encoder) {
    const std::lock_guard lock(stage_mutex_);
    stage_said_ = sample;
    return {};
  }
  if (sample.host_time_ns < begin_ns_ || sample.host_time_ns <= last_stage_ns_) return {};
  last_stage_ns_ = sample.host_time_ns;
  stage_row_.assign(1, sample.host_time_ns - begin_ns_);
  for (const double at_m : sample.position_m) stage_row_.push_back(whole(at_m * 1e3, kStage_mm));
  return push_row(StreamKind::kStage, stage_row_);
}

Result<void> LiveRecording::push(const devices::LengthSample& sample) {
  const auto& encoder = *shapes_.encoder;
  const bool own = own_clock(encoder);
  if (sample.host_time_ns < begin_ns_ || (own && !sample.tick)) return {};
  if (!own && sample.host_time_ns <= std::exchange(last_stage_ns_, sample.host_time_ns)) return {};
  const auto host_ns = sample.host_time_ns - begin_ns_;
  {
    const std::lock_guard lock(stage_mutex_);
    if (!stage_said_) return {};
    const auto& at_m = stage_said_->position_m;
    if (!encoder_zero_m_ && stage_said_->state != devices::StageState::kIdle) return {};
    if (!encoder_zero_m_) encoder_zero_m_ = at_m[2] - sample.position_m;
    stage_row_.assign(1, own ? encoder_ticks_.of(*sample.tick, host_ns) : host_ns);
    for (const double along_m : at_m) stage_row_.push_back(whole(along_m * 1e3, kStage_mm));
  }
  stage_row_.push_back(whole((sample.position_m + *encoder_zero_m_) * 1e3, kEncoder_mm));
  if (own) stage_row_.push_back(host_ns);
  return push_row(StreamKind::kStage, stage_row_);
}

Result<void> LiveRecording::event(std::int64_t host_time_ns, std::string_view name,
                                  std::string_view data) {
  const std::lock_guard lock(event_mutex_);
  // Two threads tell events: their order in the file is that of their times.
  last_event_ns_ = std::max({last_event_ns_, host_time_ns, begin_ns_});
  const auto made = make_event({(last_event_ns_ - begin_ns_) / 1000, -6}, name, data, "recording");
  if (!made) return fail(made.error());
  const std::shared_lock closing(closing_);
  if (closed_) return {};
  return recorder_->push(*made);
}

Result<void> LiveRecording::moved(Move move, std::int64_t queued_ns, std::int64_t answered_ns,
                                  std::int64_t ends_ns) {
  if (queued_ns < begin_ns_) return {};
  std::erase_if(sent_, [&](const Sent& sent) { return sent.ends_ns <= queued_ns; });
  move.line = ++last_line_;
  move.queued_s = seconds(queued_ns);
  move.answered_s = seconds(answered_ns);
  sent_.push_back({move.line, ends_ns});
  const auto made = move_event(move);
  if (!made) return fail(made.error());
  return event(queued_ns, made->name, made->data);
}

Result<void> LiveRecording::stopped(std::int64_t host_time_ns) {
  for (const auto& sent : std::exchange(sent_, {})) {
    if (sent.ends_ns <= host_time_ns) continue;
    const auto made = move_stop_event(sent.line, seconds(host_time_ns));
    if (!made) return fail(made.error());
    if (auto kept = event(host_time_ns, made->name, made->data); !kept) return kept;
  }
  return {};
}

Result<void> LiveRecording::withdraw(int press) {
  Edit edit;
  edit.kind = Edit::Kind::kExclude;
  edit.press = press;
  edit.note = kWithdrawn;
  const std::shared_lock closing(closing_);
  if (closed_) return {};
  return recorder_->push(edit);
}

Result<void> LiveRecording::losses(StreamKind stream, const devices::StreamCounters& counters,
                                   std::int64_t host_time_ns) {
  const auto index = static_cast<std::size_t>(stream);
  const auto before = lost_[index];
  lost_[index] = counters.lost;
  // What was lost before the recording began is not its gap.
  if (!std::exchange(lost_known_[index], true) || counters.lost <= before) return {};
  return event(
      host_time_ns, "gap",
      fmt::format(R"({{"stream": "{}", "lost": {}}})", to_string(stream), counters.lost - before));
}

}  // namespace tactelier::rig
