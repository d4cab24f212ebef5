#pragma once
// What the registry knows of a driver. A new one defines a constant of this type in its own folder
// and gets one line in registry.cpp.

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "devices/interface/driver_options.hpp"
#include "devices/link/connector.hpp"

namespace tactelier::devices {

/// Shows a question to whoever stands at the rig and gives what was typed. Fails with kCancelled
/// when the operator gives up.
using AskOperator = std::function<Result<std::string>(std::string_view question)>;

/// Recordings that are open as devices: those of one recording play in step, so they share it
/// (devices/replay/replay_cache.hpp).
class ReplayCache;

/// What every driver is handed beside its own options.
struct OpenContext {
  Connector connect;
  HostClock* clock = nullptr;  // of the links that `connect` opens
  AskOperator ask_operator;    // for stages that are turned by hand; may be empty
  /// false: whoever opens it only wants to look; what the device keeps stays as it is.
  bool change_settings = true;
  /// How many times longer than usual a device may take to answer: one that is emulated faster than
  /// real time shares this computer with us.
  double timeout_scale = 1;
  std::shared_ptr<ReplayCache> replays;
};

template <class Device>
struct Driver {
  std::string_view name;     // in the device file
  std::string_view summary;  // half a line
  std::span<const OptionInfo> options;
  Result<std::unique_ptr<Device>> (*open)(const DriverOptions& options, const OpenContext& context);
};

}  // namespace tactelier::devices
