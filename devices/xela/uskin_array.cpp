#include "devices/xela/uskin_array.hpp"

namespace tactelier::devices {
namespace {

constexpr int kMostBoards = 255;

Result<void> check(const UskinOptions& options) {
  if (options.rows < 1 || options.columns < 1 || options.columns > kUskinMostTactels / options.rows)
    return fail(ErrorCode::kUsage, "{} x {} tactels: at least 1, at most {} expected", options.rows,
                options.columns, kUskinMostTactels);
  if (options.board < 1 || options.board > kMostBoards)
    return fail(ErrorCode::kUsage, "board {}: 1 to {} expected", options.board, kMostBoards);
  const auto tactels = static_cast<std::uint32_t>(options.rows * options.columns);
  if (options.first_id + tactels - 1 > kLargestCanId)
    return fail(ErrorCode::kUsage, "first_id {}: the last of {} tactels would be beyond {}",
                options.first_id, tactels, kLargestCanId);
  return {};
}

}  // namespace

UskinArray::UskinArray(const UskinOptions& options, std::unique_ptr<CanBus> bus)
    : options_(options),
      bus_(std::move(bus)),
      rounds_(options.first_id, options.rows * options.columns),
      shape_{options.rows, options.columns, kUskinChannels} {}

Result<std::unique_ptr<UskinArray>> UskinArray::open(const UskinOptions& options,
                                                     const Connector& connect) {
  if (auto checked = check(options); !checked) return fail(checked.error());
  return open_can_bus(options.url, connect).map([&](std::unique_ptr<CanBus> bus) {
    return std::unique_ptr<UskinArray>(new UskinArray(options, std::move(bus)));
  });
}

Result<void> UskinArray::start() {
  return bus_->open().and_then([&] {
    rounds_.begin();
    return bus_->send(uskin_trigger(options_.board));
  });
}

Result<void> UskinArray::stop() { return bus_->close(); }

void UskinArray::take(const CanMessage& message, std::vector<TactileFrame>& into) {
  auto counts = rounds_.take(message);
  if (!counts) return;
  TactileFrame frame;
  frame.host_time_ns = bus_->heard_ns();
  frame.counts = std::move(*counts);
  ++counters_.received;
  into.push_back(std::move(frame));
}

Result<void> UskinArray::read(std::vector<TactileFrame>& into, Timeout timeout) {
  const auto before = into.size();
  auto& clock = bus_->clock();
  const auto deadline_ns = clock.now_ns() + to_ns(timeout);
  while (true) {
    while (const auto message = bus_->next()) take(*message, into);
    counters_.malformed = rounds_.damaged();
    counters_.duplicates = rounds_.duplicates();
    if (into.size() > before) return {};
    const auto heard = bus_->listen(time_left(deadline_ns, clock.now_ns()));
    if (heard) continue;
    if (heard.error().code != ErrorCode::kTimeout) return heard;
    ++counters_.timeouts;
    return fail(ErrorCode::kTimeout, "{}: no whole round of tactels within {} ms", bus_->url(),
                timeout.count());
  }
}

}  // namespace tactelier::devices
