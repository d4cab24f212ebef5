#pragma once
// What the registry knows of a driver. A new one defines a constant of this type in its own folder
// and gets one line in registry.cpp.

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string_view>

#include "devices/interface/driver_options.hpp"
#include "devices/link/connector.hpp"
#include "devices/manual/manual_stage.hpp"
#include "devices/replay/replay.hpp"

namespace tactelier::devices {

/// Devices of one recording play in step, so they share it.
struct ReplayShelf {
  std::mutex mutex;
  std::map<std::string, Replay> replays;  // by file
};

/// What every driver is handed beside its own options.
struct OpenContext {
  Connector connect;
  HostClock* clock = nullptr;  // of the links that `connect` opens
  Operator person;             // for stages that a person turns; may be empty
  /// false: whoever opens it only wants to look; what the device keeps stays as it is.
  bool change_settings = true;
  /// How many times longer than usual a device may take to answer: one that is emulated faster than
  /// real time shares this computer with us.
  double patience = 1;
  std::shared_ptr<ReplayShelf> shelf = std::make_shared<ReplayShelf>();
};

template <class Device>
struct Driver {
  std::string_view name;     // in the device file
  std::string_view summary;  // half a line
  std::span<const OptionInfo> options;
  Result<std::unique_ptr<Device>> (*open)(const DriverOptions& options, const OpenContext& context);
};

}  // namespace tactelier::devices
