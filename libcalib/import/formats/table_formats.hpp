#pragma once
// Formats beside text that a table may come in. One format is one file of this folder and one line
// in table_formats.cpp; the rest of the import knows plain tables only.

#include <filesystem>
#include <string>

#include "libcalib/import/formats/array_file.hpp"

namespace tactelier {

/// By its ending: ".npy", ".mat" ...
bool is_other_format(const std::filesystem::path& file);

/// Of a file with one of these endings. `name` stands in messages. Fails with kInvalidInput on a
/// damaged file, kIo.
Result<ArrayFile> read_array_file(const std::filesystem::path& file, const std::string& name);

}  // namespace tactelier
