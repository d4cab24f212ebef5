#include "libcalib/import/formats/table_formats.hpp"

#include <fmt/format.h>
#include <stdlib.h>  // mkdtemp

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include "libcalib/import/formats/format_readers.hpp"

namespace tactelier {
namespace {

struct TableFormat {
  std::string_view ending;
  Result<ArrayFile> (*read)(const std::filesystem::path& file, const std::string& name);
};

constexpr std::array kFormats{TableFormat{".npy", read_npy},   TableFormat{".npz", read_npz},
                              TableFormat{".mat", read_mat},   TableFormat{".h5", read_hdf5},
                              TableFormat{".hdf5", read_hdf5}, TableFormat{".xlsx", read_xlsx},
                              TableFormat{".ods", read_ods}};

const TableFormat* format_of(const std::filesystem::path& file) {
  auto ending = file.extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  const auto* const found = std::find_if(kFormats.begin(), kFormats.end(),
                                         [&](const auto& f) { return f.ending == ending; });
  return found == kFormats.end() ? nullptr : found;
}

}  // namespace

std::vector<std::string_view> table_format_endings() {
  std::vector<std::string_view> endings;
  for (const auto& format : kFormats) endings.push_back(format.ending);
  return endings;
}

bool is_other_format(const std::filesystem::path& file) { return format_of(file) != nullptr; }

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
  const auto arrays = format_of(table.path)->read(table.path, table.name);
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
