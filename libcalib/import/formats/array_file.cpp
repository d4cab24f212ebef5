#include "libcalib/import/formats/array_file.hpp"

#include <fmt/format.h>

#include <cmath>
#include <fstream>
#include <map>
#include <set>

namespace tactelier {
namespace {

/// One column of the table to be: a slice of an array.
struct Slice {
  const NamedArray* array;
  std::size_t first, step;
};

bool is_square(const NamedArray& array) { return array.rows == array.width; }

/// The number of rows under which most of the numbers fit; the larger one of two.
std::size_t rows_of_most(const std::vector<NamedArray>& arrays) {
  std::map<std::size_t, std::size_t> numbers;
  for (const auto& array : arrays) {
    numbers[array.rows] += array.values.size();
    if (!is_square(array) && array.columns.empty()) numbers[array.width] += array.values.size();
  }
  std::size_t best = 0, most = 0;
  for (const auto& [rows, count] : numbers)
    if (rows > 1 && count >= most) {
      best = rows;
      most = count;
    }
  return best;
}

std::string column_name(const NamedArray& array, std::size_t column, std::size_t columns) {
  if (column < array.columns.size()) return array.columns[column];
  return columns == 1 ? array.name : fmt::format("{}_{}", array.name, column);
}

/// "press.force" and "rig/force" are "force", unless two were called so. Columns that have a name
/// of their own keep it.
void shorten(std::vector<std::string>& names, const std::vector<Slice>& slices) {
  std::set<std::string> different;
  auto shorter = names;
  for (std::size_t i = 0; i < shorter.size(); ++i) {
    if (slices[i].array->columns.empty()) shorter[i].erase(0, shorter[i].find_last_of("./") + 1);
    different.insert(shorter[i]);
  }
  if (different.size() == names.size() && !different.contains("")) names = std::move(shorter);
}

struct Columns {
  std::vector<std::string> names;
  std::vector<Slice> slices;
  std::vector<std::string> left_out;
};

Columns columns_with(const ArrayFile& file, std::size_t rows) {
  Columns table;
  table.left_out = file.unread;
  for (const auto& array : file.arrays) {
    const bool turned = array.columns.empty() && array.rows != rows && array.width == rows;
    if (!turned && array.rows != rows) {
      if (array.values.size() > 1)
        table.left_out.push_back(
            fmt::format("{}: {} x {} numbers", array.name, array.rows, array.width));
      continue;
    }
    const std::size_t columns = turned ? array.rows : array.width;
    for (std::size_t k = 0; k < columns; ++k) {
      table.names.push_back(column_name(array, k, columns));
      table.slices.push_back(turned ? Slice{&array, k * rows, 1} : Slice{&array, k, columns});
    }
  }
  shorten(table.names, table.slices);
  return table;
}

/// In as few digits as give the same number back; an empty cell for none.
void append(fmt::memory_buffer& text, const NamedArray& array, double value) {
  const auto out = std::back_inserter(text);
  if (!std::isfinite(value)) return;
  if (array.single)
    fmt::format_to(out, "{}", static_cast<float>(value));
  else
    fmt::format_to(out, "{}", value);
}

std::string quoted(const std::string& name) {
  if (name.find_first_of(",\"\n") == name.npos) return name;
  std::string text = "\"";
  for (const char c : name) {
    if (c == '"') text += '"';
    text += c;
  }
  return text + '"';
}

}  // namespace

Result<std::vector<std::string>> write_as_table(const ArrayFile& file, const std::string& name,
                                                const std::filesystem::path& csv, const Job& job) {
  const auto rows = rows_of_most(file.arrays);
  if (rows < 2)
    return fail(ErrorCode::kInvalidInput,
                "{}: holds no array of two rows or more{}; save times, forces and readings as "
                "numbers, one row for each sample",
                name,
                file.unread.empty() ? "" : fmt::format(" ({})", fmt::join(file.unread, "; ")));
  const auto table = columns_with(file, rows);
  std::ofstream out(csv, std::ios::binary);
  std::vector<std::string> header;
  for (const auto& column : table.names) header.push_back(quoted(column));
  out << fmt::format("{}\n", fmt::join(header, ","));
  for (std::size_t row = 0; row < rows && out; ++row) {
    if (row % 4096 == 0 && job.stopped()) return Job::cancelled();
    fmt::memory_buffer text;
    for (std::size_t k = 0; k < table.slices.size(); ++k) {
      const auto& slice = table.slices[k];
      if (k > 0) text.push_back(',');
      append(text, *slice.array, slice.array->values[slice.first + row * slice.step]);
    }
    text.push_back('\n');
    out.write(text.data(), static_cast<std::streamsize>(text.size()));
  }
  out.close();
  if (!out) return fail(ErrorCode::kIo, "'{}': cannot write: disk full?", csv.string());
  return table.left_out;
}

}  // namespace tactelier
