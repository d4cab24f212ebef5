#pragma once
// A stage whose wire may go and come back: everybody keeps the same object. While it is gone
// nothing is sent, and its position isn't trusted until the stage that came back has been homed.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "devices/acquisition/plug.hpp"
#include "devices/interface/motion_stage.hpp"

namespace tactelier::rig {

class PluggedStage final : public devices::MotionStage {
 public:
  explicit PluggedStage(std::unique_ptr<MotionStage> stage);

  // ---- the thread that owns the stage ----
  /// Its wire is gone: lets go of the port.
  void let_go() { plug_.put(nullptr); }
  /// Fails with kDeviceFault where another stage answers.
  Result<void> put_back(std::unique_ptr<MotionStage> stage);

  Result<void> home() override;
  Result<void> move_to(const devices::StagePosition& target_m, double speed_m_per_s) override;
  Result<void> jog(const devices::StagePosition& by_m, double speed_m_per_s) override;
  Result<void> stop_jog() override;
  Result<void> poll(std::vector<devices::StageSample>& into, devices::Timeout timeout) override;
  Result<void> wait_until_idle(devices::Timeout timeout) override;
  Result<void> stop() override;
  Result<void> abort() override;
  void unlock() override;
  Result<void> hold_now() override;
  Result<void> reset_now() override;
  double braking_s() const override;
  void on_report(std::function<void(const devices::StageSample&)> tell) override;
  bool position_trusted() const override;
  std::string position_doubt() const override;
  bool silent() const override;
  const devices::StageTravel& travel() const override { return travel_; }

 private:
  template <class Call>
  Result<void> with_stage(Call call) const;

  Plug<MotionStage> plug_;
  const devices::StageTravel travel_;
  std::function<void(const devices::StageSample&)> on_report_;
};

}  // namespace tactelier::rig
