#pragma once
// The devices of a rig as its process tells of them, in the words of the Bench page.

#include <vector>

#include "app/workflow/device_health.hpp"

namespace tactelier::gui {

class RigLink;

/// Stage, force, tactile, as far as the device file has them; empty while no rig is connected.
std::vector<DeviceHealth> rigHealth(const RigLink& rig);

}  // namespace tactelier::gui
