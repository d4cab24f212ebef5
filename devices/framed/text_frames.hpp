#pragma once
// Lines of numbers into frames. Where a frame has several lines, an empty line, a line that begins
// it or its lines' numbers tell where it begins: a lost line costs its frame and no other.

#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "devices/framed/frame_description.hpp"

namespace tactelier::devices {

class TextFrameFinder {
 public:
  TextFrameFinder(const FrameLayout& layout, std::size_t numbers_per_line);

  /// Lines end with LF, CR LF or CR alone.
  void add(ByteView bytes);
  /// All numbers of a frame, line by line, skipped ones left out.
  std::optional<std::vector<double>> next();
  std::int64_t malformed() const { return malformed_; }

 private:
  void take_line(std::string_view line);
  /// What stands before the numbers; nothing when it is not this line's.
  std::optional<std::string_view> behind_prefix(std::string_view line, std::size_t row) const;
  void begin_frame();
  void end_frame();

  FrameLayout layout_;
  std::size_t numbers_per_line_;
  std::vector<std::string> prefixes_;  // of each line of a frame; one where they are the same
  std::string line_;
  std::size_t lines_ = 0;
  bool damaged_ = false, joined_ = false, after_cr_ = false;
  bool waiting_ = false;   // for a frame's begin
  bool complete_ = false;  // what came before it
  std::vector<double> numbers_;
  std::deque<std::vector<double>> frames_;
  std::int64_t malformed_ = 0;
};

}  // namespace tactelier::devices
