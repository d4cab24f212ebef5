#include "devices/weiss/wts_array.hpp"

#include "devices/link/bytes.hpp"

namespace tactelier::devices {
namespace {

constexpr Timeout kOpen{2000};
constexpr Timeout kSend{500};
constexpr Timeout kAnswer{1000};
constexpr Timeout kQuiet{50};
constexpr Timeout kDrain{200};

}  // namespace

WtsArray::WtsArray(const WtsOptions& options, std::unique_ptr<Link> link)
    : options_(options), link_(std::move(link)), buffer_(4096) {}

Result<std::unique_ptr<WtsArray>> WtsArray::open(const WtsOptions& options,
                                                 const Connector& connect) {
  if (options.period_ms < 0 || options.period_ms > 65535)
    return fail(ErrorCode::kUsage, "period_ms {}: 0 to 65535 expected", options.period_ms);
  auto link = connect(options.url, kOpen);
  if (!link) return fail(link.error());
  std::unique_ptr<WtsArray> array(new WtsArray(options, std::move(*link)));
  const auto stopped = array->link_->send(encode(WtsFrame{WtsCommand::kStopPeriodic, {}}), kSend);
  if (!stopped) return fail(stopped.error());
  if (auto quiet = discard_input(*array->link_, kQuiet, kDrain); !quiet) return fail(quiet.error());
  return array->ask(WtsCommand::kMatrixInfo, {})
      .and_then([](const Bytes& payload) { return decode_wts_matrix(payload); })
      .map([&](const WtsMatrix& matrix) {
        array->matrix_ = matrix;
        array->finder_.expect_cells(static_cast<std::size_t>(matrix.rows * matrix.columns));
        array->shape_ = {matrix.rows, matrix.columns, 1, 1e-3};
        return std::move(array);
      });
}

Result<void> WtsArray::listen(Timeout timeout) {
  const auto got = link_->receive(buffer_, timeout);
  if (!got) return fail(got.error());
  heard_ns_ = got->host_time_ns;
  finder_.add(ByteView(buffer_).first(got->size));
  return {};
}

Result<Bytes> WtsArray::ask(WtsCommand command, const Bytes& payload) {
  if (auto sent = link_->send(encode(WtsFrame{command, payload}), kSend); !sent)
    return fail(sent.error());
  auto& clock = link_->clock();
  const auto deadline_ns = clock.now_ns() + to_ns(kAnswer);
  while (true) {
    while (const auto frame = finder_.next()) {
      if (frame->id != command || frame->payload.size() < 2) continue;
      const auto status = read_le<std::uint16_t>(frame->payload, 0);
      if (status == kWtsPending) continue;
      if (status != kWtsSuccess)
        return fail(ErrorCode::kDeviceFault, "{}: the array refuses command 0x{:02x}: {}",
                    link_->url(), static_cast<int>(command), describe_wts_status(status));
      return Bytes(frame->payload.begin() + 2, frame->payload.end());
    }
    const auto heard = listen(time_left(deadline_ns, clock.now_ns()));
    const bool late = !heard && heard.error().code == ErrorCode::kTimeout;
    if (late && heard_ns_ == 0)
      return fail(ErrorCode::kTimeout,
                  "nothing answers at {}: no byte came; check power, cable and address",
                  link_->url());
    if (late)
      return fail(ErrorCode::kTimeout, "{}: no answer to command 0x{:02x}; is it a Weiss WTS?",
                  link_->url(), static_cast<int>(command));
    if (!heard) return fail(heard.error());
  }
}

Result<void> WtsArray::start() {
  Bytes payload{static_cast<std::uint8_t>(options_.run_lengths ? 1 : 0)};
  append_le(payload, static_cast<std::uint16_t>(options_.period_ms));
  last_tick_.reset();
  return ask(WtsCommand::kStartPeriodic, payload).map([](const Bytes&) {});
}

Result<void> WtsArray::stop() {
  return ask(WtsCommand::kStopPeriodic, {}).map([](const Bytes&) {});
}

Result<void> WtsArray::read(std::vector<TactileFrame>& into, Timeout timeout) {
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

void WtsArray::take(const WtsFrame& frame, std::int64_t host_time_ns,
                    std::vector<TactileFrame>& into) {
  if (frame.id != WtsCommand::kFrame) return;  // a late answer
  const auto readings = decode_wts_readings(frame.payload, shape_.size());
  if (!readings) {
    ++undecodable_;
    return;
  }
  TactileFrame taken;
  taken.host_time_ns = host_time_ns;
  taken.tick = ticks_.next(readings->time_ms);
  const auto step = last_tick_ ? *taken.tick - *last_tick_ : options_.period_ms;
  if (last_tick_ && step == 0 && options_.period_ms > 0) {
    ++counters_.duplicates;
    return;
  }
  if (step < 0) ++counters_.restarts;
  if (options_.period_ms > 0 && step > 0)
    counters_.lost += (step + options_.period_ms / 2) / options_.period_ms - 1;
  last_tick_ = taken.tick;
  taken.counts.assign(readings->cells.begin(), readings->cells.end());
  ++counters_.received;
  into.push_back(std::move(taken));
}

}  // namespace tactelier::devices
