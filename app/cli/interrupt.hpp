#pragma once
// Ctrl-C asks long work to stop; what is done is kept. A second Ctrl-C ends the program at once.

#include <stop_token>

namespace tactelier::cli {

/// Call once, before any other thread starts: from then on SIGINT and SIGTERM reach the token.
std::stop_token stop_on_interrupt();

}  // namespace tactelier::cli
