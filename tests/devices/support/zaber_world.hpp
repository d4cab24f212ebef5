#pragma once
// Zaber axes and their driver on simulated time.

#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "devices/emulator/simulated_world.hpp"
#include "devices/emulator/zaber_emulator.hpp"
#include "devices/zaber/zaber_stage.hpp"
#include "libcalib/units.hpp"

namespace tactelier::devices {

/// X and Y count up from their lower ends, Z downwards from its upper one, at z = 40 mm.
class ZaberWorld {
 public:
  static ZaberBoard usual_board() {
    ZaberBoard board;
    board.travel_mm = {50, 50, 40};
    board.most_mm_per_s = {25, 25, 10};
    return board;
  }

 protected:
  void power_up() {
    axes_ = std::make_unique<ZaberEmulator>(board_, world_.now_ns());
    world_.add("pty:zaber", *axes_, false);
    world_.wait_until(world_.now_ns() + 1'500'000'000);
  }
  Result<void> try_to_open() {
    if (!axes_) power_up();
    if (board_.chained) options_.device = {1, 2, 3}, options_.axis = {1, 1, 1};
    for (std::size_t axis = 0; axis < 3; ++axis)
      options_.m_per_step[axis] = mm_to_m(board_.mm_per_step[axis]) * stated_;
    auto opened = ZaberStage::open(options_, connector_ ? connector_ : world_.connector());
    if (!opened) return fail(opened.error());
    stage_ = std::move(*opened);
    return {};
  }
  void open() {
    const auto opened = try_to_open();
    ASSERT_TRUE(opened) << opened.error().message;
  }
  void home() {
    const auto homed = stage_->home();
    ASSERT_TRUE(homed) << homed.error().message;
  }
  void open_and_home() {
    ASSERT_NO_FATAL_FAILURE(open());
    ASSERT_NO_FATAL_FAILURE(home());
  }
  void go_to(const StagePosition& at_m, double speed_m_per_s = 5e-3) {
    const auto sent = stage_->move_to(at_m, speed_m_per_s);
    ASSERT_TRUE(sent) << sent.error().message;
    const auto idle = stage_->wait_until_idle(Timeout(60'000));
    ASSERT_TRUE(idle) << idle.error().message;
  }
  Result<void> poll_for(double time_s) {
    return stage_->poll(samples_, Timeout(static_cast<int>(time_s * 1e3)));
  }
  void inject(Fault fault) { axes_->inject(fault, world_.now_ns()); }
  /// Height of the tool, rig's frame.
  double true_z_mm() { return 40 + axes_->true_position_mm()[2]; }
  ZaberStage& stage() { return *stage_; }
  ZaberEmulator& axes() { return *axes_; }

  ZaberBoard board_ = usual_board();
  double stated_ = 1;  // um_per_step of the device file, times what it is
  SimulatedWorld world_;
  ZaberOptions options_ = [] {
    ZaberOptions options;
    options.url = "pty:zaber";
    options.safe_z_m = 36e-3;
    options.machine_zero_m = {0, 0, 40e-3};
    return options;
  }();
  Connector connector_;
  std::unique_ptr<ZaberEmulator> axes_;
  std::unique_ptr<ZaberStage> stage_;
  std::vector<StageSample> samples_;
};

}  // namespace tactelier::devices
