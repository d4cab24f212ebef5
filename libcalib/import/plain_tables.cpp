#include "libcalib/import/plain_tables.hpp"

#include <fmt/format.h>
#include <stdlib.h>  // mkdtemp

#include <system_error>
#include <utility>

#include "libcalib/import/formats/table_formats.hpp"

namespace tactelier {

Result<PlainTables> PlainTables::of(std::vector<TableFile> tables,
                                    const std::filesystem::path& scratch, const Job& job) {
  PlainTables plain;
  plain.tables_ = std::move(tables);
  for (auto& table : plain.tables_)
    if (is_other_format(table.path))
      if (const auto written = plain.write(table, scratch, job); !written)
        return fail(written.error());
  return plain;
}

Result<void> PlainTables::write(TableFile& table, const std::filesystem::path& scratch,
                                const Job& job) {
  if (folder_.empty()) {
    auto folder = (scratch / "tactelier-tables-XXXXXX").string();
    if (!mkdtemp(folder.data()))
      return fail(ErrorCode::kIo, "'{}': cannot make a folder in it", scratch.string());
    folder_ = folder;
  }
  job.progress("reading " + table.name, 0, 0);
  const auto arrays = read_array_file(table.path, table.name);
  if (!arrays) return fail(arrays.error());
  const auto csv = folder_ / (table.path.filename().string() + ".csv");
  const auto left_out = write_as_table(*arrays, table.name, csv, job);
  if (!left_out) return fail(left_out.error());
  if (!left_out->empty())
    warnings_.push_back({"arrays-left-out",
                         fmt::format("not part of the table: {}", fmt::join(*left_out, "; ")),
                         table.name});
  table.path = csv;
  return {};
}

PlainTables::PlainTables(PlainTables&& other) noexcept
    : tables_(std::move(other.tables_)),
      warnings_(std::move(other.warnings_)),
      folder_(std::exchange(other.folder_, {})) {}

PlainTables::~PlainTables() {
  std::error_code ignored;
  if (!folder_.empty()) std::filesystem::remove_all(folder_, ignored);
}

}  // namespace tactelier
