#pragma once
// What the world does to files: changes through SQLite itself, and to bytes.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace tactelier::test {

/// Runs SQL as any other program would.
void run_sql(const std::filesystem::path& file, const std::string& sql);

/// Copies file and journal to `copy` in the middle of a transaction, as a crash would leave them.
void copy_within_transaction(const std::filesystem::path& file, const std::string& sql,
                             const std::filesystem::path& copy);

std::vector<char> read_bytes(const std::filesystem::path& file);
void write_bytes(const std::filesystem::path& file, const std::vector<char>& bytes);

}  // namespace tactelier::test
