#include "libcalib/text_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <system_error>

namespace tactelier {
namespace {

tl::unexpected<Error> system_failure(std::string_view what, const std::filesystem::path& file,
                                     int number) {
  return fail(ErrorCode::kIo, "{}: cannot {}: {}", file.string(), what,
              std::generic_category().message(number));
}

/// A descriptor that closes itself.
class OpenFile {
 public:
  explicit OpenFile(int descriptor) : descriptor_(descriptor) {}
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  ~OpenFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  int get() const { return descriptor_; }

 private:
  int descriptor_;
};

/// Writes and syncs; 0 or the system's error number.
int write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const auto written = ::write(descriptor, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return ::fsync(descriptor) == 0 ? 0 : errno;
}

}  // namespace

Result<std::string> read_text_file(const std::filesystem::path& file, std::size_t most_bytes) {
  std::error_code code;
  if (std::filesystem::is_directory(file, code))
    return fail(ErrorCode::kIo, "{}: is a folder, a file is needed", file.string());
  errno = 0;
  std::ifstream stream(file, std::ios::binary);
  if (!stream) return system_failure("open it", file, errno != 0 ? errno : EIO);
  std::string text;
  std::string piece(1U << 16U, '\0');
  while (stream.read(piece.data(), static_cast<std::streamsize>(piece.size())) ||
         stream.gcount() > 0) {
    text.append(piece, 0, static_cast<std::size_t>(stream.gcount()));
    if (text.size() > most_bytes)
      return fail(ErrorCode::kInvalidInput, "{}: is larger than {} bytes; that is no such file",
                  file.string(), most_bytes);
  }
  if (stream.bad()) return system_failure("read it", file, EIO);
  return text;
}

Result<void> write_text_file(const std::filesystem::path& file, std::string_view text) {
  auto beside = file;
  beside += fmt::format(".{}.part", ::getpid());
  int error = 0;
  {
    const OpenFile target(::open(beside.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
    if (target.get() < 0) return system_failure("write it", file, errno);
    error = write_all(target.get(), text);
  }
  std::error_code code;
  if (error == 0) {
    std::filesystem::rename(beside, file, code);
    if (!code) return {};
    error = code.value();
  }
  std::filesystem::remove(beside, code);
  return system_failure("write it", file, error);
}

}  // namespace tactelier
