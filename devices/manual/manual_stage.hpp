#pragma once
// A stage that a person turns: each place is asked for in words, and what the dial shows is taken
// as the position. x and y are where the person says the table stands.

#include <string>
#include <string_view>

#include "devices/interface/driver.hpp"
#include "devices/interface/motion_stage.hpp"

namespace tactelier::devices {

struct ManualStageOptions {
  StageTravel travel;
  double most_off_m = 0.5e-3;  // a dial further from what was asked for is asked again
};

class ManualStage final : public MotionStage {
 public:
  ManualStage(const ManualStageOptions& options, AskOperator ask_operator, HostClock& clock)
      : options_(options), ask_operator_(std::move(ask_operator)), clock_(clock) {}

  /// Asks to move to where all dials read zero, and to confirm it.
  Result<void> home() override;
  /// Asks for the move and for the dial's reading; a reading that is no number or too far off is
  /// asked for again, three times in all, then kDeviceFault. The speed is the person's.
  Result<void> move_to(const StagePosition& target_m, double speed_m_per_s) override;
  /// There is nothing to jog: kUsage.
  Result<void> jog(const StagePosition& by_m, double speed_m_per_s) override;
  Result<void> stop_jog() override { return {}; }
  /// The reading of each move once.
  Result<void> poll(std::vector<StageSample>& into, Timeout timeout) override;
  Result<void> wait_until_idle(Timeout) override { return {}; }
  /// Asks to turn the indenter up, and locks.
  Result<void> stop() override;
  Result<void> abort() override { return stop(); }
  void unlock() override { locked_ = false; }
  Result<void> hold_now() override { return {}; }
  Result<void> reset_now() override { return {}; }
  bool position_trusted() const override { return homed_; }
  std::string position_doubt() const override {
    return homed_ ? "" : "nobody has said where it stands";
  }
  const StageTravel& travel() const override { return options_.travel; }

 private:
  Result<double> dial_reading_m(const StagePosition& target_m);

  ManualStageOptions options_;
  AskOperator ask_operator_;
  HostClock& clock_;
  StagePosition at_m_{};
  std::vector<StageSample> samples_;
  bool homed_ = false, locked_ = false;
};

}  // namespace tactelier::devices
