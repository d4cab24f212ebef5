#include <csignal>
#include <cstdio>
#include <exception>

#include "app/cli/command_line.hpp"
#include "app/cli/interrupt.hpp"
#include "app/workflow/exit_status.hpp"
#include "libcalib/heap.hpp"

int main(int argc, char** argv) {
  tactelier::keep_freed_memory();
  std::signal(SIGXFSZ, SIG_IGN);  // a file that may not grow is an error to be told
  try {
    return tactelier::cli::run_command_line(argc, argv, tactelier::cli::stop_on_interrupt());
  } catch (const std::exception& error) {  // out of memory and the like
    std::fputs("tactelier: ", stderr);
    std::fputs(error.what(), stderr);
    std::fputs("\n", stderr);
    return tactelier::kExitBadInput;
  }
}
