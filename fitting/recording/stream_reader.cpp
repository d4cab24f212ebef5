#include "fitting/recording/stream_reader.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "fitting/recording/polled_places.hpp"
#include "fitting/recording/press_data.hpp"
#include "fitting/recording/sample_cache.hpp"
#include "fitting/recording/sampling_gaps.hpp"
#include "fitting/recording/spikes.hpp"

namespace tactelier {
namespace {

constexpr double kMargin_s = 1.0;
constexpr double kGapPeriods = 2.5;
constexpr std::array<std::string_view, 3> kForceColumns{"Fx", "Fy", "Fz"};

/// Side forces onto the sensor frame. `x` and `y` are of equal length.
void turn_about_z(double angle_rad, std::vector<double>& x, std::vector<double>& y) {
  if (angle_rad == 0) return;
  const double c = std::cos(angle_rad), s = std::sin(angle_rad);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double turned = c * x[i] - s * y[i];
    y[i] = s * x[i] + c * y[i];
    x[i] = turned;
  }
}

/// Name of the column with a tactel's reading: "14"; with several channels the normal one, "14.z",
/// or else its first.
std::string tactel_column(const StreamInfo& info, int tactel) {
  const auto plain = fmt::format("{}", tactel);
  const auto usual = static_cast<std::size_t>(tactel) + 1;  // behind the time, in their order
  if (usual < info.columns.size() && info.columns[usual].name == plain) return plain;
  for (const auto& name : {plain, plain + ".z"})
    if (info.find(name) >= 0) return name;
  for (const auto& column : info.columns)
    if (column.name.starts_with(plain + ".")) return column.name;
  return {};
}

Result<Source> read_between(const StreamReader& reader, StreamKind kind,
                            std::span<const std::string> columns, double margin_s) {
  const auto& time = reader.clocks.of(kind);
  if (!time.refusal.empty()) return fail(ErrorCode::kUnidentifiable, "{}", time.refusal);
  const TimeRange own{time.map.to_device_s(reader.range.begin_s - margin_s),
                      time.map.to_device_s(reader.range.end_s + margin_s)};
  auto samples = reader.cache != nullptr
                     ? reader.cache->read(reader.session, kind, columns, own, reader.job)
                     : reader.session.read(kind, columns, own, reader.job);
  if (!samples) return fail(samples.error());
  time.map.to_host(samples->time_s);
  Source source{std::move(*samples), 0, {}};
  if (!reader.exact)
    source.max_gap_s = std::max(kGapPeriods * median_interval(source.samples.time_s),
                                longest_step(source.samples.time_s, kGapPeriods));
  return source;
}

}  // namespace

std::vector<double> Source::on(std::span<const double> times, std::size_t column) const {
  if (max_gap_s > 0) return interpolate(samples.time_s, samples.columns[column], times, max_gap_s);
  std::vector<double> values(times.size(), std::numeric_limits<double>::quiet_NaN());
  for (std::size_t i = 0; i < times.size(); ++i) {
    const auto found = std::lower_bound(samples.time_s.begin(), samples.time_s.end(), times[i]);
    if (found != samples.time_s.end() && *found == times[i])
      values[i] = samples.columns[column][static_cast<std::size_t>(found - samples.time_s.begin())];
  }
  return values;
}

Result<Source> StreamReader::read(StreamKind kind, std::span<const std::string> columns) const {
  return read_between(*this, kind, columns, exact ? 0 : kMargin_s);
}

Result<Source> StreamReader::force() const {
  const auto* stream = session.stream(StreamKind::kForce);
  if (!stream) return Source{};
  const auto& metadata = session.metadata();
  const auto axis = metadata.press_axis();
  std::vector<std::string> columns{axis.column()};
  if (stream->info.find(columns[0]) < 0)
    return fail(ErrorCode::kUnidentifiable,
                "NOT-FITTED force_sensor.press_axis asks for {}, which the force stream lacks",
                columns[0]);
  for (const auto name : kForceColumns)
    if (name != columns[0] && stream->info.find(name) >= 0) columns.emplace_back(name);
  auto source = read(StreamKind::kForce, columns);
  if (!source) return source;
  auto& values = source->samples.columns;
  for (auto& column : values)
    for (double& f : column) f *= axis.sign;
  if (!exact) {
    source->spikes = find_spikes(values[0]);
    for (const std::size_t spike : source->spikes)
      for (auto& column : values) column[spike] = std::numeric_limits<double>::quiet_NaN();
  }
  if (axis.index == 2 && values.size() == 3 && metadata.force_sensor)
    turn_about_z(metadata.force_sensor->rz_rad, values[1], values[2]);
  return source;
}

Result<Source> StreamReader::stage() const {
  const auto* stream = session.stream(StreamKind::kStage);
  if (!stream) return Source{};
  const std::string column = stream->info.find("z_enc") >= 0 ? "z_enc" : "z";
  if (stream->info.find(column) < 0) return Source{};
  auto source = read(StreamKind::kStage, std::array{column});
  if (source)
    for (double& z : source->samples.columns[0]) z = -z;
  return source;
}

Result<Source> StreamReader::places() const {
  const auto* stream = session.stream(StreamKind::kStage);
  if (!stream || stream->info.find("x") < 0 || stream->info.find("y") < 0) return Source{};
  const std::vector<std::string> columns{"x", "y"};
  auto source = read(StreamKind::kStage, columns);
  if (!source || stream->info.find("z_enc") < 0) return source;
  source->samples = polled_places(source->samples);
  source->max_gap_s = kGapPeriods * median_interval(source->samples.time_s);
  return source;
}

Result<Source> StreamReader::tactile(std::span<const int> tactels) const {
  const auto* stream = session.stream(StreamKind::kTactile);
  if (!stream) return Source{};
  std::vector<std::string> columns;
  for (const int tactel : tactels) {
    columns.push_back(tactel_column(stream->info, tactel));
    if (columns.back().empty())
      return fail(ErrorCode::kUnidentifiable,
                  "NOT-FITTED the tactile stream has no column for tactel {}", tactel);
  }
  return read_between(*this, StreamKind::kTactile, columns, 0);
}

SessionClocks clocks_as_stated(const SessionMetadata& metadata) {
  SessionClocks clocks;
  for (const auto kind : kStreamKinds)
    if (metadata.clock(kind) == Clock::kOwn)
      clocks.of(kind).refusal = fmt::format(
          "NOT-FITTED stream '{}' runs on a clock of its own, which is lined up by the stage "
          "'time' of a fit",
          to_string(kind));
  return clocks;
}

}  // namespace tactelier
