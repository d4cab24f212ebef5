#pragma once
// Which records of a Net F/T stream are new, and how many never came. Differences are taken modulo
// 2^32, so that a wrap-around is one step like any other; less than 2^31 is forward. The rule for
// duplicates and order is netft/netft-cpp's (src/detail/sequence.cpp); ft_sequence, which runs on
// whatever starts and stops, tells a late record from a numbering that began anew.

#include <cstdint>

#include "devices/ati/rdt_protocol.hpp"

namespace tactelier::devices {

enum class RdtStep {
  kNext,          // take it; `lost` records before it never came
  kRestarted,     // take it: a start request reached the box a second time, numbering began anew
  kDuplicate,     // drop it
  kOld,           // drop it: its successor was there before it, and it has been counted as lost
  kStalled,       // the box sends but has stopped sampling: a fault
  kInconsistent,  // drop it: its two numbers can't both be true
};

struct RdtVerdict {
  RdtStep step{};
  std::uint32_t lost = 0;
  std::int64_t record = 0;  // rdt_sequence unwrapped; goes on over a restart
  std::int64_t tick = 0;    // ft_sequence unwrapped
};

class RdtSequence {
 public:
  RdtVerdict next(const RdtRecord& record);

  /// The next record is the first after a start request: it should have number 1, and what is
  /// missing from there was lost.
  void expect_start() { started_ = false; }

 private:
  RdtVerdict accept(RdtStep step, const RdtRecord& record, std::uint32_t forward);

  bool started_ = false;
  RdtRecord last_{};
  std::int64_t record_ = 0, tick_ = 0;
};

}  // namespace tactelier::devices
