#pragma once
// Small text files, read and written whole.

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

#include "libcalib/result.hpp"

namespace tactelier {

/// Fails with kIo, or with kInvalidInput when the file is larger than `most_bytes`.
Result<std::string> read_text_file(const std::filesystem::path& file, std::size_t most_bytes);

/// Writes beside `file` and renames, so that nothing half-written carries the name.
Result<void> write_text_file(const std::filesystem::path& file, std::string_view text);

}  // namespace tactelier
