#pragma once
// Runs the tactelier program as a user would, and helps to write its input files.

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace tactelier::test {

struct CliResult {
  int status = -1;  // exit status; 128 + signal when it crashed
  std::string out;
  std::string err;
};

/// Runs `tactelier ARGUMENTS...` with `folder` as the working directory.
CliResult run_cli(const std::filesystem::path& folder, const std::vector<std::string>& arguments);

/// A folder of this test's own, removed at the end.
class TestFolder {
 public:
  TestFolder();
  TestFolder(const TestFolder&) = delete;
  TestFolder& operator=(const TestFolder&) = delete;
  ~TestFolder();

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path operator/(std::string_view name) const { return path_ / name; }
  /// Writes a file, making its folder.
  void write(std::string_view name, std::string_view text) const;
  std::string read(std::string_view name) const;
  /// Names of all files below, sorted, relative.
  std::vector<std::string> files() const;

 private:
  std::filesystem::path path_;
};

}  // namespace tactelier::test
