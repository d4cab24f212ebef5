#include "libcalib/import/table_sink.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "libcalib/import/stream_header.hpp"

namespace tactelier {

TableSink::TableSink(const TableMap& map, const TableReader& reader, ImportRun& run)
    : map_(map), reader_(reader), run_(run), audit_(map, reader, run.metadata) {
  for (const auto& rule : map.events) finders_.push_back(span_finder(rule));
}

Result<TableSink> TableSink::create(const TableMap& map, const TableReader& reader,
                                    std::string_view map_name, ImportRun& run) {
  TableSink sink(map, reader, run);
  for (const auto& target : reader.targets())
    if (target.kind == MapTarget::Kind::kTime) {
      sink.time_unit_ = target.column.unit;
      sink.time_to_si_ = target.column.to_si();
    }
  for (const auto kind : kStreamKinds)
    if (const auto added = sink.add_stream(kind, reader.targets(), map_name); !added)
      return fail(added.error());
  return sink;
}

void TableSink::trace(const MapTarget& target, std::size_t entry) {
  const double to_si = target.negate ? -target.column.to_si() : target.column.to_si();
  const Signal signal{entry, to_si};
  const auto& name = target.column.name;
  const auto& sensor = run_.metadata.force_sensor;
  const bool turned = sensor && sensor->press_axis == PressAxis{2, -1};
  if (target.stream == StreamKind::kForce && name == "Fz")
    force_ = Signal{entry, turned ? -to_si : to_si};
  if (target.stream == StreamKind::kStage && name == "x") x_ = signal;
  if (target.stream == StreamKind::kStage && name == "y") y_ = signal;
  if (target.stream == StreamKind::kStage && name == "z") z_ = signal;
  const bool wanted = std::any_of(map_.events.begin(), map_.events.end(),
                                  [](const EventRule& rule) { return rule.detects(); });
  if (wanted && target.stream == StreamKind::kTactile) readings_.push_back(signal);
}

/// Goes through the header of such a stream's file, which sets the order and finds what is missing.
Result<void> TableSink::add_stream(StreamKind kind, std::span<const MapTarget> targets,
                                   std::string_view map_name) {
  std::vector<std::string> labels{fmt::format("t[{}]", time_unit_)};
  std::vector<Source> sources{{0, TableRow::kTime, false}};
  const auto add = [&](std::size_t i) {
    labels.push_back(header_cell(targets[i].column));
    sources.push_back({0, reader_.first_entry() + i, targets[i].negate});
  };
  for (std::size_t i = 0; i < targets.size(); ++i)
    if (targets[i].kind == MapTarget::Kind::kReading && targets[i].stream == kind) {
      add(i);
      trace(targets[i], reader_.first_entry() + i);
    }
  if (labels.size() == 1) return {};
  for (std::size_t i = 0; i < targets.size(); ++i)
    if (targets[i].kind == MapTarget::Kind::kHostTime) add(i);
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

double TableSink::read(Signal& signal, const TableRow& row) {
  const auto mantissa = row.mantissas[signal.entry];
  if (mantissa != kMissing)
    signal.last = Decimal{mantissa, row.exponents[signal.entry]}.value() * signal.to_si;
  return signal.last;
}

double TableSink::read(std::optional<Signal>& signal, const TableRow& row) {
  return signal ? read(*signal, row) : std::numeric_limits<double>::quiet_NaN();
}

bool TableSink::measures_load(const TableRow& row) const {
  const auto there = [&](const Signal& signal) { return row.mantissas[signal.entry] != kMissing; };
  if (force_) return there(*force_);
  if (z_) return there(*z_);
  return readings_.empty() || std::any_of(readings_.begin(), readings_.end(), there);
}

TracedRow TableSink::traced_row(const TableRow& row) {
  TracedRow traced{time_s(row),   0, read(force_, row), read(x_, row), read(y_, row),
                   read(z_, row), 0, measures_load(row)};
  for (auto& signal : readings_) traced.reading += read(signal, row);
  traced.reading /= static_cast<double>(readings_.size());  // NaN when there are none
  return traced;
}

/// Rows of tables that hold several streams of their own times: no sample of this one.
bool TableSink::says_nothing(const Stream& stream, const TableRow& row) {
  return std::all_of(stream.sources.begin(), stream.sources.end(), [&](const Source& source) {
    return source.entry == TableRow::kTime || row.mantissas[source.entry] == kMissing;
  });
}

Result<void> TableSink::take(const TableRow& row) {
  for (auto& stream : streams_) {
    if (says_nothing(stream, row)) continue;
    for (const auto& [slot, entry, negate] : stream.sources) {
      auto mantissa = row.mantissas[entry];
      if (negate && mantissa != kMissing) mantissa = -mantissa;
      stream.builder->mantissas()[slot] = mantissa;
      stream.builder->exponents()[slot] = row.exponents[entry];
    }
    if (const auto taken = stream.builder->take_row(); !taken) return taken;
  }
  audit_.add(row, time_s(row));
  if (map_.states_loads())
    times_.push_back({row.mantissas[TableRow::kTime], row.exponents[TableRow::kTime]});
  ++run_.report.rows;
  if (finders_.empty()) return {};
  auto traced = traced_row(row);
  for (std::size_t rule = 0; rule < finders_.size(); ++rule) {
    traced.event = row.mantissas[TableRow::kFirstRule + rule];
    finders_[rule]->add(traced);
  }
  return {};
}

Result<void> TableSink::add_events() {
  std::vector<RuleFinding> findings;
  for (std::size_t rule = 0; rule < finders_.size(); ++rule)
    findings.push_back(
        {&map_.events[rule], &reader_.rules()[rule].data(),
         finders_[rule]->finish(run_.report.warnings, run_.metadata.imported->file)});
  const auto made = make_events(findings, run_.metadata);
  if (!made) return fail(made.error());
  run_.report.presses = made->presses;
  auto& warnings = run_.report.warnings;
  warnings.insert(warnings.end(), made->warnings.begin(), made->warnings.end());
  if (const auto added = add_loads(*made); !added) return added;
  for (const auto& event : made->events)
    if (const auto added = run_.writer.add_event(event); !added) return added;
  return {};
}

/// A force stream of the rows under a stated load; in the others the load is not known.
Result<void> TableSink::add_loads(const MadeEvents& made) {
  if (made.loads.empty()) return {};
  const ColumnInfo time{"t", time_unit_};
  ChunkBuilder force(run_.writer, {StreamKind::kForce, {time, {"Fz", made.load_unit}}});
  std::size_t next = 0;
  for (const auto& at : times_) {
    const double at_s = at.value() * time_to_si_;
    while (next < made.loads.size() && made.loads[next].end_s < at_s) ++next;
    if (next == made.loads.size()) break;
    if (at_s < made.loads[next].begin_s) continue;
    const auto& load = made.loads[next].load;
    force.mantissas()[0] = at.mantissa;
    force.exponents()[0] = static_cast<std::int8_t>(at.exponent);
    force.mantissas()[1] = load.mantissa;
    force.exponents()[1] = static_cast<std::int8_t>(load.exponent);
    if (const auto taken = force.take_row(); !taken) return taken;
  }
  return force.finish();
}

Result<void> TableSink::finish() {
  for (auto& stream : streams_)
    if (const auto finished = stream.builder->finish(); !finished) return finished;
  audit_.finish(run_.report.warnings);
  return add_events();
}

}  // namespace tactelier
