#pragma once
// The exported pad in its simulator as one more method of prediction, so that it can be asked for
// the images of recorded presses as our own are.

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "libcalib/forward/forward_method.hpp"
#include "reports/export/mujoco_pad.hpp"
#include "reports/verify/mujoco_engine.hpp"

namespace tactelier {

/// Presses at rest under a force, each in a scene of its own. Every tactel shows what the target's
/// sensor of it shows: clipped where it saturates, 0 where it is dead. Without spread, as the pad
/// has none. Fails with kUnidentifiable for presses by depth and shapes that
/// recorded_press_scene() refuses, with kInvalidInput in MuJoCo's words where it stops.
class PadMethod final : public ForwardMethod {
 public:
  using Start = Result<std::unique_ptr<MujocoEngine>> (*)(const std::filesystem::path& scene);

  /// A level pad. `mjcf`: the file as it was exported. Scenes are written into `folder`, which
  /// outlives the method.
  PadMethod(std::string mjcf, MujocoPad pad, Start start, std::filesystem::path folder);
  Result<PressImage> press(const StaticPress& press) const override;

 private:
  std::string mjcf_;
  MujocoPad pad_;
  Start start_;
  std::filesystem::path folder_;
  /// By scene and load: what is repeated five times is pressed once. One thread at a time.
  mutable std::map<std::pair<std::string, double>, PressImage> pressed_;
};

}  // namespace tactelier
