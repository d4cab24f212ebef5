#pragma once
// Another program's word on something: run to its end, what it prints is kept.

#include <string>
#include <vector>

#include "libcalib/result.hpp"

namespace tactelier {

struct CommandOutput {
  int status = 0;  // exit status, 128 + signal when it crashed
  std::string out, err;
};

/// `command[0]` is looked for in PATH. Fails with kIo when it can't be started; its own failure is
/// a status.
Result<CommandOutput> run_command(const std::vector<std::string>& command);

}  // namespace tactelier
