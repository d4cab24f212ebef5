#include "libcalib/import/plain_tables.hpp"

#include <fmt/format.h>
#include <stdlib.h>  // mkdtemp

#include <optional>
#include <system_error>
#include <utility>

#include "libcalib/import/formats/table_formats.hpp"
#include "libcalib/import/text_layout.hpp"
#include "libcalib/import/utf16.hpp"

namespace tactelier {

namespace {

Result<std::vector<std::string>> names_of(const TextLayout& layout,
                                          std::span<const std::string> given,
                                          const std::string& table) {
  if (!layout.names.empty() && !given.empty())
    return fail(ErrorCode::kInvalidInput,
                "{}: has a line of names; leave out the map's 'names' (--columns)", table);
  if (!layout.names.empty()) return layout.names;
  const auto numbered = with_listed(numbered_columns(layout.columns), layout);
  if (given.empty()) return numbered;
  if (given.size() != numbered.size())
    return fail(ErrorCode::kInvalidInput, "{}: has {} columns; 'names' (--columns) names {}: {}",
                table, numbered.size(), given.size(), fmt::join(given, ", "));
  return std::vector<std::string>(given.begin(), given.end());
}

/// A NumPy array has no names, and takes those that are given.
Result<void> name_columns(ArrayFile& file, std::span<const std::string> names,
                          const std::string& table) {
  if (names.empty()) return {};
  if (file.arrays.size() != 1 || !file.arrays.front().columns.empty())
    return fail(ErrorCode::kInvalidInput,
                "{}: has names of its own; leave out the map's 'names' (--columns)", table);
  auto& array = file.arrays.front();
  if (array.width != names.size())
    return fail(ErrorCode::kInvalidInput, "{}: has {} columns; 'names' (--columns) names {}: {}",
                table, array.width, names.size(), fmt::join(names, ", "));
  array.columns.assign(names.begin(), names.end());
  return {};
}

}  // namespace

Result<PlainTables> PlainTables::of(std::vector<TableFile> tables,
                                    std::span<const std::string> names,
                                    const std::filesystem::path& scratch, const Job& job) {
  PlainTables plain;
  plain.tables_ = std::move(tables);
  for (auto& table : plain.tables_)
    if (const auto done = plain.rewrite(table, names, scratch, job); !done)
      return fail(done.error());
  return plain;
}

Result<void> PlainTables::rewrite(TableFile& table, std::span<const std::string> names,
                                  const std::filesystem::path& scratch, const Job& job) {
  const bool arrays = is_other_format(table.path);
  std::optional<TextLayout> layout;
  if (!arrays && is_utf16(table.path)) {
    const auto text = place_for(table, ".utf8", scratch);
    if (!text) return fail(text.error());
    if (const auto done = write_as_utf8(table.path, table.name, *text, job); !done) return done;
    table.path = *text;
  }
  if (!arrays) {
    auto found = unusual_layout(table.path, table.name);
    if (!found) return fail(found.error());
    layout = std::move(*found);
  }
  if (!layout && !arrays && !names.empty())
    return fail(ErrorCode::kInvalidInput,
                "{}: has names of its own; leave out the map's 'names' (--columns)", table.name);
  if (!arrays && !layout) return {};
  const auto csv = place_for(table, ".csv", scratch);
  if (!csv) return fail(csv.error());
  job.progress("reading " + table.name, 0, 0);
  if (arrays) {
    if (const auto done = write_arrays(table, names, *csv, job); !done) return done;
  } else {
    const auto columns = names_of(*layout, names, table.name);
    if (!columns) return fail(columns.error());
    if (const auto done = write_plain(table.path, table.name, *layout, *columns, *csv, job); !done)
      return done;
    table.header_line = layout->first_row - 1;
    if (layout->listed.empty())
      for (std::size_t c = 0; c < layout->clocks.size(); ++c)
        if (!layout->clocks[c].empty()) clocks_[(*columns)[c]] = layout->clocks[c];
  }
  table.path = *csv;
  table.delimiter = ',';
  return {};
}

Result<std::filesystem::path> PlainTables::place_for(const TableFile& table, const char* ending,
                                                     const std::filesystem::path& scratch) {
  if (folder_.empty()) {
    auto folder = (scratch / "tactelier-tables-XXXXXX").string();
    if (!mkdtemp(folder.data()))
      return fail(ErrorCode::kIo, "'{}': cannot make a folder in it", scratch.string());
    folder_ = folder;
  }
  return folder_ / (table.path.filename().string() + ending);
}

Result<void> PlainTables::write_arrays(TableFile& table, std::span<const std::string> names,
                                       const std::filesystem::path& csv, const Job& job) {
  auto arrays = read_array_file(table.path, table.name);
  if (!arrays) return fail(arrays.error());
  if (const auto named = name_columns(*arrays, names, table.name); !named)
    return fail(named.error());
  const auto left_out = write_as_table(*arrays, table.name, csv, job);
  if (!left_out) return fail(left_out.error());
  if (!left_out->empty())
    warnings_.push_back({"arrays-left-out",
                         fmt::format("not part of the table: {}", fmt::join(*left_out, "; ")),
                         table.name});
  return {};
}

PlainTables::PlainTables(PlainTables&& other) noexcept
    : tables_(std::move(other.tables_)),
      warnings_(std::move(other.warnings_)),
      clocks_(std::move(other.clocks_)),
      folder_(std::exchange(other.folder_, {})) {}

PlainTables::~PlainTables() {
  std::error_code ignored;
  if (!folder_.empty()) std::filesystem::remove_all(folder_, ignored);
}

}  // namespace tactelier
