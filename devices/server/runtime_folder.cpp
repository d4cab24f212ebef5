#include "devices/server/runtime_folder.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

#include "devices/link/descriptor.hpp"

namespace tactelier::rig {
namespace {

constexpr mode_t kOthersWrite = S_IWGRP | S_IWOTH;
constexpr mode_t kOthers = S_IRWXG | S_IRWXO;

tl::unexpected<Error> refused(const std::filesystem::path& folder, const std::string& why) {
  return fail(ErrorCode::kIo,
              "{}: {}: others could play the rig there. Remove it, or set XDG_RUNTIME_DIR to a "
              "folder that is yours alone (mode 0700)",
              folder.string(), why);
}

Result<void> judge(const std::filesystem::path& folder, const struct stat& found) {
  if (S_ISLNK(found.st_mode)) return refused(folder, "is a link");
  if (!S_ISDIR(found.st_mode)) return refused(folder, "is no folder");
  if (found.st_uid != ::getuid())
    return refused(folder, fmt::format("belongs to user {}", found.st_uid));
  if ((found.st_mode & kOthersWrite) != 0)
    return refused(folder, fmt::format("others may write to it (mode {:04o})",
                                       static_cast<unsigned>(found.st_mode) & 07777U));
  return {};
}

}  // namespace

std::filesystem::path runtime_folder() {
  const char* runtime = std::getenv("XDG_RUNTIME_DIR");
  if (runtime != nullptr && *runtime != '\0') return runtime;
  return fmt::format("/tmp/tactelier-{}", ::getuid());
}

Result<void> check_private(const std::filesystem::path& folder) {
  struct stat found {};
  if (::lstat(folder.c_str(), &found) != 0) {
    if (errno == ENOENT) return {};
    return fail(ErrorCode::kIo, "{}: {}", folder.string(), devices::system_message(errno));
  }
  return judge(folder, found);
}

Result<void> make_private(const std::filesystem::path& folder) {
  if (::mkdir(folder.c_str(), S_IRWXU) != 0 && errno != EEXIST)
    return fail(ErrorCode::kIo, "{}: {}", folder.string(), devices::system_message(errno));
  if (auto good = check_private(folder); !good) return good;
  struct stat found {};
  if (::lstat(folder.c_str(), &found) == 0 && (found.st_mode & kOthers) != 0)
    (void)::chmod(folder.c_str(), found.st_mode & S_IRWXU);
  return {};
}

}  // namespace tactelier::rig
