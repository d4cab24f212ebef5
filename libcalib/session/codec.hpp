#pragma once
// How the integers of one column become the bytes of one blob, and back (docs/session-format.md):
//   1. differences of neighbours, first value apart in `base` (modulo 2^64, so nothing overflows)
//   2. zigzag, 0 -1 1 -2 2 ... -> 0 1 2 3 4 ..., so that small differences have small numbers
//   3. as many bytes each as the largest one needs: 0 (all equal), 1, 2, 4 or 8 = `width`
//   4. shuffle: all lowest bytes first, then all second ones, ...: equal bytes come together
//   5. the codec: raw, a zlib stream, or zstd
// Measured on a rig's streams this is as small as general compressors at many times the effort.

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "libcalib/result.hpp"

struct libdeflate_compressor;
struct libdeflate_decompressor;

namespace tactelier {

/// The numbers stand in files: never change one.
enum class Codec { kRaw = 0, kZlib = 1, kZstd = 2 };

struct EncodedValues {
  Codec codec = Codec::kRaw;
  int width = 0;  // bytes per difference: 0, 1, 2, 4, 8
  std::int64_t base = 0;
  std::vector<std::uint8_t> data;
};

/// Keeps its buffers: one per writer, not thread-safe.
class Encoder {
 public:
  explicit Encoder(Codec preferred = Codec::kZlib);

  /// At least one value. Raw wherever compression doesn't pay.
  const EncodedValues& encode(std::span<const std::int64_t> values);

 private:
  struct Deleter {
    void operator()(libdeflate_compressor* compressor) const;
  };
  bool compress(std::span<const std::uint8_t> bytes);

  Codec preferred_;
  std::unique_ptr<libdeflate_compressor, Deleter> deflate_;
  std::vector<std::uint64_t> differences_;
  std::vector<std::uint8_t> shuffled_;
  EncodedValues result_;
};

/// Keeps its buffers: one per reader, not thread-safe.
class Decoder {
 public:
  Decoder();

  /// Fills `values`, at least one. Trusts nothing: fails with kDamaged on any width, codec or
  /// length that doesn't fit; never writes more values, whatever the data claim.
  Result<void> decode(int codec, int width, std::int64_t base, std::span<const std::uint8_t> data,
                      std::span<std::int64_t> values);

 private:
  struct Deleter {
    void operator()(libdeflate_decompressor* decompressor) const;
  };
  Result<std::span<const std::uint8_t>> decompress(int codec, std::span<const std::uint8_t> data,
                                                   std::size_t size);

  std::unique_ptr<libdeflate_decompressor, Deleter> inflate_;
  std::vector<std::uint8_t> bytes_;
};

}  // namespace tactelier
