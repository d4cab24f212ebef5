#include "libcalib/import/formats/table_formats.hpp"

#include <algorithm>
#include <array>
#include <cctype>

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
                              TableFormat{".ods", read_ods},   TableFormat{".mcap", read_mcap},
                              TableFormat{".db3", read_rosbag}};

const TableFormat* format_of(const std::filesystem::path& file) {
  auto ending = file.extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  const auto* const found = std::find_if(kFormats.begin(), kFormats.end(),
                                         [&](const auto& f) { return f.ending == ending; });
  return found == kFormats.end() ? nullptr : found;
}

}  // namespace

bool is_other_format(const std::filesystem::path& file) { return format_of(file) != nullptr; }

Result<ArrayFile> read_array_file(const std::filesystem::path& file, const std::string& name) {
  const auto* const format = format_of(file);
  if (!format) return fail(ErrorCode::kInvalidInput, "{}: is no file of arrays", name);
  return format->read(file, name);
}

}  // namespace tactelier
