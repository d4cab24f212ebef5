#include "fitting/views/recording_view.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "fitting/recording/press_data.hpp"

namespace tactelier {
namespace {

Result<Envelope> envelope(const Session& session, const SessionClocks& clocks, StreamKind kind,
                          std::string_view column, double sign) {
  const auto* stream = session.stream(kind);
  if (stream == nullptr || stream->info.find(column) < 0) return Envelope{};
  auto points = session.overview(kind, column);
  if (!points) return fail(points.error());
  const auto& map = clocks.of(kind).map;
  if (!map.identity())
    for (auto& point : *points) {
      point.begin_s = map.to_host_s(point.begin_s);
      point.end_s = map.to_host_s(point.end_s);
    }
  if (sign < 0)
    for (auto& point : *points) {
      const double min = -point.max;
      point.max = -point.min;
      point.min = min;
    }
  return Envelope{std::move(*points)};
}

double middle(const OverviewPoint& point) { return (point.begin_s + point.end_s) / 2; }

TactelExtremes judge(double min, double max, const Adc& adc) {
  TactelExtremes extremes{min, max, false, false};
  if (!(min == max)) return extremes;  // NaN, too
  const bool at_end = min == adc.min.value_or(0.0) || (adc.max && min == *adc.max);
  (at_end ? extremes.dead : extremes.stuck) = true;
  return extremes;
}

constexpr std::uint64_t kAllChunks = 2000;  // recordings up to this are read whole
constexpr int kStretches = 16;
constexpr double kStretch_s = 1.0;

/// The whole of a short stream; stretches spread over a long one.
std::vector<TimeRange> stretches(const StreamSummary& stream) {
  if (stream.chunks <= kAllChunks) return {TimeRange{}};
  std::vector<TimeRange> ranges;
  for (int i = 0; i < kStretches; ++i) {
    const double begin_s =
        stream.begin_s + (stream.end_s - stream.begin_s - kStretch_s) * i / (kStretches - 1);
    ranges.push_back({begin_s, begin_s + kStretch_s});
  }
  return ranges;
}

struct Bounds {
  double min = std::nan("");
  double max = std::nan("");
};

Result<void> widen(Bounds& bounds, const Session& session, const std::string& column,
                   TimeRange range) {
  const auto points = session.overview(StreamKind::kTactile, column, range);
  if (!points) return fail(points.error());
  for (const auto& point : *points) {
    bounds.min = std::fmin(bounds.min, point.min);
    bounds.max = std::fmax(bounds.max, point.max);
  }
  return {};
}

}  // namespace

Result<Envelope> force_envelope(const Session& session, const SessionClocks& clocks) {
  const auto axis = session.metadata().press_axis();
  return envelope(session, clocks, StreamKind::kForce, axis.column(), axis.sign);
}

Result<Envelope> travel_envelope(const Session& session, const SessionClocks& clocks) {
  const auto* stage = session.stream(StreamKind::kStage);
  const bool encoder = stage != nullptr && stage->info.find("z_enc") >= 0;
  return envelope(session, clocks, StreamKind::kStage, encoder ? "z_enc" : "z", -1.0);
}

std::vector<PressTrace> press_traces(const Envelope& force, const Envelope& travel,
                                     std::span<const Press> presses) {
  std::vector<double> stage_time;
  std::vector<double> stage_travel;
  for (const auto& point : travel.points) {
    stage_time.push_back(middle(point));
    stage_travel.push_back((point.min + point.max) / 2);
  }
  std::vector<PressTrace> traces;
  const auto before = [](const OverviewPoint& point, double time) { return middle(point) < time; };
  for (const auto& press : presses) {
    PressTrace trace{press.number, {}, {}};
    auto it = std::lower_bound(force.points.begin(), force.points.end(), press.begin_s, before);
    std::vector<double> times;
    for (; it != force.points.end() && middle(*it) <= press.end_s; ++it) {
      times.push_back(middle(*it));
      trace.force_N.push_back((it->min + it->max) / 2);
    }
    if (times.size() < 2) continue;
    trace.travel_m =
        interpolate(stage_time, stage_travel, times, std::numeric_limits<double>::infinity());
    traces.push_back(std::move(trace));
  }
  return traces;
}

std::vector<std::string> tactel_columns(const Session& session) {
  std::vector<std::string> names;
  const auto* stream = session.stream(StreamKind::kTactile);
  if (stream == nullptr) return names;
  for (int i = 0; i < session.metadata().sensor.tactels(); ++i) {
    const auto plain = fmt::format("{}", i);
    const auto normal = plain + ".z";
    if (stream->info.find(plain) >= 0 || stream->info.find(normal) >= 0) {
      names.push_back(stream->info.find(plain) >= 0 ? plain : normal);
      continue;
    }
    for (const auto& column : stream->info.columns)
      if (column.name.starts_with(plain + ".")) {
        names.push_back(column.name);
        break;
      }
  }
  return names;
}

Result<std::vector<TactelExtremes>> tactel_extremes(const Session& session, const Job& job) {
  std::vector<TactelExtremes> all;
  const auto columns = tactel_columns(session);
  if (columns.empty()) return all;
  const auto ranges = stretches(*session.stream(StreamKind::kTactile));
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (job.stopped()) return Job::cancelled();
    Bounds bounds;
    for (const auto& range : ranges)
      if (auto read = widen(bounds, session, columns[i], range); !read) return fail(read.error());
    // What moved in a stretch is alive; what did not must be looked at everywhere.
    if (ranges.size() > 1 && !(bounds.max > bounds.min))
      if (auto read = widen(bounds, session, columns[i], {}); !read) return fail(read.error());
    all.push_back(judge(bounds.min, bounds.max, session.metadata().sensor.adc));
    job.progress("extremes", static_cast<double>(i + 1), static_cast<double>(columns.size()));
  }
  return all;
}

}  // namespace tactelier
