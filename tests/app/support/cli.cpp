#include "tests/app/support/cli.hpp"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <iterator>

#include "tests/paths/paths.hpp"

namespace tactelier::test {

namespace fs = std::filesystem;

namespace {

std::string slurp(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

[[noreturn]] void become_cli(const fs::path& folder, const fs::path& out, const fs::path& err,
                             const std::vector<std::string>& arguments) {
  std::vector<char*> argv{const_cast<char*>("tactelier")};
  for (const auto& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  const int out_fd = ::open(out.c_str(), O_CREAT | O_WRONLY | O_TRUNC, 0600);
  const int err_fd = ::open(err.c_str(), O_CREAT | O_WRONLY | O_TRUNC, 0600);
  if (out_fd < 0 || err_fd < 0 || ::dup2(out_fd, 1) < 0 || ::dup2(err_fd, 2) < 0 ||
      ::chdir(folder.c_str()) != 0)
    ::_exit(126);
  ::execv(paths::cli().c_str(), argv.data());
  ::_exit(127);
}

}  // namespace

CliResult run_cli(const fs::path& folder, const std::vector<std::string>& arguments) {
  const TestFolder capture;
  const auto out = capture / "out";
  const auto err = capture / "err";
  const pid_t child = ::fork();
  if (child == 0) become_cli(folder, out, err, arguments);
  int status = 0;
  ::waitpid(child, &status, 0);
  CliResult result;
  result.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  result.out = slurp(out);
  result.err = slurp(err);
  return result;
}

TestFolder::TestFolder() {
  std::string pattern = (fs::temp_directory_path() / "tactelier-test-XXXXXX").string();
  if (::mkdtemp(pattern.data()) == nullptr) ::abort();
  path_ = pattern;
}

TestFolder::~TestFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

void TestFolder::write(std::string_view name, std::string_view text) const {
  const auto file = path_ / name;
  fs::create_directories(file.parent_path());
  std::ofstream(file, std::ios::binary) << text;
}

std::string TestFolder::read(std::string_view name) const { return slurp(path_ / name); }

std::vector<std::string> TestFolder::files() const {
  std::vector<std::string> names;
  for (const auto& entry : fs::recursive_directory_iterator(path_))
    if (entry.is_regular_file()) names.push_back(fs::relative(entry.path(), path_).string());
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace tactelier::test
