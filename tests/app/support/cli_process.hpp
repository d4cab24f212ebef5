#pragma once
// A tactelier program that goes on running while the test does something with it.

#include <signal.h>
#include <sys/types.h>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace tactelier::test {

class CliProcess {
 public:
  /// Starts `tactelier ARGUMENTS...` in `folder`; its standard error goes to a file, or is dropped.
  CliProcess(const std::filesystem::path& folder, const std::vector<std::string>& arguments,
             const std::filesystem::path& errors = "/dev/null");
  /// Ends it if it still runs.
  ~CliProcess();
  CliProcess(const CliProcess&) = delete;

  /// The next line of its standard output without the end; what there was when it ended or when
  /// nothing came for a minute.
  std::string read_line();
  /// Sends SIGINT and waits; the exit status, 128 + signal when it crashed.
  int interrupt() { return end_by(SIGINT); }
  int end_by(int signal);
  /// Its exit status as of interrupt(), once it has ended by itself.
  std::optional<int> ended();

 private:
  pid_t child_ = -1;
  std::optional<int> ended_;
  int out_ = -1;
  std::string rest_;
};

/// Sends a line to a "tcp:127.0.0.1:PORT" and gives the line that comes back.
std::string ask_over_tcp(const std::string& url, const std::string& line);

}  // namespace tactelier::test
