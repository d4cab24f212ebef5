#pragma once
// The virtual bench on real wires: pseudo-terminals and sockets of the loopback, in a thread of its
// own, until it is destroyed. Drivers, and other people's programs, reach it like a rig.

#include <cstdint>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <thread>

#include "devices/bench/bench_control.hpp"
#include "devices/emulator/emulator_host.hpp"

namespace tactelier::devices {

/// URLs for open_link(); the box's web page for http_get().
struct BenchEndpoints {
  std::string stage, force, tactile, control;
  std::string force_web, force_command;  // "" where another sensor stands for the box
  std::string encoder;                   // "" without one
};

/// Of the loopback, for the force sensor's box; 0: any that is free.
struct BenchPorts {
  std::uint16_t rdt = 0;      // UDP
  std::uint16_t command = 0;  // TCP
  std::uint16_t web = 0;      // TCP
};
/// A Net F/T's own, for programs that know no others. Its web page's, 80, is root's on Linux: 8080
/// stands for it.
constexpr BenchPorts kUsualPorts{49152, 49151, 8080};

class RunningBench {
 public:
  /// `speed`: how many times faster than real time it lives. Fails as VirtualBench::create(), and
  /// with kIo when the system gives no pseudo-terminal or port, naming one that is taken.
  static Result<std::unique_ptr<RunningBench>> start(const BenchSetup& setup, double speed = 1,
                                                     const BenchPorts& ports = {});
  ~RunningBench();
  RunningBench(const RunningBench&) = delete;

  const BenchEndpoints& endpoints() const { return endpoints_; }
  double speed() const { return speed_; }
  /// What was drawn for it before it began to live.
  const pad::RigDraws& draws() const { return draws_; }

  /// VirtualBench::take_peak_N().
  double take_peak_N() { return bench_->take_peak_N(); }
  /// To "stage", "force" or "tactile", by the bench's own thread.
  void inject(std::string device, const Fault& fault);
  /// A knock against the rig, likewise.
  void bump();
  /// A weight hung on the tip; 0 takes it off.
  void hang(double force_N);
  /// VirtualBench::lengthen_tip(), likewise.
  void lengthen_tip(double by_m);

  /// A device file that opens all of it (data/schemas/devices.schema.json), as JSON text.
  /// `sensor_json`: what its `sensor` says. `safe_z_m`: where a stop retracts to, rig's stage
  /// frame.
  std::string device_file(std::string_view sensor_json, double safe_z_m) const;

 private:
  RunningBench(const BenchSetup& setup, double speed)
      : setup_(setup), speed_(speed), host_(speed) {}
  Result<void> add_force(const BenchPorts& ports);
  nlohmann::json force_entry() const;
  nlohmann::json tactile_entry(std::string_view sensor_json) const;

  BenchSetup setup_;
  double speed_;
  EmulatorHost host_;
  std::unique_ptr<VirtualBench> bench_;
  std::unique_ptr<BenchControl> control_;
  BenchEndpoints endpoints_;
  pad::RigDraws draws_;
  std::jthread thread_;
};

}  // namespace tactelier::devices
