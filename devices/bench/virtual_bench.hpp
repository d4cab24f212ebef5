#pragma once
// A laboratory in one process: an emulated GRBL stage carries the indenter, the simulated pad gives
// way under it, an emulated Net F/T box feels the force and an emulated Weiss array reads the
// tactels. Drivers reach them over a SimulatedWorld or, through an EmulatorHost, over real wires;
// an operator's hands reach it by bench_control (bench_control.hpp).
//
// The pad follows the stage in steps of a millisecond; a reading is what the pad's own sensor gave
// at most a millisecond earlier. The stage's machine frame is the rig's stage frame.

#include <cstdint>
#include <memory>
#include <string>

#include "devices/emulator/grbl_emulator.hpp"
#include "devices/emulator/netft_emulator.hpp"
#include "devices/emulator/wts_emulator.hpp"
#include "libcalib/pad/pad.hpp"

namespace tactelier::devices {

struct BenchSetup {
  pad::PadTruth truth;
  pad::Effects effects;  // clean(), lab(); clocks run in the devices
  pad::Mount mount;      // z0_m below 0: the machine's zero is at the top
  std::uint64_t seed = 1;
  Axes_mm power_up_mm{-1, -1, -1};  // where the stage stands before homing
};

class VirtualBench {
 public:
  /// Fails as pad::Pad::create(), and with kInvalidInput on a sensor that isn't one array of at
  /// most 4000 tactels.
  static Result<std::unique_ptr<VirtualBench>> create(const BenchSetup& setup,
                                                      std::int64_t start_ns);

  GrblEmulator& stage() { return *stage_; }
  NetFtEmulator& force() { return *force_; }
  NetFtWebEmulator& force_web() { return *web_; }
  WtsEmulator& tactile() { return *tactile_; }
  /// The pad as it is; between two emulators' steps.
  pad::Pad& pad() { return *pad_; }
  /// By "stage", "force" or "tactile"; nullptr for another word.
  Emulator* device(std::string_view name);

  /// Lets pad and stage live until then.
  void run_until(std::int64_t now_ns);

 private:
  explicit VirtualBench(const BenchSetup& setup, std::int64_t start_ns);

  std::array<double, 6> wrench_at(std::int64_t time_ns);
  std::vector<double> counts_at(std::int64_t time_ns);

  std::unique_ptr<pad::Pad> pad_;
  pad::PadOutput output_;
  std::vector<pad::ForceSample> recent_force_;  // of the last milliseconds
  std::vector<double> counts_;
  std::int64_t start_ns_, pad_ns_;
  NetFtBox box_;
  std::unique_ptr<GrblEmulator> stage_;
  std::unique_ptr<NetFtEmulator> force_;
  std::unique_ptr<NetFtWebEmulator> web_;
  std::unique_ptr<WtsEmulator> tactile_;
};

}  // namespace tactelier::devices
