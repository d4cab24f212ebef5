// HDF5 by its own library.

#include <fmt/format.h>
#include <hdf5.h>

#include <array>
#include <numeric>

#include "libcalib/import/formats/format_readers.hpp"
#include "libcalib/import/formats/hdf5_handle.hpp"

namespace tactelier {
namespace {

constexpr std::size_t kMaxNumbers = std::size_t{1} << 30;  // of one array: 8 GiB

bool is_number(hid_t type) {
  const auto kind = H5Tget_class(type);
  return kind == H5T_INTEGER || kind == H5T_FLOAT;
}

bool is_single(hid_t type) { return H5Tget_class(type) == H5T_FLOAT && H5Tget_size(type) == 4; }

/// First axis, and all others together.
std::array<std::size_t, 2> shape_of(hid_t space) {
  const auto rank = H5Sget_simple_extent_ndims(space);
  if (rank <= 0) return {1, 1};
  std::vector<hsize_t> sizes(static_cast<std::size_t>(rank));
  H5Sget_simple_extent_dims(space, sizes.data(), nullptr);
  return {static_cast<std::size_t>(sizes[0]),
          static_cast<std::size_t>(
              std::accumulate(sizes.begin() + 1, sizes.end(), hsize_t{1}, std::multiplies<>()))};
}

/// A dataset of numbers, or one member of its records, which `memory` picks out by name.
bool take_numbers(hid_t set, hid_t memory, hid_t number, const std::string& name, ArrayFile& file) {
  const Hdf5Handle space(H5Dget_space(set), H5Sclose);
  NamedArray array;
  array.name = name;
  const auto shape = shape_of(space.get());
  array.rows = shape[0];
  array.width = shape[1];
  array.single = is_single(number);
  // A file may promise any number of rows without holding them.
  std::size_t numbers = 0;
  if (__builtin_mul_overflow(array.rows, array.width, &numbers) || numbers > kMaxNumbers)
    return false;
  array.values.resize(numbers);
  if (H5Dread(set, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, array.values.data()) < 0) return false;
  file.arrays.push_back(std::move(array));
  return true;
}

/// Rows that are records: each member of numbers is a column.
void take_records(hid_t set, hid_t type, const std::string& path, ArrayFile& file) {
  const auto members = H5Tget_nmembers(type);
  for (unsigned k = 0; k < static_cast<unsigned>(std::max(0, members)); ++k) {
    const Hdf5Handle member(H5Tget_member_type(type, k), H5Tclose);
    char* const text = H5Tget_member_name(type, k);
    const std::string name = text ? text : "";
    H5free_memory(text);
    if (!is_number(member.get())) {
      file.unread.push_back(fmt::format("{}.{}: no numbers", path, name));
      continue;
    }
    const Hdf5Handle memory(H5Tcreate(H5T_COMPOUND, sizeof(double)), H5Tclose);
    H5Tinsert(memory.get(), name.c_str(), 0, H5T_NATIVE_DOUBLE);
    if (!take_numbers(set, memory.get(), member.get(), name, file))
      file.unread.push_back(fmt::format("{}.{}: cannot be read", path, name));
  }
}

herr_t visit(hid_t group, const char* name, const H5O_info_t* info, void* target) {
  if (info->type != H5O_TYPE_DATASET) return 0;
  auto& file = *static_cast<ArrayFile*>(target);
  const Hdf5Handle set(H5Dopen2(group, name, H5P_DEFAULT), H5Dclose);
  if (!set) return 0;
  const Hdf5Handle type(H5Dget_type(set.get()), H5Tclose);
  if (H5Tget_class(type.get()) == H5T_COMPOUND)
    take_records(set.get(), type.get(), name, file);
  else if (!is_number(type.get()))
    file.unread.push_back(fmt::format("{}: no numbers", name));
  else if (!take_numbers(set.get(), H5T_NATIVE_DOUBLE, type.get(), name, file))
    file.unread.push_back(fmt::format("{}: cannot be read", name));
  return 0;
}

}  // namespace

Result<ArrayFile> read_hdf5(const std::filesystem::path& path, const std::string& name) {
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);  // its own messages go to nobody
  const Hdf5Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
  if (!file)
    return fail(ErrorCode::kInvalidInput, "{}: cannot be opened as an HDF5 file: is it whole?",
                name);
  ArrayFile found;
  H5Ovisit2(file.get(), H5_INDEX_NAME, H5_ITER_NATIVE, visit, &found, H5O_INFO_BASIC);
  return found;
}

}  // namespace tactelier
