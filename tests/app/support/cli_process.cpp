#include "tests/app/support/cli_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>

#include "devices/link/link.hpp"
#include "tests/paths/paths.hpp"

namespace tactelier::test {
namespace {

constexpr int kMaxWait_ms = 60'000;

[[noreturn]] void become(const std::filesystem::path& folder, int out,
                         const std::vector<std::string>& arguments,
                         const std::filesystem::path& errors) {
  std::vector<char*> argv{const_cast<char*>("tactelier")};
  for (const auto& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  const int err = ::open(errors.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (err < 0 || ::dup2(out, 1) < 0 || ::dup2(err, 2) < 0 || ::chdir(folder.c_str()) != 0)
    ::_exit(126);
  ::execv(paths::cli().c_str(), argv.data());
  ::_exit(127);
}

int exit_status(int status) {
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace

CliProcess::CliProcess(const std::filesystem::path& folder,
                       const std::vector<std::string>& arguments,
                       const std::filesystem::path& errors) {
  std::array<int, 2> pipe{};
  if (::pipe2(pipe.data(), O_CLOEXEC) != 0) ::abort();
  child_ = ::fork();
  if (child_ == 0) become(folder, pipe[1], arguments, errors);
  ::close(pipe[1]);
  out_ = pipe[0];
}

CliProcess::~CliProcess() {
  if (child_ > 0) interrupt();
  ::close(out_);
}

std::string CliProcess::read_line() {
  std::array<char, 65536> piece{};
  pollfd waiting{out_, POLLIN, 0};
  while (rest_.find('\n') == std::string::npos && ::poll(&waiting, 1, kMaxWait_ms) > 0) {
    const auto got = ::read(out_, piece.data(), piece.size());
    if (got <= 0) break;
    rest_.append(piece.data(), static_cast<std::size_t>(got));
  }
  const auto end = rest_.find('\n');
  const auto line = rest_.substr(0, end);
  rest_.erase(0, end == std::string::npos ? end : end + 1);
  return line;
}

int CliProcess::end_by(int signal) {
  ::kill(child_, signal);
  int status = 0;
  ::waitpid(child_, &status, 0);
  child_ = -1;
  return exit_status(status);
}

std::optional<int> CliProcess::ended() {
  int status = 0;
  if (child_ > 0 && ::waitpid(child_, &status, WNOHANG) == child_) {
    child_ = -1;
    ended_ = exit_status(status);
  }
  return ended_;
}

std::string ask_over_tcp(const std::string& url, const std::string& line) {
  const auto link = devices::open_link(url);
  if (!link) return link.error().message;
  if (const auto sent = (*link)->send(devices::view_of(line + "\n"), devices::Timeout(5000)); !sent)
    return sent.error().message;
  std::string answer;
  devices::Bytes bytes(4096);
  while (answer.find('\n') == std::string::npos) {
    const auto got = (*link)->receive(bytes, devices::Timeout(10'000));
    if (!got) return got.error().message;
    answer.append(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(got->size));
  }
  return answer.substr(0, answer.find('\n'));
}

}  // namespace tactelier::test
