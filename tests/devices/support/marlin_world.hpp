#pragma once
// A printer and its driver on simulated time.

#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "devices/emulator/marlin_emulator.hpp"
#include "devices/emulator/simulated_world.hpp"
#include "devices/marlin/marlin_stage.hpp"
#include "libcalib/units.hpp"

namespace tactelier::devices {

constexpr double kStepsPerMm = 400;

class MarlinWorld {
 public:
  static MarlinBoard usual_board() {
    MarlinBoard board;
    board.steps_per_mm = {kStepsPerMm, kStepsPerMm, kStepsPerMm};
    board.most_mm_per_s = {25, 25, 10};
    board.acceleration_mm_per_s2 = {100, 100, 100};
    board.travel_mm = {50, 50, 40};
    return board;
  }

 protected:
  void power_up() {
    printer_ = std::make_unique<MarlinEmulator>(board_, world_.now_ns());
    world_.add("pty:marlin", *printer_, false);
  }
  void open() {
    if (!printer_) power_up();
    auto opened = MarlinStage::open(options_, connector_ ? connector_ : world_.connector());
    ASSERT_TRUE(opened) << opened.error().message;
    stage_ = std::move(*opened);
  }
  void home() {
    const auto homed = stage_->home();
    ASSERT_TRUE(homed) << homed.error().message;
  }
  void open_and_home() {
    ASSERT_NO_FATAL_FAILURE(open());
    ASSERT_NO_FATAL_FAILURE(home());
  }
  Result<void> poll_for(double time_s) {
    return stage_->poll(samples_, Timeout(static_cast<int>(time_s * 1e3)));
  }
  void inject(Fault fault) { printer_->inject(fault, world_.now_ns()); }
  double true_z_mm() { return printer_->true_position_mm()[2]; }
  MarlinStage& stage() { return *stage_; }
  MarlinEmulator& printer() { return *printer_; }

  MarlinBoard board_ = usual_board();
  SimulatedWorld world_;
  MarlinOptions options_{"pty:marlin", 10, 36e-3, 5e-3, 5e-3, 1, {}};
  Connector connector_;
  std::unique_ptr<MarlinEmulator> printer_;
  std::unique_ptr<MarlinStage> stage_;
  std::vector<StageSample> samples_;
};

}  // namespace tactelier::devices
