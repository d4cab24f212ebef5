#pragma once
// Our own command line program, for those who start it as a process of its own.

#include <filesystem>

namespace tactelier {

/// Beside whichever of our programs runs, or one folder up, where they were built; else the program
/// that runs.
std::filesystem::path command_line_program();

}  // namespace tactelier
