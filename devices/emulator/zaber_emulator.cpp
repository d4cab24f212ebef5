#include "devices/emulator/zaber_emulator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace tactelier::devices {
namespace {

constexpr std::int64_t kBoot_ns = 1'000'000'000;
constexpr std::int64_t kLine_ns = 1'000'000;  // to read a line and act on it
constexpr double kLost_mm = 0.04;
constexpr std::size_t kLongest = 128;  // a line; what is longer is forgotten

/// "Warning Flags", the highest priority first.
constexpr std::array<const char*, 12> kByPriority{"FD", "FQ", "FS", "FE", "WL", "WV",
                                                  "WM", "WR", "WH", "NC", "NI", "NU"};

unsigned lrc(std::string_view text) {
  unsigned sum = 0;
  for (const char c : text) sum += static_cast<unsigned char>(c);
  return (0x100U - sum % 0x100U) % 0x100U;
}

bool is_number(const std::string& word) {
  return !word.empty() && word.find_first_not_of("0123456789") == word.npos;
}

}  // namespace

ZaberEmulator::ZaberEmulator(const ZaberBoard& board, std::int64_t power_up_ns)
    : board_(board), wire_(board.baud / 10) {
  settings_ = {{"comm.checksum", board_.checksums ? "1" : "0"},
               {"comm.alert", "0"},
               {"device.id", board_.chained ? "50081" : "30222"},
               {"system.serial", "60321"},
               {"system.access", "1"},
               {"system.axiscount", board_.chained       ? "1"
                                    : board_.fourth_axis ? "4"
                                                         : "3"},
               {"system.voltage", "47.9"},
               {"version", board_.firmware}};
  for (std::size_t i = 0; i < 3; ++i) {
    auto& axis = axes_[i];
    const double step_mm = std::abs(board_.mm_per_step[i]);
    const auto speed = [&](double mm_per_s) {
      return fmt::format("{}", std::llround(mm_per_s / step_mm * 1.6384));
    };
    const auto acceleration =
        fmt::format("{}", std::llround(board_.acceleration_mm_per_s2[i] / step_mm * 1.6384e-4));
    axis.settings = {{"accel", acceleration},
                     {"knob.enable", "1"},
                     {"limit.approach.maxspeed", speed(board_.home_mm_per_s)},
                     {"limit.max", fmt::format("{}", std::llround(board_.travel_mm[i] / step_mm))},
                     {"limit.min", "0"},
                     {"maxspeed", speed(board_.most_mm_per_s[i])},
                     {"motion.accelonly", acceleration},
                     {"motion.decelonly", acceleration},
                     {"resolution", fmt::format("{}", board_.resolution)}};
    axis.machine.start(power_up_ns);
    axis.real_minus_counted = std::round(board_.power_up_mm[i] / step_mm);
  }
  now_ns_ = power_up_ns;
  boot(power_up_ns);
}

/// The counts begin anew where the axes stand; only homing knows where that is.
void ZaberEmulator::boot(std::int64_t now_ns) {
  for (auto& axis : axes_) {
    axis.real_minus_counted += axis.machine.position();
    axis.machine.halt();
    axis.machine.place(0);
    axis.homing = false;
    axis.flags = {"WR"};
  }
  received_.clear();
  lines_.clear();
  wire_.forget();
  ready_ns_ = now_ns + kBoot_ns;
}

Axes_mm ZaberEmulator::true_position_mm() const {
  Axes_mm at_mm{};
  for (std::size_t i = 0; i < 3; ++i)
    at_mm[i] = (axes_[i].machine.position() + axes_[i].real_minus_counted) * board_.mm_per_step[i];
  return at_mm;
}

bool ZaberEmulator::moving() const {
  return std::any_of(axes_.begin(), axes_.end(),
                     [](const Axis& axis) { return axis.machine.moving(); });
}

void ZaberEmulator::set_flag(std::size_t axis, const std::string& flag, bool on) {
  if (on)
    axes_[axis].flags.insert(flag);
  else
    axes_[axis].flags.erase(flag);
}

void ZaberEmulator::say(std::string text, std::int64_t now_ns) {
  if (settings_.at("comm.checksum") == "1")
    text += fmt::format(":{:02X}", lrc(std::string_view(text).substr(1)));
  text += "\r\n";
  wire_.send(now_ns, Bytes(text.begin(), text.end()), 0);
}

void ZaberEmulator::receive(ByteView bytes, int, std::int64_t now_ns) {
  if (now_ns < ready_ns_ || hung_up(now_ns)) return;
  for (const auto byte : bytes) {
    if (byte != '\n' && byte != '\r') {
      received_.push_back(static_cast<char>(byte));
      if (received_.size() > kLongest) received_.clear();
      continue;
    }
    if (!received_.empty())
      lines_.push_back({std::exchange(received_, {}),
                        now_ns + kLine_ns + static_cast<std::int64_t>(random_() % 2'000'000)});
  }
}

/// "/1 2 07 move abs 10:XX". Nothing where it is none, or its checksum is wrong.
std::optional<ZaberEmulator::Message> ZaberEmulator::message_of(std::string line) const {
  const auto begin = line.find('/');
  if (begin == line.npos) return std::nullopt;
  line.erase(0, begin + 1);
  if (line.size() >= 3 && line[line.size() - 3] == ':') {
    const auto sum = std::strtoul(line.c_str() + line.size() - 2, nullptr, 16);
    line.resize(line.size() - 3);
    if (sum != lrc(line)) return std::nullopt;
  }
  Message message;
  std::vector<std::string> words;
  for (std::size_t at = 0; at < line.size();) {
    const auto end = std::min(line.find(' ', at), line.size());
    if (end > at) words.push_back(line.substr(at, end - at));
    at = end + 1;
  }
  std::size_t heads = 0;
  while (heads < std::min<std::size_t>(3, words.size()) && is_number(words[heads])) ++heads;
  if (heads > 0) message.device = std::atoi(words[0].c_str());
  if (heads > 1) message.axis = std::atoi(words[1].c_str());
  if (heads > 2) message.id = fmt::format("{:02d} ", std::atoi(words[2].c_str()));
  message.words.assign(words.begin() + static_cast<std::ptrdiff_t>(heads), words.end());
  return message;
}

std::vector<std::size_t> ZaberEmulator::axes_of(int device, int axis) const {
  const auto first = static_cast<std::size_t>(device - 1);
  if (board_.chained) return axis <= 1 ? std::vector{first} : std::vector<std::size_t>{};
  if (axis == 0) return {0, 1, 2};
  return axis <= 3 ? std::vector{static_cast<std::size_t>(axis - 1)} : std::vector<std::size_t>{};
}

std::string ZaberEmulator::flag_of(const std::vector<std::size_t>& axes) const {
  for (const auto* flag : kByPriority)
    for (const auto axis : axes)
      if (axes_[axis].flags.contains(flag)) return flag;
  return "--";
}

void ZaberEmulator::reply(const Message& message, int device, const Answer& answer,
                          std::int64_t now_ns) {
  auto axes = axes_of(device, message.axis);
  if (axes.empty()) axes = axes_of(device, 0);
  const bool busy = std::any_of(axes.begin(), axes.end(),
                                [&](std::size_t axis) { return axes_[axis].machine.moving(); });
  auto flag = flag_of(axes);
  if (board_.fourth_axis && message.axis == 0 && (flag == "--" || flag == "NI")) flag = "WR";
  say(fmt::format("@{:02d} {} {}{} {} {} {}", device, message.axis, message.id,
                  answer.accepted ? "OK" : "RJ", busy ? "BUSY" : "IDLE", flag, answer.data),
      now_ns);
}

void ZaberEmulator::carry_out(const std::string& line, std::int64_t now_ns) {
  const auto message = message_of(line);
  if (!message) return;
  const bool stops = !message->words.empty() && message->words[0] == "stop";
  if (stops && wire_.lasting(FaultKind::kDeaf, now_ns)) return;
  for (int device = 1; device <= devices(); ++device) {
    if (message->device != 0 && message->device != device) continue;
    reply(*message, device, execute(*message, device, now_ns), now_ns);
  }
}

void ZaberEmulator::run_until(std::int64_t now_ns) {
  now_ns_ = std::max(now_ns_, now_ns);
  for (std::size_t i = 0; i < 3; ++i) {
    auto& axis = axes_[i];
    const bool was = axis.machine.moving();
    axis.machine.run_until(now_ns);
    if (!was || axis.machine.moving()) continue;
    if (axis.homing) end_homing(i);
    if (settings_.at("comm.alert") == "1")
      say(fmt::format("!{:02d} {} IDLE {}", board_.chained ? i + 1 : 1, board_.chained ? 1 : i + 1,
                      flag_of({i})),
          now_ns);
  }
  if (wire_.strikes(FaultKind::kReset, now_ns)) boot(now_ns);
  if (wire_.strikes(FaultKind::kAlarm, now_ns)) {
    axes_[2].machine.halt();
    axes_[2].homing = false;
    axes_[2].flags.insert("FS");
  }
  if (wire_.strikes(FaultKind::kWrongData, now_ns))
    axes_[2].real_minus_counted += std::round(kLost_mm / std::abs(board_.mm_per_step[2]));
  while (!lines_.empty() && lines_.front().due_ns <= now_ns) {
    const auto line = std::move(lines_.front());
    lines_.pop_front();
    carry_out(line.line, line.due_ns);
  }
}

std::int64_t ZaberEmulator::next_ns() const {
  auto next_ns = std::min(wire_.next_ns(), wire_.next_strike_ns(now_ns_));
  for (const auto& axis : axes_) next_ns = std::min(next_ns, axis.machine.next_ns());
  if (!lines_.empty()) next_ns = std::min(next_ns, lines_.front().due_ns);
  return next_ns;
}

}  // namespace tactelier::devices
