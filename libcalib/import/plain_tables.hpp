#pragma once
// Tables as the rest of the import reads them, whatever format they came in.

#include <filesystem>
#include <vector>

#include "libcalib/import/table_files.hpp"
#include "libcalib/job.hpp"
#include "libcalib/result.hpp"

namespace tactelier {

/// Tables as text, whatever they came in, for as long as this lives.
class PlainTables {
 public:
  /// Those that are no text are written as CSV into a folder of their own in `scratch`. Fails with
  /// kInvalidInput on a damaged file or one without a table, kIo, kCancelled.
  static Result<PlainTables> of(std::vector<TableFile> tables, const std::filesystem::path& scratch,
                                const Job& job);
  PlainTables(PlainTables&& other) noexcept;
  PlainTables& operator=(PlainTables&&) = delete;
  ~PlainTables();  // removes what was written

  /// With the names of the files that were given, and the places of their text.
  const std::vector<TableFile>& tables() const { return tables_; }
  /// arrays-left-out: what a file holds beside its table.
  const Warnings& warnings() const { return warnings_; }

 private:
  PlainTables() = default;
  Result<void> write(TableFile& table, const std::filesystem::path& scratch, const Job& job);
  std::vector<TableFile> tables_;
  Warnings warnings_;
  std::filesystem::path folder_;  // empty: nothing was written
};

}  // namespace tactelier
