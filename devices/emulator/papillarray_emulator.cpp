#include "devices/emulator/papillarray_emulator.hpp"

#include <algorithm>
#include <cmath>

namespace tactelier::devices {
namespace {

constexpr double kUsb_bytes_per_s = 1e6;  // what full speed carries
constexpr double kShearEnd_N = 4, kNormalEnd_N = 15;
constexpr double kSoftness_mm_per_N = 0.1;
constexpr std::size_t kLongestLine = 16;

}  // namespace

PapillArrayEmulator::PapillArrayEmulator(const PapillArrayBoard& board, CountsSource forces,
                                         std::int64_t power_up_ns)
    : board_(board),
      forces_(std::move(forces)),
      wire_(kUsb_bytes_per_s),
      rate_hz_(board.rate_hz),
      number_(board.first_number),
      power_up_ns_(power_up_ns),
      now_ns_(power_up_ns),
      next_packet_ns_(power_up_ns + period_ns()) {}

std::int64_t PapillArrayEmulator::period_ns() const {
  return std::llround(1e9 / rate_hz_ / (1 + board_.clock_ppm * 1e-6));
}

void PapillArrayEmulator::receive(ByteView bytes, int, std::int64_t now_ns) {
  heard_.append(bytes.begin(), bytes.end());
  for (auto end = heard_.find('\n'); end != heard_.npos; end = heard_.find('\n')) {
    const auto line = heard_.substr(0, end);
    heard_.erase(0, end + 1);
    obey(line, now_ns);
  }
  if (heard_.size() > kLongestLine) heard_.clear();
}

void PapillArrayEmulator::obey(std::string_view line, std::int64_t now_ns) {
  if (line == "z") bias_ = forces_(now_ns);
  if (line == "S" || line == "s") slip_ = line == "S";
  for (const int rate_hz : kPapillArrayRates_hz)
    if (line == fmt::format("f{}", rate_hz)) {
      rate_hz_ = rate_hz;
      next_packet_ns_ = now_ns + period_ns();
    }
}

std::vector<double> PapillArrayEmulator::measure(std::int64_t time_ns) {
  auto forces_N = forces_(time_ns);
  forces_N.resize(static_cast<std::size_t>(3 * board_.sensors * board_.pillars));
  for (std::size_t i = 0; i < std::min(bias_.size(), forces_N.size()); ++i) forces_N[i] -= bias_[i];
  if (wire_.strikes(FaultKind::kWrongData, time_ns) && !last_.empty()) forces_N = last_;
  last_ = forces_N;
  const bool full = wire_.lasting(FaultKind::kSaturate, time_ns);
  for (std::size_t i = 0; i < forces_N.size(); ++i) {
    const double end_N = i % 3 == 2 ? kNormalEnd_N : kShearEnd_N;
    forces_N[i] = full ? end_N : std::clamp(forces_N[i], -end_N, end_N);
  }
  return forces_N;
}

void PapillArrayEmulator::send_packet(std::int64_t time_ns) {
  const auto forces_N = measure(time_ns);
  PapillArrayPacket packet;
  packet.number = number_++;
  packet.time_us = static_cast<std::uint64_t>(std::llround(
      static_cast<double>(time_ns - power_up_ns_) * 1e-3 * (1 + board_.clock_ppm * 1e-6)));
  auto next = forces_N.begin();
  for (int sensor = 0; sensor < board_.sensors; ++sensor) {
    packet.sensors.emplace_back(static_cast<std::size_t>(board_.pillars));
    for (auto& pillar : packet.sensors.back())
      for (std::size_t i = 0; i < 3; ++i) {
        pillar.force_N[i] = static_cast<float>(*next);
        pillar.displacement_mm[i] = static_cast<float>(*next++ * kSoftness_mm_per_N);
      }
  }
  wire_.send(time_ns, encode_papillarray(packet, slip_));
  ++packets_sent_;
}

void PapillArrayEmulator::run_until(std::int64_t now_ns) {
  now_ns_ = std::max(now_ns_, now_ns);
  (void)wire_.strikes(FaultKind::kAlarm, now_ns);
  if (wire_.strikes(FaultKind::kReset, now_ns)) {
    rate_hz_ = board_.rate_hz;
    number_ = 0;
    slip_ = false;
    bias_.clear();
    power_up_ns_ = now_ns;
    next_packet_ns_ = now_ns + period_ns();
  }
  while (next_packet_ns_ <= now_ns) {
    send_packet(next_packet_ns_);
    next_packet_ns_ += period_ns();
  }
}

std::int64_t PapillArrayEmulator::next_ns() const {
  return std::min({wire_.next_ns(), wire_.next_strike_ns(now_ns_), next_packet_ns_});
}

}  // namespace tactelier::devices
