#pragma once
// Exported files as another program finds them: in a folder, read by tools that are not ours.

#include <cstdlib>
#include <fstream>
#include <string>

#include "tests/libcalib/session/temporary_folder.hpp"

namespace tactelier::test {

inline void save_text(const std::filesystem::path& file, const std::string& text) {
  std::ofstream(file, std::ios::binary) << text;
}

/// Exit status of a shell command in the folder.
inline int run_in(const TemporaryFolder& folder, const std::string& command) {
  return std::system(("cd '" + folder.path().string() + "' && " + command).c_str());
}

}  // namespace tactelier::test
