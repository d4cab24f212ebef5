#include "devices/weiss/weiss_array.hpp"

#include "devices/link/bytes.hpp"

namespace tactelier::devices {
namespace {

constexpr Timeout kSend{500};
constexpr std::size_t kStatus = 2;  // bytes before an answer's own

}  // namespace

WeissArray::WeissArray(WeissDialect dialect, std::string_view family, std::unique_ptr<Link> link)
    : dialect_(dialect), family_(family), link_(std::move(link)), finder_(dialect), buffer_(4096) {}

void WeissArray::expect(std::size_t cells, const TactileShape& shape) {
  cells_ = cells;
  shape_ = shape;
  finder_.expect_cells(cells);
}

Result<void> WeissArray::send_unanswered(std::uint8_t command, ByteView payload) {
  return link_->send(encode_weiss_frame(dialect_, command, payload), kSend);
}

Result<void> WeissArray::discard(Timeout quiet, Timeout most) {
  finder_.forget();
  return discard_input(*link_, quiet, most);
}

Result<void> WeissArray::listen(Timeout timeout) {
  const auto got = link_->receive(buffer_, timeout);
  if (!got) return fail(got.error());
  heard_ns_ = got->host_time_ns;
  finder_.add(ByteView(buffer_).first(got->size));
  return {};
}

Result<Bytes> WeissArray::ask(std::uint8_t command, ByteView payload, Timeout answer) {
  if (auto sent = send_unanswered(command, payload); !sent) return fail(sent.error());
  auto& clock = link_->clock();
  const auto deadline_ns = clock.now_ns() + to_ns(answer);
  while (true) {
    while (const auto frame = finder_.next()) {
      if (frame->id != command || frame->payload.size() < kStatus) continue;
      const auto status = read_le<std::uint16_t>(frame->payload, 0);
      if (status == weiss_pending(dialect_)) continue;
      if (status != kWeissSuccess)
        return fail(ErrorCode::kDeviceFault, "{}: the array refuses command 0x{:02x}: {}",
                    link_->url(), command, describe_weiss_status(dialect_, status));
      return Bytes(frame->payload.begin() + kStatus, frame->payload.end());
    }
    const auto heard = listen(time_left(deadline_ns, clock.now_ns()));
    const bool late = !heard && heard.error().code == ErrorCode::kTimeout;
    if (late && heard_ns_ == 0)
      return fail(ErrorCode::kTimeout,
                  "nothing answers at {}: no byte came; check power, cable and address",
                  link_->url());
    if (late)
      return fail(ErrorCode::kTimeout, "{}: no answer to command 0x{:02x}; is it {}?", link_->url(),
                  command, family_);
    if (!heard) return fail(heard.error());
  }
}

Result<void> WeissArray::read(std::vector<TactileFrame>& into, Timeout timeout) {
  const auto before = into.size();
  auto& clock = link_->clock();
  const auto deadline_ns = clock.now_ns() + to_ns(timeout);
  while (true) {
    while (const auto frame = finder_.next()) take(*frame, heard_ns_, into);
    counters_.malformed = finder_.malformed() + undecodable_;
    if (into.size() > before) return {};
    const auto heard = listen(time_left(deadline_ns, clock.now_ns()));
    if (heard) continue;
    if (heard.error().code != ErrorCode::kTimeout) return heard;
    ++counters_.timeouts;
    return fail(ErrorCode::kTimeout, "{}: no frame within {} ms", link_->url(), timeout.count());
  }
}

void WeissArray::take(const WeissFrame<std::uint8_t>& frame, std::int64_t host_time_ns,
                      std::vector<TactileFrame>& into) {
  if (frame.id != 0) return;  // a late answer
  const auto readings = decode_weiss_readings(frame.payload, cells_);
  if (!readings) {
    ++undecodable_;
    return;
  }
  TactileFrame taken;
  taken.host_time_ns = host_time_ns;
  taken.tick = ticks_.next(readings->time_ms);
  if (last_tick_) {
    const auto step_ms = *taken.tick - *last_tick_;
    if (step_ms == 0 && periodic()) {
      ++counters_.duplicates;
      return;
    }
    if (step_ms < 0) ++counters_.restarts;
    if (step_ms > 0) counters_.lost += lost_in(step_ms);
  }
  last_tick_ = taken.tick;
  taken.counts = counts_of(readings->cells);
  ++counters_.received;
  into.push_back(std::move(taken));
}

}  // namespace tactelier::devices
