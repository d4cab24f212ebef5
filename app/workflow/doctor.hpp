#pragma once
// tactelier doctor: what on this computer, and in the devices of a device file, would spoil a
// recording, and how to mend it.

#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "devices/ati/netft_config.hpp"
#include "devices/grbl/grbl_protocol.hpp"
#include "devices/registry/device_file.hpp"
#include "devices/zaber/zaber_stage.hpp"

namespace tactelier {

enum class CheckState { kGood, kLook, kBad };

/// $number=value of a GRBL controller.
struct StageSetting {
  int number = 0;
  double value = 0;
};

struct SystemCheck {
  std::string what;  // "permission /dev/ttyUSB0"
  CheckState state = CheckState::kGood;
  std::string words;
  std::string remedy;                    // a command where there is one; empty when good
  std::optional<StageSetting> fix = {};  // what 'doctor --fix' may send to the stage
};

using SystemChecks = std::vector<SystemCheck>;

/// Ports' permissions, services that grab ports, USB-serial latency timers, socket buffers. `root`:
/// where proc and sys are found.
SystemChecks check_system(const std::filesystem::path& root = "/");

/// Whether this computer has an address beside that host's.
SystemCheck check_network(const std::string& host);

/// What a Net F/T box is set to: filter, rate, transform, RDT.
SystemChecks check_netft(const devices::NetFtConfig& config, const std::string& web);

/// What a GRBL controller is set to: $1, soft limits, homing, steps per mm.
SystemChecks check_grbl(const std::map<int, double>& settings, devices::GrblDialect dialect);

/// What a Marlin says of itself; steps per mm.
SystemChecks check_marlin(std::string_view firmware, const std::array<double, 3>& steps_per_mm);

/// What Zaber devices say of themselves. The travel is what shows a wrong um_per_step.
SystemChecks check_zaber(const std::vector<devices::ZaberIdentity>& devices,
                         const devices::StageTravel& travel, const devices::StagePosition& step_m);

/// Opens force sensor and stage as far as the file has them and they can be asked.
SystemChecks check_devices(const devices::DeviceFile& file);

/// The fixes of checks, in their order.
std::vector<StageSetting> stage_fixes(const SystemChecks& checks);
/// "$1=255, $20=1".
std::string fix_words(const std::vector<StageSetting>& settings);
/// Sends them and reads back what the controller keeps. Fails with kDeviceFault where it keeps
/// another value or refuses (FluidNC has its settings in a file).
Result<void> fix_stage(const devices::DeviceFile& file, const std::vector<StageSetting>& settings);

}  // namespace tactelier
