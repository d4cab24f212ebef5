#include "devices/emulator/uskin_emulator.hpp"

#include <algorithm>
#include <cmath>

namespace tactelier::devices {
namespace {

constexpr std::int64_t kAnswer_ns = 1'000'000;
constexpr double kFullScale = 65535;
constexpr std::string_view kDone = "\r", kSent = "z\r", kRefused = "\a";

}  // namespace

UskinEmulator::UskinEmulator(const UskinBoard& board, CountsSource counts, std::int64_t power_up_ns)
    : board_(board),
      counts_(std::move(counts)),
      wire_(board.adapter ? board.baud / 10 : 0),
      now_ns_(power_up_ns) {}

void UskinEmulator::receive(ByteView bytes, int, std::int64_t now_ns) {
  if (!board_.adapter) {
    (void)wire_.strikes(FaultKind::kAlarm, now_ns);
    if (const auto message = decode_socketcan(bytes)) hear(*message, now_ns);
    return;
  }
  heard_.append(bytes.begin(), bytes.end());
  for (auto end = heard_.find('\r'); end != heard_.npos; end = heard_.find('\r')) {
    const auto line = heard_.substr(0, end);
    heard_.erase(0, end + 1);
    obey(line, now_ns + kAnswer_ns);
  }
}

void UskinEmulator::say(std::string_view text, std::int64_t now_ns) {
  wire_.send(now_ns, Bytes(text.begin(), text.end()));
}

/// As Lawicel's adapters: speed while the channel is closed, messages while it is open.
void UskinEmulator::obey(std::string_view line, std::int64_t now_ns) {
  if (line.empty()) return say(kDone, now_ns);
  if (wire_.strikes(FaultKind::kAlarm, now_ns)) return say(kRefused, now_ns);
  if (line == "C" && open_) {
    open_ = false;
    return say(kDone, now_ns);
  }
  if (line.size() == 2 && line[0] == 'S' && !open_) {
    megabit_ = line[1] == '8';
    return say(kDone, now_ns);
  }
  if (line == "O" && !open_) {
    open_ = true;
    next_round_ns_ = now_ns;
    return say(kDone, now_ns);
  }
  if (line[0] != 't' || !open_) return say(kRefused, now_ns);
  const auto trigger = encode_slcan(uskin_trigger(board_.board));
  if (megabit_ && line == std::string_view(trigger).substr(0, trigger.size() - 1))
    hear(uskin_trigger(board_.board), now_ns);
  say(kSent, now_ns);
}

void UskinEmulator::hear(const CanMessage& message, std::int64_t now_ns) {
  if (message != uskin_trigger(board_.board)) return;
  triggered_ = true;
  next_round_ns_ = now_ns + std::llround(1e9 / board_.rate_hz);
}

void UskinEmulator::send_round(std::int64_t time_ns) {
  auto counts = counts_(time_ns);
  if (wire_.strikes(FaultKind::kWrongData, time_ns) && !last_.empty()) counts = last_;
  last_ = counts;
  if (wire_.lasting(FaultKind::kSaturate, time_ns))
    std::fill(counts.begin(), counts.end(), kFullScale);
  const auto at = [&](int index) {
    const auto i = static_cast<std::size_t>(index);
    const double count = i < counts.size() ? counts[i] : 0;
    return static_cast<int>(std::clamp(std::round(count), 0.0, kFullScale));
  };
  for (int tactel = 0; tactel < board_.tactels; ++tactel) {
    const UskinReading reading{at(3 * tactel), at(3 * tactel + 1), at(3 * tactel + 2)};
    const auto id = board_.first_id + static_cast<std::uint32_t>(tactel);
    const auto message = encode_uskin(id, reading);
    if (board_.adapter)
      say(encode_slcan(message), time_ns);
    else
      wire_.send(time_ns, encode_socketcan(message));
  }
  ++rounds_sent_;
}

void UskinEmulator::run_until(std::int64_t now_ns) {
  now_ns_ = std::max(now_ns_, now_ns);
  if (wire_.strikes(FaultKind::kReset, now_ns)) megabit_ = open_ = triggered_ = false;
  while (triggered_ && next_round_ns_ <= now_ns) {
    if (open_ || !board_.adapter) send_round(next_round_ns_);
    next_round_ns_ += std::llround(1e9 / board_.rate_hz);
  }
}

std::int64_t UskinEmulator::next_ns() const {
  const auto next_ns = std::min(wire_.next_ns(), wire_.next_strike_ns(now_ns_));
  return triggered_ ? std::min(next_ns, next_round_ns_) : next_ns;
}

}  // namespace tactelier::devices
