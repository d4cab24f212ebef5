#pragma once
// The little of SQLite that sessions need: a connection and a statement that close themselves,
// and every error as a Result with the file's name in front.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "libcalib/result.hpp"

struct sqlite3;
struct sqlite3_stmt;

namespace tactelier {

class Database;

/// Bind from 1, read columns from 0. A getter is empty when the cell has another type: files are
/// damaged, and SQLite would quietly convert.
class Statement {
 public:
  void bind(int position, std::int64_t number);
  void bind(int position, double number);
  void bind(int position, std::string_view text);               // must live until the next reset()
  void bind(int position, std::span<const std::uint8_t> data);  // likewise
  void bind_null(int position);

  /// True when there is a row. kDamaged where SQLite finds the file malformed.
  Result<bool> step();
  /// For statements without rows: step and reset.
  Result<void> run();
  void reset();

  int columns() const;
  std::optional<std::int64_t> integer(int column) const;
  std::optional<double> real(int column) const;
  std::optional<std::string_view> text(int column) const;               // until the next step()
  std::optional<std::span<const std::uint8_t>> blob(int column) const;  // likewise
  bool is_null(int column) const;

 private:
  friend class Database;
  Statement(sqlite3_stmt* statement, const Database* database);
  void note(int code);

  struct Deleter {
    void operator()(sqlite3_stmt* statement) const;
  };
  std::unique_ptr<sqlite3_stmt, Deleter> statement_;
  std::string file_;
  int bind_error_ = 0;
};

class Database {
 public:
  enum class Access {
    kWrite,      // an existing file
    kRead,       // beside other readers and one writer
    kImmutable,  // nobody writes: no locks, no side files; for read-only media
    kAlone,      // nobody else has it open: a -wal is read without a -shm beside it
  };
  static Result<Database> open(const std::filesystem::path& file, Access access);

  Result<void> execute(std::string_view sql);
  Result<Statement> prepare(std::string_view sql) const;
  /// First cell of the first row, for PRAGMAs; "" when there is none.
  Result<std::string> query(std::string_view sql) const;

  const std::filesystem::path& file() const { return file_; }
  /// False inside BEGIN ... COMMIT.
  bool autocommit() const;

 private:
  struct Deleter {
    void operator()(sqlite3* connection) const;
  };
  explicit Database(std::filesystem::path file) : file_(std::move(file)) {}

  std::filesystem::path file_;
  std::unique_ptr<sqlite3, Deleter> connection_;
};

/// A read or write transaction that ends with its scope (a write one is rolled back unless
/// commit() was called). Inside another one it does nothing.
class Transaction {
 public:
  static Result<Transaction> begin(Database& database, std::string_view kind = "DEFERRED");
  Transaction(Transaction&& other) noexcept;
  Transaction& operator=(Transaction&&) = delete;
  ~Transaction();
  Result<void> commit();

 private:
  explicit Transaction(Database* database) : database_(database) {}
  Database* database_;
};

}  // namespace tactelier
