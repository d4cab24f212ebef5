#include "devices/emulator/fault.hpp"

#include <array>
#include <string>
#include <vector>

#include "libcalib/json_check.hpp"

namespace tactelier::devices {
namespace {

constexpr std::array<FaultInfo, 12> kKinds{{
    {FaultKind::kDrop, "drop", "messages vanish", true, false, false},
    {FaultKind::kLate, "late", "messages come late, behind later ones", true, false, true},
    {FaultKind::kRepeat, "repeat", "messages come twice", true, false, false},
    {FaultKind::kCorrupt, "corrupt", "a byte of a message is wrong", true, false, false},
    {FaultKind::kFreeze, "freeze", "the device says nothing", false, true, false},
    {FaultKind::kSaturate, "saturate", "readings at the end of their range", false, true, false},
    {FaultKind::kAlarm, "alarm", "the device's own alarm", true, false, false},
    {FaultKind::kReset, "reset", "it starts again, as after a power dip", true, false, false},
    {FaultKind::kHangUp, "hang-up", "the wire is unplugged, and plugged in again after for_s",
     false, true, false},
    {FaultKind::kSlow, "slow", "everything takes delay_s longer", false, true, true},
    {FaultKind::kWrongData, "wrong-data", "well-formed messages that can't be true", true, false,
     false},
    {FaultKind::kDeaf, "deaf", "the stage hears no stop byte but a reset", false, true, false},
}};

}  // namespace

std::span<const FaultInfo> fault_kinds() { return kKinds; }

Result<FaultKind> parse_fault_kind(std::string_view word) {
  std::vector<std::string> words;
  for (const auto& info : kKinds) {
    if (info.word == word) return info.kind;
    words.emplace_back(info.word);
  }
  return fail(ErrorCode::kUsage, "no fault is called '{}'{}; there are {}", word,
              did_you_mean(word, words), fmt::join(words, ", "));
}

}  // namespace tactelier::devices
