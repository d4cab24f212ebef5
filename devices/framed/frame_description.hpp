#pragma once
// A board in words: data/devices/*.json (schema device.schema.json) as drivers of framed devices
// need it. One description covers microcontroller matrices, ReSkin- and FlexiTac-type boards,
// cells, gauges and six-axis force sensors alike.

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "devices/framed/frame_check.hpp"
#include "devices/framed/wrench_description.hpp"
#include "devices/interface/tactile_array.hpp"

namespace tactelier::devices {

/// "AA 55 01", or a text in single quotes; nothing for anything else.
std::optional<Bytes> bytes_in_text(std::string_view text);

constexpr std::string_view kRowInPrefix = "{row}";

enum class Framing {
  kSyncFixed,
  kSyncLength,
  kTerminatorFixed,
  kHdlc,
  kSlip,
  kCobs,
  kTextLine,
  kSyncEnd,
  kIndexedPackets,
  kAnswer,  // to a poll: all bytes until the next one
};

struct FrameLayout {
  Framing kind{};
  Bytes sync;               // at the begin, of kTerminatorFixed at the end
  Bytes end;                // kSyncEnd, kIndexedPackets: marks at the end
  std::size_t length = 0;   // of a frame; kSyncLength, kSyncEnd: the longest, 0 when not given;
                            // kIndexedPackets: of a packet
  FrameField length_field;  // kSyncLength
  std::size_t length_adds = 0;
  int locks_after = 1;  // kTerminatorFixed, kAnswer
  // kIndexedPackets: a frame is so many packets, numbered from first_index
  std::size_t packets = 1, sync_at = 0;
  FrameField index;
  std::uint64_t first_index = 0;
  // kTextLine
  std::size_t text_rows = 1;
  bool empty_line_ends = false;
  std::string begin;   // of a line that stands before each frame
  std::string prefix;  // of each line; kRowInPrefix in it stands for the line's number
  std::size_t first_row = 0;
  std::size_t skip = 0;
  bool words = false;  // numbers stand among words
  int base = 10;
  std::size_t digits = 0;  // of each number, with nothing between numbers; 0: separators

  /// Lines before a frame's begin belong to none.
  bool tells_begin() const;
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
  Timeout pause{50};  // silence between stop and start
  FrameLayout frame;
  FrameCheckPlace check;
  std::optional<FrameField> time, sequence;
  TactileShape shape;
  std::size_t unwired = 0;    // readings in a frame that are no cell's
  std::size_t sent_rows = 0;  // of the grid that is sent
  FrameField cells;
  std::size_t stride = 0;         // bytes from one reading to the next
  std::size_t tactel_stride = 0;  // bytes from one tactel's readings to the next tactel's
  int bits = 0;                   // readings packed without gaps, so many bits each; 0: bytes
  bool high_bits_first = false;   // of packed readings
  std::vector<std::size_t> from;  // for each entry of TactileFrame::counts, the reading's number
  std::optional<double> inverted_from;
  std::optional<WrenchReadings> wrench;  // of a force sensor
  std::optional<StatusWord> status;

  /// Readings in a frame.
  std::size_t sent() const { return shape.size() + unwired; }
  /// Packets have equal shares of the readings; other frames have them in one piece.
  std::size_t readings_per_packet() const { return sent() / frame.packets; }
  /// Bytes from the frame's (packet's) first reading to the end of its last.
  std::size_t readings_size() const;
  /// Where the frame's (packet's) i-th reading begins, in bytes from the first. Not when packed.
  std::size_t reading_at(std::size_t i) const;
  /// The lowest and the highest reading that fit into a frame, where a sensor that can't go on
  /// stays; nothing for text and floating point.
  std::optional<std::pair<double, double>> reading_range() const;
};

constexpr std::size_t kLongestFrame = 100'000;

/// Schema first, then sense: fields lie inside the frame, the order is a permutation. Messages name
/// the key.
Result<DeviceDescription> parse_device_description(std::string_view json_text,
                                                   std::string_view where);

/// By file path or by the name of a shipped one; unknown names get "did you mean".
Result<DeviceDescription> load_device_description(std::string_view name_or_path);

}  // namespace tactelier::devices
