#pragma once
// The newest MuJoCo, npm's @mujoco/mujoco, in a process of Node that answers over a socket pair. It
// ends with the engine.

#include <filesystem>
#include <memory>

#include "reports/verify/mujoco_engine.hpp"

namespace tactelier {

/// The folder of the package: node_modules of the current folder or of NODE_PATH. Fails with kUsage
/// where neither has it, saying how to get it.
Result<std::filesystem::path> mujoco_of_npm();

/// `scene`: a file with the text of mujoco_scene(). Fails with kUsage where Node can't be started
/// and with kInvalidInput in MuJoCo's words where it refuses the file.
Result<std::unique_ptr<MujocoEngine>> node_engine(const std::filesystem::path& scene,
                                                  const std::filesystem::path& package);

}  // namespace tactelier
