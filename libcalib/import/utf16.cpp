#include "libcalib/import/utf16.hpp"

#include <iconv.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <memory>

namespace tactelier {
namespace {

constexpr std::size_t kBlockBytes = std::size_t{1} << 16U;

enum class ByteOrder { kNone, kLittle, kBig };

struct Start {
  ByteOrder order = ByteOrder::kNone;
  std::streamoff mark = 0;  // bytes of it
};

Start start_of(const std::filesystem::path& file) {
  std::array<char, 4> first{};
  std::ifstream in(file, std::ios::binary);
  if (!in.read(first.data(), first.size())) return {};
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(first[i]); };
  if (byte(0) == 0xFF && byte(1) == 0xFE) return {ByteOrder::kLittle, 2};
  if (byte(0) == 0xFE && byte(1) == 0xFF) return {ByteOrder::kBig, 2};
  const bool even = byte(0) == 0 && byte(2) == 0, odd = byte(1) == 0 && byte(3) == 0;
  if (even == odd) return {};
  return {odd ? ByteOrder::kLittle : ByteOrder::kBig, 0};
}

struct CloseConverter {
  void operator()(void* converter) const { iconv_close(converter); }
};
using Converter = std::unique_ptr<void, CloseConverter>;

/// Converts what it can; `left` bytes of the end wait for more.
bool convert(const Converter& converter, char* bytes, std::size_t size, std::ofstream& out,
             std::size_t& left) {
  std::array<char, 2 * kBlockBytes> text{};
  char* from = bytes;
  left = size;
  while (left > 0) {
    char* to = text.data();
    std::size_t room = text.size();
    const auto done = iconv(converter.get(), &from, &left, &to, &room);
    out.write(text.data(), to - text.data());
    if (done != static_cast<std::size_t>(-1) || errno == EINVAL) break;
    if (errno != E2BIG) return false;
  }
  std::memmove(bytes, from, left);
  return true;
}

}  // namespace

bool is_utf16(const std::filesystem::path& file) {
  return start_of(file).order != ByteOrder::kNone;
}

Result<void> write_as_utf8(const std::filesystem::path& file, const std::string& name,
                           const std::filesystem::path& target, const Job& job) {
  const auto start = start_of(file);
  const Converter converter(
      iconv_open("UTF-8", start.order == ByteOrder::kBig ? "UTF-16BE" : "UTF-16LE"));
  std::ifstream in(file, std::ios::binary);
  in.seekg(start.mark);
  std::ofstream out(target, std::ios::binary);
  std::array<char, kBlockBytes> bytes{};
  std::size_t left = 0;
  while (in) {
    if (job.stopped()) return Job::cancelled();
    in.read(bytes.data() + left, static_cast<std::streamsize>(bytes.size() - left));
    const auto size = left + static_cast<std::size_t>(in.gcount());
    if (!convert(converter, bytes.data(), size, out, left))
      return fail(ErrorCode::kInvalidInput,
                  "{}: begins as UTF-16 text and does not go on as such; save it as UTF-8", name);
  }
  out.close();
  if (in.bad()) return fail(ErrorCode::kIo, "{}: cannot read: {}", name, std::strerror(errno));
  if (!out) return fail(ErrorCode::kIo, "'{}': cannot be written", target.string());
  if (left > 0)
    return fail(ErrorCode::kInvalidInput, "{}: its UTF-16 text ends in the middle of a character",
                name);
  return {};
}

}  // namespace tactelier
