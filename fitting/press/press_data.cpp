#include "fitting/press/press_data.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "fitting/statistics/robust.hpp"

namespace tactelier {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kMargin_s = 1.0;  // read around the press, to interpolate at its ends
constexpr double kGapPeriods = 2.5;
constexpr std::array<std::string_view, 3> kForceColumns{"Fx", "Fy", "Fz"};

Result<void> check_clocks(const SessionMetadata& metadata) {
  for (const auto kind : {StreamKind::kForce, StreamKind::kStage, StreamKind::kTactile})
    if (metadata.clock(kind) == Clock::kOwn)
      return fail(
          ErrorCode::kUnidentifiable,
          "NOT-FITTED stream '{}' runs on a clock of its own; lining clocks up is the stage "
          "'time', which is not part of this version: record all streams on one clock",
          to_string(kind));
  return {};
}

/// "-z": axis 2, sign -1.
struct Axis {
  std::size_t index = 2;
  double sign = 1;
};

Axis press_axis(const SessionMetadata& metadata) {
  Axis axis;
  if (!metadata.force_sensor || metadata.force_sensor->press_axis.empty()) return axis;
  const auto& text = metadata.force_sensor->press_axis;
  if (text.front() == '-') axis.sign = -1;
  if (text.back() == 'x') axis.index = 0;
  if (text.back() == 'y') axis.index = 1;
  return axis;
}

/// Some columns of one stream around a press; no samples when the session lacks the stream.
struct Source {
  Samples samples;
  double max_gap_s = 0;  // 0: times must agree exactly

  bool there() const { return !samples.columns.empty(); }

  std::vector<double> on(std::span<const double> times, std::size_t column) const {
    if (max_gap_s > 0)
      return interpolate(samples.time_s, samples.columns[column], times, max_gap_s);
    std::vector<double> values(times.size(), kNaN);
    for (std::size_t i = 0; i < times.size(); ++i) {
      const auto found = std::lower_bound(samples.time_s.begin(), samples.time_s.end(), times[i]);
      if (found != samples.time_s.end() && *found == times[i])
        values[i] =
            samples.columns[column][static_cast<std::size_t>(found - samples.time_s.begin())];
    }
    return values;
  }
};

struct Reader {
  const Session& session;
  TimeRange range;
  bool exact;  // static readings
  const Job& job;

  Result<Source> read(StreamKind kind, std::span<const std::string> columns) const {
    const double margin_s = exact ? 0 : kMargin_s;
    auto samples =
        session.read(kind, columns, {range.begin_s - margin_s, range.end_s + margin_s}, job);
    if (!samples) return fail(samples.error());
    Source source{std::move(*samples), 0};
    if (!exact) source.max_gap_s = kGapPeriods * median_interval(source.samples.time_s);
    return source;
  }

  Result<Source> force() const {
    const auto* stream = session.stream(StreamKind::kForce);
    if (!stream) return Source{};
    const Axis axis = press_axis(session.metadata());
    std::vector<std::string> columns{std::string(kForceColumns[axis.index])};
    if (stream->info.find(columns[0]) < 0)
      return fail(ErrorCode::kUnidentifiable,
                  "NOT-FITTED force_sensor.press_axis asks for {}, which the force stream lacks",
                  columns[0]);
    for (const auto name : kForceColumns)
      if (name != columns[0] && stream->info.find(name) >= 0) columns.emplace_back(name);
    auto source = read(StreamKind::kForce, columns);
    if (source)
      for (double& f : source->samples.columns[0]) f *= axis.sign;
    return source;
  }

  Result<Source> stage() const {
    const auto* stream = session.stream(StreamKind::kStage);
    if (!stream) return Source{};
    const std::string column = stream->info.find("z_enc") >= 0 ? "z_enc" : "z";
    if (stream->info.find(column) < 0) return Source{};
    auto source = read(StreamKind::kStage, std::array{column});
    if (source)
      for (double& z : source->samples.columns[0]) z = -z;
    return source;
  }
};

/// Name of the column with a tactel's reading: "14"; with several channels the normal one, "14.z",
/// or else its first.
std::string tactel_column(const StreamInfo& info, int tactel) {
  const auto plain = fmt::format("{}", tactel);
  for (const auto& name : {plain, plain + ".z"})
    if (info.find(name) >= 0) return name;
  for (const auto& column : info.columns)
    if (column.name.starts_with(plain + ".")) return column.name;
  return {};
}

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

}  // namespace

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
  if (time_s.size() < 2) return 0;
  std::vector<double> intervals(time_s.size() - 1);
  for (std::size_t i = 0; i < intervals.size(); ++i) intervals[i] = time_s[i + 1] - time_s[i];
  return median(intervals);
}

void turn_falling(std::span<double> counts, const SensorDescription& sensor) {
  if (!sensor.falling) return;
  const double sum = sensor.adc.max ? *sensor.adc.max + sensor.adc.min.value_or(0) : 0;
  for (double& c : counts) c = sum - c;
}

Result<Readings> load_readings(const Session& session, const SensorDescription& sensor,
                               std::span<const int> tactels, TimeRange range, const Job& job) {
  Readings readings;
  readings.counts.resize(tactels.size());
  const auto* stream = session.stream(StreamKind::kTactile);
  if (!stream) return readings;
  std::vector<std::string> columns;
  for (const int tactel : tactels) {
    columns.push_back(tactel_column(stream->info, tactel));
    if (columns.back().empty())
      return fail(ErrorCode::kUnidentifiable,
                  "NOT-FITTED the tactile stream has no column for tactel {}", tactel);
  }
  auto samples = session.read(StreamKind::kTactile, columns, range, job);
  if (!samples) return fail(samples.error());
  readings.time_s = std::move(samples->time_s);
  readings.counts = std::move(samples->columns);
  for (auto& counts : readings.counts) turn_falling(counts, sensor);
  return readings;
}

Result<PressData> load_interval(const Session& session, TimeRange range, const Job& job) {
  if (const auto clocks = check_clocks(session.metadata()); !clocks) return fail(clocks.error());
  const Reader reader{session, range, false, job};
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
  if (const auto clocks = check_clocks(file.metadata()); !clocks) return fail(clocks.error());
  PressData data;
  data.tactels.assign(tactels.begin(), tactels.end());
  data.static_readings = file.metadata().imported && file.metadata().imported->static_readings;
  const TimeRange range{wanted.begin_s,
                        std::nextafter(wanted.end_s, std::numeric_limits<double>::infinity())};
  const Reader reader{file, range, data.static_readings, context.job};
  const auto force = reader.force();
  if (!force) return fail(force.error());
  const auto stage = reader.stage();
  if (!stage) return fail(stage.error());
  std::vector<double> times;
  if (base == PressBase::kTactile && file.stream(StreamKind::kTactile)) {
    auto readings = load_readings(file, context.model.sensor, tactels, range, context.job);
    if (!readings) return fail(readings.error());
    times = std::move(readings->time_s);
    data.counts = std::move(readings->counts);
  } else {
    times = force->there() ? force->samples.time_s : stage->samples.time_s;
    cut(times, range);
  }
  resample(*force, *stage, std::move(times), data);
  finish(data);
  if (data.rows() == 0)
    return fail(ErrorCode::kUnidentifiable,
                "NO-SAMPLES press {} holds no moment at which all streams were recorded",
                wanted.number);
  return data;
}

}  // namespace tactelier
