#pragma once
// Tables as the rest of the import reads them, whatever format they came in.

#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "libcalib/import/table_files.hpp"
#include "libcalib/job.hpp"
#include "libcalib/result.hpp"

namespace tactelier {

/// Tables as text, whatever they came in, for as long as this lives.
class PlainTables {
 public:
  /// Those that are no plain CSV are written as such into a folder of their own in `scratch`.
  /// `names`: the columns of tables that have no line of names; empty numbers them. Fails with
  /// kInvalidInput on a damaged file, one without a table, or names that don't fit; kIo,
  /// kCancelled.
  static Result<PlainTables> of(std::vector<TableFile> tables, std::span<const std::string> names,
                                const std::filesystem::path& scratch, const Job& job);
  PlainTables(PlainTables&& other) noexcept;
  PlainTables& operator=(PlainTables&&) = delete;
  ~PlainTables();  // removes what was written

  /// With the names of the files that were given, and the places of their text.
  const std::vector<TableFile>& tables() const { return tables_; }
  /// arrays-left-out: what a file holds beside its table.
  const Warnings& warnings() const { return warnings_; }
  /// Columns of times of day, which are seconds now, and the first cell of each.
  const std::map<std::string, std::string>& clocks() const { return clocks_; }

 private:
  PlainTables() = default;
  Result<void> rewrite(TableFile& table, std::span<const std::string> names,
                       const std::filesystem::path& scratch, const Job& job);
  Result<void> write_arrays(TableFile& table, std::span<const std::string> names,
                            const std::filesystem::path& csv, const Job& job);
  Result<std::filesystem::path> place_for(const TableFile& table, const char* ending,
                                          const std::filesystem::path& scratch);
  std::vector<TableFile> tables_;
  Warnings warnings_;
  std::map<std::string, std::string> clocks_;
  std::filesystem::path folder_;  // empty: nothing was written
};

}  // namespace tactelier
