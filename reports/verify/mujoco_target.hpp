#pragma once
// The exported pad in MuJoCo itself. Only where libmujoco was there when this was built.

#include <filesystem>
#include <memory>

#include "reports/export/mujoco_pad.hpp"
#include "reports/verify/press_target.hpp"

namespace tactelier {

/// `scene`: a file with the text of mujoco_scene(). Fails with kUsage in a build without libmujoco,
/// naming the package, and with kInvalidInput in MuJoCo's words where it refuses the file.
Result<std::unique_ptr<PressTarget>> mujoco_target(const std::filesystem::path& scene,
                                                   const MujocoPad& pad);

}  // namespace tactelier
