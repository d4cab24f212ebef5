#include "libcalib/session/codec.hpp"

#include <libdeflate.h>
#include <zstd.h>

#include <algorithm>
#include <bit>
#include <cassert>

namespace tactelier {
namespace {

static_assert(std::endian::native == std::endian::little, "blobs are little-endian");

constexpr int kDeflateLevel = 1;  // the fastest; the next ones gain little on shuffled differences
constexpr int kZstdLevel = 1;
// Shorter blobs are kept raw: the frame of a stream eats what compression gains.
constexpr std::size_t kMinCompressed = 48;

std::uint64_t zigzag(std::uint64_t difference) {
  return (difference << 1) ^ (0 - (difference >> 63));
}
std::uint64_t unzigzag(std::uint64_t code) { return (code >> 1) ^ (0 - (code & 1)); }

int width_of(std::uint64_t all_bits) {
  if (all_bits == 0) return 0;
  if (all_bits < (std::uint64_t{1} << 8)) return 1;
  if (all_bits < (std::uint64_t{1} << 16)) return 2;
  return all_bits < (std::uint64_t{1} << 32) ? 4 : 8;
}

template <int kWidth>
void shuffle(std::span<const std::uint64_t> codes, std::uint8_t* out) {
  for (int byte = 0; byte < kWidth; ++byte)
    for (const auto code : codes) *out++ = static_cast<std::uint8_t>(code >> (8 * byte));
}

/// Undoes shuffle, zigzag and differences in one pass.
template <int kWidth>
void restore(const std::uint8_t* bytes, std::int64_t base, std::span<std::int64_t> values) {
  const std::size_t count = values.size() - 1;
  auto value = static_cast<std::uint64_t>(base);
  values[0] = base;
  for (std::size_t i = 0; i < count; ++i) {
    std::uint64_t code = 0;
    for (std::size_t byte = 0; byte < kWidth; ++byte)
      code |= static_cast<std::uint64_t>(bytes[byte * count + i]) << (8 * byte);
    value += unzigzag(code);
    values[i + 1] = static_cast<std::int64_t>(value);
  }
}

}  // namespace

void Encoder::Deleter::operator()(libdeflate_compressor* compressor) const {
  libdeflate_free_compressor(compressor);
}

Encoder::Encoder(Codec preferred)
    : preferred_(preferred), deflate_(libdeflate_alloc_compressor(kDeflateLevel)) {}

const EncodedValues& Encoder::encode(std::span<const std::int64_t> values) {
  assert(!values.empty());
  const std::size_t count = values.size() - 1;
  differences_.resize(count);
  std::uint64_t all_bits = 0;
  for (std::size_t i = 0; i < count; ++i) {
    differences_[i] =
        zigzag(static_cast<std::uint64_t>(values[i + 1]) - static_cast<std::uint64_t>(values[i]));
    all_bits |= differences_[i];
  }
  result_.base = values.front();
  result_.width = width_of(all_bits);
  shuffled_.resize(count * static_cast<std::size_t>(result_.width));
  switch (result_.width) {
    case 1:
      shuffle<1>(differences_, shuffled_.data());
      break;
    case 2:
      shuffle<2>(differences_, shuffled_.data());
      break;
    case 4:
      shuffle<4>(differences_, shuffled_.data());
      break;
    case 8:
      shuffle<8>(differences_, shuffled_.data());
      break;
    default:
      break;
  }
  result_.codec = preferred_;
  if (shuffled_.size() < kMinCompressed || !compress(shuffled_)) {
    result_.codec = Codec::kRaw;
    result_.data.assign(shuffled_.begin(), shuffled_.end());
  }
  return result_;
}

/// True when result_.data holds the bytes, and fewer of them.
bool Encoder::compress(std::span<const std::uint8_t> bytes) {
  if (preferred_ == Codec::kRaw) return false;
  result_.data.resize(bytes.size() - 1);
  std::size_t size = 0;
  if (preferred_ == Codec::kZlib) {
    if (deflate_)
      size = libdeflate_zlib_compress(deflate_.get(), bytes.data(), bytes.size(),
                                      result_.data.data(), result_.data.size());
  } else {
    size = ZSTD_compress(result_.data.data(), result_.data.size(), bytes.data(), bytes.size(),
                         kZstdLevel);
    if (ZSTD_isError(size)) size = 0;
  }
  if (size == 0) return false;
  result_.data.resize(size);
  return true;
}

void Decoder::Deleter::operator()(libdeflate_decompressor* decompressor) const {
  libdeflate_free_decompressor(decompressor);
}

Decoder::Decoder() : inflate_(libdeflate_alloc_decompressor()) {}

Result<void> Decoder::decode(int codec, int width, std::int64_t base,
                             std::span<const std::uint8_t> data, std::span<std::int64_t> values) {
  assert(!values.empty());
  if (width != 0 && width != 1 && width != 2 && width != 4 && width != 8)
    return fail(ErrorCode::kDamaged, "impossible width {}", width);
  const auto bytes = decompress(codec, data, (values.size() - 1) * static_cast<std::size_t>(width));
  if (!bytes) return fail(bytes.error());
  switch (width) {
    case 1:
      restore<1>(bytes->data(), base, values);
      break;
    case 2:
      restore<2>(bytes->data(), base, values);
      break;
    case 4:
      restore<4>(bytes->data(), base, values);
      break;
    case 8:
      restore<8>(bytes->data(), base, values);
      break;
    default:
      std::fill(values.begin(), values.end(), base);
      break;
  }
  return {};
}

/// Exactly `size` bytes or an error; the buffer bounds whatever a damaged stream expands to.
Result<std::span<const std::uint8_t>> Decoder::decompress(int codec,
                                                          std::span<const std::uint8_t> data,
                                                          std::size_t size) {
  const auto broken = [](std::string_view what) {
    return fail(ErrorCode::kDamaged, "its {} is broken", what);
  };
  if (codec == static_cast<int>(Codec::kRaw)) {
    if (data.size() != size) return broken("length");
    return data;
  }
  bytes_.resize(size);
  if (codec == static_cast<int>(Codec::kZlib)) {
    if (!inflate_) return fail(ErrorCode::kIo, "out of memory");
    if (libdeflate_zlib_decompress(inflate_.get(), data.data(), data.size(), bytes_.data(), size,
                                   nullptr) != LIBDEFLATE_SUCCESS)
      return broken("zlib stream");
    return bytes_;
  }
  if (codec == static_cast<int>(Codec::kZstd)) {
    if (ZSTD_decompress(bytes_.data(), size, data.data(), data.size()) != size)
      return broken("zstd frame");
    return bytes_;
  }
  return fail(ErrorCode::kDamaged, "unknown codec {}", codec);
}

}  // namespace tactelier
