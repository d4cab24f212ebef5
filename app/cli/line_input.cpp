#include "app/cli/line_input.hpp"

#include <poll.h>
#include <termios.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <system_error>

#include "libcalib/job.hpp"

namespace tactelier::cli {
namespace {

constexpr int kStopLook_ms = 100;
constexpr std::size_t kMaxLine = 4096;

}  // namespace

LineInput::LineInput(int descriptor, std::stop_token stop)
    : descriptor_(descriptor), stop_(std::move(stop)) {}

Result<std::optional<std::string>> LineInput::next() {
  while (true) {
    if (const auto end = rest_.find('\n'); end != std::string::npos) {
      auto line = rest_.substr(0, end);
      rest_.erase(0, end + 1);
      return line;
    }
    if (rest_.size() > kMaxLine)
      return fail(ErrorCode::kInvalidInput, "a line of more than {} bytes: is this a scanner?",
                  kMaxLine);
    const auto more = read_more();
    if (!more) return fail(more.error());
    if (*more) continue;
    if (rest_.empty()) return std::optional<std::string>();
    return std::exchange(rest_, {});
  }
}

Result<bool> LineInput::read_more() {
  pollfd waiting{descriptor_, POLLIN, 0};
  while (::poll(&waiting, 1, kStopLook_ms) <= 0)
    if (stop_.stop_requested()) return Job::cancelled();
  std::array<char, 512> piece{};
  const auto got = ::read(descriptor_, piece.data(), piece.size());
  if (got < 0 && errno == EINTR) return true;
  if (got < 0)
    return fail(ErrorCode::kIo, "standard input: {}", std::generic_category().message(errno));
  rest_.append(piece.data(), static_cast<std::size_t>(got));
  return got > 0;
}

void LineInput::forget_typed_ahead() {
  if (::isatty(descriptor_) != 1) return;
  ::tcflush(descriptor_, TCIFLUSH);
  rest_.clear();
}

}  // namespace tactelier::cli
