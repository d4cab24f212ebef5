#include "devices/learn/frame_fields.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <set>

#include "devices/framed/frame_check.hpp"
#include "devices/link/bytes.hpp"

namespace tactelier::devices {
namespace {

constexpr double kNearlyAll = 0.95;
constexpr std::size_t kDifferent = 8;  // frames: a check of one frame proves nothing
constexpr int kLatestFrom = 8;         // checks begin at the marks or right behind them
constexpr std::size_t kCountersWithin = 16;
// The host's timing is off by less where its reading or the board was held up; a clock read a byte
// beside its place would be off by 256 or, with its unit, by 2.56.
constexpr double kClockFactor = 2;

constexpr std::array<std::string_view, 15> kChecks{
    "sum8",         "lrc8",         "xor8",         "crc8",        "crc8-maxim",
    "sum16",        "fletcher16",   "crc16-modbus", "crc16-arc",   "crc16-ccitt-false",
    "crc16-xmodem", "crc16-kermit", "crc16-x25",    "crc16-weiss", "crc32"};

std::uint32_t number_in(ByteView frame, std::size_t at, std::size_t size, bool big) {
  std::uint32_t number = 0;
  for (std::size_t i = 0; i < size; ++i)
    number = number << 8U | frame[at + (big ? i : size - 1 - i)];
  return number;
}

bool check_holds(const FrameSplit& split, const FrameCheck& check, std::size_t at, std::size_t from,
                 bool big) {
  std::size_t wrong = 0;
  const auto bearable =
      split.frames.size() -
      static_cast<std::size_t>(std::ceil(kNearlyAll * static_cast<double>(split.frames.size())));
  for (const auto& frame : split.frames) {
    const auto stated = number_in(frame, at, check.size(), big);
    wrong += stated != check.value(ByteView(frame).subspan(from, at - from)) ? 1 : 0;
    if (wrong > bearable) return false;
  }
  return true;
}

/// A counter's values, and how often it steps by one or fails to at the wrap of its lowest byte.
struct Steps {
  std::size_t by_one = 0, wraps = 0, carries = 0, all = 0;
};

Steps steps_of(const FrameSplit& split, std::size_t at, std::size_t size, bool big) {
  const std::uint32_t mask = size == 4 ? ~0U : (1U << (8 * size)) - 1;
  Steps steps;
  for (std::size_t i = 1; i < split.frames.size(); ++i) {
    const auto before = number_in(split.frames[i - 1], at, size, big);
    const auto now = number_in(split.frames[i], at, size, big);
    const bool one = ((now - before) & mask) == 1;
    const bool wrap = (before & 0xFFU) == 0xFF && (now & 0xFFU) == 0;
    ++steps.all;
    steps.by_one += one ? 1 : 0;
    steps.wraps += wrap ? 1 : 0;
    steps.carries += wrap && one ? 1 : 0;
  }
  return steps;
}

constexpr FieldType unsigned_of(std::size_t size) {
  return size == 1 ? FieldType::kU8 : size == 2 ? FieldType::kU16 : FieldType::kU32;
}

bool overlap(const FrameField& field, std::size_t at, std::size_t size) {
  const auto begin = static_cast<std::size_t>(field.offset);
  return at < begin + size_of(field.type) && begin < at + size;
}

double variability(const FrameSplit& split, std::size_t column) {
  double sum = 0;
  for (std::size_t i = 1; i < split.frames.size(); ++i)
    sum += split.frames[i][column] != split.frames[i - 1][column] ? 1 : 0;
  return sum / static_cast<double>(split.frames.size() - 1);
}

/// As a sensor would send it: finite, and most of it neither tiny nor huge.
bool plausible_floats(const FrameSplit& split, std::size_t from, std::size_t to, bool big) {
  if ((to - from) % 4 != 0 || to - from < 4) return false;
  std::size_t good = 0, all = 0;
  for (const auto& frame : split.frames)
    for (std::size_t at = from; at < to; at += 4) {
      const auto value = std::abs(std::bit_cast<float>(number_in(frame, at, 4, big)));
      ++all;
      good += value == 0 || (value > 1e-4F && value < 1e6F) ? 1 : 0;
    }
  return static_cast<double>(good) >= kNearlyAll * static_cast<double>(all);
}

bool all_zero(const FrameSplit& split, std::size_t from, std::size_t to) {
  return std::all_of(split.frames.begin(), split.frames.end(), [&](const Bytes& frame) {
    return std::all_of(frame.begin() + static_cast<std::ptrdiff_t>(from),
                       frame.begin() + static_cast<std::ptrdiff_t>(to),
                       [](std::uint8_t byte) { return byte == 0; });
  });
}

}  // namespace

std::optional<LearnedCheck> find_check(const FrameSplit& split) {
  if (std::set<Bytes>(split.frames.begin(), split.frames.end()).size() < kDifferent)
    return std::nullopt;
  const auto end = split.length - split.trailing_marks -
                   (split.kind == Framing::kTerminatorFixed ? split.sync.size() : 0);
  // Widest first: a sum of 8 bits also looks right in some frames of a wider check.
  for (auto name = kChecks.rbegin(); name != kChecks.rend(); ++name) {
    const auto check = frame_check_named(*name);
    if (!check || check->size() + kLatestFrom >= end) continue;
    const auto at = end - check->size();
    for (int from = 0; from < kLatestFrom; ++from)
      for (const bool big : {false, true}) {
        if (big && check->size() == 1) continue;
        if (check_holds(split, *check, at, static_cast<std::size_t>(from), big))
          return LearnedCheck{std::string(*name),
                              static_cast<int>(at) - static_cast<int>(split.length), from, big,
                              check->size()};
      }
  }
  return std::nullopt;
}

std::optional<LearnedCounter> find_sequence(const FrameSplit& split, std::size_t from,
                                            std::size_t to) {
  std::optional<LearnedCounter> narrow;
  for (std::size_t size : {4U, 2U, 1U})
    for (const bool big : {false, true})
      for (std::size_t at = from; at + size <= std::min(to, from + kCountersWithin); ++at) {
        if (big && size == 1) continue;
        const auto steps = steps_of(split, at, size, big);
        if (static_cast<double>(steps.by_one) < kNearlyAll * static_cast<double>(steps.all))
          continue;
        LearnedCounter counter;
        counter.field.offset = static_cast<int>(at);
        counter.field.type = unsigned_of(size);
        counter.field.big_endian = big;
        if (size == 1) {
          counter.width_sure = steps.wraps > 0;
          return counter;
        }
        // Its upper bytes belong to it when they took a carry.
        if (steps.wraps > 0 && steps.carries == steps.wraps) return counter;
      }
  return narrow;
}

std::optional<LearnedCounter> find_clock(const FrameSplit& split, std::size_t from, std::size_t to,
                                         const std::optional<LearnedCounter>& number,
                                         double frame_period_s) {
  constexpr std::array kUnits_s{1e-6, 1e-5, 1e-4, 1e-3, 1e-2};
  for (std::size_t size : {4U, 2U})
    for (const bool big : {false, true})
      for (std::size_t at = from; at + size <= std::min(to, from + kCountersWithin); ++at) {
        if (number && overlap(number->field, at, size)) continue;
        std::vector<std::uint32_t> steps;
        const std::uint32_t mask = size == 4 ? ~0U : 0xFFFFU;
        for (std::size_t i = 1; i < split.frames.size(); ++i)
          steps.push_back((number_in(split.frames[i], at, size, big) -
                           number_in(split.frames[i - 1], at, size, big)) &
                          mask);
        auto sorted = steps;
        const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
        std::nth_element(sorted.begin(), middle, sorted.end());
        const double median = *middle;
        if (median < 2) continue;
        const auto even = std::count_if(steps.begin(), steps.end(), [&](std::uint32_t step) {
          return std::abs(step - median) <= std::max(2.0, 0.3 * median);
        });
        if (static_cast<double>(even) < 0.9 * static_cast<double>(steps.size())) continue;
        for (const double unit_s : kUnits_s) {
          const double ratio = median * unit_s / frame_period_s;
          if (ratio > kClockFactor || ratio * kClockFactor < 1) continue;
          LearnedCounter counter;
          counter.field.offset = static_cast<int>(at);
          counter.field.type = unsigned_of(size);
          counter.field.big_endian = big;
          counter.unit_s = unit_s;
          return counter;
        }
      }
  return std::nullopt;
}

bool floats_fill(const FrameSplit& split, std::size_t from, std::size_t to) {
  return plausible_floats(split, from, to, false) || plausible_floats(split, from, to, true);
}

LearnedCells find_cells(const FrameSplit& split, std::size_t from, std::size_t to) {
  LearnedCells cells{from, FieldType::kU8, false, to - from, true};
  if (all_zero(split, from, to)) return cells.sure = false, cells;
  for (const bool big : {false, true})
    if (plausible_floats(split, from, to, big))
      return {from, FieldType::kF32, big, (to - from) / 4, true};
  // Of 16 bits the upper half rests while the lower one follows noise; an odd byte may precede.
  for (const std::size_t skip : {0U, 1U}) {
    if ((to - from - skip) % 2 != 0) continue;
    double even = 0, odd = 0;
    for (std::size_t at = from + skip; at + 1 < to; at += 2) {
      even += variability(split, at);
      odd += variability(split, at + 1);
    }
    const double busy = std::max(even, odd), quiet = std::min(even, odd);
    if (busy == 0) break;
    if (quiet > 0.5 * busy) continue;
    return {from + skip, FieldType::kU16, even < odd, (to - from - skip) / 2, skip == 0};
  }
  cells.sure = false;
  for (std::size_t at = from; at < to; ++at) cells.sure |= variability(split, at) > 0;
  return cells;
}

}  // namespace tactelier::devices
