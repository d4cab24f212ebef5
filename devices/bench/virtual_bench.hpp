#pragma once
// A laboratory in one process: an emulated stage (GRBL, Marlin, Zaber) carries the indenter, the
// simulated pad gives way under it, an emulated Net F/T box feels the force and an emulated Weiss
// array (WTS, DSA) reads the tactels. Drivers reach them over a SimulatedWorld or, through an
// EmulatorHost, over real wires; an operator's hands reach it by bench_control (bench_control.hpp).
//
// The pad follows the stage in steps of a millisecond; a reading is what the pad's own sensor gave
// at most a millisecond earlier. GRBL counts down from its reference switches: `machine_zero_m`
// says where in the rig's stage frame these are. Plate and reference pad are pressed where the rig
// has them, unless the operator's hands laid something else under the tip.

#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>

#include "devices/emulator/dsa_emulator.hpp"
#include "devices/emulator/framed_emulator.hpp"
#include "devices/emulator/grbl_emulator.hpp"
#include "devices/emulator/marlin_emulator.hpp"
#include "devices/emulator/netft_emulator.hpp"
#include "devices/emulator/stage_dialect.hpp"
#include "devices/emulator/wrench_board.hpp"
#include "devices/emulator/wts_emulator.hpp"
#include "devices/emulator/zaber_emulator.hpp"
#include "libcalib/pad/pad.hpp"
#include "libcalib/protocol/plan.hpp"

namespace tactelier::devices {

struct BenchSetup {
  pad::PadTruth truth;
  pad::Effects effects;  // clean(), lab(); clocks run in the devices
  pad::Mount mount;      // rig's stage frame
  std::uint64_t seed = 1;
  Axes_mm power_up_mm{-1, -1, -1};  // where the stage stands before homing, from its upper ends
  std::array<double, 3> machine_zero_m{};
  std::array<double, 3> travel_m{80e-3, 80e-3, 40e-3};
  std::optional<Vector3> plate_m, reference_pad_m, leaf_spring_m;  // tops, rig's stage frame
  std::optional<GroundPlace> ground;  // bare beside the pad; z where it is no thickness below it
  std::array<double, 6> force_ratings_SI{12, 12, 17, 0.12, 0.12, 0.12};
  int force_rate_hz = 1000;
  double frame_rate_hz = 60;        // the array's fastest
  double array_baud = 115200;       // of the array's line
  std::string array = "weiss-wts";  // the array's driver, or "weiss-dsa"
  StageDialect dialect;             // of the stage's controller
  bool encoder = false;             // a scale beside the quill tells where z truly is
  /// A six-axis sensor by its shipped description in place of the Net F/T box; "": the box.
  std::string force_device;
  // What is wrong without anybody's knowing:
  double wrong_gain = 1;    // the force sensor reads so many times the true force
  double wrong_travel = 1;  // the stage goes so many times as far as it is told (steps per mm)
  double longer_tip_m = 0;  // than the one with which the mount's heights were found
  std::array<double, 3> cable_N_per_m{};  // pull of the sensor's cable along z, by place

  /// Where the controller's zero lies, rig's stage frame: at the upper ends of the travel;
  /// that of a Marlin at the lower ones, of Zaber axes where they home to.
  std::array<double, 3> controller_zero_m() const;
  /// Way of a microstep of the Zaber axes; negative where counts go up downwards.
  std::array<double, 3> zaber_step_m() const;
  /// Frames a second that the array sends at most.
  double array_rate_hz() const;
};

/// Its frames are data/devices/bench-encoder.json.
constexpr double kBenchEncoder_m = 0.1e-6;  // a count
constexpr double kBenchEncoder_hz = 1000;

class VirtualBench {
 public:
  /// Fails as pad::Pad::create(), with kInvalidInput on a sensor that isn't one array of at most
  /// 4000 tactels, or a force_device that is no six-axis sensor's, and with kUsage on another array
  /// than those two.
  static Result<std::unique_ptr<VirtualBench>> create(const BenchSetup& setup,
                                                      std::int64_t start_ns);

  /// The pad lives along with the stage, millisecond by millisecond, whoever asks.
  Emulator& stage() { return *stage_wire_; }
  NetFtEmulator& force() { return *force_; }
  NetFtWebEmulator& force_web() { return *web_; }
  NetFtCommandEmulator& force_command() { return *command_; }
  Emulator& tactile() { return *tactile_; }
  /// The sensor of BenchSetup::force_device; nullptr where the box stands.
  FramedEmulator* framed_force() { return framed_force_.get(); }
  /// nullptr where the setup has none.
  FramedEmulator* encoder() { return encoder_.get(); }
  /// The pad as it is; between two emulators' steps.
  pad::Pad& pad() { return *pad_; }
  /// By "stage", "force", "tactile" or "encoder"; nullptr for what isn't there.
  Emulator* device(std::string_view name);

  /// What lies under the tip; nothing: whatever the rig has at that place.
  void lay_under_tip(std::optional<pad::Target> target, std::optional<double> top_m);

  /// A finger at the tip: adds to what the force sensor feels, stage frame.
  void push_tip(const Vector3& force_N) { push_N_ = force_N; }

  /// Another tip in the chuck, or the same that sits deeper (less than nothing) or higher.
  void lengthen_tip(double by_m) { setup_.longer_tip_m += by_m; }

  /// Largest true normal force since the last look, whatever the force sensor's wire made of it.
  /// Any thread.
  double take_peak_N() { return peak_N_.exchange(0); }

  /// Lets pad and stage live until then.
  void run_until(std::int64_t now_ns);

 private:
  explicit VirtualBench(const BenchSetup& setup, std::int64_t start_ns);

  Result<void> place_framed_force(std::int64_t start_ns);
  void remember(const pad::PadOutput& output);
  std::array<double, 6> wrench_at(std::int64_t time_ns);
  /// Finger and cable, force sensor's frame.
  std::array<double, 3> beside_the_pad_N() const;
  std::vector<double> counts_at(std::int64_t time_ns);
  void place_array(double clock_ppm, std::int64_t start_ns);
  double carriage_at_m(std::int64_t time_ns);
  /// Plate, reference pad, ground or pad, by where the stage is.
  void choose_target(const Vector3& at_m);

  BenchSetup setup_;
  std::unique_ptr<pad::Pad> pad_;
  /// What the pad's own sensors gave in the last second: devices may ask for any of it.
  struct Frame {
    double true_s;
    std::vector<double> counts;
  };
  pad::PadOutput output_;
  std::deque<pad::ForceSample> recent_force_;
  std::deque<Frame> recent_frames_;
  struct Height {
    std::int64_t time_ns;
    double carriage_m;
  };
  std::deque<Height> recent_heights_;  // with an encoder
  std::int64_t start_ns_, pad_ns_;
  double encoder_ppm_ = 0;  // of its crystal
  std::atomic<double> peak_N_{0};
  Vector3 push_N_{}, tip_at_m_{};
  bool target_by_place_ = true;
  pad::Target target_ = pad::Target::kPad;
  NetFtBox box_;
  std::unique_ptr<StageEmulator> stage_;
  std::unique_ptr<Emulator> stage_wire_;
  std::unique_ptr<NetFtEmulator> force_;
  std::unique_ptr<NetFtWebEmulator> web_;
  std::unique_ptr<NetFtCommandEmulator> command_;
  std::unique_ptr<Emulator> tactile_;
  std::unique_ptr<FramedEmulator> encoder_, framed_force_;
};

}  // namespace tactelier::devices
