#include "app/workflow/captured_command.hpp"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <system_error>

extern char** environ;

namespace tactelier {
namespace {

/// What a child writes: it has the one end, we have the other.
class CapturePipe {
 public:
  CapturePipe() { open_ = ::pipe2(ends_.data(), O_CLOEXEC) == 0; }
  CapturePipe(const CapturePipe&) = delete;
  CapturePipe& operator=(const CapturePipe&) = delete;
  ~CapturePipe() {
    close_writing();
    if (open_) ::close(ends_[0]);
  }
  bool is_open() const { return open_; }
  int reading() const { return ends_[0]; }
  int writing() const { return ends_[1]; }
  void close_writing() {
    if (open_ && ends_[1] >= 0) ::close(std::exchange(ends_[1], -1));
  }

 private:
  std::array<int, 2> ends_{-1, -1};
  bool open_ = false;
};

Result<pid_t> spawn(const std::vector<std::string>& command, const CapturePipe& out,
                    const CapturePipe& err) {
  std::vector<char*> arguments;
  for (const auto& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&files, out.writing(), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&files, err.writing(), STDERR_FILENO);
  pid_t child = -1;
  const int refused =
      ::posix_spawnp(&child, arguments[0], &files, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&files);
  if (refused != 0)
    return fail(ErrorCode::kIo, "{}: can't be started: {}", command[0],
                std::generic_category().message(refused));
  return child;
}

/// Appends what there is to read; false at the end.
bool drain(int descriptor, std::string& text) {
  std::array<char, 4096> buffer{};
  const auto count = ::read(descriptor, buffer.data(), buffer.size());
  if (count > 0) text.append(buffer.data(), static_cast<std::size_t>(count));
  return count > 0 || (count < 0 && errno == EINTR);
}

/// Both at once: a program that fills the one while the other is read would wait for ever.
void read_both(const CapturePipe& out, const CapturePipe& err, CommandOutput& output) {
  std::array<pollfd, 2> ends{{{out.reading(), POLLIN, 0}, {err.reading(), POLLIN, 0}}};
  while (ends[0].fd >= 0 || ends[1].fd >= 0) {
    ::poll(ends.data(), ends.size(), -1);
    if (ends[0].revents != 0 && !drain(ends[0].fd, output.out)) ends[0].fd = -1;
    if (ends[1].revents != 0 && !drain(ends[1].fd, output.err)) ends[1].fd = -1;
  }
}

}  // namespace

Result<CommandOutput> run_command(const std::vector<std::string>& command) {
  CapturePipe out;
  CapturePipe err;
  if (!out.is_open() || !err.is_open())
    return fail(ErrorCode::kIo, "{}: no pipe to it: {}", command[0],
                std::generic_category().message(errno));
  const auto child = spawn(command, out, err);
  if (!child) return fail(child.error());
  out.close_writing();
  err.close_writing();
  CommandOutput output;
  read_both(out, err, output);
  int status = 0;
  while (::waitpid(*child, &status, 0) < 0 && errno == EINTR) {
  }
  output.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return output;
}

}  // namespace tactelier
