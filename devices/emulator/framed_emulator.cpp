#include "devices/emulator/framed_emulator.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "devices/framed/frame_finder.hpp"

namespace tactelier::devices {
namespace {

constexpr double kSaturated = 4095;
constexpr std::int64_t kAnswer_ns = 2'000'000;
constexpr double kDefaultBaud = 115200;

std::uint64_t raw_of(double number, FieldType type) {
  if (type == FieldType::kF32) return std::bit_cast<std::uint32_t>(static_cast<float>(number));
  if (type == FieldType::kF64) return std::bit_cast<std::uint64_t>(number);
  return static_cast<std::uint64_t>(static_cast<std::int64_t>(std::llround(number)));
}

void put(Bytes& frame, std::size_t at, std::size_t size, bool big_endian, std::uint64_t raw) {
  for (std::size_t i = 0; i < size; ++i)
    frame[big_endian ? at + size - 1 - i : at + i] = static_cast<std::uint8_t>(raw >> (8 * i));
}

void put(Bytes& frame, const FrameField& field, std::uint64_t raw) {
  const auto size = size_of(field.type);
  const auto at = field.offset < 0 ? frame.size() - static_cast<std::size_t>(-field.offset)
                                   : static_cast<std::size_t>(field.offset);
  put(frame, at, size, field.big_endian, (raw << static_cast<unsigned>(field.shift)) & field.mask);
}

std::optional<FrameField> status_field(const DeviceDescription& device) {
  return device.status ? std::optional(device.status->field) : std::nullopt;
}

std::size_t frame_size(const DeviceDescription& device) {
  const auto kind = device.frame.kind;
  if (device.frame.length > 0 && kind != Framing::kSyncLength && kind != Framing::kSyncEnd)
    return device.frame.length;
  auto size = static_cast<std::size_t>(std::max(0, device.cells.offset)) + device.readings_size();
  for (const auto& field : {device.time, device.sequence, status_field(device)})
    if (field && field->offset >= 0)
      size = std::max(size, static_cast<std::size_t>(field->offset) + size_of(field->type));
  return size + device.check.check.size() + device.frame.end.size();
}

std::vector<double> in_wire_order(const DeviceDescription& device,
                                  const std::vector<double>& counts) {
  std::vector<double> readings(device.sent());  // of what is not wired 0
  for (std::size_t i = 0; i < counts.size(); ++i)
    readings[device.from[i]] = device.inverted_from ? *device.inverted_from - counts[i] : counts[i];
  return readings;
}

/// Of as many digits as the layout has; what doesn't fit is the largest number.
std::string joined(double reading, const FrameLayout& frame) {
  const double most = std::pow(frame.base, static_cast<double>(frame.digits)) - 1;
  const auto number = static_cast<std::uint64_t>(std::clamp(std::round(reading), 0.0, most));
  return frame.base == 16 ? fmt::format("{:0{}X}", number, frame.digits)
                          : fmt::format("{:0{}}", number, frame.digits);
}

Bytes encode_text(const DeviceDescription& device, const std::vector<double>& readings) {
  const auto& frame = device.frame;
  const auto per_line = readings.size() / frame.text_rows;
  std::string text = frame.begin.empty() ? "" : frame.begin + "\r\n";
  for (std::size_t i = 0; i < readings.size(); ++i) {
    if (i % per_line == 0) {
      auto prefix = frame.prefix;
      if (const auto at = prefix.find(kRowInPrefix); at != prefix.npos)
        prefix.replace(at, kRowInPrefix.size(), fmt::to_string(i / per_line + frame.first_row));
      text += prefix;
    }
    for (std::size_t k = 0; i % per_line == 0 && k < frame.skip; ++k)
      text += frame.digits > 0 ? std::string(frame.digits, '0') : "0 ";
    if (frame.digits > 0)
      text += joined(readings[i], frame);
    else
      text += frame.base == 16 ? fmt::format("{:04X} ", static_cast<unsigned>(readings[i]))
                               : fmt::format("{} ", readings[i]);
    if (i % per_line == per_line - 1) text += "\r\n";
  }
  if (frame.empty_line_ends) text += "\r\n";
  return Bytes(text.begin(), text.end());
}

void put_check(const FrameCheckPlace& place, Bytes& frame) {
  const auto size = place.check.size();
  if (size == 0) return;
  const auto absolute = [&](int offset) {
    return offset < 0 ? frame.size() - static_cast<std::size_t>(-offset)
                      : static_cast<std::size_t>(offset);
  };
  const auto at = absolute(place.at), from = absolute(place.from);
  const auto to = absolute(place.to.value_or(place.at));
  const auto value = place.check.value(ByteView(frame).subspan(from, to - from));
  put(frame, at, size, place.big_endian, value);
}

void put_marks(const FrameLayout& layout, Bytes& frame) {
  const auto at =
      layout.kind == Framing::kTerminatorFixed ? frame.size() - layout.sync.size() : layout.sync_at;
  std::copy(layout.sync.begin(), layout.sync.end(),
            frame.begin() + static_cast<std::ptrdiff_t>(at));
  std::copy_backward(layout.end.begin(), layout.end.end(), frame.end());
  if (layout.kind == Framing::kSyncLength)
    put(frame, layout.length_field, frame.size() - layout.length_adds);
}

void put_packed(const DeviceDescription& device, std::span<const double> readings, Bytes& frame) {
  const auto offset = device.cells.offset;
  auto at = 8 * (offset < 0 ? frame.size() - static_cast<std::size_t>(-offset)
                            : static_cast<std::size_t>(offset));
  for (const double reading : readings)
    for (int i = 0; i < device.bits; ++i, ++at) {
      const auto from = device.high_bits_first ? device.bits - 1 - i : i;
      const auto bit = raw_of(reading, FieldType::kU32) >> static_cast<unsigned>(from) & 1U;
      frame[at / 8] |=
          static_cast<std::uint8_t>(bit << (device.high_bits_first ? 7 - at % 8 : at % 8));
    }
}

struct FrameNumbers {
  std::uint64_t tick, sequence, status;
};

/// A frame, or one packet of it, with these readings.
Bytes encode_packet(const DeviceDescription& device, std::span<const double> readings,
                    std::uint64_t number, const FrameNumbers& numbers) {
  Bytes frame(frame_size(device));
  put_marks(device.frame, frame);
  if (device.frame.kind == Framing::kIndexedPackets)
    put(frame, device.frame.index, device.frame.first_index + number);
  if (device.bits > 0) put_packed(device, readings, frame);
  auto cell = device.cells;
  for (std::size_t i = 0; device.bits == 0 && i < readings.size(); ++i) {
    cell.offset = device.cells.offset + static_cast<int>(device.reading_at(i));
    put(frame, cell, raw_of(readings[i], cell.type));
  }
  if (device.time) put(frame, *device.time, numbers.tick);
  if (device.sequence) put(frame, *device.sequence, numbers.sequence);
  if (device.status) put(frame, device.status->field, numbers.status);
  put_check(device.check, frame);
  return frame;
}

}  // namespace

Bytes encode_frame(const DeviceDescription& device, const std::vector<double>& counts,
                   std::uint64_t tick, std::uint64_t sequence,
                   std::optional<std::uint32_t> status) {
  const auto healthy = device.status ? device.status->healthy : 0;
  const auto readings = in_wire_order(device, counts);
  const auto& layout = device.frame;
  if (layout.kind == Framing::kTextLine) return encode_text(device, readings);
  Bytes frame;
  const auto each = device.readings_per_packet();
  for (std::size_t packet = 0; packet < layout.packets; ++packet) {
    const auto share = std::span(readings).subspan(packet * each, each);
    const auto bytes =
        encode_packet(device, share, packet, {tick, sequence, status.value_or(healthy)});
    frame.insert(frame.end(), bytes.begin(), bytes.end());
  }
  if (layout.kind == Framing::kHdlc) return escape_hdlc(frame);
  if (layout.kind == Framing::kSlip) return escape_slip(frame);
  return layout.kind == Framing::kCobs ? escape_cobs(frame) : frame;
}

FramedEmulator::FramedEmulator(DeviceDescription device, const FramedBoard& board,
                               CountsSource counts, std::int64_t power_up_ns)
    : device_(std::move(device)),
      board_(board),
      counts_(std::move(counts)),
      wire_(device_.baud.value_or(kDefaultBaud) / 10.0),
      streaming_(streams_by_itself()),
      power_up_ns_(power_up_ns),
      now_ns_(power_up_ns),
      next_frame_ns_(power_up_ns),
      sequence_(board.first_sequence) {}

void FramedEmulator::receive(ByteView bytes, int, std::int64_t now_ns) {
  constexpr std::size_t kMost = 256;
  heard_.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  const auto heard = [&](const Bytes& command) {
    return !command.empty() && heard_.ends_with(std::string_view(
                                   reinterpret_cast<const char*>(command.data()), command.size()));
  };
  const bool start = heard(device_.start), stop = heard(device_.stop), poll = heard(device_.poll);
  if (start) next_frame_ns_ = now_ns + kAnswer_ns;
  if (start || stop) streaming_ = start;
  if (poll) send_frame(now_ns + kAnswer_ns);
  if (start || stop || poll || heard_.size() > kMost) heard_.clear();
}

void FramedEmulator::send_frame(std::int64_t time_ns) {
  const double tick_s = device_.shape.tick_s;
  const double up_s =
      static_cast<double>(time_ns - power_up_ns_) * 1e-9 * (1 + board_.clock_ppm * 1e-6);
  const auto ticks = tick_s > 0 ? static_cast<std::uint64_t>(up_s / tick_s) : 0;
  auto counts = counts_(time_ns);
  if (wire_.strikes(FaultKind::kWrongData, time_ns) && !last_.empty()) counts = last_;
  last_ = counts;
  if (wire_.strikes(FaultKind::kAlarm, time_ns)) alarm_ = true;
  if (wire_.lasting(FaultKind::kSaturate, time_ns))
    counts = board_.at_end.empty() ? std::vector<double>(counts.size(), kSaturated) : board_.at_end;
  wire_.send(time_ns, encode_frame(device_, counts, board_.first_tick + ticks, sequence_++,
                                   status_at(time_ns)));
  ++frames_sent_;
}

std::optional<std::uint32_t> FramedEmulator::status_at(std::int64_t time_ns) const {
  if (!device_.status) return std::nullopt;
  auto status = device_.status->healthy;
  const auto& bits = device_.status->bits;
  for (const auto& bit : bits)
    if (bit.saturated && wire_.lasting(FaultKind::kSaturate, time_ns)) status ^= bit.mask;
  const auto alarm = std::find_if(
      bits.begin(), bits.end(), [](const StatusBit& bit) { return !bit.usable && !bit.saturated; });
  return alarm_ && alarm != bits.end() ? status ^ alarm->mask : status;
}

void FramedEmulator::mend() {
  wire_.mend();
  alarm_ = false;
}

void FramedEmulator::run_until(std::int64_t now_ns) {
  now_ns_ = std::max(now_ns_, now_ns);
  if (wire_.strikes(FaultKind::kReset, now_ns)) {
    power_up_ns_ = next_frame_ns_ = now_ns;
    board_.first_tick = sequence_ = 0;
    streaming_ = streams_by_itself();
    alarm_ = false;
  }
  const auto period_ns =
      static_cast<std::int64_t>(1e9 / (board_.rate_hz * (1 + board_.clock_ppm * 1e-6)));
  while (streaming_ && next_frame_ns_ <= now_ns) {
    send_frame(next_frame_ns_);
    next_frame_ns_ += period_ns;
  }
}

std::int64_t FramedEmulator::next_ns() const {
  const auto next_ns = std::min(wire_.next_ns(), wire_.next_strike_ns(now_ns_));
  return streaming_ ? std::min(next_ns, next_frame_ns_) : next_ns;
}

}  // namespace tactelier::devices
