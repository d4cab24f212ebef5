#include "libcalib/partial_file.hpp"

#include <system_error>
#include <utility>

namespace tactelier {

PartialPath::PartialPath(const std::filesystem::path& target)
    : target_(target), partial_(target.string() + ".partial"), armed_(true) {}

PartialPath::PartialPath(PartialPath&& other) noexcept
    : target_(std::move(other.target_)),
      partial_(std::move(other.partial_)),
      armed_(std::exchange(other.armed_, false)) {}

PartialPath::~PartialPath() {
  if (armed_) remove();
}

void PartialPath::remove() const {
  std::error_code ignored;
  std::filesystem::remove_all(partial_, ignored);
  for (const char* side : {"-wal", "-shm", "-journal"})  // SQLite's
    std::filesystem::remove(partial_.string() + side, ignored);
}

Result<PartialPath> PartialPath::begin(const std::filesystem::path& target, bool overwrite) {
  std::error_code error;
  const auto status = std::filesystem::symlink_status(target, error);
  if (!target.has_filename() && target.has_relative_path())  // "out/"
    return begin(target.parent_path(), overwrite);
  if (!target.has_filename())
    return fail(ErrorCode::kUsage, "'{}' is no name for a file", target.string());
  if (std::filesystem::is_directory(status) && overwrite)
    return fail(ErrorCode::kUsage, "'{}' is a folder; it is not overwritten", target.string());
  if (std::filesystem::exists(status) && !overwrite)
    return fail(ErrorCode::kUsage, "'{}' is there already; remove it or choose another name",
                target.string());
  PartialPath partial(target);
  partial.remove();
  return partial;
}

std::filesystem::path PartialPath::folder() const {
  return partial_.has_parent_path() ? partial_.parent_path() : ".";
}

Result<void> PartialPath::keep() {
  std::error_code error;
  for (const char* side : {"-wal", "-shm", "-journal"})  // of the file that is replaced
    std::filesystem::remove(target_.string() + side, error);
  std::filesystem::rename(partial_, target_, error);
  if (error)
    return fail(ErrorCode::kIo, "cannot rename '{}' to '{}': {}", partial_.string(),
                target_.string(), error.message());
  armed_ = false;
  return {};
}

}  // namespace tactelier
