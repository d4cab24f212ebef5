#pragma once
// The readers behind table_formats.cpp. `name` stands in messages.

#include "libcalib/import/formats/array_file.hpp"

namespace tactelier {

/// NumPy's .npy, versions 1 to 3: numbers of 8 to 64 bits, either byte order, structured types.
Result<ArrayFile> read_npy(const std::filesystem::path& file, const std::string& name);
/// NumPy's .npz: a zip of .npy.
Result<ArrayFile> read_npz(const std::filesystem::path& file, const std::string& name);
/// MATLAB's .mat, versions 4, 5 and 7.3: real matrices, and those in structs. Its `table` objects
/// are kept in a way that only MATLAB reads.
Result<ArrayFile> read_mat(const std::filesystem::path& file, const std::string& name);
/// HDF5: datasets of numbers, and those whose rows are records (PyTables, pandas' "table" format).
Result<ArrayFile> read_hdf5(const std::filesystem::path& file, const std::string& name);
/// Excel's .xlsx and OpenDocument's .ods: the first sheet that has a header line and numbers.
Result<ArrayFile> read_xlsx(const std::filesystem::path& file, const std::string& name);
Result<ArrayFile> read_ods(const std::filesystem::path& file, const std::string& name);

/// Bags of ROS: MCAP (messages of ROS 2, ROS 1 or JSON) and rosbag2's SQLite. A row for each time.
Result<ArrayFile> read_mcap(const std::filesystem::path& file, const std::string& name);
Result<ArrayFile> read_rosbag(const std::filesystem::path& file, const std::string& name);

}  // namespace tactelier
