// events.csv: few rows, each checked with care.

#include <algorithm>
#include <optional>
#include <string>

#include "libcalib/import/number_rows.hpp"
#include "libcalib/import/stream_header.hpp"
#include "libcalib/import/stream_import.hpp"
#include "libcalib/json_check.hpp"
#include "libcalib/session/event_order.hpp"
#include "libcalib/units.hpp"

namespace tactelier {
namespace {

struct PlacedEvent {
  Event event;
  std::uint64_t line = 0;
};

/// Where t, event and data stand, and the power of ten from the unit of t to seconds.
struct EventColumns {
  int time = -1;
  int event = -1;
  int data = -1;
  int time_exponent = 0;
};

Result<EventColumns> read_event_header(const CsvReader& reader) {
  EventColumns columns;
  const auto bad = [&](std::string_view cell, std::string_view what) {
    return fail(ErrorCode::kInvalidInput, "{}: column '{}': {}", reader.place(), shown(cell), what);
  };
  const auto cells = reader.cells();
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (const auto text = check_text(cells[i], reader.place()); !text) return fail(text.error());
    const auto [name, unit] = split_header_cell(cells[i]);
    int* const column = name == "t"       ? &columns.time
                        : name == "event" ? &columns.event
                        : name == "data"  ? &columns.data
                                          : nullptr;
    if (column == nullptr)
      return bad(cells[i], "events.csv has no such column; it has t[s], event and data");
    if (*column >= 0) return bad(cells[i], "is there twice");
    *column = static_cast<int>(i);
    if (name != "t") continue;
    if (unit != "s" && unit != "ms" && unit != "us" && unit != "ns")
      return bad(cells[i],
                 fmt::format("a unit of time is needed, one of {}", unit_symbols(Quantity::kTime)));
    columns.time_exponent = unit == "s" ? 0 : unit == "ms" ? -3 : unit == "us" ? -6 : -9;
  }
  for (const auto& [column, name] : {std::pair{columns.time, "t[s]"}, {columns.event, "event"}})
    if (column < 0)
      return fail(ErrorCode::kInvalidInput, "{}: column '{}' is missing", reader.place(), name);
  return columns;
}

Result<Event> read_event(const CsvReader& reader, const EventColumns& columns) {
  const auto cell = [&](int column) {
    return column < 0 ? std::string_view() : reader.cells()[static_cast<std::size_t>(column)];
  };
  std::string why;
  auto time = read_number(cell(columns.time), why);
  if (time && time->mantissa == kMissing) why = "the time stamp is missing";
  if (time && columns.time_exponent != 0 && time->exponent + columns.time_exponent < -99)
    why = "the time stamp is too small";
  if (!why.empty())
    return fail(ErrorCode::kInvalidInput, "{}: column 't': {}", reader.place(), why);
  time->exponent += columns.time_exponent;
  if (const auto text = check_text(cell(columns.event), reader.place()); !text)
    return fail(text.error());
  return make_event(*time, cell(columns.event), cell(columns.data), reader.place());
}

Result<std::vector<PlacedEvent>> read_events(CsvReader& reader, const ImportRun& run) {
  const auto first = reader.next();
  if (!first) return fail(first.error());
  if (!*first)
    return fail(ErrorCode::kInvalidInput, "{}: only blank lines; a header is needed",
                reader.blocks().name());
  const auto columns = read_event_header(reader);
  if (!columns) return fail(columns.error());
  const auto width = reader.cells().size();
  std::vector<PlacedEvent> events;
  for (;;) {
    const auto more = reader.next();
    if (!more) return fail(more.error());
    if (!*more) return events;
    if (reader.cells().size() != width)
      return fail(ErrorCode::kInvalidInput, "{}: {} cells, but the header has {} columns{}",
                  reader.place(), reader.cells().size(), width,
                  reader.cells().size() > width ? "; put the data in quotes" : "");
    auto event = read_event(reader, *columns);
    if (!event) return fail(event.error());
    if (!events.empty() && !run.options.sort) {
      const double now_s = event->t_s.value();
      const double before_s = events.back().event.t_s.value();
      if (now_s < before_s)
        return fail(ErrorCode::kInvalidInput, "{}: {}", reader.place(),
                    backwards_message(now_s, before_s, "events"));
    }
    events.push_back({std::move(*event), reader.line()});
  }
}

}  // namespace

Result<void> import_events(const std::filesystem::path& file, ImportRun& run) {
  auto blocks = LineBlocks::open(file, file.filename().string(), &run.progress);
  if (!blocks) return fail(blocks.error());
  CsvReader reader(std::move(*blocks), ',');
  auto events = read_events(reader, run);
  if (!events) return fail(events.error());
  if (run.options.sort)
    std::stable_sort(events->begin(), events->end(), [](const auto& a, const auto& b) {
      return a.event.t_s.value() < b.event.t_s.value();
    });
  PressOrder presses(run.metadata);
  PairOrder pairs;
  for (const auto& [event, line] : *events) {
    const auto place = fmt::format("{}:{}", reader.blocks().name(), line);
    if (const auto added = presses.add(event); !added) return fail(added.error(), place);
    if (const auto added = pairs.add(event); !added) return fail(added.error(), place);
    if (const auto added = run.writer.add_event(event); !added) return added;
  }
  if (const auto open = presses.open_press())
    run.report.warnings.push_back({"open-press",
                                   fmt::format("press {} never ends; it counts as aborted", *open),
                                   reader.blocks().name()});
  run.report.presses = static_cast<int>(presses.finish().size());
  return {};
}

}  // namespace tactelier
