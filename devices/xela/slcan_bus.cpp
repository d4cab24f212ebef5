#include "devices/xela/slcan_bus.hpp"

namespace tactelier::devices {
namespace {

constexpr Timeout kSend{500};
constexpr Timeout kAnswer{1000};
constexpr Timeout kQuiet{50};
constexpr Timeout kDrain{300};
constexpr std::string_view kClose = "C\r", kMegabit = "S8\r", kOpenChannel = "O\r";

}  // namespace

Result<std::unique_ptr<CanBus>> SlcanBus::create(std::unique_ptr<Link> link) {
  std::unique_ptr<SlcanBus> bus(new SlcanBus(std::move(link)));
  return bus->close_channel()
      .and_then([&] { return bus->ask(kMegabit); })
      .map([&]() -> std::unique_ptr<CanBus> { return std::move(bus); });
}

Result<void> SlcanBus::close_channel() {
  // A line that an earlier program left behind in the adapter ends with the first CR; an adapter
  // whose channel is closed refuses to close it, which is as good.
  for (const auto line : {std::string_view("\r"), kClose})
    if (auto sent = link_->send(view_of(line), kSend); !sent) return sent;
  reader_.forget();
  return discard_input(*link_, kQuiet, kDrain);
}

Result<void> SlcanBus::open() {
  return close_channel().and_then([&] { return ask(kMegabit); }).and_then([&] {
    return ask(kOpenChannel);
  });
}

Result<void> SlcanBus::close() { return ask(kClose); }

Result<void> SlcanBus::listen(Timeout timeout) {
  const auto got = link_->receive(buffer_, timeout);
  if (!got) return fail(got.error());
  heard_ns_ = got->host_time_ns;
  reader_.add(ByteView(buffer_).first(got->size));
  return {};
}

std::optional<CanMessage> SlcanBus::next() {
  while (auto saying = reader_.next())
    if (saying->kind == SlcanSaying::Kind::kReceived) return std::move(saying->message);
  return std::nullopt;
}

Result<void> SlcanBus::ask(std::string_view line) {
  if (auto sent = link_->send(view_of(line), kSend); !sent) return sent;
  const auto text = line.substr(0, line.size() - 1);
  auto& clock = link_->clock();
  const auto deadline_ns = clock.now_ns() + to_ns(kAnswer);
  while (true) {
    while (const auto saying = reader_.next()) {
      if (saying->kind == SlcanSaying::Kind::kDone) return {};
      if (saying->kind == SlcanSaying::Kind::kRefused)
        return fail(ErrorCode::kDeviceFault, "{}: the CAN adapter refuses '{}'", link_->url(),
                    text);
    }
    const auto heard = listen(time_left(deadline_ns, clock.now_ns()));
    if (heard) continue;
    if (heard.error().code != ErrorCode::kTimeout) return heard;
    if (heard_ns_ == 0)
      return fail(ErrorCode::kTimeout,
                  "nothing answers at {}: no byte came; check power, cable and address",
                  link_->url());
    return fail(ErrorCode::kTimeout,
                "{}: no answer to '{}'; is it a CAN adapter that speaks slcan?", link_->url(),
                text);
  }
}

}  // namespace tactelier::devices
