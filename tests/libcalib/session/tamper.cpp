#include "tests/libcalib/session/tamper.hpp"

#include <gtest/gtest.h>
#include <sqlite3.h>

#include <fstream>
#include <iterator>

namespace tactelier::test {

void run_sql(const std::filesystem::path& file, const std::string& sql) {
  sqlite3* database = nullptr;
  ASSERT_EQ(sqlite3_open(file.c_str(), &database), SQLITE_OK);
  EXPECT_EQ(sqlite3_exec(database, sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK)
      << sqlite3_errmsg(database);
  sqlite3_close(database);
}

void copy_within_transaction(const std::filesystem::path& file, const std::string& sql,
                             const std::filesystem::path& copy) {
  sqlite3* database = nullptr;
  ASSERT_EQ(sqlite3_open(file.c_str(), &database), SQLITE_OK);
  const auto run = [&](const std::string& statements) {
    EXPECT_EQ(sqlite3_exec(database, statements.c_str(), nullptr, nullptr, nullptr), SQLITE_OK)
        << sqlite3_errmsg(database);
  };
  run("PRAGMA cache_size=2; BEGIN; " + sql);  // a small cache: changes reach the file early
  std::filesystem::copy(file, copy);
  std::filesystem::copy(file.string() + "-journal", copy.string() + "-journal");
  run("ROLLBACK");
  sqlite3_close(database);
}

std::vector<char> read_bytes(const std::filesystem::path& file) {
  std::ifstream input(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(input), {}};
}

void write_bytes(const std::filesystem::path& file, const std::vector<char>& bytes) {
  std::ofstream(file, std::ios::binary).write(bytes.data(), std::ssize(bytes));
}

}  // namespace tactelier::test
