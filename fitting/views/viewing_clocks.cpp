#include "fitting/views/viewing_clocks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tactelier {
namespace {

constexpr double kStretch_s = 2;
constexpr double kBetween_s = 60;
constexpr int kMaxStretches = 16;

/// The row that came soonest after it was taken.
std::optional<ClockMap::Knot> soonest(const Samples& samples) {
  std::optional<ClockMap::Knot> best;
  for (std::size_t i = 0; i < samples.rows(); ++i) {
    const double host_s = samples.columns[0][i], device_s = samples.time_s[i];
    if (std::isnan(host_s)) continue;
    if (!best || host_s - device_s < best->host_s - best->device_s) best = {device_s, host_s};
  }
  return best;
}

/// Part `i` of `count` of the recording.
TimeRange stretch(const StreamSummary& stream, int i, int count) {
  const double room_s = std::max(0.0, stream.end_s - stream.begin_s - kStretch_s);
  const double begin_s = stream.begin_s + (count > 1 ? room_s * i / (count - 1) : 0);
  return {begin_s, begin_s + kStretch_s};
}

Result<StreamTime> line_up(const Session& session, const StreamSummary& stream, const Job& job) {
  StreamTime time;
  if (stream.info.find("t_host") < 0) {
    time.refusal = fmt::format(
        "TA-08 stream '{}' runs on a clock of its own and has no arrival times (t_host): it is "
        "shown in its own time",
        to_string(stream.info.kind));
    return time;
  }
  const std::vector<std::string> columns{"t_host"};
  const int count =
      std::clamp(static_cast<int>((stream.end_s - stream.begin_s) / kBetween_s), 2, kMaxStretches);
  std::vector<ClockMap::Knot> knots;
  for (int i = 0; i < count; ++i) {
    const auto samples = session.read(stream.info.kind, columns, stretch(stream, i, count), job);
    if (!samples) return fail(samples.error());
    const auto knot = soonest(*samples);
    if (knot && (knots.empty() ||
                 (knot->device_s > knots.back().device_s && knot->host_s > knots.back().host_s)))
      knots.push_back(*knot);
  }
  // A recording shorter than the stretches: one and the same row, the clocks run alike.
  if (knots.size() == 1) knots.push_back({knots[0].device_s + 1, knots[0].host_s + 1});
  if (knots.size() >= 2) time.map = ClockMap(std::move(knots));
  return time;
}

}  // namespace

Result<SessionClocks> viewing_clocks(const Session& session, const Job& job) {
  SessionClocks clocks;
  for (const auto& stream : session.streams()) {
    if (stream.rows == 0 || session.metadata().clock(stream.info.kind) != Clock::kOwn) continue;
    auto time = line_up(session, stream, job);
    if (!time) return fail(time.error());
    clocks.of(stream.info.kind) = std::move(*time);
  }
  return clocks;
}

Result<Samples> read_lined_up(const Session& session, const SessionClocks& clocks, StreamKind kind,
                              std::span<const std::string> columns, TimeRange host,
                              const Job& job) {
  const auto& map = clocks.of(kind).map;
  if (map.identity()) return session.read(kind, columns, host, job);
  auto samples = session.read(kind, columns,
                              {map.to_device_s(host.begin_s), map.to_device_s(host.end_s)}, job);
  if (samples) map.to_host(samples->time_s);
  return samples;
}

}  // namespace tactelier
