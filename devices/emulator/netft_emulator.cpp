#include "devices/emulator/netft_emulator.hpp"

#include <algorithm>
#include <cmath>

#include "libcalib/sensor/wrench.hpp"

namespace tactelier::devices {
namespace {

constexpr std::int64_t kAnswer_ns = 300'000;  // from a request to the first record
constexpr std::uint32_t kMonitorLatched = kRdtError | kRdtMonitor;
constexpr std::uint32_t kSaturated = kRdtError | kRdtSaturated;

std::int32_t to_counts(double value) {
  constexpr double kMost = 2147483647.0;
  return static_cast<std::int32_t>(std::clamp(std::round(value), -kMost - 1, kMost));
}

}  // namespace

NetFtEmulator::NetFtEmulator(NetFtBox& box, WrenchSource wrench, std::int64_t power_up_ns)
    : box_(box), wrench_(std::move(wrench)), power_up_ns_(power_up_ns), now_ns_(power_up_ns) {}

std::int64_t NetFtEmulator::record_time_ns(std::int64_t number) const {
  const double period_ns = 1e9 / (rate_hz_ * (1 + box_.clock_ppm * 1e-6));
  return start_ns_ + static_cast<std::int64_t>(static_cast<double>(number) * period_ns);
}

void NetFtEmulator::start(std::uint32_t count, bool buffered, int peer, std::int64_t now_ns) {
  if (box_.deaf_to_starts > 0) {
    --box_.deaf_to_starts;
    return;
  }
  streaming_ = true;
  peer_ = peer;
  batch_ = buffered ? box_.records_per_datagram : 1;
  rate_hz_ = box_.rdt_rate_hz;
  start_ns_ = now_ns + kAnswer_ns;
  sent_ = 0;
  wanted_ = count;
  datagram_.clear();
}

void NetFtEmulator::receive(ByteView datagram, int peer, std::int64_t now_ns) {
  const auto request = decode_rdt_request(datagram);
  if (!request) return;
  switch (request->command) {
    case RdtCommand::kStop:
      streaming_ = false;
      break;
    case RdtCommand::kStart:
    case RdtCommand::kStartMultiUnit:
      start(request->count, false, peer, now_ns);
      break;
    case RdtCommand::kStartBuffered:
      start(request->count, true, peer, now_ns);
      break;
    case RdtCommand::kClearLatch:
      latched_ = false;
      break;
    case RdtCommand::kSetSpeed:
      if (box_.takes_speed && request->count > 0 && request->count <= 1000)
        box_.rdt_rate_hz = static_cast<int>(1000 / request->count);
      break;
    case RdtCommand::kSetFilter:
      break;
    case RdtCommand::kBias:
      set_bias(now_ns);
      if (box_.bias_stops_stream) streaming_ = false;
      break;
  }
}

std::array<double, 6> NetFtEmulator::wrench_at(std::int64_t time_ns) const {
  auto wrench = wrench_(time_ns);
  for (std::size_t axis = 0; axis < 6; ++axis) wrench[axis] -= box_.bias_SI[axis];
  const auto torque_Nm = torque_about_Nm(box_.tool_m, {wrench[0], wrench[1], wrench[2]},
                                         {wrench[3], wrench[4], wrench[5]});
  std::copy(torque_Nm.begin(), torque_Nm.end(), wrench.begin() + 3);
  return wrench;
}

void NetFtEmulator::set_bias(std::int64_t time_ns) { box_.bias_SI = wrench_(time_ns); }

std::uint32_t NetFtEmulator::status_at(std::int64_t time_ns) const {
  return (latched_ ? kMonitorLatched : 0) |
         (wire_.lasting(FaultKind::kSaturate, time_ns) ? kSaturated : 0);
}

RdtRecord NetFtEmulator::measure(std::int64_t time_ns) {
  RdtRecord record;
  record.rdt_sequence = box_.first_rdt_sequence + static_cast<std::uint32_t>(sent_);
  const double up_s = static_cast<double>(time_ns - power_up_ns_) * 1e-9;
  const auto ticks =
      static_cast<std::int64_t>(up_s * box_.sampling_rate_hz * (1 + box_.clock_ppm * 1e-6));
  record.ft_sequence = box_.ft_at_power_up + static_cast<std::uint32_t>(ticks);
  if (wire_.strikes(FaultKind::kWrongData, time_ns)) record.ft_sequence = last_ft_;
  last_ft_ = record.ft_sequence;
  const auto wrench = wrench_at(time_ns);
  for (std::size_t axis = 0; axis < 6; ++axis)
    record.counts[axis] =
        to_counts(wrench[axis] * (axis < 3 ? box_.counts_per_N : box_.counts_per_Nm));
  if (wire_.strikes(FaultKind::kAlarm, time_ns)) latched_ = true;
  record.status = status_at(time_ns);
  if ((record.status & kRdtSaturated) != 0) record.counts[2] = to_counts(-1e12);
  return record;
}

void NetFtEmulator::run_until(std::int64_t now_ns) {
  now_ns_ = std::max(now_ns_, now_ns);
  if (wire_.strikes(FaultKind::kReset, now_ns)) {
    streaming_ = false;
    power_up_ns_ = now_ns;
    box_.ft_at_power_up = 0;
    box_.bias_SI = {};
  }
  while (streaming_ && record_time_ns(sent_) <= now_ns) {
    const auto time_ns = record_time_ns(sent_);
    append(datagram_, measure(time_ns));
    ++sent_;
    ++records_sent_;
    const bool last = wanted_ > 0 && sent_ >= wanted_;
    if (last || sent_ % batch_ == 0) wire_.send(time_ns, std::exchange(datagram_, {}), peer_);
    if (last) streaming_ = false;
  }
}

std::int64_t NetFtEmulator::next_ns() const {
  auto next_ns = std::min(wire_.next_ns(), wire_.next_strike_ns(now_ns_));
  if (streaming_) next_ns = std::min(next_ns, record_time_ns(sent_));
  return next_ns;
}

}  // namespace tactelier::devices
