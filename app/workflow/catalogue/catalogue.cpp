#include "app/workflow/catalogue/catalogue.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace tactelier {
namespace {

constexpr int kCatalogueId = 0x54434154;  // "TCAT", SQLite's application_id
constexpr int kCatalogueVersion = 3;

// A parameter's rows lie together by path: one number over ten thousand sensors is one short read.
constexpr std::string_view kSchema = R"(
CREATE TABLE IF NOT EXISTS sensor(
  id INTEGER PRIMARY KEY, sensor TEXT NOT NULL, serial TEXT NOT NULL, UNIQUE(sensor, serial));
CREATE TABLE IF NOT EXISTS fit(
  id INTEGER PRIMARY KEY, sensor INTEGER NOT NULL REFERENCES sensor(id), key TEXT NOT NULL UNIQUE,
  state TEXT NOT NULL, reason TEXT, found TEXT, program TEXT, recorded TEXT, fitted TEXT,
  who TEXT, verdict TEXT, why TEXT);
CREATE INDEX IF NOT EXISTS fit_of_sensor ON fit(sensor, recorded);
CREATE TABLE IF NOT EXISTS session(
  fit INTEGER NOT NULL REFERENCES fit(id), file TEXT, content_hash TEXT, created TEXT,
  PRIMARY KEY(fit, content_hash, file)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS parameter(
  path TEXT NOT NULL, fit INTEGER NOT NULL REFERENCES fit(id), value REAL, std REAL, u95 REAL,
  spread REAL, count INTEGER, tactels INTEGER, unit TEXT, status TEXT, reason TEXT,
  PRIMARY KEY(path, fit)) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS parameter_of_fit ON parameter(fit);
CREATE TABLE IF NOT EXISTS quality(
  fit INTEGER NOT NULL REFERENCES fit(id), stage TEXT, name TEXT, value REAL,
  PRIMARY KEY(fit, stage, name)) WITHOUT ROWID;
)";

Result<void> create_if_missing(const std::filesystem::path& file) {
  const int descriptor = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (descriptor < 0)
    return fail(ErrorCode::kIo, "{}: {}", file.string(), std::generic_category().message(errno));
  ::close(descriptor);
  return {};
}

Result<void> check_kind(const Database& database) {
  const auto id = database.query("PRAGMA application_id");
  if (!id) return fail(id.error());
  if (*id != fmt::format("{}", kCatalogueId))
    return fail(ErrorCode::kInvalidInput, "{}: is no catalogue; 'tactelier batch run' makes one",
                database.file().string());
  const auto version = database.query("PRAGMA user_version");
  if (!version) return fail(version.error());
  if (*version != fmt::format("{}", kCatalogueVersion))
    return fail(ErrorCode::kInvalidInput,
                "{}: a catalogue of version {}; this program knows version {}. An older one is "
                "brought up to date by the next 'tactelier batch run' or 'batch merge --into' it",
                database.file().string(), *version, kCatalogueVersion);
  return {};
}

/// Version 1 did not keep who recorded, version 2 no verdict; their fits stay without.
Result<void> bring_up(Database& database) {
  const auto version = database.query("PRAGMA user_version");
  if (!version) return fail(version.error());
  if (*version == "1")
    if (auto done = database.execute("ALTER TABLE fit ADD COLUMN who TEXT"); !done) return done;
  if (*version != "1" && *version != "2") return {};
  return database.execute(
      "ALTER TABLE fit ADD COLUMN verdict TEXT; ALTER TABLE fit ADD COLUMN why TEXT; "
      "PRAGMA user_version=3");
}

/// Tables and the marks of a catalogue, all in one transaction.
Result<void> set_up(Database& database) {
  auto transaction = Transaction::begin(database, "IMMEDIATE");
  if (!transaction) return fail(transaction.error());
  const auto id = database.query("PRAGMA application_id");
  if (!id) return fail(id.error());
  const auto tables = database.query("SELECT count(*) FROM sqlite_schema");
  if (!tables) return fail(tables.error());
  if (*tables != "0") {
    if (*id == fmt::format("{}", kCatalogueId))
      if (auto up = bring_up(database); !up) return up;
    if (auto kind = check_kind(database); !kind) return kind;
    return transaction->commit();
  }
  if (auto made = database.execute(kSchema); !made) return made;
  if (auto marked = database.execute(fmt::format("PRAGMA application_id={}; PRAGMA user_version={}",
                                                 kCatalogueId, kCatalogueVersion));
      !marked)
    return marked;
  return transaction->commit();
}

void bind_number(Statement& statement, int position, const std::optional<double>& value) {
  if (value)
    statement.bind(position, *value);
  else
    statement.bind_null(position);
}

std::optional<double> number(const Statement& statement, int column) {
  if (const auto real = statement.real(column)) return real;
  if (const auto whole = statement.integer(column)) return static_cast<double>(*whole);
  return std::nullopt;
}

std::string words(const Statement& statement, int column) {
  return std::string(statement.text(column).value_or(""));
}

Result<std::int64_t> row_id(const Database& database, std::string_view sql,
                            std::initializer_list<std::string_view> texts) {
  auto statement = database.prepare(sql);
  if (!statement) return fail(statement.error());
  int position = 0;
  for (const auto text : texts) statement->bind(++position, text);
  const auto row = statement->step();
  if (!row) return fail(row.error());
  return *row ? statement->integer(0).value_or(0) : 0;
}

Result<std::int64_t> insert_sensor(const Database& database, const CatalogueFit& fit) {
  auto added = row_id(database,
                      "INSERT INTO sensor(sensor, serial) VALUES(?1, ?2) "
                      "ON CONFLICT DO NOTHING",
                      {fit.sensor, fit.serial});
  if (!added) return added;
  return row_id(database, "SELECT id FROM sensor WHERE sensor=?1 AND serial=?2",
                {fit.sensor, fit.serial});
}

Result<std::int64_t> insert_fit(const Database& database, std::int64_t sensor,
                                const CatalogueFit& fit) {
  auto statement = database.prepare(
      "INSERT INTO fit(sensor, key, state, reason, found, program, recorded, fitted, who, "
      "verdict, why) VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)");
  if (!statement) return fail(statement.error());
  statement->bind(1, sensor);
  int position = 1;
  for (const auto* text : {&fit.key, &fit.state, &fit.reason, &fit.found, &fit.program,
                           &fit.recorded, &fit.fitted, &fit.who, &fit.verdict, &fit.why})
    statement->bind(++position, std::string_view(*text));
  if (auto done = statement->run(); !done) return fail(done.error());
  return row_id(database, "SELECT id FROM fit WHERE key=?1", {fit.key});
}

Result<void> insert_sessions(const Database& database, std::int64_t id, const CatalogueFit& fit) {
  auto statement = database.prepare("INSERT OR IGNORE INTO session VALUES(?1, ?2, ?3, ?4)");
  if (!statement) return fail(statement.error());
  for (const auto& session : fit.sessions) {
    statement->bind(1, id);
    statement->bind(2, std::string_view(session.file));
    statement->bind(3, std::string_view(session.content_hash));
    statement->bind(4, std::string_view(session.created));
    if (auto done = statement->run(); !done) return done;
  }
  return {};
}

Result<void> insert_values(const Database& database, std::int64_t id, const CatalogueFit& fit) {
  auto statement = database.prepare(
      "INSERT INTO parameter VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)");
  if (!statement) return fail(statement.error());
  for (const auto& row : fit.values) {
    statement->bind(1, std::string_view(row.path));
    statement->bind(2, id);
    bind_number(*statement, 3, row.value);
    bind_number(*statement, 4, row.std);
    bind_number(*statement, 5, row.u95);
    bind_number(*statement, 6, row.spread);
    statement->bind(7, std::int64_t{row.count});
    statement->bind(8, std::int64_t{row.of});
    statement->bind(9, std::string_view(row.unit));
    statement->bind(10, std::string_view(row.status));
    statement->bind(11, std::string_view(row.reason));
    if (auto done = statement->run(); !done) return done;
  }
  return {};
}

Result<void> insert_quality(const Database& database, std::int64_t id, const CatalogueFit& fit) {
  auto statement = database.prepare("INSERT INTO quality VALUES(?1, ?2, ?3, ?4)");
  if (!statement) return fail(statement.error());
  for (const auto& row : fit.quality) {
    statement->bind(1, id);
    statement->bind(2, std::string_view(row.stage));
    statement->bind(3, std::string_view(row.name));
    statement->bind(4, row.value);
    if (auto done = statement->run(); !done) return done;
  }
  return {};
}

constexpr int kIdColumn = 12;  // of kFits
constexpr std::string_view kFits =
    "SELECT f.key, s.sensor, s.serial, f.state, f.reason, f.found, f.program, f.recorded, "
    "f.fitted, f.who, f.verdict, f.why, "
    "f.id FROM fit f JOIN sensor s ON s.id=f.sensor ";

CatalogueFit fit_of_row(const Statement& row) {
  CatalogueFit fit;
  int column = 0;
  for (auto* text : {&fit.key, &fit.sensor, &fit.serial, &fit.state, &fit.reason, &fit.found,
                     &fit.program, &fit.recorded, &fit.fitted, &fit.who, &fit.verdict, &fit.why})
    *text = words(row, column++);
  return fit;
}

/// Calls `take` for each row of a table that belongs to a fit.
Result<void> rows_of(const Database& database, std::string_view sql, std::int64_t id,
                     const std::function<void(const Statement&)>& take) {
  auto statement = database.prepare(sql);
  if (!statement) return fail(statement.error());
  statement->bind(1, id);
  for (;;) {
    const auto row = statement->step();
    if (!row) return fail(row.error());
    if (!*row) return {};
    take(*statement);
  }
}

Result<void> read_parts(const Database& database, std::int64_t id, CatalogueFit& fit) {
  auto done = rows_of(database, "SELECT file, content_hash, created FROM session WHERE fit=?1", id,
                      [&](const Statement& row) {
                        fit.sessions.push_back({words(row, 0), words(row, 1), words(row, 2)});
                      });
  if (!done) return done;
  done =
      rows_of(database, "SELECT stage, name, value FROM quality WHERE fit=?1", id,
              [&](const Statement& row) {
                fit.quality.push_back({words(row, 0), words(row, 1), number(row, 2).value_or(0)});
              });
  if (!done) return done;
  return rows_of(
      database,
      "SELECT path, value, std, u95, spread, count, tactels, unit, status, reason "
      "FROM parameter WHERE fit=?1",
      id, [&](const Statement& row) {
        fit.values.push_back({words(row, 0), number(row, 1), number(row, 2), number(row, 3),
                              number(row, 4), static_cast<int>(row.integer(5).value_or(0)),
                              static_cast<int>(row.integer(6).value_or(0)), words(row, 7),
                              words(row, 8), words(row, 9)});
      });
}

}  // namespace

Result<Catalogue> Catalogue::open(const std::filesystem::path& file) {
  if (auto made = create_if_missing(file); !made) return fail(made.error());
  auto database = Database::open(file, Database::Access::kWrite);
  if (!database) return fail(database.error());
  if (auto ready = set_up(*database); !ready) return fail(ready.error());
  return Catalogue(std::move(*database));
}

Result<Catalogue> Catalogue::read(const std::filesystem::path& file) {
  std::error_code unknown;
  if (!std::filesystem::is_regular_file(file, unknown))
    return fail(ErrorCode::kIo, "'{}': no such file; 'tactelier batch run' makes a catalogue",
                file.string());
  auto database = Database::open(file, Database::Access::kRead);
  if (!database) return fail(database.error());
  if (auto kind = check_kind(*database); !kind) return fail(kind.error());
  return Catalogue(std::move(*database));
}

Result<std::set<std::string>> Catalogue::keys() const {
  auto statement = database_.prepare("SELECT key FROM fit");
  if (!statement) return fail(statement.error());
  std::set<std::string> all;
  for (;;) {
    const auto row = statement->step();
    if (!row) return fail(row.error());
    if (!*row) return all;
    all.insert(words(*statement, 0));
  }
}

Result<std::vector<std::string>> Catalogue::sensors_of(const std::string& serial) const {
  auto statement = database_.prepare("SELECT sensor FROM sensor WHERE serial=?1 ORDER BY sensor");
  if (!statement) return fail(statement.error());
  statement->bind(1, std::string_view(serial));
  std::vector<std::string> sensors;
  for (;;) {
    const auto row = statement->step();
    if (!row) return fail(row.error());
    if (!*row) return sensors;
    sensors.push_back(words(*statement, 0));
  }
}

Result<void> Catalogue::add(const CatalogueFit& fit) {
  auto transaction = Transaction::begin(database_, "IMMEDIATE");
  if (!transaction) return fail(transaction.error());
  const auto known = row_id(database_, "SELECT id FROM fit WHERE key=?1", {fit.key});
  if (!known) return fail(known.error());
  if (*known != 0) return {};
  const auto sensor = insert_sensor(database_, fit);
  if (!sensor) return fail(sensor.error());
  const auto id = insert_fit(database_, *sensor, fit);
  if (!id) return fail(id.error());
  auto done = insert_sessions(database_, *id, fit);
  if (done) done = insert_values(database_, *id, fit);
  if (done) done = insert_quality(database_, *id, fit);
  return done ? transaction->commit() : done;
}

Result<void> Catalogue::for_each_fit(const std::function<void(const CatalogueFit&)>& sink) const {
  auto statement = database_.prepare(std::string(kFits) + "ORDER BY f.recorded, f.id");
  if (!statement) return fail(statement.error());
  for (;;) {
    const auto row = statement->step();
    if (!row) return fail(row.error());
    if (!*row) return {};
    sink(fit_of_row(*statement));
  }
}

Result<std::optional<CatalogueFit>> Catalogue::fit(const std::string& key) const {
  auto statement = database_.prepare(std::string(kFits) + " WHERE f.key=?1");
  if (!statement) return fail(statement.error());
  statement->bind(1, std::string_view(key));
  const auto row = statement->step();
  if (!row) return fail(row.error());
  if (!*row) return std::optional<CatalogueFit>();
  auto fit = fit_of_row(*statement);
  const auto id = statement->integer(kIdColumn).value_or(0);
  if (auto done = read_parts(database_, id, fit); !done) return fail(done.error());
  return std::optional(std::move(fit));
}

}  // namespace tactelier
