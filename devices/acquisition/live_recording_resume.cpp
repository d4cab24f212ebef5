// LiveRecording::resume()

#include <algorithm>
#include <cmath>

#include "devices/acquisition/live_recording.hpp"
#include "devices/acquisition/open_events.hpp"

namespace tactelier::rig {
namespace {

constexpr std::int64_t kApart_ns = 10'000'000;  // between the old end and the new begin
constexpr double kClockDoubt_s = 1, kClockDoubt = 1e-3;

std::int64_t to_ns(double time_s) { return std::llround(time_s * 1e9); }

Result<void> check_streams(const Session& before, const StreamShapes& shapes) {
  const auto now = stream_infos(shapes);
  const auto& file = before.file();
  if (before.streams().size() != now.size())
    return fail(ErrorCode::kInvalidInput, "{}: has {} streams, these devices have {}",
                file.string(), before.streams().size(), now.size());
  for (const auto& stream : now) {
    const auto* there = before.stream(stream.kind);
    if (there == nullptr || !(there->info == stream))
      return fail(
          ErrorCode::kInvalidInput,
          "{}: stream '{}' has other columns or scales than the devices now: use the device "
          "file that it was recorded with, or record into a new file",
          file.string(), to_string(stream.kind));
  }
  return {};
}

/// Host time of a stream's last row.
Result<std::int64_t> last_host_ns(const Session& before, const StreamSummary& stream) {
  if (stream.rows == 0) return 0;
  const auto& columns = stream.info.columns;
  const bool own = std::any_of(columns.begin(), columns.end(),
                               [](const ColumnInfo& column) { return column.name == "t_host"; });
  if (!own) return to_ns(stream.end_s);
  const std::vector<std::string> wanted{"t_host"};
  const auto rows = before.read(
      stream.info.kind, wanted,
      {stream.end_s - columns.front().to_si() / 2, std::numeric_limits<double>::infinity()});
  if (!rows) return fail(rows.error());
  return rows->rows() == 0 ? 0 : to_ns(rows->columns[0].back());
}

}  // namespace

std::int64_t LiveRecording::OwnTicks::of(std::int64_t tick, std::int64_t host_ns) {
  if (std::exchange(follows, false)) {
    const double gap_s = static_cast<double>(host_ns - last_host_ns) * 1e-9;
    const auto expected = last_tick + std::llround(gap_s / tick_s);
    const double off_s = static_cast<double>(tick - expected) * tick_s;
    if (std::abs(off_s) > kClockDoubt_s + kClockDoubt * gap_s || tick <= last_tick)
      shift = expected - tick;
  }
  return tick + shift;
}

Result<void> LiveRecording::continue_from(const Session& before, std::int64_t now_ns,
                                          Warnings& warnings) {
  std::int64_t end_ns = 0;
  for (const auto& event : before.events()) end_ns = std::max(end_ns, to_ns(event.t_s.value()));
  for (const auto& stream : before.streams()) {
    const auto host_ns = last_host_ns(before, stream);
    if (!host_ns) return fail(host_ns.error());
    end_ns = std::max(end_ns, *host_ns);
    const double tick_s = stream.info.columns.front().to_si();
    const OwnTicks ticks{stream.rows > 0, std::llround(stream.end_s / tick_s), *host_ns, tick_s, 0};
    if (stream.info.kind == StreamKind::kForce) force_ticks_ = ticks;
    if (stream.info.kind == StreamKind::kTactile) array_ticks_ = ticks;
    if (stream.info.kind == StreamKind::kStage) encoder_ticks_ = ticks;
  }
  if (now_ns - begin_ns_ < end_ns + kApart_ns) {
    warnings.push_back(
        {"CLOCK-STEP",
         fmt::format("by the computer's clock the recording's end lies {:.3f} s ahead: the clock "
                     "was set back. It goes on right behind its end",
                     static_cast<double>(end_ns - (now_ns - begin_ns_)) * 1e-9),
         file_.string()});
    begin_ns_ = now_ns - end_ns - kApart_ns;
  }
  const auto lines = moves(before.events());
  if (!lines) return fail(lines.error());
  for (const auto& line : *lines) last_line_ = std::max(last_line_, line.line);
  OpenEvents open;
  for (const auto& event : before.events()) open.see(event.name, event.data);
  for (const auto& end : open.close("aborted"))
    if (auto kept = event(begin_ns_ + end_ns, end.name, end.data); !kept) return kept;
  return {};
}

Result<std::unique_ptr<LiveRecording>> LiveRecording::resume(const std::filesystem::path& file,
                                                             const StreamShapes& shapes,
                                                             std::int64_t begin_ns,
                                                             std::int64_t now_ns,
                                                             Warnings& warnings) {
  const auto before = Session::open(file);
  if (!before) return fail(before.error());
  if (auto same = check_streams(*before, shapes); !same) return fail(same.error());
  std::unique_ptr<LiveRecording> live(new LiveRecording(file, shapes, begin_ns));
  auto recorder = Recorder::resume(file, {});
  if (!recorder) return fail(recorder.error());
  live->recorder_ = std::move(*recorder);
  if (auto placed = live->continue_from(*before, now_ns, warnings); !placed)
    return fail(placed.error());
  return live;
}

}  // namespace tactelier::rig
