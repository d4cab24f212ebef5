#pragma once
// What can go wrong with an emulated device, on demand (docs/virtual-bench.md 3).

#include <cstdint>
#include <string_view>

#include "libcalib/result.hpp"

namespace tactelier::devices {

enum class FaultKind {
  kDrop,       // messages vanish
  kLate,       // messages arrive `delay_s` late, so that later ones overtake datagrams
  kRepeat,     // messages arrive twice
  kCorrupt,    // one byte of a message is flipped; a datagram loses its last byte
  kFreeze,     // the device says nothing any more
  kSaturate,   // readings at their end, with the device's own sign for it
  kAlarm,      // the device's own alarm (a limit switch, a fault bit)
  kReset,      // the device starts again, as after a power dip
  kHangUp,     // the wire is unplugged
  kSlow,       // everything takes `delay_s` longer
  kWrongData,  // well-formed messages whose content can't be true
  kDeaf,       // a stage that hears no stop byte but a reset
};

/// "drop", "late", ...: the words of bench_control. Fails with kUsage, naming the nearest word.
Result<FaultKind> parse_fault_kind(std::string_view word);

struct Fault {
  FaultKind kind{};
  double after_s = 0;     // from now
  int count = 1;          // messages: kDrop, kLate, kRepeat, kCorrupt, kWrongData
  double for_s = 0;       // kFreeze, kSaturate, kSlow, kDeaf: how long; 0 is for good
  double delay_s = 0.05;  // kLate, kSlow
};

}  // namespace tactelier::devices
