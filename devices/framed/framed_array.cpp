#include "devices/framed/framed_array.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "devices/link/bytes.hpp"

namespace tactelier::devices {
namespace {

constexpr Timeout kOpen{2000};
constexpr Timeout kSend{500};
constexpr Timeout kDrain{250};  // beyond the pause
constexpr Timeout kAnswer{30};  // later it belongs to no poll; a USB adapter keeps bytes for 16 ms
constexpr int kMostChunks = 64;
constexpr std::int64_t kPartial_ns = 300'000'000;  // a frame whose rest takes longer never comes

int bits_of(const std::optional<FrameField>& field) {
  if (!field) return 32;
  const auto width = static_cast<int>(8 * size_of(field->type));
  const auto masked = static_cast<int>(std::bit_width(field->mask >> field->shift));
  return std::min(width, masked);
}

/// Two's complement of a width given in bytes.
double signed_number(std::uint64_t raw, std::size_t bytes) {
  const std::uint64_t sign = std::uint64_t{1} << (8 * bytes - 1);
  return (raw & sign) != 0 ? -static_cast<double>((~raw & (sign - 1)) + 1)
                           : static_cast<double>(raw);
}

double number_at(ByteView bytes, const FrameField& field) {
  const auto raw = unsigned_number(bytes, field.big_endian);
  switch (field.type) {
    case FieldType::kF32:
      return std::bit_cast<float>(static_cast<std::uint32_t>(raw));
    case FieldType::kF64:
      return std::bit_cast<double>(raw);
    case FieldType::kI8:
    case FieldType::kI16:
    case FieldType::kI24:
    case FieldType::kI32:
      return signed_number(raw, bytes.size());
    default:
      return static_cast<double>((raw & field.mask) >> static_cast<unsigned>(field.shift));
  }
}

/// The bytes of a field; nothing outside the frame.
std::optional<ByteView> field_bytes(ByteView frame, int offset, std::size_t size) {
  const auto from_end = static_cast<std::size_t>(offset < 0 ? -offset : 0);
  if (from_end > frame.size()) return std::nullopt;
  const auto at = offset < 0 ? frame.size() - from_end : static_cast<std::size_t>(offset);
  if (at > frame.size() || frame.size() - at < size) return std::nullopt;
  return frame.subspan(at, size);
}

Result<std::optional<std::int64_t>> counter_in(ByteView frame,
                                               const std::optional<FrameField>& field) {
  if (!field) return std::optional<std::int64_t>{};
  const auto bytes = field_bytes(frame, field->offset, size_of(field->type));
  if (!bytes) return fail(ErrorCode::kProtocol, "a frame of {} bytes is too short", frame.size());
  const auto raw = unsigned_number(*bytes, field->big_endian);
  return std::optional(
      static_cast<std::int64_t>((raw & field->mask) >> static_cast<unsigned>(field->shift)));
}

void reorder(const DeviceDescription& device, const std::vector<double>& readings,
             TactileFrame& frame) {
  frame.counts.resize(device.from.size());
  for (std::size_t i = 0; i < device.from.size(); ++i) {
    const double reading = readings[device.from[i]];
    frame.counts[i] = device.inverted_from ? *device.inverted_from - reading : reading;
  }
}

/// Appends the readings of one packet; of other frames all of them.
Result<void> append_readings(const DeviceDescription& device, ByteView packet,
                             std::vector<double>& readings) {
  const auto count = device.readings_per_packet();
  const auto bytes = field_bytes(packet, device.cells.offset, device.readings_size());
  if (!bytes)
    return fail(ErrorCode::kProtocol, "a frame of {} bytes holds no {} readings", packet.size(),
                count);
  const auto bits = static_cast<std::size_t>(device.bits);
  for (std::size_t i = 0; i < count; ++i)
    readings.push_back(
        bits > 0 ? packed_number(*bytes, i * bits, device.bits, device.high_bits_first)
                 : number_at(bytes->subspan(device.reading_at(i), size_of(device.cells.type)),
                             device.cells));
  return {};
}

}  // namespace

Result<TactileFrame> decode_frame(const DeviceDescription& device, ByteView frame) {
  std::vector<double> readings;
  readings.reserve(device.sent());
  const auto length = frame.size() / device.frame.packets;
  for (std::size_t packet = 0; packet < device.frame.packets; ++packet)
    if (auto got = append_readings(device, frame.subspan(packet * length, length), readings); !got)
      return fail(got.error());
  TactileFrame decoded;
  reorder(device, readings, decoded);
  const auto& counts = decoded.counts;
  if (!std::all_of(counts.begin(), counts.end(), [](double r) { return std::isfinite(r); }))
    return fail(ErrorCode::kProtocol, "a reading is no finite number");
  return counter_in(frame, device.time)
      .and_then([&](std::optional<std::int64_t> tick) {
        decoded.tick = tick;
        return counter_in(frame, device.sequence);
      })
      .and_then([&](std::optional<std::int64_t> sequence) {
        decoded.sequence = sequence;
        return counter_in(frame,
                          device.status ? std::optional(device.status->field) : std::nullopt);
      })
      .map([&](std::optional<std::int64_t> status) {
        decoded.status = static_cast<std::uint32_t>(status.value_or(0));
        return decoded;
      });
}

FramedArray::FramedArray(DeviceDescription device, std::unique_ptr<Link> link, double rate_hz)
    : device_(std::move(device)),
      link_(std::move(link)),
      finder_(FrameFinder(device_.frame, device_.check)),
      ticks_(bits_of(device_.time)),
      sequences_(bits_of(device_.sequence)),
      by_clock_(device_.time && !device_.sequence
                    ? ClockNumbers::create(device_.shape.tick_s, rate_hz)
                    : std::nullopt),
      buffer_(4096) {
  if (device_.frame.kind == Framing::kTextLine)
    finder_ = TextFrameFinder(device_.frame, device_.sent() / device_.frame.text_rows);
}

Result<std::unique_ptr<FramedArray>> FramedArray::open(const std::string& url,
                                                       DeviceDescription description,
                                                       const Connector& connect, double rate_hz) {
  const bool serial = url.starts_with("serial:") || url.starts_with("pty:");
  const bool says_baud = url.find("baud=") != url.npos;
  auto full = url;
  if (serial && !says_baud && description.baud)
    full += fmt::format("{}baud={}", url.find('?') == url.npos ? '?' : '&', *description.baud);
  auto link = connect(full, kOpen);
  if (!link) return fail(link.error());
  auto& clock = (*link)->clock();
  clock.wait_until(clock.now_ns() + to_ns(description.wait_after_open));
  return std::unique_ptr<FramedArray>(
      new FramedArray(std::move(description), std::move(*link), rate_hz));
}

Result<void> FramedArray::start() {
  if (!device_.stop.empty())
    if (auto stopped = link_->send(device_.stop, kSend); !stopped) return stopped;
  const bool silent_now = !device_.stop.empty() || !device_.poll.empty();
  if (silent_now)
    if (auto quiet = discard_input(*link_, device_.pause, device_.pause + kDrain); !quiet)
      return quiet;
  if (answers() && link_->receive(buffer_, device_.pause))
    return fail(
        ErrorCode::kProtocol,
        "{}: '{}' sends without being asked, and its frames hold no marks: where one begins "
        "nobody could tell. Set it to answer only",
        link_->url(), device_.name);
  heard_ns_ = link_->clock().now_ns();
  polled_ns_ = heard_ns_ - to_ns(std::max(device_.poll_every, kAnswer));
  return device_.start.empty() ? Result<void>{} : link_->send(device_.start, kSend);
}

Result<void> FramedArray::stop() {
  return device_.stop.empty() ? Result<void>{} : link_->send(device_.stop, kSend);
}

std::int64_t FramedArray::next_poll_ns() const {
  const auto* finder = std::get_if<FrameFinder>(&finder_);
  const bool waits = answers() && !finder->answer_is_whole();
  return polled_ns_ + to_ns(waits ? std::max(kAnswer, device_.poll_every) : device_.poll_every);
}

Result<void> FramedArray::poll_when_due(std::vector<TactileFrame>& into) {
  if (device_.poll.empty()) return {};
  auto& clock = link_->clock();
  if (answers() && clock.now_ns() >= polled_ns_ + to_ns(device_.poll_every))
    for (int chunk = 0; chunk < kMostChunks; ++chunk) {
      const auto got = link_->receive(buffer_, Timeout{0});
      if (!got) break;
      take(*got, into);
    }
  const auto now_ns = clock.now_ns(), due_ns = next_poll_ns();
  if (now_ns < due_ns) return {};
  if (answers()) {
    std::get<FrameFinder>(finder_).end_answer();
    take_found(heard_ns_, into);
  }
  // One late poll doesn't shift all that follow.
  polled_ns_ = now_ns - due_ns < to_ns(device_.poll_every) ? due_ns : now_ns;
  ++polls_;
  return link_->send(device_.poll, kSend);
}

Result<void> FramedArray::read(std::vector<TactileFrame>& into, Timeout timeout) {
  const auto before = into.size();
  const auto malformed_before = counters_.malformed;
  auto& clock = link_->clock();
  const auto deadline_ns = clock.now_ns() + to_ns(timeout);
  Timeout waited{0};  // a simulated world may stand until we come back
  while (into.size() == before) {
    if (auto polled = poll_when_due(into); !polled || into.size() > before) return polled;
    auto wait = time_left(deadline_ns, clock.now_ns());
    if (!device_.poll.empty()) wait = std::min(wait, time_left(next_poll_ns(), clock.now_ns()));
    const auto got = link_->receive(buffer_, wait);
    if (got) {
      take(*got, into);
      continue;
    }
    if (got.error().code != ErrorCode::kTimeout) return fail(got.error());
    waited += wait;
    if (clock.now_ns() < deadline_ns && waited < timeout) continue;
    ++counters_.timeouts;
    if (counters_.malformed > malformed_before)
      return fail(ErrorCode::kProtocol,
                  "{}: {} frames in {} ms and none of them right; do description and baud rate "
                  "fit this board?",
                  link_->url(), counters_.malformed - malformed_before, timeout.count());
    return fail(ErrorCode::kTimeout, "{}: no frame of '{}' within {} ms", link_->url(),
                device_.name, timeout.count());
  }
  return {};
}

void FramedArray::take(const Received& received, std::vector<TactileFrame>& into) {
  const auto bytes = ByteView(buffer_).first(received.size);
  const bool stale = received.host_time_ns - heard_ns_ > kPartial_ns;
  heard_ns_ = received.host_time_ns;
  if (auto* text = std::get_if<TextFrameFinder>(&finder_)) {
    text->add(bytes);
    while (const auto readings = text->next()) {
      TactileFrame frame;
      frame.host_time_ns = received.host_time_ns;
      reorder(device_, *readings, frame);
      take(std::move(frame), into);
    }
    counters_.malformed = text->malformed();
    return;
  }
  auto& finder = std::get<FrameFinder>(finder_);
  if (stale) finder.drop_partial();
  finder.add(bytes);
  take_found(received.host_time_ns, into);
}

void FramedArray::take_found(std::int64_t host_time_ns, std::vector<TactileFrame>& into) {
  auto& finder = std::get<FrameFinder>(finder_);
  while (const auto found = finder.next()) {
    auto frame = decode_frame(device_, *found);
    if (!frame) {
      ++undecodable_;
      continue;
    }
    frame->host_time_ns = host_time_ns;
    if (answers()) frame->sequence = polls_;
    take(std::move(*frame), into);
  }
  counters_.malformed = finder.malformed() + undecodable_;
}

void FramedArray::take(TactileFrame frame, std::vector<TactileFrame>& into) {
  if (frame.tick) frame.tick = ticks_.next(static_cast<std::uint64_t>(*frame.tick));
  if (frame.sequence && !answers())
    frame.sequence = sequences_.next(static_cast<std::uint64_t>(*frame.sequence));
  if (frame.tick && by_clock_) {
    const auto [number, restarted] = by_clock_->next(*frame.tick, frame.host_time_ns);
    frame.sequence = number;
    if (restarted) ++counters_.restarts;
  }
  if (frame.sequence) {
    const auto step = last_sequence_ ? *frame.sequence - *last_sequence_ : 1;
    if (step == 0) {
      ++counters_.duplicates;
      return;
    }
    if (step < 0) ++counters_.restarts;  // a stream keeps its order: the board began anew
    if (step > 1) counters_.lost += step - 1;
    last_sequence_ = frame.sequence;
  }
  ++counters_.received;
  into.push_back(std::move(frame));
}

}  // namespace tactelier::devices
