#include "libcalib/session/session_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <string>
#include <string_view>
#include <system_error>

namespace tactelier {
namespace {

tl::unexpected<Error> refused(const std::filesystem::path& file, std::string_view what) {
  return fail(ErrorCode::kIo, "{}: cannot {}: {}", file.string(), what,
              std::generic_category().message(errno));
}

Result<void> sync_path(const std::filesystem::path& path, int flags) {
  const int descriptor = ::open(path.c_str(), flags | O_CLOEXEC);
  if (descriptor < 0) return refused(path, "open it to bring it to the disk");
  const bool synced = ::fsync(descriptor) == 0;
  const int cause = errno;
  ::close(descriptor);
  errno = cause;
  if (!synced && cause != EINVAL && cause != ENOTSUP) return refused(path, "bring it to the disk");
  return {};
}

}  // namespace

Result<FileIdentity> identity(const std::filesystem::path& file) {
  struct stat status {};
  if (::stat(file.c_str(), &status) != 0) return refused(file, "look at it");
  return FileIdentity{status.st_dev, status.st_ino};
}

std::filesystem::path beside(const std::filesystem::path& file, std::string_view suffix) {
  return file.string() + std::string(suffix);
}

Result<void> reserve_new_file(const std::filesystem::path& file) {
  std::error_code ignored;
  for (const std::string_view suffix : std::array{"-wal", "-journal"})
    if (std::filesystem::exists(beside(file, suffix), ignored) &&
        !std::filesystem::exists(file, ignored))
      return fail(ErrorCode::kIo,
                  "{}: '{}' is left from an earlier recording of this name and may hold its last "
                  "samples; move it away or choose another name",
                  file.string(), beside(file, suffix).string());
  const int descriptor = ::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (descriptor < 0 && errno == EEXIST)
    return fail(ErrorCode::kIo, "{}: there is a file of this name already; choose another name",
                file.string());
  if (descriptor < 0) return refused(file, "create it");
  ::close(descriptor);
  return {};
}

Result<void> sync_file(const std::filesystem::path& file) {
  if (auto done = sync_path(file, O_RDONLY); !done) return done;
  return sync_path(std::filesystem::absolute(file).parent_path(), O_RDONLY | O_DIRECTORY);
}

}  // namespace tactelier
