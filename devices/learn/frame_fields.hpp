#pragma once
// What stands where in frames of one length: check value, frame number, clock, type of the
// readings.

#include <optional>
#include <string>
#include <vector>

#include "devices/learn/frame_split.hpp"

namespace tactelier::devices {

struct LearnedCheck {
  std::string kind;  // as in a description
  int at = 0;        // from the frame's end
  int from = 0;
  bool big_endian = false;
  std::size_t size = 0;
};

struct LearnedCounter {
  FrameField field;
  double unit_s = 0;  // of a clock
  bool width_sure = true;
};

struct LearnedCells {
  std::size_t offset = 0;
  FieldType type = FieldType::kU8;
  bool big_endian = false;
  std::size_t count = 0;
  bool sure = true;
};

/// Tried at the frame's end, before marks that end it; from each of the first bytes on.
std::optional<LearnedCheck> find_check(const FrameSplit& split);
/// Goes up by one from frame to frame, between `from` and `to`.
std::optional<LearnedCounter> find_sequence(const FrameSplit& split, std::size_t from,
                                            std::size_t to);
/// Goes up evenly by what would be 10 ms, 1 ms, 0.1 ms, 10 us or microseconds, and holds no byte of
/// the frame number.
std::optional<LearnedCounter> find_clock(const FrameSplit& split, std::size_t from, std::size_t to,
                                         const std::optional<LearnedCounter>& number,
                                         double frame_period_s);
/// Whether 32-bit floats fill the bytes between `from` and `to`, as a sensor would send them.
bool floats_fill(const FrameSplit& split, std::size_t from, std::size_t to);
/// How the bytes between `from` and `to` hold readings.
LearnedCells find_cells(const FrameSplit& split, std::size_t from, std::size_t to);

}  // namespace tactelier::devices
