// How an emulated GRBL stops, by the rules of its dialect.

#include "devices/emulator/grbl_emulator.hpp"

namespace tactelier::devices {

bool GrblEmulator::steps() const {
  if (machine_.moving()) return true;
  return phase_ == Phase::kReady && !machine_.empty() && !machine_.held();
}

void GrblEmulator::begin_cancel() {
  cancelling_ = true;
  machine_.hold();
}

/// A cancelled jog is over when it stands, or when what was prepared took it to its end.
void GrblEmulator::finish_cancel() {
  if (!cancelling_ || !(machine_.held() || machine_.empty())) return;
  cancelling_ = false;
  stand_still();
}

void GrblEmulator::feed_hold() {
  if (phase_ != Phase::kReady || cancelling_) return;
  if (parsing_ && !rules_.looks_before_planning) {
    stop_waits_ = true;
  } else if (!jogging()) {
    machine_.hold();
  } else if (rules_.hold_cancels_jog) {
    begin_cancel();
  }
}

void GrblEmulator::jog_cancel() {
  if (rules_.cancel_empties_buffer) {
    waiting_.clear();
    cancel_mark_ = true;
  } else if (jogging() && !cancelling_) {
    if (parsing_ && !rules_.looks_before_planning)
      stop_waits_ = true;
    else
      begin_cancel();
  }
}

/// Stops that came while a line was carried out (FluidNC: events are handled between lines). The
/// cycle start that a first motion queues behind them takes the hold back.
void GrblEmulator::stop_behind_line(bool was_idle) {
  if (was_idle && !machine_.empty()) return;
  if (jogging())
    begin_cancel();
  else if (phase_ == Phase::kReady)
    machine_.hold();
}

}  // namespace tactelier::devices
