#pragma once
// Reaching a rig: its files read, its process found or started, three connections opened.

#include <QString>
#include <memory>
#include <optional>

#include "app/workflow/rig_process.hpp"
#include "app/workflow/start_bench.hpp"
#include "app/workflow/temporary_folder.hpp"
#include "devices/supervision/limits.hpp"

namespace tactelier::gui {

/// What its two files say.
struct RigFacts {
  RigPlace place;
  devices::DeviceFile devices;
  SensorDescription sensor;
  RigFile rig;
  rig::SafetyLimits limits;
  std::size_t press_axis = 2;  // of the force sensor
  double time_scale = 1;
  bool is_virtual = false;
};

/// In the folder of the virtual bench's files: what its pad was made with.
constexpr auto kBenchTruth = "truth.json";

struct RigConnection {
  RigFacts facts;
  std::filesystem::path socket;
  devices::Descriptor command, live, stop;
  std::shared_ptr<StartedBench> bench;      // of a virtual one
  std::shared_ptr<TemporaryFolder> folder;  // its files
};

/// Fails with what is wrong with a file.
Result<RigFacts> rigFacts(const RigPlace& place);
/// Connections to a process that listens there.
Result<RigConnection> connectSockets(const std::filesystem::path& socket, RigFacts facts);
/// Starts the process when it isn't there.
Result<RigConnection> connectRig(const RigPlace& place, const std::filesystem::path& program,
                                 const Job& job);
/// Emulators in this program, and a rig process for them. `speed`: times faster than real time.
Result<RigConnection> connectVirtualRig(double speed, const std::filesystem::path& program,
                                        const Job& job);

}  // namespace tactelier::gui
