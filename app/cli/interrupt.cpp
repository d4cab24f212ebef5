#include "app/cli/interrupt.hpp"

#include <signal.h>
#include <unistd.h>

#include <thread>

#include "app/workflow/exit_status.hpp"

namespace tactelier::cli {

std::stop_token stop_on_interrupt() {
  // Lives as long as the program: the waiting thread is never joined.
  static std::stop_source source;
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  std::thread([signals] {
    int received = 0;
    sigwait(&signals, &received);
    source.request_stop();
    sigwait(&signals, &received);
    _exit(kExitInterrupted);
  }).detach();
  return source.get_token();
}

}  // namespace tactelier::cli
