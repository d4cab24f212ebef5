#include "devices/xela/uskin_array.hpp"

namespace tactelier::devices {
namespace {

constexpr Timeout kOpen{2000};
constexpr Timeout kSend{500};
constexpr Timeout kAnswer{1000};
constexpr Timeout kQuiet{50};
constexpr Timeout kDrain{300};
constexpr int kMostBoards = 255;
constexpr std::uint32_t kLargestId = 0x7FF;
constexpr std::string_view kClose = "C\r", kMegabit = "S8\r", kOpenChannel = "O\r";

Result<void> check(const UskinOptions& options) {
  if (options.rows < 1 || options.columns < 1 || options.columns > kUskinMostTactels / options.rows)
    return fail(ErrorCode::kUsage, "{} x {} tactels: at least 1, at most {} expected", options.rows,
                options.columns, kUskinMostTactels);
  if (options.board < 1 || options.board > kMostBoards)
    return fail(ErrorCode::kUsage, "board {}: 1 to {} expected", options.board, kMostBoards);
  const auto tactels = static_cast<std::uint32_t>(options.rows * options.columns);
  if (options.first_id + tactels - 1 > kLargestId)
    return fail(ErrorCode::kUsage, "first_id {}: the last of {} tactels would be beyond {}",
                options.first_id, tactels, kLargestId);
  return {};
}

}  // namespace

UskinArray::UskinArray(const UskinOptions& options, std::unique_ptr<Link> link)
    : options_(options),
      link_(std::move(link)),
      rounds_(options.first_id, options.rows * options.columns),
      shape_{options.rows, options.columns, kUskinChannels},
      buffer_(4096) {}

Result<std::unique_ptr<UskinArray>> UskinArray::open(const UskinOptions& options,
                                                     const Connector& connect) {
  if (auto checked = check(options); !checked) return fail(checked.error());
  auto link = connect(options.url, kOpen);
  if (!link) return fail(link.error());
  std::unique_ptr<UskinArray> array(new UskinArray(options, std::move(*link)));
  return array->close_channel().and_then([&] { return array->ask(kMegabit); }).map([&] {
    return std::move(array);
  });
}

Result<void> UskinArray::close_channel() {
  // A line that an earlier program left behind in the adapter ends with the first CR; an adapter
  // whose channel is closed refuses to close it, which is as good.
  for (const auto line : {std::string_view("\r"), kClose})
    if (auto sent = link_->send(view_of(line), kSend); !sent) return sent;
  reader_.forget();
  return discard_input(*link_, kQuiet, kDrain);
}

Result<void> UskinArray::listen(Timeout timeout) {
  const auto got = link_->receive(buffer_, timeout);
  if (!got) return fail(got.error());
  heard_ns_ = got->host_time_ns;
  reader_.add(ByteView(buffer_).first(got->size));
  return {};
}

Result<void> UskinArray::ask(std::string_view line) {
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

Result<void> UskinArray::start() {
  return close_channel()
      .and_then([&] { return ask(kMegabit); })
      .and_then([&] { return ask(kOpenChannel); })
      .and_then([&] {
        rounds_.begin();
        return ask(encode_slcan(uskin_trigger(options_.board)));
      });
}

Result<void> UskinArray::stop() { return ask(kClose); }

void UskinArray::take(const CanMessage& message, std::vector<TactileFrame>& into) {
  auto counts = rounds_.take(message);
  if (!counts) return;
  TactileFrame frame;
  frame.host_time_ns = heard_ns_;
  frame.counts = std::move(*counts);
  ++counters_.received;
  into.push_back(std::move(frame));
}

Result<void> UskinArray::read(std::vector<TactileFrame>& into, Timeout timeout) {
  const auto before = into.size();
  auto& clock = link_->clock();
  const auto deadline_ns = clock.now_ns() + to_ns(timeout);
  while (true) {
    while (const auto saying = reader_.next())
      if (saying->kind == SlcanSaying::Kind::kReceived) take(saying->message, into);
    counters_.malformed = rounds_.damaged();
    counters_.duplicates = rounds_.duplicates();
    if (into.size() > before) return {};
    const auto heard = listen(time_left(deadline_ns, clock.now_ns()));
    if (heard) continue;
    if (heard.error().code != ErrorCode::kTimeout) return heard;
    ++counters_.timeouts;
    return fail(ErrorCode::kTimeout, "{}: no whole round of tactels within {} ms", link_->url(),
                timeout.count());
  }
}

}  // namespace tactelier::devices
