#pragma once
// A fault drawn at random: which device, what, how soon.

#include <array>
#include <random>
#include <string>
#include <string_view>

#include "devices/emulator/fault.hpp"

namespace tactelier::rig {

/// Of a virtual bench with an encoder; the last one is missing on others.
inline constexpr std::array kFaultyDevices{"stage", "force", "tactile", "encoder"};

/// A stage alone has stop bytes that it may not hear.
inline bool can_have(std::string_view device, devices::FaultKind kind) {
  return kind != devices::FaultKind::kDeaf || device == "stage";
}

struct FaultDraw {
  std::string device;
  devices::Fault fault;
};

inline FaultDraw drawn_fault(std::mt19937_64& random, bool with_encoder) {
  const auto below = [&](std::size_t end) { return random() % end; };
  FaultDraw draw;
  do {
    draw.device = kFaultyDevices[below(kFaultyDevices.size() - (with_encoder ? 0 : 1))];
    draw.fault.kind = devices::fault_kinds()[below(devices::fault_kinds().size())].kind;
  } while (!can_have(draw.device, draw.fault.kind));
  draw.fault.after_s = 1e-3 * static_cast<double>(below(1500));
  draw.fault.count = 1 + static_cast<int>(below(40));
  draw.fault.delay_s = 0.05 + 1e-3 * static_cast<double>(below(300));
  return draw;
}

}  // namespace tactelier::rig
