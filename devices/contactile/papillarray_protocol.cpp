#include "devices/contactile/papillarray_protocol.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>

#include "devices/link/bytes.hpp"

namespace tactelier::devices {
namespace {

constexpr std::array<std::uint8_t, 4> kStart{0x55, 0x66, 0x77, 0x88}, kEnd{0xAA, 0xBB, 0xCC, 0xDD};
constexpr std::size_t kMark = 4, kSum = 2, kType = 2, kIndexSize = 2;
constexpr std::size_t kLongest = 8192;  // content; two sensors of nine pillars have 700
constexpr std::size_t kFloat = 4, kResolved = kType + 6 * kFloat;
constexpr std::uint16_t kHub = 1, kPillars = 3, kGlobal = 4, kPillarSlip = 5, kSensorSlip = 6;
constexpr std::uint16_t kLastType = 0x20;
constexpr std::uint16_t kResolvedType = 2, kSlipType = 1;
constexpr std::size_t kMostSensors = 16;
constexpr std::uint64_t kLatest_us = std::uint64_t{1} << 62U;

/// Offsets of the blocks by type.
std::map<std::uint16_t, std::size_t> read_index(ByteView body) {
  std::map<std::uint16_t, std::size_t> offsets;
  const std::size_t width = body[0];
  if (width < 1 || width > 8) return offsets;
  auto first_block = body.size();
  for (std::size_t at = 1; at + kType + width <= first_block; at += kType + width) {
    const auto type = read_le<std::uint16_t>(body, at);
    if (type == 0 || type > kLastType) break;
    const auto offset = unsigned_number(body.subspan(at + kType, width), false);
    if (offset >= body.size()) continue;
    offsets[type] = offset;
    first_block = std::min<std::size_t>(first_block, offset);
  }
  return offsets;
}

/// Takes one block from its beginning on.
class BlockReader {
 public:
  explicit BlockReader(ByteView block) : block_(block) {}

  bool has(std::size_t bytes) const { return bytes <= block_.size(); }
  void skip(std::size_t bytes) { block_ = block_.subspan(bytes); }
  template <class T>
  T take() {
    const auto number = read_le<T>(block_, 0);
    skip(sizeof(T));
    return number;
  }
  /// How many follow, and past their offsets; nothing where those aren't there.
  std::optional<std::size_t> take_count(std::size_t width) {
    if (!has(kType)) return std::nullopt;
    const std::size_t count = take<std::uint16_t>();
    if (!has(count * width)) return std::nullopt;
    skip(count * width);
    return count;
  }
  float take_float() { return std::bit_cast<float>(take<std::uint32_t>()); }

 private:
  ByteView block_;
};

std::optional<PillarReading> take_pillar(BlockReader& block) {
  if (!block.has(kResolved) || block.take<std::uint16_t>() != kResolvedType) return std::nullopt;
  PillarReading pillar;
  bool finite = true;
  for (auto* three : {&pillar.force_N, &pillar.displacement_mm})
    for (auto& number : *three) {
      number = block.take_float();
      finite = finite && std::isfinite(number);
    }
  return finite ? std::optional(pillar) : std::nullopt;
}

Result<std::vector<std::vector<PillarReading>>> read_pillars(ByteView from, std::size_t width) {
  BlockReader block(from);
  const auto sensors = block.take_count(width);
  if (!sensors || *sensors == 0 || *sensors > kMostSensors)
    return fail(ErrorCode::kProtocol, "PapillArray packet without sensors, or with too many");
  std::vector<std::vector<PillarReading>> read(*sensors);
  for (auto& sensor : read) {
    const auto pillars = block.take_count(width);
    if (!pillars || !block.has(*pillars * kResolved))
      return fail(ErrorCode::kProtocol, "PapillArray packet whose pillars end too early");
    for (std::size_t i = 0; i < *pillars; ++i) {
      const auto pillar = take_pillar(block);
      if (!pillar)
        return fail(ErrorCode::kProtocol,
                    "PapillArray pillar {} of another kind, or no finite number", i);
      sensor.push_back(*pillar);
    }
  }
  return read;
}

void append_float(Bytes& bytes, float number) {
  append_le(bytes, std::bit_cast<std::uint32_t>(number));
}

/// Of things of one size each, behind their number.
void append_offsets(Bytes& bytes, std::size_t count, std::size_t size) {
  append_le(bytes, static_cast<std::uint16_t>(count));
  for (std::size_t i = 0; i < count; ++i)
    append_le(bytes, static_cast<std::uint16_t>(kType + count * kIndexSize + i * size));
}

Bytes pillar_block(const PapillArrayPacket& packet) {
  Bytes block;
  const auto pillars = packet.sensors.empty() ? 0 : packet.sensors[0].size();
  append_offsets(block, packet.sensors.size(), kType + pillars * (kIndexSize + kResolved));
  for (const auto& sensor : packet.sensors) {
    append_offsets(block, sensor.size(), kResolved);
    for (const auto& pillar : sensor) {
      append_le(block, kResolvedType);
      for (const float number : pillar.force_N) append_float(block, number);
      for (const float number : pillar.displacement_mm) append_float(block, number);
    }
  }
  return block;
}

Bytes global_block(const PapillArrayPacket& packet) {
  Bytes block;
  append_offsets(block, packet.sensors.size(), kResolved);
  for (const auto& sensor : packet.sensors) {
    append_le(block, kResolvedType);
    std::array<float, 6> sum{};
    for (const auto& pillar : sensor)
      for (std::size_t i = 0; i < 3; ++i) sum[i] += pillar.force_N[i];
    for (const float number : sum) append_float(block, number);
  }
  return block;
}

Bytes pillar_slip_block(const PapillArrayPacket& packet) {
  constexpr std::size_t kEntry = kType + 1 + kFloat;
  Bytes block;
  const auto pillars = packet.sensors.empty() ? 0 : packet.sensors[0].size();
  append_offsets(block, packet.sensors.size(), kType + pillars * (kIndexSize + kEntry));
  for (const auto& sensor : packet.sensors) {
    append_offsets(block, sensor.size(), kEntry);
    for (std::size_t i = 0; i < sensor.size(); ++i) {
      append_le(block, kSlipType);
      block.push_back(0);
      append_float(block, -1);
    }
  }
  return block;
}

Bytes sensor_slip_block(const PapillArrayPacket& packet) {
  Bytes block;
  append_offsets(block, packet.sensors.size(), kType + 1 + 2 * kFloat);
  for (std::size_t i = 0; i < packet.sensors.size(); ++i) {
    append_le(block, kSlipType);
    block.push_back(1);
    append_float(block, -1);
    append_float(block, -1);
  }
  return block;
}

}  // namespace

Result<PapillArrayPacket> decode_papillarray(ByteView content) {
  if (content.size() <= kSum)
    return fail(ErrorCode::kProtocol, "PapillArray packet of {} bytes", content.size());
  const auto body = content.first(content.size() - kSum);
  const auto offsets = read_index(body);
  const auto hub = offsets.find(kHub), pillars = offsets.find(kPillars);
  if (hub == offsets.end() || pillars == offsets.end() || body.size() - hub->second < 12)
    return fail(ErrorCode::kProtocol, "PapillArray packet without number and time, or pillars");
  PapillArrayPacket packet;
  packet.number = read_le<std::uint32_t>(body, hub->second);
  packet.time_us = read_le<std::uint64_t>(body, hub->second + 4);
  if (packet.time_us >= kLatest_us)
    return fail(ErrorCode::kProtocol, "PapillArray packet whose time can't be true");
  return read_pillars(body.subspan(pillars->second), body[0]).map([&](auto sensors) {
    packet.sensors = std::move(sensors);
    return std::move(packet);
  });
}

Bytes papillarray_content(const PapillArrayPacket& packet, bool slip) {
  Bytes hub;
  append_le(hub, packet.number);
  append_le(hub, packet.time_us);
  std::vector<std::pair<std::uint16_t, Bytes>> blocks{
      {kHub, hub}, {kPillars, pillar_block(packet)}, {kGlobal, global_block(packet)}};
  if (slip) {
    blocks.emplace_back(kPillarSlip, pillar_slip_block(packet));
    blocks.emplace_back(kSensorSlip, sensor_slip_block(packet));
  }
  Bytes content{kIndexSize};
  auto offset = 1 + blocks.size() * (kType + kIndexSize);
  for (const auto& [type, block] : blocks) {
    append_le(content, type);
    append_le(content, static_cast<std::uint16_t>(offset));
    offset += block.size();
  }
  for (const auto& [type, block] : blocks)
    content.insert(content.end(), block.begin(), block.end());
  std::uint16_t sum = 0;
  for (const auto byte : content) sum = static_cast<std::uint16_t>(sum + byte);
  append_le(content, sum);
  return content;
}

Bytes encode_papillarray(const PapillArrayPacket& packet, bool slip) {
  Bytes bytes(kStart.begin(), kStart.end());
  const auto content = papillarray_content(packet, slip);
  bytes.insert(bytes.end(), content.begin(), content.end());
  bytes.insert(bytes.end(), kEnd.begin(), kEnd.end());
  return bytes;
}

std::string papillarray_rate_command(int rate_hz) { return fmt::format("f{}\n", rate_hz); }

void PapillArrayFinder::add(ByteView bytes) {
  buffer_.insert(buffer_.end(), bytes.begin(), bytes.end());
  std::uint16_t sum = sums_.empty() ? 0 : sums_.back();
  for (const auto byte : bytes) {
    sum = static_cast<std::uint16_t>(sum + byte);
    sums_.push_back(sum);
  }
}

void PapillArrayFinder::forget() {
  buffer_.clear();
  sums_.clear();
  starts_.clear();
  scanned_ = 0;
  locked_ = skipped_ = false;
}

bool PapillArrayFinder::is_mark(std::size_t at, const std::array<std::uint8_t, 4>& mark) const {
  return buffer_[at] == mark[0] &&
         std::equal(mark.begin(), mark.end(), buffer_.begin() + static_cast<std::ptrdiff_t>(at));
}

bool PapillArrayFinder::sum_fits(std::size_t start, std::size_t end) const {
  const auto begin = start + kMark;
  if (end < begin + kSum + 1) return false;
  const auto sum_at = end - kSum;
  return read_le<std::uint16_t>(buffer_, sum_at) ==
         static_cast<std::uint16_t>(sums_[sum_at - 1] - sums_[begin - 1]);
}

void PapillArrayFinder::count_skipped(std::size_t starts, std::size_t bytes) {
  if (starts > 0)
    malformed_ += static_cast<std::int64_t>(starts);
  else if (locked_ && (bytes > 0 || skipped_))
    ++malformed_;
  skipped_ = false;
}

void PapillArrayFinder::erase(std::size_t bytes) {
  buffer_.erase(buffer_.begin(), buffer_.begin() + static_cast<std::ptrdiff_t>(bytes));
  sums_.erase(sums_.begin(), sums_.begin() + static_cast<std::ptrdiff_t>(bytes));
  scanned_ -= bytes;
}

std::optional<Bytes> PapillArrayFinder::next() {
  for (; scanned_ + kMark <= buffer_.size(); ++scanned_) {
    if (!starts_.empty() && scanned_ - starts_.front() > kMark + kLongest) {
      starts_.erase(starts_.begin());
      ++malformed_;
    }
    if (is_mark(scanned_, kStart)) starts_.push_back(scanned_);
    if (!is_mark(scanned_, kEnd)) continue;
    // The latest first: what is shortest with a right sum, so that a packet behind a damaged one
    // isn't taken for its end.
    const auto start = std::find_if(starts_.rbegin(), starts_.rend(),
                                    [&](std::size_t at) { return sum_fits(at, scanned_); });
    if (start == starts_.rend()) continue;
    count_skipped(static_cast<std::size_t>(starts_.rend() - start) - 1, starts_.front());
    Bytes content(buffer_.begin() + static_cast<std::ptrdiff_t>(*start + kMark),
                  buffer_.begin() + static_cast<std::ptrdiff_t>(scanned_));
    scanned_ += kMark;
    starts_.clear();
    locked_ = true;
    erase(scanned_);
    return content;
  }
  if (const auto useless = starts_.empty() ? scanned_ : starts_.front(); useless > 0) {
    skipped_ = true;
    erase(useless);
    for (auto& start : starts_) start -= useless;
  }
  return std::nullopt;
}

}  // namespace tactelier::devices
