#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <utility>

#include "libcalib/import/csv_reader.hpp"

namespace tactelier {
namespace {

constexpr std::size_t kBlockBytes = std::size_t{1} << 20U;
constexpr std::size_t kLongestLine = std::size_t{16} << 20U;

}  // namespace

Result<LineBlocks> LineBlocks::open(const std::filesystem::path& file, std::string name,
                                    ImportProgress* progress) {
  LineBlocks blocks;
  blocks.name_ = std::move(name);
  blocks.progress_ = progress;
  blocks.descriptor_ = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (blocks.descriptor_ < 0)
    return fail(ErrorCode::kIo, "{}: cannot open: {}", blocks.name_, std::strerror(errno));
  struct stat status {};
  if (::fstat(blocks.descriptor_, &status) == 0 && S_ISDIR(status.st_mode))
    return fail(ErrorCode::kIo, "{}: is a folder, a file is needed", blocks.name_);
  blocks.buffer_.resize(kBlockBytes + 1);  // one byte for the line end that the file may lack
  return blocks;
}

LineBlocks::LineBlocks(LineBlocks&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)),
      name_(std::move(other.name_)),
      progress_(other.progress_),
      buffer_(std::move(other.buffer_)),
      begin_(other.begin_),
      end_(other.end_),
      first_(other.first_),
      ended_(other.ended_) {}

LineBlocks::~LineBlocks() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

Result<std::string_view> LineBlocks::next(std::uint64_t line) {
  if (progress_ != nullptr && progress_->job->stopped()) return Job::cancelled();
  for (std::size_t searched = 0;;) {
    const char* from = buffer_.data() + begin_;
    const auto* last =
        static_cast<const char*>(::memrchr(from + searched, '\n', end_ - begin_ - searched));
    if (last != nullptr) {
      const std::string_view block(from, static_cast<std::size_t>(last - from) + 1);
      begin_ += block.size();
      return block;
    }
    if (ended_ && begin_ == end_) return std::string_view();
    if (ended_) {
      buffer_[end_++] = '\n';
      continue;
    }
    searched = end_ - begin_;
    if (const auto filled = fill(line); !filled) return fail(filled.error());
  }
}

Result<void> LineBlocks::fill(std::uint64_t line) {
  std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
  end_ -= std::exchange(begin_, 0);
  if (end_ >= kLongestLine)
    return fail(ErrorCode::kInvalidInput,
                "{}:{}: a line longer than 16 MiB; this is no table of samples", name_, line);
  if (end_ + 1 >= buffer_.size()) buffer_.resize(2 * buffer_.size());
  const std::size_t room = std::min(buffer_.size() - end_ - 1, kBlockBytes);
  ssize_t got = 0;
  do {
    got = ::read(descriptor_, buffer_.data() + end_, room);
  } while (got < 0 && errno == EINTR);
  if (got < 0) return fail(ErrorCode::kIo, "{}: cannot read: {}", name_, std::strerror(errno));
  ended_ = got == 0;
  end_ += static_cast<std::size_t>(got);
  if (progress_ != nullptr) {
    progress_->done += static_cast<double>(got);
    progress_->job->progress(name_, progress_->done, progress_->total);
  }
  return std::exchange(first_, false) ? strip_mark() : Result<void>{};
}

Result<void> LineBlocks::strip_mark() {
  const std::string_view text(buffer_.data(), end_);
  if (text.empty())
    return fail(ErrorCode::kInvalidInput, "{}: the file is empty; give it a header or remove it",
                name_);
  const bool marked = text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF");
  if (marked || (text.size() > 1 && (text[0] == '\0') != (text[1] == '\0')))
    return fail(ErrorCode::kInvalidInput, "{}:1: UTF-16 text; save it as UTF-8", name_);
  if (text.starts_with("\xEF\xBB\xBF")) begin_ = 3;
  return {};
}

Result<std::string> read_small_file(const std::filesystem::path& file, std::string_view name) {
  constexpr std::size_t kMost = std::size_t{64} << 20U;
  const int descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0)
    return fail(ErrorCode::kIo, "{}: cannot open: {}", name, std::strerror(errno));
  std::string text;
  std::vector<char> buffer(std::size_t{1} << 16U);
  ssize_t got = 0;
  while ((got = ::read(descriptor, buffer.data(), buffer.size())) > 0 && text.size() <= kMost)
    text.append(buffer.data(), static_cast<std::size_t>(got));
  const int why = errno;
  ::close(descriptor);
  if (got < 0) return fail(ErrorCode::kIo, "{}: cannot read: {}", name, std::strerror(why));
  if (text.size() > kMost)
    return fail(ErrorCode::kInvalidInput, "{}: larger than 64 MiB; this can't be meant", name);
  return text;
}

}  // namespace tactelier
