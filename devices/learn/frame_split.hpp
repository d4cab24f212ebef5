#pragma once
// How the bytes of a capture fall into frames. Each way to tell frames apart is tried.

#include <optional>
#include <string>
#include <vector>

#include "devices/framed/frame_description.hpp"

namespace tactelier::devices {

struct FrameSplit {
  Framing kind{};
  Bytes sync;              // at the begin, of kTerminatorFixed at the end
  std::size_t length = 0;  // of a frame; of kSyncLength the most frequent
  // kSyncLength
  int length_offset = 0;
  FieldType length_type = FieldType::kU8;
  bool length_big_endian = false;
  std::size_t length_adds = 0;
  std::size_t trailing_marks = 0;  // constant bytes at the end, behind the check
  std::vector<Bytes> frames;       // marks left in, escapes undone; all of `length` bytes
  double regular = 1;              // share of the gaps between marks that it explains
  std::vector<std::string> doubts;
};

/// Nothing when the bytes have no structure that repeats at least eight times.
std::optional<FrameSplit> split_frames(ByteView capture);

}  // namespace tactelier::devices
