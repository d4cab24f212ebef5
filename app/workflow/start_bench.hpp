#pragma once
// tactelier bench: a laboratory on this computer's own wires, over a pad whose truth is known.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "devices/bench/running_bench.hpp"
#include "libcalib/result.hpp"

namespace tactelier {

struct BenchRequest {
  std::optional<std::filesystem::path> rig;    // else the virtual bench's
  std::string sensor = "weiss-wts0614";        // name or file; not used with `truth`
  std::optional<std::filesystem::path> truth;  // sensor model to simulate
  std::string preset = "clean";
  std::uint64_t seed = 1;
  double speed = 1;
  std::string dialect = "grbl";                        // of the stage's controller
  bool usual_ports = false;                            // devices::kUsualPorts
  bool encoder = false;                                // beside the stage's z
  std::string force = "net-ft";                        // or the name of a sensor's description
  std::string array = "weiss-wts";                     // or "weiss-dsa"
  std::optional<std::filesystem::path> write_truth;    // and beside it NAME.rig-truth.json
  std::optional<std::filesystem::path> write_devices;  // the device file
};

struct StartedBench {
  std::unique_ptr<devices::RunningBench> bench;  // lives until this is destroyed
  std::string device_file;                       // JSON text
  std::optional<std::filesystem::path> truth, rig_truth;
  Warnings warnings;
};

Result<StartedBench> start_bench(const BenchRequest& request);

}  // namespace tactelier
