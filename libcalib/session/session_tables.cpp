#include "libcalib/session/session_tables.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "libcalib/session/chunk_record.hpp"
#include "libcalib/session/recorded_rows.hpp"
#include "libcalib/session/schema.hpp"
#include "libcalib/session/schema_rows.hpp"

namespace tactelier {
namespace {

struct Tally {
  std::int64_t rows = 0;
  std::int64_t chunks = 0;
};

class TableReader {
 public:
  TableReader(const OpenedSession& opened, DamageLog& damage)
      : database_(opened.database),
        most_rows_(static_cast<std::int64_t>(opened.bytes)),
        damage_(damage) {}

  void read_meta(SessionTables& tables);
  void read_streams(SessionTables& tables);
  void read_events(SessionTables& tables);
  void read_edits(SessionTables& tables);
  void check_recorded();

 private:
  std::optional<Tally> tally(std::int64_t id);
  Tally recount(StreamKind kind);
  std::int64_t largest_id(std::string_view table);
  bool announced(std::int64_t stream);
  struct Definition {
    std::optional<StreamInfo> info;
    bool readable = true;
  };
  Definition stream_definition(StreamKind kind);
  /// Rows 1 ... count of a table, each on its own, so that a lost page costs only its own rows.
  template <class Take>
  void each_row(std::string_view sql, std::int64_t tally_id, std::string_view table, Take take);

  const Database& database_;
  std::int64_t most_rows_;
  DamageLog& damage_;
};

/// Calls take(statement) on each row until an error, which ends it: false.
template <class Take>
bool scan_rows(const Database& database, std::string_view sql, std::int64_t parameter, Take take) {
  auto statement = database.prepare(sql);
  if (!statement) return false;
  if (sql.find('?') != sql.npos) statement->bind(1, parameter);
  while (true) {
    const auto row = statement->step();
    if (!row) return false;
    if (!*row) return true;
    take(*statement);
  }
}

void TableReader::read_meta(SessionTables& tables) {
  int bad = 0;
  const bool whole =
      scan_rows(database_, "SELECT key, value, checksum FROM meta", 0, [&](const Statement& row) {
        const auto key = row.text(0);
        const auto value = row.text(1);
        if (key == "content_hash") tables.finished = true;
        if (!key || !value || row.integer(2) != meta_checksum(*key, *value)) {
          ++bad;
        } else if (key == "metadata") {
          tables.document = *value;
        } else if (key == "content_hash") {
          tables.content_hash = *value;
        }
      });
  if (!whole || bad > 0) damage_.note("table 'meta' is damaged");
}

std::optional<Tally> TableReader::tally(std::int64_t id) {
  std::optional<Tally> found;
  scan_rows(database_, "SELECT id, rows, chunks, checksum FROM tally WHERE id = ?", id,
            [&](const Statement& row) {
              const auto rows = row.integer(1);
              const auto chunks = row.integer(2);
              if (rows && chunks && row.integer(3) == tally_checksum(id, *rows, *chunks) &&
                  *rows >= 0 && *chunks >= 0 && *chunks <= most_rows_)
                found = Tally{*rows, *chunks};
            });
  return found;
}

std::int64_t TableReader::largest_id(std::string_view table) {
  std::int64_t id = 0;
  scan_rows(database_, fmt::format("SELECT max(id) FROM {}", table), 0,
            [&](const Statement& row) { id = row.integer(0).value_or(0); });
  return std::clamp<std::int64_t>(id, 0, most_rows_);
}

/// From the chunks themselves, where the tally is damaged.
Tally TableReader::recount(StreamKind kind) {
  Tally found;
  const auto first = chunk_id(kind, 0);
  scan_rows(database_, "SELECT id, count FROM chunk WHERE id >= ? ORDER BY id", first,
            [&](const Statement& row) {
              const auto number = row.integer(0).value_or(first) - first;
              if (number >= most_rows_) return;
              found.chunks = std::max(found.chunks, number + 1);
              found.rows += row.integer(1).value_or(0);
            });
  return found;
}

/// Whether there are chunks of a stream, or a tally.
bool TableReader::announced(std::int64_t stream) {
  bool any = tally(stream).has_value();
  scan_rows(database_, "SELECT 1 FROM chunk WHERE id >> 32 = ? LIMIT 1", stream,
            [&](const Statement&) { any = true; });
  return any;
}

TableReader::Definition TableReader::stream_definition(StreamKind kind) {
  Definition found;
  StreamInfo info{kind, {}};
  std::optional<std::int64_t> checksum;
  found.readable = scan_rows(database_, "SELECT checksum FROM stream WHERE id = ?", stream_id(kind),
                             [&](const Statement& row) { checksum = row.integer(0); });
  found.readable &= scan_rows(
      database_,
      "SELECT position, name, unit, scale FROM column_info WHERE stream = ? ORDER BY rowid",
      stream_id(kind), [&](const Statement& row) {
        info.columns.push_back({std::string(row.text(1).value_or("")),
                                std::string(row.text(2).value_or("")), row.real(3).value_or(0)});
      });
  if (checksum == stream_checksum(info) && !info.columns.empty()) found.info = std::move(info);
  return found;
}

void TableReader::read_streams(SessionTables& tables) {
  for (const auto kind : kStreamKinds) {
    auto [info, readable] = stream_definition(kind);
    if (!info) {
      if (!readable || announced(stream_id(kind)))
        damage_.note(
            fmt::format("the columns of stream '{}' are damaged; it is left out", to_string(kind)));
      continue;
    }
    auto counted = tally(stream_id(kind));
    if (!counted) {
      damage_.note(fmt::format("how many rows stream '{}' had is lost; its end may be missing",
                               to_string(kind)));
      counted = recount(kind);
    }
    tables.streams.push_back({std::move(*info), counted->rows, counted->chunks});
  }
}

template <class Take>
void TableReader::each_row(std::string_view sql, std::int64_t tally_id, std::string_view table,
                           Take take) {
  const auto counted = tally(tally_id);
  if (!counted) damage_.note(fmt::format("how many rows table '{}' had is lost", table));
  const auto count = counted ? std::min(counted->rows, most_rows_) : largest_id(table);
  auto statement = database_.prepare(sql);
  std::int64_t bad = 0;
  for (std::int64_t id = 1; id <= count; ++id) {
    bool taken = false;
    if (statement) {
      statement->bind(1, id);
      const auto row = statement->step();
      taken = row && *row && take(id, *statement);
      statement->reset();
    }
    if (!taken) ++bad;
  }
  if (bad > 0)
    damage_.note(fmt::format("{} of {} rows of table '{}' are damaged", bad, count, table));
}

void TableReader::read_events(SessionTables& tables) {
  each_row("SELECT t, t_exponent, name, data, checksum FROM event WHERE id = ?", kEventTally,
           "event", [&](std::int64_t id, const Statement& row) {
             const auto mantissa = row.integer(0);
             const auto exponent = row.integer(1);
             const auto name = row.text(2);
             const auto data = row.text(3);
             if (!mantissa || !exponent || !name || !data || *exponent < -128 || *exponent > 127)
               return false;
             const Event event{
                 {*mantissa, static_cast<int>(*exponent)}, std::string(*name), std::string(*data)};
             if (row.integer(4) != event_checksum(id, event)) return false;
             tables.events.push_back(event);
             return true;
           });
}

void TableReader::read_edits(SessionTables& tables) {
  each_row("SELECT time, author, kind, press, contact_s, note, checksum FROM edits WHERE id = ?",
           kEditTally, "edits", [&](std::int64_t id, const Statement& row) {
             const auto kind = edit_kind_from(row.text(2).value_or(""));
             const auto press = row.integer(3);
             if (!kind || !press || *press < INT32_MIN || *press > INT32_MAX) return false;
             Edit edit;
             edit.kind = *kind;
             edit.press = static_cast<int>(*press);
             edit.time = row.text(0).value_or("");
             edit.author = row.text(1).value_or("");
             edit.contact_s = row.real(4).value_or(std::nan(""));  // NULL: as found
             edit.note = row.text(5).value_or("");
             if (row.integer(6) != edit_checksum(id, edit)) return false;
             tables.edits.push_back(std::move(edit));
             return true;
           });
}

/// A lost row would pass for a chunk that is as it was recorded.
void TableReader::check_recorded() {
  if (!has_recorded_rows(database_).value_or(true)) return;
  const auto wanted = tally(kRecordedTally);
  std::int64_t count = -1;
  scan_rows(database_, "SELECT count(*) FROM recorded", 0,
            [&](const Statement& row) { count = row.integer(0).value_or(-1); });
  if (!wanted || wanted->rows != count)
    damage_.note("table 'recorded' is damaged: the values are whole, their hash is not to be had");
}

}  // namespace

Result<SessionTables> read_tables(const OpenedSession& opened, DamageLog& damage) {
  SessionTables tables;
  TableReader reader(opened, damage);
  reader.read_meta(tables);
  if (tables.document.empty())
    return fail(ErrorCode::kDamaged,
                "{}: {}its metadata cannot be read, so its samples have no meaning; restore it "
                "from a copy",
                opened.database.file().string(),
                opened.truncated.empty() ? "" : opened.truncated + ", and ");
  reader.read_streams(tables);
  reader.read_events(tables);
  reader.read_edits(tables);
  reader.check_recorded();
  return tables;
}

}  // namespace tactelier
