#pragma once
// Frames out of a stream of bytes that may begin anywhere and may be damaged. What begins like a
// frame and isn't one costs one byte, never a frame's length: marks occur in data too.

#include <optional>

#include "devices/framed/frame_description.hpp"

namespace tactelier::devices {

class FrameFinder {
 public:
  /// Not for Framing::kTextLine.
  FrameFinder(const FrameLayout& layout, const FrameCheckPlace& check)
      : layout_(layout), check_(check) {}

  void add(ByteView bytes);
  /// The next whole frame whose check is right; escapes are undone, marks left in. Of numbered
  /// packets all of a frame's, one behind the other.
  std::optional<Bytes> next();
  /// Frames that were whole but wrong.
  std::int64_t malformed() const { return malformed_; }
  /// Forgets the begin of a frame whose rest never came.
  void drop_partial();

  /// Framing::kAnswer: nothing more belongs to the answer that came. One of any other length than
  /// the frame's was none, and after such a one so many right ones in succession are needed as
  /// locks_after says: who sends without being asked is not believed by chance.
  void end_answer();
  bool answer_is_whole() const { return rest().size() >= layout_.length; }

 private:
  std::optional<Bytes> next_marked();
  std::optional<Bytes> next_terminated();
  std::optional<Bytes> next_escaped();
  std::optional<Bytes> next_ended();
  std::optional<Bytes> next_of_packets();
  std::optional<Bytes> take_packet(std::size_t number, ByteView packet);
  /// Nothing when it can't be a packet.
  std::optional<std::size_t> packet_number(ByteView packet) const;
  /// The length that a frame at the buffer's begin says it has; 0: impossible; nothing: not there
  /// yet.
  std::optional<std::size_t> stated_length() const;
  bool check_is_right(ByteView frame) const;
  void skip(std::size_t bytes);
  ByteView rest() const { return ByteView(buffer_).subspan(begin_); }

  FrameLayout layout_;
  FrameCheckPlace check_;
  Bytes buffer_;
  std::size_t begin_ = 0;  // of what hasn't been used
  bool locked_ = false;
  std::int64_t malformed_ = 0;
  std::optional<Bytes> answer_;
  int right_answers_ = 0;  // in succession
  struct {
    Bytes bytes;
    std::size_t count = 0, next_free = 0;  // next_free: behind the number of the last
  } packets_;
};

/// Escaped framings, one frame without its delimiters. Nothing when the escapes make no sense.
std::optional<Bytes> unescape_hdlc(ByteView bytes);
std::optional<Bytes> unescape_slip(ByteView bytes);
std::optional<Bytes> unescape_cobs(ByteView bytes);
/// With delimiters, as it goes over the wire.
Bytes escape_hdlc(ByteView frame);
Bytes escape_slip(ByteView frame);
Bytes escape_cobs(ByteView frame);

}  // namespace tactelier::devices
