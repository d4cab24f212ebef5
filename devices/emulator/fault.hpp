#pragma once
// What can go wrong with an emulated device, on demand (docs/virtual-bench.md 3).

#include <cstdint>
#include <span>
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

/// What a kind is called and takes, beside after_s.
struct FaultInfo {
  FaultKind kind{};
  std::string_view word, what;
  bool counts = false, lasts = false, delays = false;  // count, for_s, delay_s
};
/// In the order of FaultKind.
std::span<const FaultInfo> fault_kinds();
inline const FaultInfo& info_of(FaultKind kind) {
  return fault_kinds()[static_cast<std::size_t>(kind)];
}

/// "drop", "late", ...: the words of bench_control. Fails with kUsage, naming the nearest word.
Result<FaultKind> parse_fault_kind(std::string_view word);

struct Fault {
  FaultKind kind{};
  double after_s = 0;     // from now
  int count = 1;          // messages: kDrop, kLate, kRepeat, kCorrupt, kWrongData
  double for_s = 0;       // those that last: how long; 0 is for good
  double delay_s = 0.05;  // kLate, kSlow
};

/// A fault that is not over.
struct PendingFault {
  Fault fault;
  double begins_in_s = 0;  // 0: it has begun
  double lasts_s = 0;      // from now, of one that lasts; 0 is for good
  int left = 0;            // of those that count
};

}  // namespace tactelier::devices
