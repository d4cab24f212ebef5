// Key "frame" of a device description, and whether everything lies inside such frames.

#include <algorithm>
#include <array>

#include "devices/framed/description_reading.hpp"
#include "libcalib/session/json_get.hpp"

namespace tactelier::devices {
namespace {

using nlohmann::json;

Framing framing_named(std::string_view name) {
  constexpr std::array<std::string_view, 10> kNames{
      "sync_fixed", "sync_length", "terminator_fixed", "hdlc",  "slip", "cobs",
      "text_line",  "sync_end",    "indexed_packets",  "answer"};
  const auto found = std::find(kNames.begin(), kNames.end(), name);
  return static_cast<Framing>(found - kNames.begin());
}

Result<void> read_text_lines(const json& object, DeviceDescription& device,
                             const DescriptionPlace& place) {
  auto& frame = device.frame;
  frame.text_rows = static_cast<std::size_t>(
      get_int(object, "rows").value_or(static_cast<int>(device.sent_rows)));
  const auto* ends = get_member(object, "empty_line_ends");
  frame.empty_line_ends = ends != nullptr && ends->get<bool>();
  frame.prefix = get_text(object, "prefix");
  frame.begin = get_text(object, "begin");
  frame.first_row = static_cast<std::size_t>(get_int(object, "first_row").value_or(0));
  frame.skip = static_cast<std::size_t>(get_int(object, "skip").value_or(0));
  const auto* words = get_member(object, "words");
  frame.words = words != nullptr && words->get<bool>();
  frame.base = get_int(object, "base").value_or(10);
  frame.digits = static_cast<std::size_t>(get_int(object, "digits").value_or(0));
  if (frame.kind != Framing::kTextLine) return {};
  if (frame.text_rows > 1 && !frame.empty_line_ends && !frame.tells_begin())
    return place.bad("frame.rows",
                     "nothing tells where a frame of {} lines begins, and one lost line would "
                     "shift all that follow: state 'empty_line_ends', 'begin' (a line before each "
                     "frame) or {} in 'prefix'",
                     frame.text_rows, kRowInPrefix);
  if (frame.words && frame.base != 10)
    return place.bad("frame.base", "numbers among words are decimal");
  if (frame.words && frame.digits > 0)
    return place.bad("frame.digits", "numbers among words stand apart");
  if (frame.digits > 0 && frame.prefix.ends_with(kRowInPrefix))
    return place.bad("frame.prefix", "nothing tells {} from the digits behind it", kRowInPrefix);
  if (device.sent() % frame.text_rows != 0)
    return place.bad("frame.rows", "{} readings don't fill {} lines", device.sent(),
                     frame.text_rows);
  return {};
}

Result<void> read_length_field(const json& object, FrameLayout& frame,
                               const DescriptionPlace& place) {
  const auto* field = get_member(object, "length_field");
  if (field == nullptr) return place.bad("frame.length_field", "needed by sync_length");
  frame.length_field = field_in(*field);
  frame.length_adds = field->at("adds").get<std::size_t>();
  if (frame.length_field.offset < 0)
    return place.bad("frame.length_field.offset", "counts from the frame's begin");
  return {};
}

Result<void> read_packets(const json& object, DeviceDescription& device,
                          const DescriptionPlace& place) {
  auto& frame = device.frame;
  const auto* index = get_member(object, "index");
  if (index == nullptr) return place.bad("frame.index", "needed by indexed_packets");
  frame.index = field_in(*index);
  frame.first_index = static_cast<std::uint64_t>(get_int(*index, "first").value_or(0));
  frame.sync_at = static_cast<std::size_t>(get_int(object, "sync_at").value_or(0));
  const auto size = device.sent();
  frame.packets =
      static_cast<std::size_t>(get_int(object, "packets").value_or(static_cast<int>(size)));
  if (size % frame.packets != 0)
    return place.bad("frame.packets", "{} readings don't fill {} packets", size, frame.packets);
  if (frame.sync_at + frame.sync.size() + frame.end.size() > frame.length)
    return place.bad("frame.length", "the marks don't fit a packet of {} bytes", frame.length);
  if (frame.packets * frame.length > kLongestFrame)
    return place.bad("frame.packets", "more than {} bytes", kLongestFrame);
  return {};
}

/// Whether something of that size at that offset lies within a frame of a known length.
bool inside(int offset, std::size_t size, std::size_t length) {
  if (offset < 0)
    return static_cast<std::size_t>(-offset) <= length && size <= static_cast<std::size_t>(-offset);
  return static_cast<std::size_t>(offset) + size <= length;
}

}  // namespace

bool FrameLayout::tells_begin() const {
  return !begin.empty() || prefix.find(kRowInPrefix) != std::string::npos;
}

Result<void> read_frame_layout(const json& object, DeviceDescription& device,
                               const DescriptionPlace& place) {
  auto& frame = device.frame;
  frame.kind = framing_named(get_text(object, "kind"));
  auto sync = bytes_at(object, "sync", place);
  if (!sync) return fail(sync.error());
  auto end = bytes_at(object, "end", place);
  if (!end) return fail(end.error());
  frame.sync = std::move(*sync);
  frame.end = std::move(*end);
  frame.length = static_cast<std::size_t>(get_int(object, "length").value_or(0));
  frame.locks_after = get_int(object, "locks_after").value_or(1);
  const bool fixed = frame.kind == Framing::kSyncFixed || frame.kind == Framing::kTerminatorFixed ||
                     frame.kind == Framing::kIndexedPackets;
  const bool answer = frame.kind == Framing::kAnswer;
  if (answer && device.poll.empty())
    return place.bad("dialogue.poll", "needed by frames that are answers");
  if (answer && !frame.sync.empty())
    return place.bad("frame.sync", "an answer needs no marks; with marks it is sync_fixed");
  if ((fixed || answer) && frame.length <= frame.sync.size())
    return place.bad("frame.length", "the bytes of a whole frame are needed, more than its marks");
  const bool marked =
      fixed || frame.kind == Framing::kSyncLength || frame.kind == Framing::kSyncEnd;
  if (marked && frame.sync.empty()) return place.bad("frame.sync", "marks are needed");
  if (frame.kind == Framing::kSyncEnd && frame.end.empty())
    return place.bad("frame.end", "needed by sync_end");
  if (frame.kind == Framing::kSyncLength) return read_length_field(object, frame, place);
  if (frame.kind == Framing::kIndexedPackets) return read_packets(object, device, place);
  return read_text_lines(object, device, place);
}

Result<void> check_places(const DeviceDescription& device, const DescriptionPlace& place) {
  const auto length = device.frame.length;
  const auto kind = device.frame.kind;
  if (kind == Framing::kSyncEnd && device.check.check.size() == 0)
    return place.bad("check", "needed by sync_end: the end marks occur in data, too");
  if (length == 0 || kind == Framing::kTextLine || kind == Framing::kSyncLength ||
      kind == Framing::kSyncEnd)
    return {};
  const auto readings = device.readings_size();
  if (!inside(device.cells.offset, readings, length))
    return place.bad("cells", "{} bytes from byte {} don't fit a frame of {} bytes", readings,
                     device.cells.offset, length);
  const auto status = device.status ? std::optional(device.status->field) : std::nullopt;
  for (const auto& [key, field] :
       {std::pair{"time", device.time}, {"sequence", device.sequence}, {"status", status}})
    if (field && !inside(field->offset, size_of(field->type), length))
      return place.bad(key, "byte {} is outside a frame of {} bytes", field->offset, length);
  if (!inside(device.check.at, device.check.check.size(), length))
    return place.bad("check.at", "byte {} is outside a frame of {} bytes", device.check.at, length);
  if (kind == Framing::kIndexedPackets &&
      !inside(device.frame.index.offset, size_of(device.frame.index.type), length))
    return place.bad("frame.index", "outside a packet of {} bytes", length);
  return {};
}

}  // namespace tactelier::devices
