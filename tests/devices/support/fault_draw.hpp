#pragma once
// A fault drawn at random: which device, what, how soon.

#include <array>
#include <random>
#include <string>

#include "devices/emulator/fault.hpp"

namespace tactelier::rig {

struct FaultDraw {
  std::string device;
  devices::Fault fault;
};

inline FaultDraw drawn_fault(std::mt19937_64& random) {
  using devices::FaultKind;
  const auto below = [&](std::size_t end) { return random() % end; };
  constexpr std::array kDevices{"stage", "force", "tactile"};
  constexpr std::array kKinds{FaultKind::kDrop,    FaultKind::kLate,     FaultKind::kRepeat,
                              FaultKind::kCorrupt, FaultKind::kFreeze,   FaultKind::kSaturate,
                              FaultKind::kAlarm,   FaultKind::kReset,    FaultKind::kHangUp,
                              FaultKind::kSlow,    FaultKind::kWrongData};
  FaultDraw draw;
  draw.device = kDevices[below(kDevices.size())];
  draw.fault.kind = kKinds[below(kKinds.size())];
  draw.fault.after_s = 1e-3 * static_cast<double>(below(1500));
  draw.fault.count = 1 + static_cast<int>(below(40));
  draw.fault.delay_s = 0.05 + 1e-3 * static_cast<double>(below(300));
  return draw;
}

}  // namespace tactelier::rig
