#pragma once
// MuJoCo as Debian's library, only where that was there when this was built.

#include <filesystem>
#include <memory>

#include "reports/verify/mujoco_engine.hpp"

namespace tactelier {

/// `scene`: a file with the text of mujoco_scene(). Fails with kUsage in a build without libmujoco,
/// naming the package, and with kInvalidInput in MuJoCo's words where it refuses the file.
Result<std::unique_ptr<MujocoEngine>> libmujoco_engine(const std::filesystem::path& scene);

}  // namespace tactelier
