#include "libcalib/session/database.hpp"

#include <sqlite3.h>

#include <utility>

namespace tactelier {
namespace {

constexpr int kBusyTimeout_ms = 5000;
// A damaged length never makes SQLite allocate more than this; the longest honest cell is a
// metadata document or 128 KiB of samples.
constexpr int kMaxCellBytes = 32 << 20;

Error database_error(std::string_view file, int code, std::string_view text) {
  switch (code & 0xff) {
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
    case SQLITE_TOOBIG:
      return {ErrorCode::kDamaged, fmt::format("{}: {}", file, text)};
    case SQLITE_BUSY:
      return {ErrorCode::kIo, fmt::format("{}: another program holds it ({}); close it there and "
                                          "try again",
                                          file, text)};
    default:
      return {ErrorCode::kIo, fmt::format("{}: {}", file, text)};
  }
}

tl::unexpected<Error> failed(std::string_view file, sqlite3* connection, int code) {
  const char* text = connection != nullptr ? sqlite3_errmsg(connection) : sqlite3_errstr(code);
  return tl::unexpected<Error>(database_error(file, code, text));
}

/// file: URI, with what means something in a URI escaped.
std::string uri(const std::filesystem::path& file, Database::Access access) {
  std::string text = "file:";
  for (const char c : std::filesystem::absolute(file).string()) {
    if (c == '?' || c == '#' || c == '%')
      text += fmt::format("%{:02x}", static_cast<unsigned>(c));
    else
      text += c;
  }
  if (access == Database::Access::kImmutable) text += "?immutable=1";
  if (access == Database::Access::kAlone) text += "?vfs=unix-none";
  return text;
}

/// A file from elsewhere must not run anything of its own: no triggers, no views, no functions.
void distrust(sqlite3* connection) {
  sqlite3_db_config(connection, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
  sqlite3_db_config(connection, SQLITE_DBCONFIG_ENABLE_VIEW, 0, nullptr);
  sqlite3_db_config(connection, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  sqlite3_limit(connection, SQLITE_LIMIT_LENGTH, kMaxCellBytes);
  sqlite3_limit(connection, SQLITE_LIMIT_ATTACHED, 0);
}

}  // namespace

void Statement::Deleter::operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }

Statement::Statement(sqlite3_stmt* statement, const Database* database)
    : statement_(statement), file_(database->file().string()) {}

void Statement::note(int code) {
  if (code != SQLITE_OK) bind_error_ = code;
}

void Statement::bind(int position, std::int64_t number) {
  note(sqlite3_bind_int64(statement_.get(), position, number));
}

void Statement::bind(int position, double number) {
  note(sqlite3_bind_double(statement_.get(), position, number));
}

void Statement::bind(int position, std::string_view text) {
  note(sqlite3_bind_text64(statement_.get(), position, text.empty() ? "" : text.data(), text.size(),
                           SQLITE_STATIC, SQLITE_UTF8));
}

void Statement::bind(int position, std::span<const std::uint8_t> data) {
  static constexpr std::uint8_t kNothing = 0;
  note(sqlite3_bind_blob64(statement_.get(), position, data.empty() ? &kNothing : data.data(),
                           data.size(), SQLITE_STATIC));
}

void Statement::bind_null(int position) { note(sqlite3_bind_null(statement_.get(), position)); }

Result<bool> Statement::step() {
  if (bind_error_ != 0) return failed(file_, nullptr, std::exchange(bind_error_, 0));
  const int code = sqlite3_step(statement_.get());
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  return failed(file_, sqlite3_db_handle(statement_.get()), code);
}

Result<void> Statement::run() {
  const auto stepped = step();
  reset();
  if (!stepped) return fail(stepped.error());
  return {};
}

void Statement::reset() { sqlite3_reset(statement_.get()); }

int Statement::columns() const { return sqlite3_column_count(statement_.get()); }

std::optional<std::int64_t> Statement::integer(int column) const {
  if (sqlite3_column_type(statement_.get(), column) != SQLITE_INTEGER) return std::nullopt;
  return sqlite3_column_int64(statement_.get(), column);
}

std::optional<double> Statement::real(int column) const {
  if (sqlite3_column_type(statement_.get(), column) != SQLITE_FLOAT) return std::nullopt;
  return sqlite3_column_double(statement_.get(), column);
}

std::optional<std::string_view> Statement::text(int column) const {
  if (sqlite3_column_type(statement_.get(), column) != SQLITE_TEXT) return std::nullopt;
  const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(statement_.get(), column));
  if (text == nullptr) return std::nullopt;
  return std::string_view(text,
                          static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), column)));
}

std::optional<std::span<const std::uint8_t>> Statement::blob(int column) const {
  if (sqlite3_column_type(statement_.get(), column) != SQLITE_BLOB) return std::nullopt;
  const auto* data =
      static_cast<const std::uint8_t*>(sqlite3_column_blob(statement_.get(), column));
  const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), column));
  if (data == nullptr && size != 0) return std::nullopt;
  return std::span(data, size);
}

bool Statement::is_null(int column) const {
  return sqlite3_column_type(statement_.get(), column) == SQLITE_NULL;
}

void Database::Deleter::operator()(sqlite3* connection) const { sqlite3_close_v2(connection); }

Result<Database> Database::open(const std::filesystem::path& file, Access access) {
  Database database(file);
  sqlite3* connection = nullptr;
  const int mode = access == Access::kWrite ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY;
  const int code = sqlite3_open_v2(uri(file, access).c_str(), &connection,
                                   mode | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX, nullptr);
  database.connection_.reset(connection);
  if (code != SQLITE_OK) return failed(file.string(), connection, code);
  sqlite3_extended_result_codes(connection, 1);
  sqlite3_busy_timeout(connection, kBusyTimeout_ms);
  distrust(connection);
  const auto prepared = database.execute(
      access == Access::kAlone ? "PRAGMA cell_size_check=ON; PRAGMA locking_mode=EXCLUSIVE"
                               : "PRAGMA cell_size_check=ON");
  if (!prepared) return fail(prepared.error());
  return database;
}

Result<void> Database::execute(std::string_view sql) {
  const int code =
      sqlite3_exec(connection_.get(), std::string(sql).c_str(), nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) return failed(file_.string(), connection_.get(), code);
  return {};
}

Result<Statement> Database::prepare(std::string_view sql) const {
  sqlite3_stmt* statement = nullptr;
  const int code = sqlite3_prepare_v3(connection_.get(), sql.data(), static_cast<int>(sql.size()),
                                      SQLITE_PREPARE_PERSISTENT, &statement, nullptr);
  if (code != SQLITE_OK) return failed(file_.string(), connection_.get(), code);
  return Statement(statement, this);
}

Result<std::string> Database::query(std::string_view sql) const {
  auto statement = prepare(sql);
  if (!statement) return fail(statement.error());
  const auto row = statement->step();
  if (!row) return fail(row.error());
  if (!*row) return std::string();
  if (const auto number = statement->integer(0)) return fmt::format("{}", *number);
  return std::string(statement->text(0).value_or(""));
}

bool Database::autocommit() const { return sqlite3_get_autocommit(connection_.get()) != 0; }

Result<Transaction> Transaction::begin(Database& database, std::string_view kind) {
  if (!database.autocommit()) return Transaction(nullptr);
  const auto begun = database.execute(fmt::format("BEGIN {}", kind));
  if (!begun) return fail(begun.error());
  Transaction transaction(&database);
  // The first read takes the lock: from here on an error is one of the file, not of a neighbour.
  const auto locked = database.execute("SELECT 1 FROM sqlite_schema LIMIT 1");
  if (!locked && locked.error().code == ErrorCode::kIo) return fail(locked.error());
  return transaction;
}

Transaction::Transaction(Transaction&& other) noexcept
    : database_(std::exchange(other.database_, nullptr)) {}

Transaction::~Transaction() {
  if (database_ != nullptr && !database_->autocommit()) (void)database_->execute("ROLLBACK");
}

Result<void> Transaction::commit() {
  if (database_ == nullptr) return {};
  const auto done = database_->execute("COMMIT");
  if (done) database_ = nullptr;
  return done;
}

}  // namespace tactelier
