#include "libcalib/session/schema.hpp"

#include <array>
#include <string>

#include "libcalib/session/database.hpp"

namespace tactelier {
namespace {

// Every row has a checksum over its other cells, so that nothing changes unnoticed.
// "min", "max", "data" without a type are stored as they come.
constexpr std::array kTables{
    TableDefinition{"meta", "CREATE TABLE meta(key TEXT, value TEXT, checksum INTEGER)"},
    TableDefinition{"stream",
                    "CREATE TABLE stream(id INTEGER PRIMARY KEY, kind TEXT, columns INTEGER, "
                    "checksum INTEGER)"},
    TableDefinition{"column_info",
                    "CREATE TABLE column_info(stream INTEGER, position INTEGER, name TEXT, "
                    "unit TEXT, scale REAL)"},
    TableDefinition{"chunk",
                    "CREATE TABLE chunk(id INTEGER PRIMARY KEY, count INTEGER, t_first REAL, "
                    "t_last REAL, first_blob INTEGER, checksum INTEGER)"},
    TableDefinition{"blob",
                    "CREATE TABLE blob(id INTEGER PRIMARY KEY, codec INTEGER, width INTEGER, "
                    "exponent INTEGER, base INTEGER, min, max, checksum INTEGER, exponents BLOB, "
                    "data BLOB)"},
    TableDefinition{"event",
                    "CREATE TABLE event(id INTEGER PRIMARY KEY, t INTEGER, t_exponent INTEGER, "
                    "name TEXT, data TEXT, checksum INTEGER)"},
    TableDefinition{"tally",
                    "CREATE TABLE tally(id INTEGER PRIMARY KEY, rows INTEGER, chunks INTEGER, "
                    "checksum INTEGER)"},
    TableDefinition{"edits",
                    "CREATE TABLE edits(id INTEGER PRIMARY KEY, time TEXT, author TEXT, "
                    "kind TEXT, press INTEGER, contact_s REAL, note TEXT, checksum INTEGER)"},
    // Since version 2; the others are version 1.
    TableDefinition{
        "recorded",
        "CREATE TABLE recorded(chunk INTEGER PRIMARY KEY, counts BLOB, checksum INTEGER)"},
};

}  // namespace

std::span<const TableDefinition> tables(int version) {
  const std::span<const TableDefinition> all(kTables);
  return version == kRecordedVersion ? all.first(all.size() - 1) : all;
}

Result<void> create_tables(Database& database, int version) {
  auto done = database.execute(
      fmt::format("PRAGMA application_id={}; PRAGMA user_version={}", kApplicationId, version));
  for (const auto& table : tables(version))
    if (done) done = database.execute(table.sql);
  return done;
}

Result<void> check_tables(const Database& database) {
  auto statement = database.prepare("SELECT sql FROM sqlite_schema WHERE type='table' AND name=?");
  if (!statement) return fail(statement.error());
  const auto version = database.query("PRAGMA user_version");
  if (!version) return fail(version.error());
  for (const auto& table : tables(
           *version == std::to_string(kRecordedVersion) ? kRecordedVersion : kCompactedVersion)) {
    statement->bind(1, table.name);
    const auto row = statement->step();
    if (!row) return fail(row.error());
    if (!*row || statement->text(0) != table.sql)
      return fail(ErrorCode::kDamaged, "{}: its table '{}' is missing or not as it was created",
                  database.file().string(), table.name);
    statement->reset();
  }
  return {};
}

}  // namespace tactelier
