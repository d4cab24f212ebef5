#pragma once
// The tables of a .tact file (docs/session-format.md) and the marks by which it is recognised.

#include <cstdint>
#include <span>
#include <string_view>

#include "libcalib/result.hpp"

namespace tactelier {

class Database;

constexpr std::int32_t kApplicationId = 0x54414354;  // "TACT"
// Versions of the format: a recording as it is made, and one that was compacted afterwards.
constexpr int kRecordedVersion = 1;
constexpr int kCompactedVersion = 2;

struct TableDefinition {
  std::string_view name;
  std::string_view sql;  // as it stands in the file, letter by letter
};
std::span<const TableDefinition> tables(int version);

/// Marks an empty database as ours and creates the tables.
Result<void> create_tables(Database& database, int version);
/// kDamaged unless every table of the file's version is there exactly as it was created: whatever
/// else a file brings (views, triggers, other tables) is never touched.
Result<void> check_tables(const Database& database);

/// Row ids of table `tally`: a stream's own id, or one of these.
constexpr std::int64_t kEventTally = 0;
constexpr std::int64_t kEditTally = 100;
constexpr std::int64_t kRecordedTally = 200;

}  // namespace tactelier
