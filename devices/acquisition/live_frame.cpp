#include "devices/acquisition/live_frame.hpp"

#include <bit>
#include <cstring>

namespace tactelier::rig {
namespace {

static_assert(std::endian::native == std::endian::little, "frames are copied as they lie");

constexpr std::string_view kMark = "TLF1";
constexpr std::size_t kHead = 152;
constexpr std::size_t kMaxCounts = 1U << 20U;

template <class T>
void put(std::string& bytes, const T& value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

template <class T>
void take(std::string_view& bytes, T& value) {
  std::memcpy(&value, bytes.data(), sizeof value);
  bytes.remove_prefix(sizeof value);
}

}  // namespace

std::string bytes_of(const LiveFrame& frame) {
  std::string bytes;
  const std::size_t size = kHead + frame.counts.size() * sizeof(float);
  bytes.reserve(size);
  bytes += kMark;
  put(bytes, static_cast<std::uint32_t>(size));
  put(bytes, frame.number);
  for (const auto time_ns : {frame.now_ns, frame.force_ns, frame.frame_ns, frame.stage_ns})
    put(bytes, time_ns);
  put(bytes, frame.wrench_SI);
  for (const auto force_N : {frame.force_N, frame.force_min_N, frame.force_max_N})
    put(bytes, force_N);
  put(bytes, frame.position_m);
  put(bytes, std::uint32_t{frame.position_trusted ? 1U : 0U});
  put(bytes, static_cast<std::uint32_t>(frame.counts.size()));
  for (const float count : frame.counts) put(bytes, count);
  return bytes;
}

Result<std::optional<LiveFrame>> LiveFrameReader::next() {
  if (pending_.size() < kHead) return std::optional<LiveFrame>{};
  std::string_view bytes = pending_;
  std::uint32_t size = 0, bits = 0, counts = 0;
  std::memcpy(&size, bytes.data() + kMark.size(), sizeof size);
  std::memcpy(&counts, bytes.data() + kHead - sizeof counts, sizeof counts);
  if (bytes.substr(0, kMark.size()) != kMark || counts > kMaxCounts ||
      size != kHead + counts * sizeof(float))
    return fail(ErrorCode::kProtocol, "live samples: bytes that begin no frame");
  if (bytes.size() < size) return std::optional<LiveFrame>{};
  bytes.remove_prefix(kMark.size() + sizeof size);
  LiveFrame frame;
  take(bytes, frame.number);
  for (auto* time_ns : {&frame.now_ns, &frame.force_ns, &frame.frame_ns, &frame.stage_ns})
    take(bytes, *time_ns);
  take(bytes, frame.wrench_SI);
  for (auto* force_N : {&frame.force_N, &frame.force_min_N, &frame.force_max_N})
    take(bytes, *force_N);
  take(bytes, frame.position_m);
  take(bytes, bits);
  take(bytes, counts);
  frame.position_trusted = (bits & 1U) != 0;
  frame.counts.resize(counts);
  for (auto& count : frame.counts) take(bytes, count);
  pending_.erase(0, size);
  return frame;
}

}  // namespace tactelier::rig
