#include "fitting/recording/press_data.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "fitting/statistics/robust.hpp"
#include "libcalib/model_file/turned_counts.hpp"

namespace tactelier {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

void cut(std::vector<double>& times, TimeRange range) {
  std::erase_if(times, [&](double t) { return t < range.begin_s || t >= range.end_s; });
}

std::vector<std::vector<double>*> all_columns(PressData& data) {
  std::vector<std::vector<double>*> columns;
  for (auto* column : {&data.travel_m, &data.force_N, &data.side_N[0], &data.side_N[1]})
    if (!column->empty()) columns.push_back(column);
  for (auto& column : data.counts) columns.push_back(&column);
  return columns;
}

void keep_whole_rows(PressData& data) {
  const auto columns = all_columns(data);
  std::size_t kept = 0;
  for (std::size_t row = 0; row < data.rows(); ++row) {
    const bool whole = std::none_of(columns.begin(), columns.end(),
                                    [&](const auto* column) { return std::isnan((*column)[row]); });
    if (!whole) continue;
    data.time_s[kept] = data.time_s[row];
    for (auto* column : columns) (*column)[kept] = (*column)[row];
    ++kept;
  }
  data.rows_left_out = data.rows() - kept;
  data.time_s.resize(kept);
  for (auto* column : columns) column->resize(kept);
}

/// Force and travel on `times`, which become the rows.
void resample(const Source& force, const Source& stage, std::vector<double> times,
              PressData& data) {
  data.time_s = std::move(times);
  if (force.there()) {
    data.force_spikes = force.spikes.size();
    data.force_N = force.on(data.time_s, 0);
    for (std::size_t side = 0; side + 1 < force.samples.columns.size(); ++side)
      data.side_N[side] = force.on(data.time_s, side + 1);
  }
  if (stage.there()) data.travel_m = stage.on(data.time_s, 0);
}

void finish(PressData& data) {
  data.period_s = data.static_readings ? 0 : median_interval(data.time_s);
  keep_whole_rows(data);
  const auto& height = data.has_force() ? data.force_N : data.travel_m;
  if (!height.empty())
    data.peak =
        static_cast<std::size_t>(std::max_element(height.begin(), height.end()) - height.begin());
}

/// Of positions from the press's begin to its peak: a hold after it may be sampled less often.
double stage_period_s(const Source& stage, const PressData& data) {
  if (!stage.there() || data.static_readings || data.rows() == 0) return 0;
  const auto& times = stage.samples.time_s;
  const auto begin = std::lower_bound(times.begin(), times.end(), data.time_s.front());
  const auto end = std::upper_bound(begin, times.end(), data.time_s[data.peak]);
  return median_interval({begin, end});
}

}  // namespace

SessionClocks clocks_of(const FitContext& context, std::size_t session) {
  if (session < context.clocks.size()) return context.clocks[session];
  return clocks_as_stated(context.sessions[session].session->metadata());
}

StreamReader reader_of(const FitContext& context, std::size_t session, const SessionClocks& clocks,
                       TimeRange range, bool exact) {
  // Progress is the stage's to tell, in presses.
  return {*context.sessions[session].session,
          clocks,
          range,
          exact,
          Job{{}, context.job.stop},
          context.samples.get()};
}

std::vector<double> interpolate(std::span<const double> x, std::span<const double> y,
                                std::span<const double> at, double max_gap) {
  std::vector<double> values(at.size(), kNaN);
  std::size_t left = 0;  // last usable point at or before the time wanted
  std::size_t right = 0;
  bool any = false;
  for (std::size_t i = 0; i < at.size(); ++i) {
    while (right < x.size() && x[right] <= at[i]) {
      if (!std::isnan(y[right])) {
        left = right;
        any = true;
      }
      ++right;
    }
    if (!any) continue;
    if (x[left] == at[i]) {
      values[i] = y[left];
      continue;
    }
    std::size_t next = right;
    while (next < x.size() && std::isnan(y[next])) ++next;
    if (next == x.size() || x[next] - x[left] > max_gap) continue;
    const double share = (at[i] - x[left]) / (x[next] - x[left]);
    values[i] = y[left] + share * (y[next] - y[left]);
  }
  return values;
}

double median_interval(std::span<const double> time_s) {
  std::vector<double> intervals;
  for (std::size_t i = 0; i + 1 < time_s.size(); ++i)
    if (time_s[i + 1] != time_s[i]) intervals.push_back(time_s[i + 1] - time_s[i]);
  return intervals.empty() ? 0 : median(intervals);
}

void turn_falling(std::span<double> counts, const SensorDescription& sensor) {
  for (double& c : counts) c = turned_reading(sensor, c);
}

Result<Readings> load_readings(const FitContext& context, std::size_t session,
                               std::span<const int> tactels, TimeRange range) {
  const auto clocks = clocks_of(context, session);
  const auto reader = reader_of(context, session, clocks, range, true);
  auto source = reader.tactile(tactels);
  if (!source) return fail(source.error());
  Readings readings;
  readings.time_s = std::move(source->samples.time_s);
  readings.counts = std::move(source->samples.columns);
  readings.counts.resize(tactels.size());
  for (auto& counts : readings.counts) turn_falling(counts, context.model.sensor);
  return readings;
}

Result<PressData> load_interval(const FitContext& context, std::size_t session, TimeRange range) {
  const auto clocks = clocks_of(context, session);
  const auto reader = reader_of(context, session, clocks, range);
  const auto force = reader.force();
  if (!force) return fail(force.error());
  const auto stage = reader.stage();
  if (!stage) return fail(stage.error());
  PressData data;
  auto times = force->there() ? force->samples.time_s : stage->samples.time_s;
  cut(times, range);
  resample(*force, *stage, std::move(times), data);
  finish(data);
  return data;
}

Result<PressData> load_press(const FitContext& context, std::size_t session, std::size_t press,
                             std::span<const int> tactels, PressBase base) {
  const auto& from = context.sessions[session];
  const Session& file = *from.session;
  const Press& wanted = from.presses[press];
  PressData data;
  data.tactels.assign(tactels.begin(), tactels.end());
  data.static_readings = file.metadata().imported && file.metadata().imported->static_readings;
  const TimeRange range{wanted.begin_s,
                        std::nextafter(wanted.end_s, std::numeric_limits<double>::infinity())};
  const auto clocks = clocks_of(context, session);
  const auto reader = reader_of(context, session, clocks, range, data.static_readings);
  const auto force = reader.force();
  if (!force) return fail(force.error());
  const auto stage = reader.stage();
  if (!stage) return fail(stage.error());
  std::vector<double> times;
  if (base == PressBase::kTactile && file.stream(StreamKind::kTactile)) {
    auto readings = load_readings(context, session, tactels, range);
    if (!readings) return fail(readings.error());
    times = std::move(readings->time_s);
    data.counts = std::move(readings->counts);
  } else {
    times = force->there() ? force->samples.time_s : stage->samples.time_s;
    cut(times, range);
  }
  resample(*force, *stage, std::move(times), data);
  if (session < context.tares.size() && context.tares[session][press])
    apply_tare(*context.tares[session][press], data);
  finish(data);
  data.stage_period_s = stage_period_s(*stage, data);
  if (data.rows() == 0)
    return fail(ErrorCode::kUnidentifiable,
                "NO-SAMPLES press {} holds no moment at which all streams were recorded",
                wanted.number);
  return data;
}

}  // namespace tactelier
