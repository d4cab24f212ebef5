#include "devices/ati/rdt_sequence.hpp"

namespace tactelier::devices {
namespace {

constexpr std::uint32_t kHalf = 1U << 31U;
/// A first record beyond this did not begin at 1: we joined a stream that ran already.
constexpr std::uint32_t kFirstAtMost = 100'000;

}  // namespace

RdtVerdict RdtSequence::accept(RdtStep step, const RdtRecord& record, std::uint32_t forward) {
  record_ += forward;
  tick_ += static_cast<std::uint32_t>(record.ft_sequence - last_.ft_sequence);
  last_ = record;
  return {step, step == RdtStep::kNext ? forward - 1 : 0, record_, tick_};
}

RdtVerdict RdtSequence::next(const RdtRecord& record) {
  if (!started_) {
    const bool first = record_ == 0 && tick_ == 0;
    started_ = true;
    if (first) last_.ft_sequence = 0;
    const bool from_one = record.rdt_sequence >= 1 && record.rdt_sequence <= kFirstAtMost;
    return accept(RdtStep::kNext, record, from_one ? record.rdt_sequence : 1);
  }
  const std::uint32_t forward = record.rdt_sequence - last_.rdt_sequence;
  const std::uint32_t ticks = record.ft_sequence - last_.ft_sequence;
  const bool later = ticks != 0 && ticks < kHalf;
  if (forward != 0 && forward < kHalf) {
    if (ticks == 0) return {RdtStep::kStalled, 0, record_, tick_};
    if (!later || forward > ticks) return {RdtStep::kInconsistent, 0, record_, tick_};
    return accept(RdtStep::kNext, record, forward);
  }
  if (later) return accept(RdtStep::kRestarted, record, 1);
  return {forward == 0 ? RdtStep::kDuplicate : RdtStep::kOld, 0, record_, tick_};
}

}  // namespace tactelier::devices
