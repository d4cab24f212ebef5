#pragma once
// Tables that a spreadsheet saved as "Unicode text", and logs of Windows' shell: UTF-16.

#include <filesystem>
#include <string>

#include "libcalib/job.hpp"
#include "libcalib/result.hpp"

namespace tactelier {

/// By its mark, or by every other one of its first bytes being NUL.
bool is_utf16(const std::filesystem::path& file);

/// The text of `file` as UTF-8. `name` stands in messages. Fails with kInvalidInput on what is no
/// UTF-16 after all, kIo, kCancelled.
Result<void> write_as_utf8(const std::filesystem::path& file, const std::string& name,
                           const std::filesystem::path& target, const Job& job);

}  // namespace tactelier
