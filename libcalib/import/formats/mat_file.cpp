// MATLAB's .mat by libmatio.

#include <fmt/format.h>
#include <matio.h>

#include <cstdint>
#include <memory>

#include "libcalib/import/formats/format_readers.hpp"

namespace tactelier {
namespace {

struct CloseMat {
  void operator()(mat_t* file) const { Mat_Close(file); }
};
struct FreeVariable {
  void operator()(matvar_t* variable) const { Mat_VarFree(variable); }
};

template <class T>
void copy(const matvar_t& variable, NamedArray& array) {
  // MATLAB's first index is the fastest.
  const auto* const data = static_cast<const T*>(variable.data);
  for (std::size_t row = 0; row < array.rows; ++row)
    for (std::size_t column = 0; column < array.width; ++column)
      array.values.push_back(static_cast<double>(data[column * array.rows + row]));
}

/// False for what is no real matrix.
bool take_numbers(const matvar_t& variable, NamedArray& array) {
  if (variable.rank != 2 || variable.isComplex || !variable.data) return false;
  array.rows = variable.dims[0];
  array.width = variable.dims[1];
  switch (variable.class_type) {
    case MAT_C_DOUBLE:
      copy<double>(variable, array);
      return true;
    case MAT_C_SINGLE:
      array.single = true;
      copy<float>(variable, array);
      return true;
    case MAT_C_INT8:
      copy<std::int8_t>(variable, array);
      return true;
    case MAT_C_UINT8:
      copy<std::uint8_t>(variable, array);
      return true;
    case MAT_C_INT16:
      copy<std::int16_t>(variable, array);
      return true;
    case MAT_C_UINT16:
      copy<std::uint16_t>(variable, array);
      return true;
    case MAT_C_INT32:
      copy<std::int32_t>(variable, array);
      return true;
    case MAT_C_UINT32:
      copy<std::uint32_t>(variable, array);
      return true;
    case MAT_C_INT64:
      copy<std::int64_t>(variable, array);
      return true;
    case MAT_C_UINT64:
      copy<std::uint64_t>(variable, array);
      return true;
    default:
      return false;
  }
}

std::string kind_of(const matvar_t& variable) {
  if (variable.class_type == MAT_C_CELL) return "a cell array";
  if (variable.class_type == MAT_C_CHAR) return "text";
  if (variable.class_type == MAT_C_OPAQUE || variable.class_type == MAT_C_OBJECT)
    return "an object (a table? save table2array of it, or use writetable)";
  if (variable.class_type == MAT_C_STRUCT) return "an array of structs";
  if (variable.rank > 2) return fmt::format("{} dimensions", variable.rank);
  return variable.isComplex ? "complex" : "no numbers";
}

void take(matvar_t& variable, const std::string& path, ArrayFile& file) {
  const bool one_struct = variable.class_type == MAT_C_STRUCT && variable.rank == 2 &&
                          variable.dims[0] * variable.dims[1] == 1;
  if (one_struct) {
    const auto fields = Mat_VarGetNumberOfFields(&variable);
    char* const* const names = Mat_VarGetStructFieldnames(&variable);
    for (unsigned k = 0; k < fields; ++k)
      if (auto* const field = Mat_VarGetStructFieldByIndex(&variable, k, 0))
        take(*field, fmt::format("{}.{}", path, names[k]), file);
    return;
  }
  NamedArray array;
  array.name = path;
  if (take_numbers(variable, array))
    file.arrays.push_back(std::move(array));
  else
    file.unread.push_back(fmt::format("{}: {}", path, kind_of(variable)));
}

}  // namespace

Result<ArrayFile> read_mat(const std::filesystem::path& file, const std::string& name) {
  const std::unique_ptr<mat_t, CloseMat> mat(Mat_Open(file.c_str(), MAT_ACC_RDONLY));
  if (!mat)
    return fail(ErrorCode::kInvalidInput, "{}: cannot be opened as a MATLAB file: is it one?",
                name);
  ArrayFile found;
  bool objects = false;
  while (const std::unique_ptr<matvar_t, FreeVariable> variable{Mat_VarReadNext(mat.get())})
    if (variable->name && *variable->name)
      take(*variable, variable->name, found);
    else  // what objects are made of is kept apart, in a way that only MATLAB reads
      objects = true;
  if (objects)
    found.unread.emplace_back("objects (tables?), which only MATLAB reads: use writetable");
  return found;
}

}  // namespace tactelier
