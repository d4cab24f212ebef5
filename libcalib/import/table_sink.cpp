#include "libcalib/import/table_sink.hpp"

#include <cmath>
#include <limits>
#include <utility>

#include "libcalib/import/stream_header.hpp"
#include "libcalib/session/json_get.hpp"
#include "libcalib/units.hpp"

namespace tactelier {
namespace {

constexpr std::size_t kConstant = std::numeric_limits<std::size_t>::max();

/// Microseconds are enough for the times of events, and read better.
Decimal event_time(double t_s) { return decimal_from(std::round(t_s * 1e6) / 1e6); }

double event_mm(double length_m) { return std::round(length_m * 1e9) / 1e6; }

}  // namespace

/// A time series without press_by has no presses; static readings without it are one.
TableSink::TableSink(const TableMap& map, ImportRun& run)
    : map_(map),
      run_(run),
      finds_presses_(map.static_readings || map.threshold_N || !map.press_by.empty()) {
  if (map.threshold_N) presses_ = ThresholdPresses(*map.threshold_N);
}

Result<TableSink> TableSink::create(const TableMap& map, std::span<const MapTarget> targets,
                                    std::string_view map_name, ImportRun& run) {
  TableSink sink(map, run);
  for (const auto& target : targets)
    if (target.kind == MapTarget::Kind::kTime) {
      sink.time_unit_ = target.column.unit;
      sink.time_to_si_ = target.column.to_si();
    }
  for (const auto kind : kStreamKinds)
    if (const auto added = sink.add_stream(kind, targets, map_name); !added)
      return fail(added.error());
  return sink;
}

/// Goes through the header of such a stream's file, which sets the order and finds what is missing.
Result<void> TableSink::add_stream(StreamKind kind, std::span<const MapTarget> targets,
                                   std::string_view map_name) {
  std::vector<std::string> labels{fmt::format("t[{}]", time_unit_)};
  std::vector<Source> sources{{0, TableRow::kTime, {}, false}};
  const auto add = [&](const MapTarget& target, const Source& source) {
    labels.push_back(header_cell(target.column));
    sources.push_back(source);
    if (kind == StreamKind::kForce && target.column.name == "Fz")
      force_ = Signal{source, target.column.to_si()};
    if (kind == StreamKind::kStage && target.column.name == "x")
      x_ = Signal{source, target.column.to_si()};
    if (kind == StreamKind::kStage && target.column.name == "y")
      y_ = Signal{source, target.column.to_si()};
  };
  for (std::size_t i = 0; i < targets.size(); ++i)
    if (targets[i].kind == MapTarget::Kind::kReading && targets[i].stream == kind)
      add(targets[i], {0, TableRow::kFirst + i, {}, targets[i].negate});
  for (const auto& [target, value] : map_.constants)
    if (target.stream == kind) add(target, {0, kConstant, value, target.negate});
  if (labels.size() == 1) return {};
  for (std::size_t i = 0; i < targets.size(); ++i)
    if (targets[i].kind == MapTarget::Kind::kHostTime)
      add(targets[i], {0, TableRow::kFirst + i, {}, false});
  const std::vector<std::string_view> cells(labels.begin(), labels.end());
  const auto header = read_stream_header(kind, cells, run_.metadata.sensor,
                                         fmt::format("{}: {}", map_name, to_string(kind)));
  if (!header) return fail(header.error());
  for (std::size_t i = 0; i < sources.size(); ++i) sources[i].slot = header->slots[i];
  streams_.push_back({std::make_unique<ChunkBuilder>(run_.writer, header->info), sources});
  return {};
}

double TableSink::time_s(const TableRow& row) const {
  return Decimal{row.mantissas[TableRow::kTime], row.exponents[TableRow::kTime]}.value() *
         time_to_si_;
}

std::optional<double> TableSink::read(const std::optional<Signal>& signal,
                                      const TableRow& row) const {
  if (!signal) return std::nullopt;
  const auto entry = signal->source.entry;
  const auto number = entry == kConstant ? signal->source.constant
                                         : Decimal{row.mantissas[entry], row.exponents[entry]};
  if (number.mantissa == kMissing) return std::nullopt;
  return number.value() * signal->to_si;
}

TracedRow TableSink::traced_row(const TableRow& row) const {
  return {time_s(row), row.mantissas[TableRow::kGroup],
          read(force_, row).value_or(std::numeric_limits<double>::quiet_NaN()), read(x_, row),
          read(y_, row)};
}

Result<void> TableSink::take(const TableRow& row) {
  for (auto& stream : streams_) {
    for (const auto& [slot, entry, constant, negate] : stream.sources) {
      auto mantissa = entry == kConstant ? constant.mantissa : row.mantissas[entry];
      if (negate && mantissa != kMissing) mantissa = -mantissa;
      stream.builder->mantissas()[slot] = mantissa;
      stream.builder->exponents()[slot] =
          entry == kConstant ? static_cast<std::int8_t>(constant.exponent) : row.exponents[entry];
    }
    if (const auto taken = stream.builder->take_row(); !taken) return taken;
  }
  if (finds_presses_) std::visit([&](auto& presses) { presses.add(traced_row(row)); }, presses_);
  ++run_.report.rows;
  return {};
}

std::vector<FoundPress> TableSink::find_presses() {
  auto found = std::visit([](auto& presses) { return presses.finish(); }, presses_);
  const auto* by_threshold = std::get_if<ThresholdPresses>(&presses_);
  if (by_threshold == nullptr) return found;
  auto& warnings = run_.report.warnings;
  if (found.empty())
    warnings.push_back(
        {"no-press",
         fmt::format(
             "no press found: the force rises by {:.3g} N at most, the threshold is {:.3g} N",
             by_threshold->largest_N(), *map_.threshold_N),
         run_.metadata.imported->file});
  if (by_threshold->ended_in_contact())
    warnings.push_back({"open-press", "the table ends while the indenter still presses",
                        run_.metadata.imported->file});
  return found;
}

Result<void> TableSink::add_press(const FoundPress& press, int number) {
  nlohmann::json data{{"press", number}, {"kind", map_.static_readings ? "staircase" : "ramp"}};
  if (press.x_m && press.y_m) {
    const auto pose = run_.metadata.stage_to_sensor.value_or(StageToSensor{});
    const double x_m = pose.mirror ? -*press.x_m : *press.x_m;
    const double c = std::cos(pose.rz_rad);
    const double s = std::sin(pose.rz_rad);
    const double sensor_x_m = c * x_m - s * *press.y_m + pose.x_m;
    const double sensor_y_m = s * x_m + c * *press.y_m + pose.y_m;
    data["x_mm"] = event_mm(sensor_x_m);
    data["y_mm"] = event_mm(sensor_y_m);
    if (const auto tactel = tactel_at(run_.metadata.sensor, sensor_x_m, sensor_y_m))
      data["tactel"] = *tactel;
  }
  const auto where = fmt::format("press {}", number);
  const auto begin = make_event(event_time(press.begin_s), "press_begin", data.dump(), where);
  if (!begin) return fail(begin.error());
  const auto end = make_event(event_time(press.end_s), "press_end",
                              fmt::format(R"({{"press":{},"outcome":"ok"}})", number), where);
  if (!end) return fail(end.error());
  if (const auto added = run_.writer.add_event(*begin); !added) return added;
  return run_.writer.add_event(*end);
}

Result<void> TableSink::finish() {
  for (auto& stream : streams_)
    if (const auto finished = stream.builder->finish(); !finished) return finished;
  for (const auto& press : find_presses())
    if (const auto added = add_press(press, ++run_.report.presses); !added) return added;
  return {};
}

}  // namespace tactelier
