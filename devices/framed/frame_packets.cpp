// Frames that are told apart by what follows them: end marks with a check (PapillArray), or the
// numbers of small packets (TactileGlove).

#include <algorithm>

#include "devices/framed/frame_finder.hpp"
#include "devices/link/bytes.hpp"

namespace tactelier::devices {
namespace {

bool has_at(ByteView bytes, std::size_t at, const Bytes& marks) {
  return at + marks.size() <= bytes.size() &&
         std::equal(marks.begin(), marks.end(), bytes.begin() + static_cast<std::ptrdiff_t>(at));
}

}  // namespace

/// End marks occur in data, too: a frame ends at those that make its check right. Where they don't
/// and the next frame begins behind them, the frame was damaged.
std::optional<Bytes> FrameFinder::next_ended() {
  const auto& sync = layout_.sync;
  const auto& end = layout_.end;
  const auto most = layout_.length > 0 ? layout_.length : kLongestFrame;
  while (rest().size() >= sync.size()) {
    if (!has_at(rest(), 0, sync)) {
      skip(1);
      continue;
    }
    bool damaged = false;
    for (auto at = sync.size(); !damaged; ++at) {
      if (at + end.size() > most) {
        damaged = true;
        break;
      }
      if (at + end.size() > rest().size()) return std::nullopt;
      if (!has_at(rest(), at, end)) continue;
      const auto length = at + end.size();
      if (check_is_right(rest().first(length))) {
        Bytes frame(rest().begin(), rest().begin() + static_cast<std::ptrdiff_t>(length));
        skip(length);
        return frame;
      }
      if (rest().size() < length + sync.size()) return std::nullopt;
      damaged = has_at(rest(), length, sync);
    }
    ++malformed_;
    skip(1);
  }
  return std::nullopt;
}

std::optional<std::size_t> FrameFinder::packet_number(ByteView packet) const {
  const auto& field = layout_.index;
  const auto size = size_of(field.type);
  const auto at = field.offset < 0 ? packet.size() - static_cast<std::size_t>(-field.offset)
                                   : static_cast<std::size_t>(field.offset);
  if (!has_at(packet, layout_.sync_at, layout_.sync) ||
      !has_at(packet, packet.size() - layout_.end.size(), layout_.end))
    return std::nullopt;
  const auto raw = unsigned_number(packet.subspan(at, size), field.big_endian);
  const auto number = (raw & field.mask) >> static_cast<unsigned>(field.shift);
  if (number < layout_.first_index || number - layout_.first_index >= layout_.packets)
    return std::nullopt;
  return static_cast<std::size_t>(number - layout_.first_index);
}

std::optional<Bytes> FrameFinder::next_of_packets() {
  while (rest().size() >= layout_.length) {
    const auto packet = rest().first(layout_.length);
    const auto number = packet_number(packet);
    if (!number || !check_is_right(packet)) {
      skip(1);
      continue;
    }
    auto frame = take_packet(*number, packet);
    skip(layout_.length);
    if (frame) return frame;
  }
  return std::nullopt;
}

std::optional<Bytes> FrameFinder::take_packet(std::size_t number, ByteView packet) {
  auto& part = packets_;
  if (part.next_free > number) {  // the last packets of the frame before never came
    malformed_ += locked_ ? 1 : 0;
    locked_ = true;
    part = {};
  }
  part.bytes.insert(part.bytes.end(), packet.begin(), packet.end());
  ++part.count;
  part.next_free = number + 1;
  if (part.next_free < layout_.packets) return std::nullopt;
  const bool whole = part.count == layout_.packets;
  // What came before the first whole frame may be the end of one: it isn't counted.
  malformed_ += !whole && locked_ ? 1 : 0;
  locked_ = true;
  auto frame = std::exchange(part, {}).bytes;
  return whole ? std::optional(std::move(frame)) : std::nullopt;
}

}  // namespace tactelier::devices
