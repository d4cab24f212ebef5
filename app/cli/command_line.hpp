#pragma once
// The grammar of the command line. CLI11 appears in this pair only: it is slow to compile.

#include <stop_token>

namespace tactelier::cli {

/// Parses, runs one command and returns the exit status.
int run_command_line(int argc, char** argv, std::stop_token stop);

}  // namespace tactelier::cli
