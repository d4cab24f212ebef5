#include "devices/acquisition/plugged_stage.hpp"

namespace tactelier::rig {

using devices::MotionStage;
using devices::StagePosition;
using devices::StageSample;
using devices::Timeout;

PluggedStage::PluggedStage(std::unique_ptr<MotionStage> stage) : travel_(stage->travel()) {
  plug_.put(std::move(stage));
}

Result<void> PluggedStage::put_back(std::unique_ptr<MotionStage> stage) {
  if (!(stage->travel() == travel_))
    return fail(ErrorCode::kDeviceFault,
                "another stage answers, or its settings were changed (travel, speeds): end the rig "
                "process ('tactelier rig quit') and begin again");
  stage->on_report(on_report_);
  plug_.put(std::move(stage));
  return {};
}

template <class Call>
Result<void> PluggedStage::with_stage(Call call) const {
  if (const auto stage = plug_.get()) return call(*stage);
  return fail(ErrorCode::kIo, "the stage's connection is gone");
}

Result<void> PluggedStage::home() {
  return with_stage([](MotionStage& stage) { return stage.home(); });
}

Result<void> PluggedStage::move_to(const StagePosition& target_m, double speed_m_per_s) {
  return with_stage([&](MotionStage& stage) { return stage.move_to(target_m, speed_m_per_s); });
}

Result<void> PluggedStage::jog(const StagePosition& by_m, double speed_m_per_s) {
  return with_stage([&](MotionStage& stage) { return stage.jog(by_m, speed_m_per_s); });
}

Result<void> PluggedStage::stop_jog() {
  return with_stage([](MotionStage& stage) { return stage.stop_jog(); });
}

Result<void> PluggedStage::poll(std::vector<StageSample>& into, Timeout timeout) {
  return with_stage([&](MotionStage& stage) { return stage.poll(into, timeout); });
}

Result<void> PluggedStage::wait_until_idle(Timeout timeout) {
  return with_stage([&](MotionStage& stage) { return stage.wait_until_idle(timeout); });
}

Result<void> PluggedStage::stop() {
  return with_stage([](MotionStage& stage) { return stage.stop(); });
}

Result<void> PluggedStage::abort() {
  return with_stage([](MotionStage& stage) { return stage.abort(); });
}

void PluggedStage::unlock() {
  if (const auto stage = plug_.get()) stage->unlock();
}

Result<void> PluggedStage::hold_now() {
  return with_stage([](MotionStage& stage) { return stage.hold_now(); });
}

Result<void> PluggedStage::reset_now() {
  return with_stage([](MotionStage& stage) { return stage.reset_now(); });
}

double PluggedStage::braking_s() const {
  const auto stage = plug_.get();
  return stage ? stage->braking_s() : 0;
}

void PluggedStage::on_report(std::function<void(const StageSample&)> tell) {
  on_report_ = std::move(tell);
  if (const auto stage = plug_.get()) stage->on_report(on_report_);
}

bool PluggedStage::position_trusted() const {
  const auto stage = plug_.get();
  return stage && stage->position_trusted();
}

std::string PluggedStage::position_doubt() const {
  const auto stage = plug_.get();
  return stage ? stage->position_doubt() : "its connection is gone";
}

bool PluggedStage::silent() const {
  const auto stage = plug_.get();
  return stage && stage->silent();
}

}  // namespace tactelier::rig
