#include "devices/emulator/emulated_wire.hpp"

#include <algorithm>
#include <cmath>

namespace tactelier::devices {
namespace {

constexpr std::size_t kPiece = 32;  // bytes that a serial adapter hands over at once

std::int64_t s_to_ns(double time_s) { return std::llround(time_s * 1e9); }

}  // namespace

void EmulatedWire::inject(const Fault& fault, std::int64_t now_ns) {
  const auto from_ns = now_ns + s_to_ns(fault.after_s);
  pending_.push_back(
      {fault, from_ns, fault.for_s > 0 ? from_ns + s_to_ns(fault.for_s) : kNever, fault.count});
}

std::vector<PendingFault> EmulatedWire::faults(std::int64_t now_ns) const {
  const auto seconds = [](std::int64_t time_ns) { return static_cast<double>(time_ns) * 1e-9; };
  std::vector<PendingFault> faults;
  for (const auto& p : pending_) {
    const bool lasts = info_of(p.fault.kind).lasts;
    if (lasts ? now_ns >= p.until_ns : p.left <= 0) continue;
    const double ends_s = lasts && p.until_ns != kNever ? seconds(p.until_ns - now_ns) : 0;
    faults.push_back({p.fault, std::max(0.0, seconds(p.from_ns - now_ns)), ends_s, p.left});
  }
  return faults;
}

bool EmulatedWire::lasting(FaultKind kind, std::int64_t now_ns) const {
  return std::any_of(pending_.begin(), pending_.end(), [&](const Pending& p) {
    return p.fault.kind == kind && now_ns >= p.from_ns && now_ns < p.until_ns;
  });
}

bool EmulatedWire::strikes(FaultKind kind, std::int64_t now_ns) {
  for (auto& p : pending_)
    if (p.fault.kind == kind && now_ns >= p.from_ns && p.left > 0) {
      --p.left;
      return true;
    }
  return false;
}

std::int64_t EmulatedWire::next_strike_ns(std::int64_t now_ns) const {
  auto next_ns = kNever;
  for (const auto& p : pending_)
    if (p.from_ns > now_ns &&
        (p.fault.kind == FaultKind::kAlarm || p.fault.kind == FaultKind::kReset ||
         p.fault.kind == FaultKind::kHangUp))
      next_ns = std::min(next_ns, p.from_ns);
  return next_ns;
}

double EmulatedWire::slowness_s(std::int64_t now_ns) const {
  double slowness_s = 0;
  for (const auto& p : pending_)
    if (p.fault.kind == FaultKind::kSlow && now_ns >= p.from_ns && now_ns < p.until_ns)
      slowness_s += p.fault.delay_s;
  return slowness_s;
}

void EmulatedWire::queue(Outgoing message) {
  const auto after = std::upper_bound(
      queue_.begin(), queue_.end(), message.due_ns,
      [](std::int64_t due_ns, const Outgoing& other) { return due_ns < other.due_ns; });
  queue_.insert(after, std::move(message));
}

void EmulatedWire::send(std::int64_t at_ns, Bytes bytes, int peer, bool close) {
  if (lasting(FaultKind::kFreeze, at_ns) || lasting(FaultKind::kHangUp, at_ns)) return;
  if (strikes(FaultKind::kDrop, at_ns)) return;
  const bool serial = bytes_per_s_ > 0;
  if (!bytes.empty() && strikes(FaultKind::kCorrupt, at_ns)) {
    if (serial)
      bytes[bytes.size() / 2] ^= 0x10;
    else
      bytes.pop_back();
  }
  const int copies = strikes(FaultKind::kRepeat, at_ns) ? 2 : 1;
  auto start_ns = at_ns + s_to_ns(slowness_s(at_ns));
  const auto late = std::find_if(pending_.begin(), pending_.end(), [&](const Pending& p) {
    return p.fault.kind == FaultKind::kLate && at_ns >= p.from_ns && p.left > 0;
  });
  if (late != pending_.end()) {
    --late->left;
    start_ns += s_to_ns(late->fault.delay_s);
  }
  for (int copy = 0; copy < copies; ++copy) {
    if (!serial) {
      queue({start_ns, peer, bytes, close});
      continue;
    }
    line_free_ns_ = std::max(line_free_ns_, start_ns);
    for (std::size_t begin = 0; begin < bytes.size(); begin += kPiece) {
      const auto size = std::min(kPiece, bytes.size() - begin);
      line_free_ns_ += s_to_ns(static_cast<double>(size) / bytes_per_s_);
      const auto* first = bytes.data() + begin;
      queue({line_free_ns_, peer, Bytes(first, first + size), false});
    }
  }
}

std::int64_t EmulatedWire::next_ns() const {
  return queue_.empty() ? kNever : queue_.front().due_ns;
}

std::optional<Outgoing> EmulatedWire::take(std::int64_t now_ns) {
  if (queue_.empty() || queue_.front().due_ns > now_ns) return std::nullopt;
  auto message = std::move(queue_.front());
  queue_.pop_front();
  if (lasting(FaultKind::kHangUp, message.due_ns)) return std::nullopt;
  return message;
}

}  // namespace tactelier::devices
