#pragma once
// A board in words: data/devices/*.json (schema device.schema.json) as the framed-serial driver
// needs it. One description covers microcontroller matrices, ReSkin- and FlexiTac-type boards
// alike.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "devices/tactile/frame_check.hpp"
#include "devices/tactile_array.hpp"

namespace tactelier::devices {

enum class FieldType { kU8, kI8, kU16, kI16, kU24, kI24, kU32, kI32, kU64, kF32, kF64 };

std::size_t size_of(FieldType type);

/// "AA 55 01", or a text in single quotes; nothing for anything else.
std::optional<Bytes> bytes_in_text(std::string_view text);

/// A number in a frame.
struct FrameField {
  int offset = 0;  // negative: from the frame's end
  FieldType type = FieldType::kU16;
  bool big_endian = false;
  std::uint64_t mask = ~std::uint64_t{0};
  int shift = 0;
};

enum class Framing { kSyncFixed, kSyncLength, kTerminatorFixed, kHdlc, kSlip, kCobs, kTextLine };

struct FrameLayout {
  Framing kind{};
  Bytes sync;               // at the begin, of kTerminatorFixed at the end
  std::size_t length = 0;   // of a frame; kSyncLength: the longest, 0 when not given
  FrameField length_field;  // kSyncLength
  std::size_t length_adds = 0;
  int locks_after = 1;
  // kTextLine
  std::size_t text_rows = 1;
  bool empty_line_ends = false;
  std::string prefix;
  std::size_t skip = 0;
};

struct FrameCheckPlace {
  FrameCheck check;
  int at = 0, from = 0;
  std::optional<int> to;  // as far as `at` when not given
  bool big_endian = false;
};

struct DeviceDescription {
  std::string name, source;
  std::optional<int> baud;
  Timeout wait_after_open{0};
  Bytes start, stop, poll;
  Timeout poll_every{30};
  FrameLayout frame;
  FrameCheckPlace check;
  std::optional<FrameField> time, sequence;
  TactileShape shape;
  FrameField cells;
  std::size_t stride = 0;         // bytes between readings
  std::vector<std::size_t> from;  // for each entry of TactileFrame::counts, the reading's number
  std::optional<double> inverted_from;
};

constexpr std::size_t kLongestFrame = 100'000;

/// Schema first, then sense: fields lie inside the frame, the order is a permutation. Messages name
/// the key.
Result<DeviceDescription> parse_device_description(std::string_view json_text,
                                                   std::string_view where);

/// By file path or by the name of a shipped one; unknown names get "did you mean".
Result<DeviceDescription> load_device_description(std::string_view name_or_path);

}  // namespace tactelier::devices
