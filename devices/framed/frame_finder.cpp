#include "devices/framed/frame_finder.hpp"

#include <algorithm>

#include "devices/link/bytes.hpp"

namespace tactelier::devices {
namespace {

constexpr std::uint8_t kHdlcFlag = 0x7E, kSlipEnd = 0xC0, kCobsEnd = 0x00;

bool starts_with(ByteView bytes, const Bytes& marks) {
  return bytes.size() >= marks.size() && std::equal(marks.begin(), marks.end(), bytes.begin());
}

/// Place of an offset that may count from the end; nothing outside the frame.
std::optional<std::size_t> place_of(int offset, std::size_t length) {
  const auto from_end = static_cast<std::size_t>(offset < 0 ? -offset : 0);
  if (from_end > length) return std::nullopt;
  const auto place = offset < 0 ? length - from_end : static_cast<std::size_t>(offset);
  return place <= length ? std::optional(place) : std::nullopt;
}

}  // namespace

void FrameFinder::add(ByteView bytes) {
  if (begin_ > 4096) {
    buffer_.erase(buffer_.begin(), buffer_.begin() + static_cast<std::ptrdiff_t>(begin_));
    begin_ = 0;
  }
  buffer_.insert(buffer_.end(), bytes.begin(), bytes.end());
}

void FrameFinder::skip(std::size_t bytes) { begin_ += bytes; }

void FrameFinder::drop_partial() {
  buffer_.clear();
  begin_ = 0;
  packets_.bytes.clear();
  packets_.count = 0;
}

std::optional<Bytes> FrameFinder::next() {
  switch (layout_.kind) {
    case Framing::kSyncFixed:
    case Framing::kSyncLength:
      return next_marked();
    case Framing::kTerminatorFixed:
      return next_terminated();
    case Framing::kSyncEnd:
      return next_ended();
    case Framing::kIndexedPackets:
      return next_of_packets();
    case Framing::kAnswer:
      return std::exchange(answer_, std::nullopt);
    default:
      return next_escaped();
  }
}

void FrameFinder::end_answer() {
  const auto bytes = rest();
  if (bytes.empty()) return;
  const bool right = bytes.size() == layout_.length && check_is_right(bytes);
  right_answers_ = right ? right_answers_ + 1 : 0;
  if (!right) ++malformed_;
  if (right && right_answers_ >= layout_.locks_after) answer_.emplace(bytes.begin(), bytes.end());
  buffer_.clear();
  begin_ = 0;
}

bool FrameFinder::check_is_right(ByteView frame) const {
  const auto size = check_.check.size();
  if (size == 0) return true;
  const auto at = place_of(check_.at, frame.size());
  const auto from = place_of(check_.from, frame.size());
  const auto to = place_of(check_.to.value_or(check_.at), frame.size());
  if (!at || !from || !to || *from > *to || *at + size > frame.size()) return false;
  return unsigned_number(frame.subspan(*at, size), check_.big_endian) ==
         check_.check.value(frame.subspan(*from, *to - *from));
}

std::optional<std::size_t> FrameFinder::stated_length() const {
  if (layout_.kind == Framing::kSyncFixed) return layout_.length;
  const auto& field = layout_.length_field;
  const auto at = static_cast<std::size_t>(field.offset), size = size_of(field.type);
  if (rest().size() < at + size) return std::nullopt;
  const auto value = unsigned_number(rest().subspan(at, size), field.big_endian);
  const auto length = layout_.length_adds + value;
  const auto most = layout_.length > 0 ? layout_.length : kLongestFrame;
  return value <= most && length <= most && length >= at + size ? length : 0;
}

std::optional<Bytes> FrameFinder::next_marked() {
  const auto& marks = layout_.sync;
  while (rest().size() >= marks.size()) {
    if (!starts_with(rest(), marks)) {
      skip(1);
      continue;
    }
    const auto length = stated_length();
    if (length && *length > 0 && rest().size() < *length) return std::nullopt;
    if (!length) return std::nullopt;
    if (*length > 0 && check_is_right(rest().first(*length))) {
      Bytes frame(rest().begin(), rest().begin() + static_cast<std::ptrdiff_t>(*length));
      skip(*length);
      return frame;
    }
    ++malformed_;
    skip(1);
  }
  return std::nullopt;
}

std::optional<Bytes> FrameFinder::next_terminated() {
  const auto length = layout_.length;
  const auto ends_at = [&](std::size_t end) {
    return starts_with(rest().subspan(end - layout_.sync.size()), layout_.sync);
  };
  while (true) {
    const auto needed = locked_ ? length : length * static_cast<std::size_t>(layout_.locks_after);
    if (rest().size() < needed) return std::nullopt;
    bool ends = true;
    for (std::size_t end = length; end <= needed; end += length) ends = ends && ends_at(end);
    if (ends && check_is_right(rest().first(length))) {
      locked_ = true;
      Bytes frame(rest().begin(), rest().begin() + static_cast<std::ptrdiff_t>(length));
      skip(length);
      return frame;
    }
    if (locked_) ++malformed_;
    locked_ = false;
    skip(1);
  }
}

std::optional<Bytes> FrameFinder::next_escaped() {
  const auto kind = layout_.kind;
  const auto delimiter =
      kind == Framing::kHdlc ? kHdlcFlag : (kind == Framing::kSlip ? kSlipEnd : kCobsEnd);
  while (true) {
    const auto bytes = rest();
    const auto end = std::find(bytes.begin(), bytes.end(), delimiter);
    if (end == bytes.end()) {
      if (bytes.size() > 2 * kLongestFrame) drop_partial();  // noise
      return std::nullopt;
    }
    const auto part = bytes.first(static_cast<std::size_t>(end - bytes.begin()));
    auto frame = kind == Framing::kHdlc
                     ? unescape_hdlc(part)
                     : (kind == Framing::kSlip ? unescape_slip(part) : unescape_cobs(part));
    const bool empty = part.empty();
    skip(part.size() + 1);
    if (empty) continue;
    // What came before the first delimiter may be the end of a frame: it isn't counted.
    const bool first = !std::exchange(locked_, true);
    if (frame && check_is_right(*frame) && (layout_.length == 0 || frame->size() == layout_.length))
      return frame;
    if (!first) ++malformed_;
  }
}

}  // namespace tactelier::devices
