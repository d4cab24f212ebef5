#include "app/workflow/batch/find_sessions.hpp"

#include <glob.h>

#include <algorithm>
#include <sstream>
#include <system_error>

#include "libcalib/text_file.hpp"

namespace tactelier {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxTable = 64U << 20U;

bool is_session_folder(const fs::path& path) {
  std::error_code unknown;
  return fs::is_regular_file(path / "session.json", unknown);
}

/// What has been found so far; a hidden folder and the results of a batch hold no sessions.
Result<std::vector<FoundSession>> below(const fs::path& folder) {
  std::vector<FoundSession> found;
  std::error_code error;
  fs::recursive_directory_iterator entry(folder, fs::directory_options::follow_directory_symlink,
                                         error);
  for (; !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
    const auto& path = entry->path();
    if (entry->is_directory(error)) {
      const bool session = is_session_folder(path);
      if (session) found.push_back({path, {}});
      if (session || path.filename().string().starts_with('.') || path.extension() == ".results")
        entry.disable_recursion_pending();
    } else if (path.extension() == ".tact") {
      found.push_back({path, {}});
    }
  }
  if (error) return fail(ErrorCode::kIo, "'{}': {}", folder.string(), error.message());
  return found;
}

std::vector<FoundSession> matching(const std::string& pattern) {
  std::vector<FoundSession> found;
  glob_t matches{};
  if (::glob(pattern.c_str(), GLOB_TILDE, nullptr, &matches) == 0)
    for (std::size_t i = 0; i < matches.gl_pathc; ++i)
      found.push_back({fs::path(matches.gl_pathv[i]), {}});
  ::globfree(&matches);
  return found;
}

std::vector<std::string> cells_of_line(std::string line) {
  if (!line.empty() && line.back() == '\r') line.pop_back();
  std::vector<std::string> cells;
  std::istringstream row(line);
  for (std::string cell; std::getline(row, cell, ',');) {
    const auto begin = cell.find_first_not_of(" \t");
    cells.push_back(begin == cell.npos
                        ? std::string()
                        : cell.substr(begin, cell.find_last_not_of(" \t") - begin + 1));
  }
  return cells;
}

Result<std::vector<FoundSession>> listed_in(const fs::path& table) {
  const auto text = read_text_file(table, kMaxTable);
  if (!text) return fail(text.error());
  std::istringstream lines(*text);
  std::string line;
  std::getline(lines, line);
  const auto header = cells_of_line(line);
  const auto session = std::ranges::find(header, "session") - header.begin();
  const auto sensor = std::ranges::find(header, "sensor") - header.begin();
  const auto width = static_cast<std::ptrdiff_t>(header.size());
  if (session == width)
    return fail(ErrorCode::kInvalidInput,
                "{}:1: no column 'session'; the first line names the columns: session,sensor",
                table.string());
  std::vector<FoundSession> found;
  for (int number = 2; std::getline(lines, line); ++number) {
    auto cells = cells_of_line(line);
    if (cells.empty()) continue;
    cells.resize(header.size());
    const auto& name = cells[static_cast<std::size_t>(session)];
    if (name.empty())
      return fail(ErrorCode::kInvalidInput, "{}:{}: names no session", table.string(), number);
    found.push_back({table.parent_path() / name,
                     sensor == width ? "" : cells[static_cast<std::size_t>(sensor)]});
  }
  return found;
}

Result<std::vector<FoundSession>> look(const std::string& source) {
  std::error_code unknown;
  const fs::path path(source);
  if (fs::is_directory(path, unknown) && !is_session_folder(path)) return below(path);
  if (fs::is_regular_file(path, unknown) && path.extension() == ".csv") return listed_in(path);
  if (fs::exists(path, unknown)) return std::vector<FoundSession>{{path, {}}};
  return matching(source);
}

}  // namespace

Result<std::vector<FoundSession>> find_sessions(const std::string& source) {
  auto found = look(source);
  if (!found) return fail(found.error());
  if (found->empty())
    return fail(ErrorCode::kIo,
                "'{}': no session there; give a folder, a pattern, a .csv with a column 'session', "
                "or a .tact file",
                source);
  std::ranges::sort(*found, {}, &FoundSession::path);
  return found;
}

}  // namespace tactelier
