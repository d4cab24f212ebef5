#include "app/workflow/batch/worker.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include "libcalib/text_file.hpp"

namespace tactelier {
namespace {

constexpr int kNoProgram = 127;
constexpr std::size_t kMaxLog = 1U << 20U;
constexpr std::size_t kMaxWords = 400;

tl::unexpected<Error> not_started(const std::string& program) {
  return fail(ErrorCode::kIo, "{}: can't be started: {}", program,
              std::generic_category().message(errno));
}

/// Between fork and exec nothing but system calls: another thread may hold any lock.
[[noreturn]] void become_worker(pid_t parent, char* const* arguments, int log) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(kNoProgram);  // it died in between
  const int nowhere = ::open("/dev/null", O_RDWR);
  ::dup2(nowhere, STDIN_FILENO);
  ::dup2(nowhere, STDOUT_FILENO);
  ::dup2(log, STDERR_FILENO);
  ::execv(arguments[0], arguments);
  ::_exit(kNoProgram);
}

}  // namespace

Result<Worker> Worker::start(const std::vector<std::string>& command,
                             const std::filesystem::path& log) {
  std::vector<char*> arguments;
  for (const auto& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  const int errors = ::open(log.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (errors < 0) return not_started(log.string());
  const pid_t parent = ::getpid();
  const pid_t child = ::fork();
  if (child == 0) become_worker(parent, arguments.data(), errors);
  ::close(errors);
  if (child < 0) return not_started(command[0]);
  const auto descriptor = static_cast<int>(::syscall(SYS_pidfd_open, child, 0));
  Worker worker(child, descriptor);
  if (descriptor < 0) return not_started(command[0]);
  return worker;
}

Worker::Worker(Worker&& other) noexcept
    : id_(std::exchange(other.id_, -1)), descriptor_(std::exchange(other.descriptor_, -1)) {}

Worker& Worker::operator=(Worker&& other) noexcept {
  std::swap(id_, other.id_);
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

Worker::~Worker() {
  if (descriptor_ >= 0) ::close(descriptor_);
  if (id_ < 0) return;
  ::kill(id_, SIGKILL);
  ::waitpid(id_, nullptr, 0);
}

std::optional<int> Worker::ended() {
  int status = 0;
  if (::waitpid(id_, &status, WNOHANG) != id_) return std::nullopt;
  id_ = -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

void Worker::interrupt() const {
  if (id_ >= 0) ::kill(id_, SIGTERM);
}

std::string last_words(const std::filesystem::path& log) {
  auto text = read_text_file(log, kMaxLog).value_or("");
  while (!text.empty() && text.back() == '\n') text.pop_back();
  const auto line = text.substr(text.rfind('\n') + 1);
  return line.empty() ? "it said nothing" : line.substr(0, kMaxWords);
}

}  // namespace tactelier
